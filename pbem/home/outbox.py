"""The outbox of a game: `outbox.json` in its folder is all that this home knows of what it sent.

For each turn file it has who has it, who was refused and when they are tried again, each mail of
it, what came back, whether a program wrote it by itself, and whether somebody was reminded of it.
Whoever sends, by hand (`pbem.turn.outgoing`), by itself (`pbem.watch.outbox`) or as a reminder
(`pbem.turn.remind`), asks here who is still to get it; `pbem.mail.transport` notes what went out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Do, Usage
from pbem.fileformat.turnfile import TurnFile
from pbem.home.store import StateFile
from pbem.lock import Lock

BY_HAND = "by hand"
"""Stands among the addresses if everybody whom the turn concerns has it by another way: because the
player says so, or because the game went on from it."""
MOST_MAILS = 50
"""Newest mails of one turn that are remembered."""
MOST_TRIES = 10
"""How often an address is tried that a server refuses."""
DAY = 86_400.0
FIRST = 5.0
"""Seconds until a turn that may not have gone out is sent again. The time doubles with each
attempt, up to a day: fifteen attempts on the first day, then one a day."""
FIRST_REFUSED = 300.0
"""The same for an address that a server has refused."""


@dataclass(frozen=True)
class SentMail:
    """A mail that was handed over, or may have been: its Message-ID (empty: of another program),
    the addresses, when, in seconds since 1970, and whether a program sent the turn by itself."""

    id: str
    to: Sequence[str]
    when: float
    automatic: bool = False


@dataclass(frozen=True)
class Bounce:
    """What a mail system is said to have answered later: the Message-ID of the mail, an address
    that it did not reach, and the status code (RFC 3463)."""

    id: str
    to: str
    status: str


@dataclass(frozen=True)
class SentTurn:
    """A turn file that went out or is to: the number of its newest entry, its SHA-256, the
    addresses that have it, and those that a server refused, in words; its mails, and what came back
    of them. `written` is when a program wrote it by itself (seconds since 1970; 0: the player did);
    such a turn is sent until everybody has it. `tries` are the attempts that left somebody without
    it, and `again` is when the next one is made. `reminded`: somebody was reminded with this
    file."""

    number: int
    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    mails: Sequence[SentMail] = ()
    bounces: Sequence[Bounce] = ()
    written: float = 0.0
    tries: int = 0
    again: float = 0.0
    reminded: bool = False

    @property
    def is_out(self) -> bool:
        """Whether anything of it was sent or refused."""
        return bool(self.to or self.lacking or self.mails)

    @property
    def is_given_up(self) -> bool:
        """Whether somebody lacks it to whom it is not sent again by itself."""
        return bool(self.lacking) and self.tries >= MOST_TRIES

    @property
    def is_due(self) -> bool:
        """Whether a program wrote it and has still to send it to somebody."""
        has_it = bool(self.to) and not self.missing(self.lacking)
        return bool(self.written) and not has_it and not self.is_given_up

    def count_since(self, when: float) -> int:
        """Mails of it since then that were sent by themselves; one that is still to be sent counts
        when the turn was written."""
        mails = [mail for mail in self.mails if mail.automatic]
        if mails or not self.written:
            return sum(mail.when > when for mail in mails)
        return int(self.written > when)

    def missing(self, mails: Iterable[str]) -> list[str]:
        """Those of these addresses that do not have the turn."""
        return [] if BY_HAND in self.to else [mail for mail in mails if mail not in self.to]

    def is_sent(self) -> bool:
        """Whether it was sent, and nobody is known to lack it."""
        return bool(self.to) and not self.lacking

    def went_to(self, to: Sequence[str], refused: Mapping[str, str]) -> SentTurn:
        """The turn after these addresses took it and these others were refused."""
        has_it = tuple(dict.fromkeys((*self.to, *to)))
        left = {
            mail: said for mail, said in {**self.lacking, **refused}.items() if mail not in has_it
        }
        return replace(self, to=has_it, lacking=left)

    def with_mail(self, mail: SentMail) -> SentTurn:
        """The turn after a mail of it went out, or may have."""
        return replace(self, mails=(*self.mails, mail)[-MOST_MAILS:])

    def tried(self, now: float, first: float) -> SentTurn:
        """The turn after an attempt that did not reach everybody, or may not have. The next one
        comes `first` seconds later, twice as long for each attempt before."""
        pause = min(DAY, first * 2.0 ** min(self.tries, 40))
        return replace(self, tries=self.tries + 1, again=now + pause)

    def everybody_has(self) -> SentTurn:
        """The turn after everybody whom it concerns has it by another way."""
        return replace(self.went_to([BY_HAND], {}), lacking={})


@dataclass(frozen=True)
class _Kept:
    """What `outbox.json` holds: the turns of a game, the oldest first."""

    turns: list[SentTurn]


_HINT = ("remove it", Do("inbox", does="then tells what was not sent"))
_OUTBOX = StateFile("outbox.json", _Kept, 20_000_000, hint=_HINT)


def read(folder: Path) -> list[SentTurn]:
    """The turns that went out of a game or have still to go, the oldest first, from the folder of
    its memory. Raises `Damaged`."""
    kept = _OUTBOX.read(folder)
    return [] if kept is None else kept.turns


def _write(folder: Path, turns: Sequence[SentTurn]) -> None:
    _OUTBOX.write(folder, _Kept(sorted(turns, key=lambda turn: turn.number)))


def sent_turn(folder: Path, data: bytes) -> SentTurn:
    """What went out of this very file; an empty record if that cannot be read."""
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
            _write(folder, [*(turn for turn in turns if turn is not before), after])


def begin(folder: Path, number: int, data: bytes, when: float) -> None:
    """Note an entry that a program writes by itself, before it is signed for good: in place of one
    of this number that was noted and not signed. Raises as `note`."""
    with Lock(folder / "outbox.lock", passing=True):
        turns = read(folder)
        this = of_file(turns, data)
        kept = [
            turn
            for turn in turns
            if turn.file != this.file and (turn.number != number or not turn.written or turn.is_out)
        ]
        _write(folder, [*kept, replace(this, number=number, written=when)])


def drop(folder: Path, turn: SentTurn) -> None:
    """Forget that a program wrote this turn: it was never signed, or another one is in its place.
    What went out of it is kept. Raises as `note`."""
    with Lock(folder / "outbox.lock", passing=True):
        kept = [other for other in read(folder) if other.file != turn.file]
        _write(folder, [*kept, replace(turn, written=0.0)] if turn.is_out else kept)


def note_by_hand(folder: Path, number: int, data: bytes, when: float) -> None:
    """Note that the player has sent this file another way, to all whom it concerns. Raises
    `Usage`."""
    mail = SentMail("", (BY_HAND,), when)
    note(
        folder,
        number,
        data,
        lambda turn: turn.everybody_has().with_mail(mail),
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
    """A turn that did not reach somebody, as a mail system says: its number, their name (or the
    address, if it is no player's), and the mail that came back."""

    number: int
    name: str
    bounce: Bounce

    def in_words(self) -> str:
        """The failure as a sentence for the player."""
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
    """Note what a mail system says has become of a mail of this turn. Raises `Usage`."""
    with Lock(folder / "outbox.lock", passing=True):
        _write(
            folder,
            [
                replace(turn, bounces=(*turn.bounces, bounce)) if turn.file == about.file else turn
                for turn in read(folder)
            ],
        )


def failed_deliveries(turns: Sequence[SentTurn], file: TurnFile) -> list[FailedDelivery]:
    """The deliveries that failed, as mail systems say, in a game whose newest file is this one. A
    failure counts no more once the turn went there again, or a later turn of that seat is here (of
    any other seat, for an address that is no player's): each new turn holds all before it."""
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
