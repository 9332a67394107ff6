"""Links with a turn whose letters a mail service or a mail program has rewritten: encoded for the
address of the service, which leads there by itself (SafeLinks, Proofpoint, Sophos, Barracuda,
Cisco, Google and many others), or wrapped and encoded with the text around them.

Each is decoded as often as it was encoded, within bounds; nothing is asked of a service.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote_to_bytes

MAX_ROUNDS = 8
"""How often one link is decoded."""
_LONGEST = 20_000
"""Bytes of one rewritten link that are looked at."""
_MAX_BASE64 = 20
_BREAK = rb"(?:=?\r?\n[ \t>|]{0,20})?"
_ENTITY = rb"&(?:amp;){0,4}(?:%s);"
_HASH = (
    rb"(?:#|[%=-](?:25|2[dD]|3[dD]){0,8}23|[*]|%(?:25){0,8}2[aA]|"
    + _ENTITY % rb"#0{0,5}35|#[xX]0{0,5}23|num"
    + rb")"
)
"""The `#` before a link's content: encoded for an address, for Proofpoint (`-23`, or `*`), in
quoted-printable or in HTML; each perhaps several times."""
_EQUALS = (
    rb"(?:=(?:3[dD]){0,8}|[%-](?:25|2[dD]){0,8}3[dD](?:3[dD]){0,8}|"
    + _ENTITY % rb"#0{0,5}61|#[xX]0{0,5}3[dD]|equals"
    + rb")"
)
_WORDS = (b"turn", b"join", b"seek")
_BEFORE = re.compile(_HASH + _BREAK + rb"\Z")
_BEHIND = re.compile(_BREAK + _EQUALS)
_LONGEST_MARK = 80
_MAX_PLACES = 2000
_PLAIN = re.compile(rb"#(join|turn|seek)=(?!(?:3[dD])+[0-9])")
_BREAKS = re.compile(rb"=?\r?\n[ \t>|]*")
_OF_PROOFPOINT = re.compile(rb"-([0-9A-Fa-f]{2})")
_SEPARATORS = re.compile(rb"(?:join|turn|seek)(.{0,12})", re.DOTALL)
_BASE64 = re.compile(rb"aHR0c[A-Za-z0-9+/_=%%\s>|-]{40,%d}" % _LONGEST)
"""An address, from its `http` on, in base64."""
_STARRED = re.compile(rb"v3(?:/|%(?:25){0,8}2[fF])__")
"""How the third version of Proofpoint's links begins, behind its host."""
_STARS = re.compile(rb"\*(?:\*(.))?")
_RUN_LENGTHS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BASE64_RUN = re.compile(rb"[A-Za-z0-9_-]+(?=!|%)")
_BASE64_LETTERS = re.compile(rb"[A-Za-z0-9+/]+")


def links_in(text: bytes, rounds: int = MAX_ROUNDS) -> Iterator[bytes]:
    """What looks like a link with a turn, however it was rewritten: each from its `#` on, decoded,
    with whatever follows."""
    for start in _starts(text):
        if (link := _decoded(text, start)) is not None:
            yield link
    if rounds > 0 and b"aHR0c" in text:
        for place, _ in zip(_BASE64.finditer(text), range(_MAX_BASE64), strict=False):
            yield from links_in(_out_of_base64(place[0]), rounds // 2)
    if rounds > 0 and b"__" in text:
        for begin, _ in zip(_STARRED.finditer(text), range(_MAX_BASE64), strict=False):
            starred = text[begin.start() : begin.start() + _LONGEST]
            yield from links_in(_out_of_stars(starred), rounds // 2)


def unbroken(text: bytes) -> bytes:
    """The text without its line ends, and what wrapping and quoting put around them."""
    return _BREAKS.sub(b"", text)


def _starts(text: bytes) -> Iterator[int]:
    """The places of what may be the `#` of a link with a turn, in their order. The words behind it
    are looked for first, which is fast."""
    places = {
        before.start() + max(0, place - _LONGEST_MARK)
        for word in _WORDS
        for place in islice(_places(text, word), _MAX_PLACES)
        if _BEHIND.match(text, place + len(word))
        and (before := _BEFORE.search(text[max(0, place - _LONGEST_MARK) : place])) is not None
    }
    yield from sorted(places)


def _places(text: bytes, word: bytes) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _decoded(text: bytes, start: int) -> bytes | None:
    """The link that begins here, decoded until it begins as ours do; None if it does not come to
    that."""
    link = text[start : start + _LONGEST]
    if link.startswith((b"*", b"%2")) and _is_starred(text, start):
        link = b"#" + re.sub(rb"\A(?:\*|%(?:25)*2[aA])", b"", link)
    marks = link[:80]
    if _PLAIN.match(link) is None or b"\n" in marks[:12]:
        link = _BREAKS.sub(b"", link)
    for _ in range(MAX_ROUNDS):
        if (plain := _PLAIN.match(link)) is not None:
            return b"#" + plain[1] + b"=" + link[plain.end() :]
        between = _SEPARATORS.search(link[:80])
        marks = link[:1] + (b"" if between is None else between[1][:1])
        if b"%" in marks:
            link = unquote_to_bytes(link)
        elif b"&" in marks:
            import html  # all names of letters: no command without such a link needs them

            link = html.unescape(link.decode("latin-1")).encode("latin-1", "replace")
        elif b"-" in marks:
            link = _OF_PROOFPOINT.sub(_byte, link.replace(b"_", b"/"))
        else:
            link = binascii.a2b_qp(link)
    return None


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode("ascii"))


def _is_starred(text: bytes, place: int) -> bool:
    """Whether the third version of Proofpoint's links begins before this place: it writes a star
    for a `#`."""
    before = _BREAKS.sub(b"", text[max(0, place - 1000) : place])
    return re.search(rb"(?:/|%(?:25)*2[fF])v3(?:/|%(?:25)*2[fF])__", before) is not None


def _out_of_stars(link: bytes) -> bytes:
    """The address in a link of Proofpoint's third version, with what it hides behind stars and
    tells at its end; empty if it does not."""
    link = _BREAKS.sub(b"", link)
    for _ in range(MAX_ROUNDS):
        if link.startswith(b"v3/"):
            break
        link = unquote_to_bytes(link)
    address, _, rest = link.removeprefix(b"v3/__").partition(b"__;")
    letters = _BASE64_RUN.match(rest)
    if letters is None:
        return b""
    hidden = iter(_out_of_base64(letters[0]).decode("utf-8", "replace"))

    def shown(stars: re.Match[bytes]) -> bytes:
        many = 1 if stars[1] is None else 2 + _RUN_LENGTHS.find(stars[1])
        return "".join(islice(hidden, many)).encode()

    return _STARS.sub(shown, address)


def _out_of_base64(letters: bytes) -> bytes:
    """The address in these letters, which may be those that addresses have, encoded for one, and
    wrapped."""
    whole = unquote_to_bytes(_BREAKS.sub(b"", letters)).translate(bytes.maketrans(b"-_", b"+/"))
    match = _BASE64_LETTERS.match(whole)
    run = b"" if match is None else match[0]
    run = run[: len(run) - (len(run) % 4 == 1)]
    return base64.b64decode(run + b"=" * (-len(run) % 4))
