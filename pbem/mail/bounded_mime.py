"""Takes a mail apart into the contents of its parts, in a time and memory that nobody who writes a
mail can drive up.

The standard library reads the headers only. Where a part begins and ends is found here, in the
bytes of the mail: given a whole mail, the library makes a string of every line, which takes many
times the size of a hostile mail, and minutes. The format is that of RFC 2046, section 5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pbem.fileformat import link
from pbem.fileformat.turnfile import BOM, START, single_ends
from pbem.mail import unpack, unread_forms
from pbem.mail.unread_forms import Budget

if TYPE_CHECKING:
    from email.message import Message

MAX_DEPTH = 20
"""How deep parts may stand in parts, and mails in mails."""
MAX_HEAD = 200_000
"""Bytes of the headers of one mail or part."""
MAX_DESCRIPTION = 2000
"""Characters of one header about the content: the time that the library takes for its parameters
grows with the square of its length."""
_FIELD = rb"[!-9;-~]{1,80}[ \t]*:"
_HEAD = re.compile(
    rb"(?:>?From [^\n]*\n)?(?:(?:%s|[ \t])[^\n]*(?:\n|\Z))"
    rb"(?:(?:%s|[ \t])[^\n]*(?:\n|\Z)|[^\r\n]{1,200}\r?\n(?=%s))*" % (_FIELD, _FIELD, _FIELD)
)
"""Headers, with lines between them that are none. Before them may stand the line with which an mbox
begins a mail."""
_NO_FIELD = re.compile(rb"\n(?!%s|[ \t]|\Z)[^\n]*" % _FIELD)
_OF_CONTENT = re.compile(rb"\n[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[^\n]*(?:\n[ \t][^\n]*)*")
_BEFORE_COLON = re.compile(rb"(?m)^([!-9;-~]{1,80})[ \t]+:")
_LIKELY_DELIMITER = re.compile(
    rb"(?i)(?:\A|(?<=\n))--([^\r\n]{1,200}?)[ \t]*\r?\n(?:[ \t]*\r?\n)?content-"
)
_COST_OF_GUESS = 1000
_PAGE = re.compile(rb"(?i)\s{0,200}<(?:!doctype html|html|head|body|meta|\?xml|!--)")
"""How a saved page begins."""
_BEFORE_HEAD = re.compile(rb"(?:%s)?[ \t\r\n]{0,1000}" % BOM)
_OF_A_MAIL = re.compile(
    rb"(?im)^(?:from|to|subject|date|received|message-id|mime-version|content-type|return-path|delivered-to"
    rb"|x-pbem-game)[ \t]*:"
)
_DELIMITER_TAIL = re.compile(rb"(--)?[ \t]*\r?(?:\n|\Z)")
_PICTURES = ("image", "audio", "video")
_EMLX = re.compile(rb"\s{0,20}([0-9]{1,9})\s{0,20}\n")
"""The beginning of a mail as Apple Mail keeps it: its length in bytes stands above it, and a list
of properties below."""


class _Region(NamedTuple):
    """Some bytes of `data`, from `start` to `end`, and in how many parts or mails they stand."""

    data: bytes
    start: int
    end: int
    depth: int = 0


@dataclass(frozen=True)
class _Kind:
    """What the headers of a part say about its content."""

    type: str
    encoding: str
    boundary: bytes

    @property
    def is_multipart(self) -> bool:
        return self.type.startswith("multipart/")


def plain(data: bytes) -> bytes:
    """The bytes of a mail as mails are written: out of UTF-16 and UTF-32, and with line ends that a
    program has not doubled or lost."""
    if b"\0" in data[:4] or data[:2] in unpack.UTF16:
        data = unpack.as_utf8(data)
    return single_ends(data)


def is_mail(data: bytes) -> bool:
    """Whether these bytes begin with the headers of a mail."""
    data = plain(data)
    return _end_of_head(_Region(data, 0, len(data))) is not None


def head(data: bytes) -> Message | None:
    """The headers of a mail; None if these bytes are no mail. Raises `ValueError` if the headers
    are too long."""
    data = plain(data)
    region = _Region(data, 0, len(data))
    found = _end_of_head(region)
    return None if found is None else _headers(region, *found)


class Part(NamedTuple):
    """One part of a mail: its type, and its content, decoded."""

    type: str
    content: bytes


def parts(data: bytes, budget: Budget) -> Iterator[Part]:
    """The parts of a mail that is made of several, but not the parts inside those; none of any
    other mail. Raises what `contents` raises."""
    data = plain(data)
    region = _Region(data, 0, len(data))
    found = _end_of_head(region)
    kind = None if found is None else _kind(region, *found)
    if found is None or kind is None or not kind.is_multipart:
        return
    body = _of_parts(_Region(data, found[1], len(data)), kind)
    for part in _parts(body, _boundary(body, kind.boundary, budget), budget):
        if not budget.has_part():
            return
        match = _HEAD.match(part.data, part.start, min(part.end, part.start + MAX_HEAD + 1))
        if match is not None:
            inner = _kind(part, part.start, match.end())
            yield Part(
                inner.type,
                unpack.decoded(part.data, match.end(), part.end, inner.encoding).lstrip(b"\r\n"),
            )


class NamedPart(NamedTuple):
    """A part of a mail that is no multipart and no mail, decoded, with the file name that its
    headers give it (empty: none)."""

    name: str
    content: bytes


def named_parts(data: bytes, budget: Budget) -> Iterator[NamedPart]:
    """Every part of a mail, and of the mails inside it, as the file that was attached: whatever its
    type, with nothing unpacked or changed. None of other bytes. Raises what `contents` raises."""
    data = plain(data)
    region = _Region(data, 0, len(data))
    if (found := _end_of_head(region)) is not None:
        yield from _named_parts(region, *found, budget)


def _named_parts(region: _Region, start: int, end: int, budget: Budget) -> Iterator[NamedPart]:
    kind, body = _kind(region, start, end), _body(region, end)
    if region.depth >= MAX_DEPTH:
        return
    if kind.is_multipart:
        whole = _of_parts(body, kind)
        for part in _parts(whole, _boundary(whole, kind.boundary, budget), budget):
            if not budget.has_part():
                return
            match = _HEAD.match(part.data, part.start, min(part.end, part.start + MAX_HEAD + 1))
            if match is not None:
                yield from _named_parts(part, part.start, match.end(), budget)
    elif kind.type == "message/rfc822":
        if (found := _end_of_head(body)) is not None:
            yield from _named_parts(body, *found, budget)
    else:
        name = _parsed(_fields(region, start, end)).get_filename("")
        yield NamedPart(name, unpack.decoded(body.data, body.start, body.end, kind.encoding))


def contents(data: bytes, budget: Budget | None = None) -> Iterator[bytes]:
    """The contents of every part of a mail, and of the mails, zips and uuencoded blocks inside it.
    HTML comes without its tags, and only if an armor may be in it. Of bytes that are no mail:
    themselves, and what is packed in them.

    Raises `ValueError`, or whatever the library raises, if the mail cannot be read.
    """
    budget = budget or Budget()
    data = plain(data)
    yield from _content(_Region(data, 0, len(data)), budget)


def _content(region: _Region, budget: Budget) -> Iterator[bytes]:
    """The contents of a file or of a decoded part, which may be a mail again."""
    found = _end_of_head(region) if region.depth < MAX_DEPTH else None
    if found is not None:
        yield from _entity(region, *found, budget)
        return
    if (
        kept := _EMLX.match(region.data, region.start, region.end)
    ) is not None and region.depth < MAX_DEPTH:
        end = min(region.end, kept.end() + int(kept[1]))
        inner = _Region(region.data, kept.end(), end, region.depth + 1)
        if _end_of_head(inner) is not None:
            yield from _content(inner, budget)
            return
    whole = region.data[region.start : region.end]
    if unpack.is_packed(whole):
        for file in unpack.files_in(whole, budget) if region.depth < MAX_DEPTH else ():
            yield from _content(_Region(file, 0, len(file), region.depth + 1), budget)
        return
    content = unpack.as_utf8(whole)
    unread_forms.note(content, budget)
    if _PAGE.match(content):
        yield from _page(content, budget)
        return
    yield content
    for file in unpack.files_in(content, budget) if region.depth < MAX_DEPTH else ():
        yield from _content(_Region(file, 0, len(file), region.depth + 1), budget)


def _end_of_head(region: _Region) -> tuple[int, int] | None:
    """Where the headers of a mail begin and end: blank lines and a byte order mark may stand before
    them. None if there are none."""
    data, start, end, _ = region
    before = _BEFORE_HEAD.match(data, start, end)
    start = before.end() if before else start
    match = _HEAD.match(data, start, min(end, start + MAX_HEAD + 1))
    if match is None or _OF_A_MAIL.search(data, start, match.end()) is None:
        return None
    return start, match.end()


def _headers(region: _Region, start: int, end: int) -> Message:
    """The headers from `start` to `end`, parsed. Raises `ValueError` if they, or one about the
    content, are too long."""
    return _parsed(_fields(region, start, end))


def _fields(region: _Region, start: int, end: int) -> bytes:
    """The headers from `start` to `end`, each behind a line end, without what is none. Raises
    `ValueError` if they are too long."""
    if end - start > MAX_HEAD:
        raise ValueError(f"headers of more than {MAX_HEAD} bytes")
    text = region.data[start:end].lstrip()
    if text.startswith((b"From ", b">From ")):
        text = text.partition(b"\n")[2]
    if b" :" in text or b"\t:" in text:
        text = _BEFORE_COLON.sub(rb"\1:", text)
    return _NO_FIELD.sub(b"", b"\n" + text)


def _parsed(fields: bytes) -> Message:
    """Headers, parsed. Raises `ValueError` if one about the content is too long."""
    # The headers alone: with a body, even an empty one, the library reads the parameters before
    # they are measured here.
    message = parsed(fields[1:])
    for name, value in message.items():
        if name.lower().startswith("content-") and len(str(value)) > MAX_DESCRIPTION:
            raise ValueError(f"a header {name[:40]} of {len(str(value))} characters")
    return message


def parsed(fields: bytes) -> Message:
    """Headers as the standard library reads them."""
    from email.parser import BytesHeaderParser  # few commands are given a mail

    return BytesHeaderParser().parsebytes(fields)


_ENCODINGS = ("base64", "quoted-printable")


def _kind(region: _Region, start: int, end: int) -> _Kind:
    """What the headers from `start` to `end` say about the content. The library takes long over
    each header, so it gets those alone. Raises `ValueError` if they are too long."""
    fields = _fields(region, start, end)
    if fields.count(b"\r") == fields.count(b"\r\n"):  # else a line may end in the midst of one
        fields = b"".join(_OF_CONTENT.findall(fields))
    message = _parsed(fields)
    told = str(message.get("Content-Transfer-Encoding", "")).lower()
    encoding = next((known for known in _ENCODINGS if known in told), "")
    boundary = message.get_boundary() or ""
    return _Kind(
        message.get_content_type(), encoding, boundary.encode("ascii", "surrogateescape")[:200]
    )


def _entity(region: _Region, start: int, end: int, budget: Budget) -> Iterator[bytes]:
    """The contents of a mail or a part whose headers stand from `start` to `end`."""
    data = region.data
    kind = _kind(region, start, end)
    if b"PBEM" in data[start:end]:
        yield data[start:end]  # what looks like a header may be the words above a pasted turn
    body = _body(region, end)
    whole = _of_parts(body, kind) if kind.is_multipart and region.depth < MAX_DEPTH else body
    boundary = _boundary(whole, kind.boundary, budget) if kind.is_multipart else b""
    if boundary and region.depth < MAX_DEPTH:
        for part in _parts(whole, boundary, budget):
            if not budget.has_part():
                return
            yield from _part(part, budget)
    else:
        yield from _leaf(body, kind, budget)


def _body(region: _Region, end: int) -> _Region:
    """What stands below the headers that end there."""
    data = region.data
    if data.startswith(b"\r\n", end):
        end += 2
    elif data.startswith(b"\n", end):
        end += 1
    return _Region(data, min(end, region.end), region.end, region.depth + 1)


def _of_parts(body: _Region, kind: _Kind) -> _Region:
    """The body of a multipart, decoded if a program has encoded it as a whole, which RFC 2045,
    section 6.4, forbids."""
    if kind.encoding not in _ENCODINGS or _begins_with(body, kind.boundary):
        return body
    content = unpack.decoded(body.data, body.start, body.end, kind.encoding)
    decoded = _Region(b"\n" + content, 0, len(content) + 1, body.depth)
    return decoded if b"\n--" in decoded.data else body


def _begins_with(body: _Region, boundary: bytes) -> bool:
    return body.data.find(b"\n--" + boundary, max(0, body.start - 1), body.end) >= 0


def _boundary(body: _Region, boundary: bytes, budget: Budget) -> bytes:
    """The boundary that parts the body: the one that its header names, that without a comment
    behind it, or else what stands there like one; the named one if nothing does."""
    if boundary and _begins_with(body, boundary):
        return boundary
    bare = re.sub(rb"[ \t]*\(.*|[ \t;]+\Z", b"", boundary)
    if bare and _begins_with(body, bare):
        return bare
    budget.delimiters -= _COST_OF_GUESS
    likely = (
        _LIKELY_DELIMITER.search(body.data, body.start, body.end) if budget.delimiters > 0 else None
    )
    return boundary if likely is None else likely[1]


def _part(part: _Region, budget: Budget) -> Iterator[bytes]:
    """The contents of one part of a multipart, which may have headers or none."""
    match = _HEAD.match(part.data, part.start, min(part.end, part.start + MAX_HEAD + 1))
    if match is None:
        blank = next(
            (end for end in (b"\r\n", b"\n") if part.data.startswith(end, part.start)), b""
        )
        yield from _content(part._replace(start=min(part.start + len(blank), part.end)), budget)
    else:
        yield from _entity(part, part.start, match.end(), budget)


def _parts(body: _Region, boundary: bytes, budget: Budget) -> Iterator[_Region]:
    """The parts between the delimiter lines; the whole body if there is no such line. What stands
    before the first delimiter and after the last one is no part; a delimiter after the one that
    should be the last begins one. A mail that was cut off has no last delimiter: its last part goes
    to the end."""
    data, marker = body.data, b"\n--" + boundary
    start: int | None = None
    is_closed = False
    place = body.start if data.startswith(marker[1:], body.start) else -1
    place = place - 1 if place >= 0 else data.find(marker, body.start, body.end)
    while place >= 0 and budget.delimiters > 0:
        budget.delimiters -= 1
        tail = _DELIMITER_TAIL.match(data, place + len(marker), body.end)
        if tail is not None:
            if start is not None:
                yield body._replace(start=start, end=max(start, place))
            is_closed = bool(tail[1])
            start = None if is_closed else tail.end()
        place = data.find(marker, (place if tail is None else tail.end() - 2) + 1, body.end)
    if not is_closed:
        yield body if start is None else body._replace(start=min(start, body.end))


def _leaf(body: _Region, kind: _Kind, budget: Budget) -> Iterator[bytes]:
    """The contents of a part that has no parts: decoded, and without markup if it is HTML. A part
    that begins as a turn is taken as one whatever its type says, for mail programs guess types."""
    if kind.encoding in ("base64", "quoted-printable") and not _begins_a_turn(body):
        content = unpack.decoded(body.data, body.start, body.end, kind.encoding)
        body = _Region(content, 0, len(content), body.depth)
    is_turn = _begins_a_turn(body)  # whatever a mail program took it for
    if kind.type.partition("/")[0] in _PICTURES and not is_turn:
        return
    if kind.type == "text/html" and not is_turn:
        page = body.data[body.start : body.end]
        unread_forms.note(page, budget)
        yield from _page(page, budget)
    else:
        yield from _content(body, budget)


def _page(page: bytes, budget: Budget) -> Iterator[bytes]:
    yield unpack.without_markup(page, budget)
    yield from link.links_in(page)  # where they lead to stands in the tags


def _begins_a_turn(body: _Region) -> bool:
    """Whether a part begins as a turn file or a packed file does."""
    begin = body.data[body.start : min(body.end, body.start + 1000)]
    text = unpack.as_utf8(
        begin if begin[:2] not in unpack.UTF16 else begin[: len(begin) // 2 * 2]
    ).lstrip()
    return text.startswith(START) or unpack.is_packed(begin)
