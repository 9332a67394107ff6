"""What the headers of a mail say about it: which turn it carries, and who sent it. So a mail that
lost its turn on the way is still recognised."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import PbemError
from pbem.home import game_index
from pbem.home.identity import is_mail_address
from pbem.ledger.gate import replay
from pbem.mail import bounded_mime

if TYPE_CHECKING:
    from email.message import Message

    from pbem.home.home import Home

# Imported late: what reads mails, where there are some.

MAX_FROM = 1000
"""Characters of a sender that are read: the library takes seconds for a hundred thousand, and an
address has few."""
MAX_WORDS, MAX_NAMES = 20_000, 20
"""Bytes of a mail's words in which a game's name is looked for, and names that are looked at."""
_NAMED = re.compile(rb"-([0-9a-f]{8})(?![0-9a-f])(?:-([0-9]{4})\.(?:toml|eml|md))?")
_OWN = b"@pbem.invalid>"
"""Stands in the ids of our mails."""
_IN_REPLY = re.compile(r"<([0-9a-f]{16})\.([0-9]{1,4})\.[0-9a-f]{16}@pbem\.invalid>")
_TURN_NUMBER = re.compile(rb"\bturn ([0-9]{1,4})\b")
_GAME = re.compile(r"\s*([0-9a-f]{64}) ([0-9]{1,4})\s*\Z")
_MESSAGE_ID = re.compile(r"\s*<([0-9a-f]{16})\.([0-9]{1,4})\.[0-9a-f]{16}@pbem\.invalid>\s*\Z")


UNREADABLE = (
    MemoryError,
    RecursionError,
    ValueError,
    LookupError,
    AssertionError,
    AttributeError,
    TypeError,
)
"""The errors that the library may raise for a hostile mail."""


class LostTurn(NamedTuple):
    """What a mail should have carried, as its headers say: the first digits of the game's id, the
    number of the entry, and the address it came from, empty if that is no plain one. Anybody may
    write anything there. `is_link`: the entry came as a link, without the file that it
    continues. `is_likely`: the mail answers one about a game, or names the game, and nothing says
    that there was a turn in it; the number is then 0 if it names none."""

    game: str
    entry: int
    sender: str
    is_link: bool = False
    is_likely: bool = False


def lost_in(data: bytes) -> LostTurn | None:
    """The turn that the headers of a mail name; None if they name none."""
    try:
        data = bounded_mime.plain(data)
        if b"pbem" not in data[: bounded_mime.MAX_HEAD].lower():
            return None
        head = bounded_mime.head(data)
        if head is None:
            return None
        match = _GAME.match(str(head["X-PBEM-Game"] or "")) or _MESSAGE_ID.match(
            str(head["Message-ID"] or "")
        )
    except UNREADABLE:
        return None
    return None if match is None else LostTurn(match[1][:16], int(match[2]), sender_of(data))


def likely_in(data: bytes, contents: bytes) -> LostTurn | None:
    """The turn that a mail should have carried which answers a mail of a game, or names a game or a
    turn file of it in its subject or its words; None if it does neither. `contents`: the beginnings
    of its parts."""
    try:
        data = bounded_mime.plain(data)
        words = (data[:MAX_WORDS], contents)
        if _OWN not in words[0] and not any(map(_NAMED.search, words)):
            return None
        head = bounded_mime.head(data)
        if head is None:
            return None
        subject = _subject(head)
        text = subject + b"\n" + data[:MAX_WORDS] + b"\n" + contents
        named = [match for match in islice(_NAMED.finditer(text), MAX_NAMES) if _is_name(match)]
        answered = [
            match
            for name in ("In-Reply-To", "References")
            for match in islice(_IN_REPLY.finditer(str(head[name] or "")[:MAX_WORDS]), MAX_NAMES)
        ]
    except UNREADABLE:
        return None
    if file := next((match for match in named if match[2]), None):
        return LostTurn(file[1].decode(), int(file[2]), sender_of(data), is_likely=True)
    told = _TURN_NUMBER.search(subject)
    number = 0 if told is None else int(told[1])
    if answered:
        newest = max(answered, key=lambda match: int(match[2]))
        return LostTurn(newest[1], number or int(newest[2]) + 1, sender_of(data), is_likely=True)
    if named:
        return LostTurn(named[0][1].decode(), number, sender_of(data), is_likely=True)
    return None


def _subject(head: Message) -> bytes:
    from email.header import decode_header, make_header

    subject = str(head["Subject"] or "")[:MAX_FROM]
    return str(make_header(decode_header(subject))).encode("utf-8", "replace")


def _is_name(match: re.Match[bytes]) -> bool:
    """Whether a letter stands before the number: a game's short name begins with its kind."""
    return match.string[match.start() - 1 : match.start()].isalpha()


def awaited(home: Home, lost: LostTurn) -> LostTurn | None:
    """The turn that a mail came without, if the home does not have it; None if it does. Of a mail
    that is only likely to have lost one: if its game is here, goes on, and waits for somebody else
    than the player, and the mail is not the player's own."""
    if not lost.is_likely:
        return None if game_index.holds_entry(home, lost.game, lost.entry) else lost
    shelf = game_index.shelf_with_number(home, lost.game)
    identity = home.identity()
    if shelf is None or len(shelf.file.entries) > lost.entry > 0 or lost.sender == identity.mail:
        return None
    try:
        game = replay(shelf.file, home.checks.verifier)
    except PbemError:
        return None
    seat = game.to_act()
    player = None if seat is None else game.players[seat]
    if seat is None or (player is not None and player.key == identity.public):
        return None
    return lost._replace(game=game.game_id.hex(), entry=lost.entry or len(shelf.file.entries))


def game_in(head: Message) -> str | None:
    """The first digits of the game id in the headers of a mail, 32 or 16 of them; None if they name
    no game."""
    match = _GAME.match(str(head["X-PBEM-Game"] or "")) or _MESSAGE_ID.match(
        str(head["Message-ID"] or "")
    )
    return None if match is None else match[1][:32]


def sender_of(data: bytes) -> str:
    """The address that a mail says it comes from; empty if there is none, or no plain one."""
    from email.utils import parseaddr

    try:
        head = bounded_mime.head(data)
        sender = "" if head is None else parseaddr(str(head["From"] or "")[:MAX_FROM])[1]
    except UNREADABLE:
        return ""
    return sender if is_mail_address(sender) else ""
