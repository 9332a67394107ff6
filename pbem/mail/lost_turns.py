"""What the headers of a mail say: which turn it should carry, and who sent it. A mail may lose its
turn on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

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
"""What the library meets in a hostile mail."""


class Lost(NamedTuple):
    """What a mail should have carried, by its own headers: the beginning of the game's number, the
    entry, and the address it came from (empty if that is no plain one: anybody may write anything
    there). `is_link`: the entry came, and nothing of what it continues."""

    game: str
    entry: int
    sender: str
    is_link: bool = False


def lost_in(data: bytes) -> Lost | None:
    """What the headers of a mail say it carries; None if they name no game."""
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
    return None if match is None else Lost(match[1][:16], int(match[2]), sender_of(data))


def game_in(head: Message) -> str | None:
    """The first digits of the game id in the headers of a mail, 32 or 16; None if they name
    none."""
    match = _GAME.match(str(head["X-PBEM-Game"] or "")) or _MESSAGE_ID.match(
        str(head["Message-ID"] or "")
    )
    return None if match is None else match[1][:32]


def sender_of(data: bytes) -> str:
    """The address that a mail says it comes from; empty if it says none, or no plain one."""
    from email.utils import parseaddr

    from pbem.home.identity import is_mail_address
    from pbem.mail import bounded_mime

    try:
        head = bounded_mime.head(data)
        sender = "" if head is None else parseaddr(str(head["From"] or "")[:MAX_FROM])[1]
    except UNREADABLE:
        return ""
    return sender if is_mail_address(sender) else ""
