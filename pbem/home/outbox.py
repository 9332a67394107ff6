"""The outbox of a game: `outbox.json` in its folder has every turn file that went out from this home, who has it and
who was refused, and each mail of it. What the player has mailed by hand is noted there as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pbem.errors import Usage
from pbem.home.store import StateFile
from pbem.lock import Lock

BY_HAND = "by hand"
"""Stands among the addresses of what the player has sent another way: to all whom it concerns, as they say."""
MOST_MAILS = 50
"""Newest mails of one turn that are remembered."""


@dataclass(frozen=True)
class SentMail:
    """A mail that was handed over, or may have been: its Message-ID (empty: of another program), the addresses, and
    when, in seconds since 1970."""

    id: str
    to: Sequence[str]
    when: float


@dataclass(frozen=True)
class SentTurn:
    """A turn file that went out: the number of its newest entry, its SHA-256, the addresses that have it, and those
    that a server refused, in words; and its mails."""

    number: int
    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    mails: Sequence[SentMail] = ()

    def missing(self, mails: Iterable[str]) -> list[str]:
        """Those of these addresses that do not have the file."""
        return [] if BY_HAND in self.to else [mail for mail in mails if mail not in self.to]

    def is_sent(self) -> bool:
        """Whether it was sent, and nobody is known to lack it."""
        return bool(self.to) and not self.lacking

    def went_to(self, to: Sequence[str], refused: Mapping[str, str]) -> SentTurn:
        """After these addresses took it, beside those that have it, and these others were refused."""
        has_it = tuple(dict.fromkeys((*self.to, *to)))
        left = {mail: said for mail, said in {**self.lacking, **refused}.items() if mail not in has_it}
        return replace(self, to=has_it, lacking=left)

    def with_mail(self, mail: SentMail) -> SentTurn:
        """After a mail of it went out, or may have."""
        return replace(self, mails=(*self.mails, mail)[-MOST_MAILS:])


@dataclass(frozen=True)
class _OldSent:
    """What an older program kept in `sent.json`: the newest file that was sent, and no other."""

    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)


_OUTBOX = StateFile(
    "outbox.json", list[SentTurn], 20_000_000, hint="remove it; then pbem inbox tells what was not sent"
)
_OLD = StateFile("sent.json", _OldSent, 100_000)


def read(folder: Path) -> list[SentTurn]:
    """The turns that went out of a game, by the folder of its memory, the oldest first. Raises `Damaged`."""
    kept = _OUTBOX.read(folder)
    if kept is None and (old := _OLD.read_if_whole(folder)) is not None:
        return [SentTurn(-1, old.file, old.to, old.lacking)]
    return kept or []


def known(folder: Path, data: bytes) -> SentTurn:
    """What went out of this very file; nothing where that cannot be read."""
    digest = hashlib.sha256(data).hexdigest()
    with suppress(Usage):
        return next((turn for turn in read(folder) if turn.file == digest), SentTurn(-1, digest))
    return SentTurn(-1, digest)


def note(folder: Path, number: int, data: bytes, how: Callable[[SentTurn], SentTurn]) -> None:
    """Note something of the turn file `data`, whose newest entry has this number: one process at a time. Raises
    `Usage`, and `Damaged` if the outbox cannot be read."""
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
    """Note that the player has sent this file another way, to all whom it concerns. Raises `Usage`."""
    mail = SentMail("", (BY_HAND,), when)
    note(folder, number, data, lambda turn: replace(turn.went_to([BY_HAND], {}), lacking={}).with_mail(mail))
