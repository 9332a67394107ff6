"""What the headers of a mail say about it: which turn it carries, and who sent it. So a mail that
lost its turn on the way is still recognised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pbem.home.identity import is_mail_address

if TYPE_CHECKING:
    from email.message import Message

# Imported late: what reads mails, where there are some.

MAX_FROM = 1000
"""Characters of a sender that are read: the library takes seconds for a hundred thousand, and an
address has few."""
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
    continues."""

    game: str
    entry: int
    sender: str
    is_link: bool = False


def lost_in(data: bytes) -> LostTurn | None:
    """The turn that the headers of a mail name; None if they name none."""
    from pbem.mail import bounded_mime

    try:
        head = bounded_mime.head(data)
        if head is None:
            return None
        match = _GAME.match(str(head["X-PBEM-Game"] or "")) or _MESSAGE_ID.match(
            str(head["Message-ID"] or "")
        )
    except UNREADABLE:
        return None
    return None if match is None else LostTurn(match[1][:16], int(match[2]), sender_of(data))


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

    from pbem.mail import bounded_mime

    try:
        head = bounded_mime.head(data)
        sender = "" if head is None else parseaddr(str(head["From"] or "")[:MAX_FROM])[1]
    except UNREADABLE:
        return ""
    return sender if is_mail_address(sender) else ""
