"""Delivery status notices (RFC 3464), in which a mail system says that it could not deliver a mail.
Such a notice carries that mail whole, or its headers alone.

Whoever got a mail knows its id, and anybody can write that it was not delivered. So a notice proves
nothing: it counts only for a mail and an address that the outbox of a game names, its words are
never quoted, and it changes nothing in a game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import Damaged
from pbem.fileformat.turnfile import single_ends
from pbem.home import outbox
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.outbox import Bounce, SentTurn
from pbem.mail import bounded_mime
from pbem.mail.lost_turns import UNREADABLE, game_in
from pbem.mail.unread_forms import Budget

if TYPE_CHECKING:
    from email.message import Message

MAX_STATUS, MAX_GROUPS = 100_000, 100
"""Bytes that are read of the part of a notice that is made for programs, and recipients that are
read in it."""
_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")
_MAIL_PARTS = (
    "message/rfc822",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global",
    "message/global-headers",
)
"""The types under which the mail itself stands in a notice. Of each pair the second holds headers
alone; those with "global" are of RFC 6533."""
_ORIGINAL, _FINAL, _ACTION = b"original-recipient", b"final-recipient", b"action"
_BLANK = re.compile(rb"\n(?:[ \t]*\n)+")
_CODE = re.compile(r"\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})(?![0-9.])")
_ID = re.compile(r"\s*(<[!-;=?-~]{3,200}>)\s*\Z")


class FailedRecipient(NamedTuple):
    """A recipient whom a mail did not reach: the first digits of the id of the mail's game, the
    mail's Message-ID, the recipient's addresses (the one that the mail was sent to and the one that
    it went to in the end), and the status code, empty if there is none."""

    game: str
    id: str
    to: Sequence[str]
    status: str


def read(data: bytes) -> list[FailedRecipient]:
    """The recipients whom a mail of ours did not reach, as a notice says; none if this mail is no
    such notice."""
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
    """The fields of each recipient. They stand in groups, parted by blank lines, after a first
    group about the mail as a whole; some mail systems leave out the blank lines."""
    text = single_ends(content[:MAX_STATUS]).replace(b"\r\n", b"\n").strip(b"\n")
    return [
        bounded_mime.parsed(fields)
        for group in _BLANK.split(text, MAX_GROUPS)[:MAX_GROUPS]
        for fields in _each_recipient(group)
    ][:MAX_GROUPS]


def _each_recipient(group: bytes) -> list[bytes]:
    """The fields of a group, parted where those of another recipient begin."""
    parted: list[list[bytes]] = [[]]
    names: set[bytes] = set()
    for line in group.split(b"\n"):
        name = line.partition(b":")[0].strip().lower()
        if name in names or (name == _ORIGINAL and names >= {_FINAL, _ACTION}):
            parted.append([])
            names = set()
        names |= {name} & {_ORIGINAL, _FINAL, _ACTION}
        parted[-1].append(line)
    return [b"\n".join(lines) for lines in parted]


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
    what the notice says."""

    folder: Path
    turn: SentTurn
    bounce: Bounce

    @property
    def is_known(self) -> bool:
        """Whether it was noted before: only the first notice about a mail and an address counts."""
        return any(
            (one.id, one.to) == (self.bounce.id, self.bounce.to) for one in self.turn.bounces
        )

    def note(self) -> None:
        """Note it in the outbox, unless it is known. Raises `Usage`."""
        if not self.is_known:
            outbox.note_bounce(self.folder, self.turn, self.bounce)


def matches(home: Home, failed: Sequence[FailedRecipient]) -> list[Match]:
    """Those about a mail and an address to which this home has sent it. Outboxes that cannot be
    read are passed over."""
    found = []
    for one in failed:
        for folder in [path for path in game_folders(home) if path.name.startswith(one.game)]:
            with suppress(Damaged):  # pbem inbox tells of it
                if (sent := outbox.sent_as(outbox.read(folder), one.id, one.to)) is not None:
                    found.append(Match(folder, sent[0], Bounce(one.id, sent[1], one.status)))
    return found
