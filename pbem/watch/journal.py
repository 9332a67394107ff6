"""What a program wrote by itself in one game: `written.json` beside its memory, and the mails that
are to be sent.

The order keeps every promise if the program is killed anywhere: an entry is noted here with its
digest, then signed for good (`pbem.home.memory`), then its mail is written to `outgoing/`, sent,
and noted as sent. So a mail is sent again only with the same bytes, and what was noted and never
signed is nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.home.store import StateFile
from pbem.mail.post import Delivery
from pbem.watch import pauses

MAX_MAIL = 30_000_000
MOST_TRIES = 10
"""Times that an address is tried which a server refuses."""
_MOST_TIMES = 50
"""Newest mails of one entry whose times are kept."""


@dataclass(frozen=True)
class Written:
    """An entry that was written by itself: its number, the SHA-256 of the file that ends with it,
    when (seconds since 1970), and the addresses it was sent to, none as long as it was not.
    `lacking` are those that a server refused, `tries` the attempts that left somebody without it,
    `again` when the next one is made, and `mails` when mails of it went out, or may have."""

    number: int
    file: str
    when: float
    to: Sequence[str] = ()
    lacking: Sequence[str] = ()
    tries: int = 0
    again: float = 0.0
    mails: Sequence[float] = ()

    @property
    def is_given_up(self) -> bool:
        """Whether somebody lacks it who is not tried again."""
        return bool(self.lacking) and self.tries >= MOST_TRIES

    @property
    def is_done(self) -> bool:
        """Whether no mail of it is to be sent any more."""
        return (bool(self.to) and not self.lacking) or self.is_given_up

    def count_since(self, when: float) -> int:
        """Mails of it since then; one that is still to be sent counts when the entry was
        written."""
        return sum(mail > when for mail in self.mails) if self.mails else int(self.when > when)

    def delivered(self, done: Delivery, now: float) -> Written:
        """After an attempt that some address took or refused."""
        to = tuple(dict.fromkeys((*self.to, *done.to)))
        lacking = tuple(
            mail for mail in {**dict.fromkeys(self.lacking), **done.refused} if mail not in to
        )
        mails = (*self.mails, now)[-_MOST_TIMES:] if done.to else self.mails
        if not lacking:
            return replace(self, to=to, lacking=(), mails=mails)
        tries = self.tries + 1
        again = now + pauses.of_refused(tries)
        return replace(self, to=to, lacking=lacking, tries=tries, again=again, mails=mails)

    def doubtful(self, now: float) -> Written:
        """After an attempt of which nobody knows whether a mail went out."""
        tries = self.tries + 1
        mails = (*self.mails, now)[-_MOST_TIMES:]
        return replace(self, tries=tries, again=now + pauses.of_doubtful(tries), mails=mails)


_HINT = "remove it; then pbem inbox tells what was not sent"
_JOURNAL = StateFile("written.json", list[Written], 10_000_000, hint=_HINT)
_OLD = StateFile("automatic.json", list[Written], 10_000_000, hint=_HINT)
"""What an older program had written by itself; it called the switches so too."""


class Journal:
    """The automatic entries of one game, oldest first. Raises `Damaged` if they cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = _JOURNAL.read(folder)
        self.entries = (_OLD.read(folder) or []) if kept is None else kept

    def begin(self, number: int, data: bytes, when: float) -> Written:
        """Note an entry before it is signed for good. Raises `Usage`."""
        entry = Written(number, hashlib.sha256(data).hexdigest(), when)
        self._write([*(other for other in self.entries if other.number != number), entry])
        return entry

    def drop(self, entry: Written) -> None:
        """Forget one that was not signed. Raises `Usage`."""
        self._write([other for other in self.entries if other != entry])

    def note(self, entry: Written, after: Written) -> None:
        """Note what became of an entry. Raises `Usage`."""
        self._write([after if other == entry else other for other in self.entries])
        self.tidy()

    def tidy(self) -> None:
        """Remove mails that are not to be sent any more: those of a program that was killed after
        it had sent them."""
        due = {self.mail_path(entry) for entry in self.due()}
        for path in files.listed(self.folder / "outgoing"):
            if path.suffix == ".eml" and path not in due:
                path.unlink(missing_ok=True)

    def due(self) -> list[Written]:
        """Those of which a mail is still to be sent."""
        return [entry for entry in self.entries if not entry.is_done]

    def count_since(self, when: float) -> int:
        """How many mails went out since then, or are to."""
        return sum(entry.count_since(when) for entry in self.entries)

    def mail_path(self, entry: Written) -> Path:
        """Where its mail lies as long as it is to be sent."""
        return self.folder / "outgoing" / f"{entry.number:04}-{entry.file[:16]}.eml"

    def _write(self, entries: list[Written]) -> None:
        _JOURNAL.write(self.folder, entries)
        with suppress(OSError):  # from now on it is not read
            (self.folder / _OLD.name).unlink(missing_ok=True)
        self.entries = entries
