"""Delivery status notices (RFC 3464): what a mail system says of a mail that it could not deliver,
with all of that mail or its headers alone.

Whoever got a mail knows its id, and anybody can write that it was not delivered. So a notice is
hearsay: it counts only for a mail and an address that the outbox of a game names, is told in words
of ours, and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Damaged
from pbem.home import outbox
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.outbox import Bounce, SentTurn
from pbem.mail import bounded_mime
from pbem.mail.lost_turns import UNREADABLE, game_in
from pbem.mail.unpack import Budget

MAX_STATUS, MAX_GROUPS = 100_000, 100
"""Bytes of the part of a notice that a program reads, and recipients in it."""
_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")
_MAIL_PARTS = (
    "message/rfc822",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global",
    "message/global-headers",
)
"""Of each pair the second holds headers alone; those called global are of RFC 6533."""
_BLANK = re.compile(rb"\n(?:[ \t]*\n)+")
_CODE = re.compile(r"\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})(?![0-9.])")
_ID = re.compile(r"\s*(<[!-;=?-~]{3,200}>)\s*\Z")


class FailedRecipient(NamedTuple):
    """A recipient of a mail that was not delivered: the mail's game (the first digits of its id)
    and Message-ID, the addresses that it was meant for and went to in the end, and the status code,
    empty if there is none."""

    game: str
    id: str
    to: Sequence[str]
    status: str


def read(data: bytes) -> list[FailedRecipient]:
    """The recipients of a mail of ours that a notice says it did not reach; none in any other
    mail."""
    recipients: list[Message] = []
    head: Message | None = None
    try:
        for part in bounded_mime.parts(data, Budget()):
            if part.type in _STATUS_PARTS:
                recipients += _recipients(part.content)
            elif part.type in _MAIL_PARTS and recipients and head is None:
                head = bounded_mime.head(part.content)
        if (
            head is None
            or (game := game_in(head)) is None
            or (known := _ID.match(str(head["Message-ID"] or ""))) is None
        ):
            return []
        return [
            found
            for one in recipients
            if (found := _failed_recipient(game, known[1], one)) is not None
        ]
    except UNREADABLE:
        return []


def _recipients(content: bytes) -> list[Message]:
    """The fields of each recipient: they stand below those of the mail as a whole, parted by blank
    lines."""
    text = content[:MAX_STATUS].replace(b"\r\n", b"\n").strip(b"\n")
    return [
        BytesHeaderParser().parsebytes(group)
        for group in _BLANK.split(text, MAX_GROUPS)[1 : MAX_GROUPS + 1]
    ]


def _failed_recipient(game: str, message_id: str, fields: Message) -> FailedRecipient | None:
    if str(fields["Action"] or "").strip().lower() != "failed":
        return None
    values = (str(fields[name] or "") for name in ("Original-Recipient", "Final-Recipient"))
    addresses = [value.partition(";")[2].strip().strip("<>").casefold() for value in values]
    code = _CODE.match(str(fields["Status"] or ""))
    return FailedRecipient(
        game,
        message_id,
        [address for address in addresses if address],
        "" if code is None else code[1],
    )


class Match(NamedTuple):
    """A failed recipient to whom this home has sent a turn: the folder of the game, the turn, and
    what is said."""

    folder: Path
    turn: SentTurn
    bounce: Bounce

    @property
    def is_known(self) -> bool:
        """Whether it was noted before: one notice counts for one mail and one address."""
        return any(
            (one.id, one.to) == (self.bounce.id, self.bounce.to) for one in self.turn.bounces
        )

    def note(self) -> None:
        """Note it in the outbox. Raises `Usage`."""
        if not self.is_known:
            outbox.note_bounce(self.folder, self.turn, self.bounce)


def matches(home: Home, failed: Sequence[FailedRecipient]) -> list[Match]:
    """Those that are about a mail and an address that this home has sent it to, as far as its
    outboxes can be read."""
    found = []
    for one in failed:
        for folder in [path for path in game_folders(home) if path.name.startswith(one.game)]:
            with suppress(Damaged):  # pbem inbox tells of it
                if (sent := outbox.sent_as(outbox.read(folder), one.id, one.to)) is not None:
                    found.append(Match(folder, sent[0], Bounce(one.id, sent[1], one.status)))
    return found
