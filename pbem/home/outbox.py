"""The outbox of a game: `outbox.json` in its folder has every turn file that went out from this
home, who has it and who was refused, and each mail of it. What the player has mailed by hand is
noted there as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Usage
from pbem.fileformat.turnfile import TurnFile
from pbem.home.store import StateFile
from pbem.lock import Lock

BY_HAND = "by hand"
"""Stands among the addresses of what the player has sent another way: to all whom it concerns, as
they say."""
MOST_MAILS = 50
"""Newest mails of one turn that are remembered."""


@dataclass(frozen=True)
class SentMail:
    """A mail that was handed over, or may have been: its Message-ID (empty: of another program),
    the addresses, and when, in seconds since 1970."""

    id: str
    to: Sequence[str]
    when: float


@dataclass(frozen=True)
class Bounce:
    """What a mail system is said to have answered later: the Message-ID of the mail, an address
    that it did not reach, and the status code (RFC 3463)."""

    id: str
    to: str
    status: str


@dataclass(frozen=True)
class SentTurn:
    """A turn file that went out: the number of its newest entry, its SHA-256, the addresses that
    have it, and those that a server refused, in words; its mails, and what came back of them."""

    number: int
    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    mails: Sequence[SentMail] = ()
    bounces: Sequence[Bounce] = ()

    def missing(self, mails: Iterable[str]) -> list[str]:
        """Those of these addresses that do not have the file."""
        return [] if BY_HAND in self.to else [mail for mail in mails if mail not in self.to]

    def is_sent(self) -> bool:
        """Whether it was sent, and nobody is known to lack it."""
        return bool(self.to) and not self.lacking

    def went_to(self, to: Sequence[str], refused: Mapping[str, str]) -> SentTurn:
        """After these addresses took it, beside those that have it, and these others were
        refused."""
        has_it = tuple(dict.fromkeys((*self.to, *to)))
        left = {
            mail: said for mail, said in {**self.lacking, **refused}.items() if mail not in has_it
        }
        return replace(self, to=has_it, lacking=left)

    def with_mail(self, mail: SentMail) -> SentTurn:
        """After a mail of it went out, or may have."""
        return replace(self, mails=(*self.mails, mail)[-MOST_MAILS:])


@dataclass(frozen=True)
class _OldOutbox:
    """What an older program kept in `sent.json`: the newest file that was sent, and no other."""

    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)


_OUTBOX = StateFile(
    "outbox.json",
    list[SentTurn],
    20_000_000,
    hint="remove it; then pbem inbox tells what was not sent",
)
_OLD = StateFile("sent.json", _OldOutbox, 100_000)


def read(folder: Path) -> list[SentTurn]:
    """The turns that went out of a game, by the folder of its memory, the oldest first. Raises
    `Damaged`."""
    kept = _OUTBOX.read(folder)
    if kept is None and (old := _OLD.read_if_whole(folder)) is not None:
        return [SentTurn(-1, old.file, old.to, old.lacking)]
    return kept or []


def sent_turn(folder: Path, data: bytes) -> SentTurn:
    """What went out of this very file; nothing where that cannot be read."""
    with suppress(Usage):
        return of_file(read(folder), data)
    return of_file([], data)


def of_file(turns: Sequence[SentTurn], data: bytes) -> SentTurn:
    """What went out of this very file."""
    digest = hashlib.sha256(data).hexdigest()
    return next((turn for turn in turns if turn.file == digest), SentTurn(-1, digest))


def note(folder: Path, number: int, data: bytes, how: Callable[[SentTurn], SentTurn]) -> None:
    """Note something of the turn file `data`, whose newest entry has this number: one process at a
    time. Raises `Usage`, and `Damaged` if the outbox cannot be read."""
    digest = hashlib.sha256(data).hexdigest()
    with Lock(folder / "outbox.lock", passing=True):
        turns = read(folder)
        before = next((turn for turn in turns if turn.file == digest), SentTurn(number, digest))
        after = how(replace(before, number=number))
        if after != before:
            others = [turn for turn in turns if turn is not before]
            _OUTBOX.write(folder, sorted([*others, after], key=lambda turn: turn.number))
            with suppress(OSError):  # from now on it is not read
                (folder / _OLD.name).unlink(missing_ok=True)


def note_by_hand(folder: Path, number: int, data: bytes, when: float) -> None:
    """Note that the player has sent this file another way, to all whom it concerns. Raises
    `Usage`."""
    mail = SentMail("", (BY_HAND,), when)
    note(
        folder,
        number,
        data,
        lambda turn: replace(turn.went_to([BY_HAND], {}), lacking={}).with_mail(mail),
    )


_WORDS = {
    "1.1": "no such user",
    "1.2": "no such mail server",
    "1.3": "it is no address",
    "1.6": "the mailbox has moved",
    "1.10": "no mail is taken there",
    "2.1": "the mailbox is closed",
    "2.2": "the mailbox is full",
    "2.3": "the mail is too large",
    "3.4": "the mail is too large",
    "4.1": "their server does not answer",
    "4.2": "their server does not answer",
    "4.4": "no way to their server is known",
    "4.7": "it was tried for days",
}
"""What subject and detail of a status code mean (RFC 3463, section 3; RFC 7505, section 4.2)."""
_SUBJECTS = {
    "1": "something is wrong with the address",
    "2": "something is wrong with the mailbox",
    "3": "their mail system is at fault",
    "4": "there is no way to their server",
    "5": "the servers do not understand each other",
    "6": "the mail's form is not taken",
    "7": "it is not wanted there",
}
"""The same for its subject alone."""


class FailedDelivery(NamedTuple):
    """A turn that is said not to have reached somebody: its number, their name (the address, if it
    is no player's), and the mail that came back."""

    number: int
    name: str
    bounce: Bounce

    def in_words(self) -> str:
        """What is told of it."""
        _, _, detail = self.bounce.status.partition(".")
        why = _WORDS.get(detail) or _SUBJECTS.get(detail.partition(".")[0], "it does not say why")
        return f"turn {self.number} did not reach {self.name}, says their mail system: {why}"


def sent_as(
    turns: Sequence[SentTurn], message_id: str, addresses: Collection[str]
) -> tuple[SentTurn, str] | None:
    """The turn of which a mail with this Message-ID went to one of these addresses, and the address
    as it was written; None if none did. The addresses come in small letters."""
    mails = ((turn, mail) for turn in turns for mail in turn.mails if mail.id == message_id)
    return next(
        ((turn, to) for turn, mail in mails for to in mail.to if to.casefold() in addresses), None
    )


def note_bounce(folder: Path, about: SentTurn, bounce: Bounce) -> None:
    """Note what is said to have come of a mail of this turn. Raises `Usage`."""
    with Lock(folder / "outbox.lock", passing=True):
        _OUTBOX.write(
            folder,
            [
                replace(turn, bounces=(*turn.bounces, bounce)) if turn.file == about.file else turn
                for turn in read(folder)
            ],
        )


def failed_deliveries(turns: Sequence[SentTurn], file: TurnFile) -> list[FailedDelivery]:
    """What is said not to have reached somebody, for a game whose newest file is this one. Nothing
    is said any more once a later turn of that seat is here (of any other seat, for an address that
    is no player's), or it went there again: each new turn holds all before it."""
    people = {mail.casefold(): entry for entry in file.entries if (mail := entry.text("mail"))}
    mails = [mail for sent in turns for mail in sent.mails]
    found = []
    for turn, bounce in [(sent, bounce) for sent in turns for bounce in sent.bounces]:
        to = bounce.to.casefold()
        when = max((mail.when for mail in turn.mails if mail.id == bounce.id), default=0.0)
        later = [mail for mail in mails if mail.id != bounce.id and mail.when >= when]
        went_again = any(BY_HAND in mail.to or to in map(str.casefold, mail.to) for mail in later)
        player, author = people.get(to), file.entries[min(turn.number, len(file.entries) - 1)].seat
        answered = any(
            entry.seat == player.seat if player is not None else entry.seat != author
            for entry in file.entries[turn.number + 1 :]
        )
        if not went_again and not answered:
            name = bounce.to if player is None else player.text("name")
            found.append(FailedDelivery(turn.number, name, bounce))
    return found
