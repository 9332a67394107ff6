"""What a program wrote by itself in one game: `written.json` beside its memory, and the mails that
are to be sent.

The order keeps every promise if the program is killed anywhere: an entry is noted here with its
digest, then signed for good (`pbem.home.memory`), then its mail is written to `outgoing/`, sent,
and noted as sent. So a mail is sent again only with the same bytes, and what was noted and never
signed is nothing.

Sending what was written by itself in one game, so that everybody has it once: who lacks it is
tried again, nobody else is, and `journal` has what becomes of each mail."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.home import outbox
from pbem.home.game_index import kept_in, short_name, short_name_in
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.store import StateFile
from pbem.mail import compose, links, transport
from pbem.mail.settings import MailSettings
from pbem.mail.transport import Delivery, Doubtful, MailedTurn
from pbem.watch import failing
from pbem.watch.failing import LOOK, Failing

MAX_MAIL = 30_000_000
MOST_TRIES = 10
"""Times that an address is tried which a server refuses."""
_MOST_TIMES = 50
"""Newest mails of one entry whose times are kept."""


@dataclass(frozen=True)
class AutoEntry:
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

    def after_delivery(self, done: Delivery, now: float) -> AutoEntry:
        """After an attempt that some address took or refused."""
        to = tuple(dict.fromkeys((*self.to, *done.to)))
        lacking = tuple(
            mail for mail in {**dict.fromkeys(self.lacking), **done.refused} if mail not in to
        )
        mails = (*self.mails, now)[-_MOST_TIMES:] if done.to else self.mails
        if not lacking:
            return replace(self, to=to, lacking=(), mails=mails)
        tries = self.tries + 1
        again = now + failing.of_refused(tries)
        return replace(self, to=to, lacking=lacking, tries=tries, again=again, mails=mails)

    def after_doubt(self, now: float) -> AutoEntry:
        """After an attempt of which nobody knows whether a mail went out."""
        tries = self.tries + 1
        mails = (*self.mails, now)[-_MOST_TIMES:]
        return replace(self, tries=tries, again=now + failing.of_doubtful(tries), mails=mails)


_HINT = "remove it; then pbem inbox tells what was not sent"
_JOURNAL = StateFile("written.json", list[AutoEntry], 10_000_000, hint=_HINT)
_OLD = StateFile("automatic.json", list[AutoEntry], 10_000_000, hint=_HINT)
"""What an older program had written by itself; it called the switches so too."""


class Journal:
    """The automatic entries of one game, oldest first. Raises `Damaged` if they cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = _JOURNAL.read(folder)
        self.entries = (_OLD.read(folder) or []) if kept is None else kept

    def begin(self, number: int, data: bytes, when: float) -> AutoEntry:
        """Note an entry before it is signed for good. Raises `Usage`."""
        entry = AutoEntry(number, hashlib.sha256(data).hexdigest(), when)
        self._write([*(other for other in self.entries if other.number != number), entry])
        return entry

    def drop(self, entry: AutoEntry) -> None:
        """Forget one that was not signed. Raises `Usage`."""
        self._write([other for other in self.entries if other != entry])

    def note(self, entry: AutoEntry, after: AutoEntry) -> None:
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

    def due(self) -> list[AutoEntry]:
        """Those of which a mail is still to be sent."""
        return [entry for entry in self.entries if not entry.is_done]

    def count_since(self, when: float) -> int:
        """How many mails went out since then, or are to."""
        return sum(entry.count_since(when) for entry in self.entries)

    def mail_path(self, entry: AutoEntry) -> Path:
        """Where its mail lies as long as it is to be sent."""
        return self.folder / "outgoing" / f"{entry.number:04}-{entry.file[:16]}.eml"

    def _write(self, entries: list[AutoEntry]) -> None:
        _JOURNAL.write(self.folder, entries)
        with suppress(OSError):  # from now on it is not read
            (self.folder / _OLD.name).unlink(missing_ok=True)
        self.entries = entries


_SEND, _LACKING = "send:", f"{LOOK}lacking:"
"""Names of what fails when a game's mails are sent, which is not tried in each round, and of who
lacks one."""


@dataclass(frozen=True)
class SentEntry:
    """An entry that was written and sent by itself: the game's short name, its number, and the
    addresses."""

    game: str
    entry: int
    to: Sequence[str]


class Outbox:
    """The mails of one game that are to be sent. `has_failed`: the last attempt reached nobody."""

    def __init__(
        self, home: Home, folder: Path, journal: Journal, settings: MailSettings, failing: Failing
    ) -> None:
        self.home, self.folder, self.journal, self.settings = home, folder, journal, settings
        self.has_failed = False
        self._failing = failing

    def look(self) -> None:
        """Tell of the newest entry that an address refused it, until its player has sent it there
        or it is answered."""
        if not self.journal.due():
            self._failing.works(f"{_SEND}{self.folder.name}")
        for entry in self.journal.entries[-1:]:
            data = self._signed_file(entry) if entry.lacking else None
            if data is None or self._is_answered(data):
                continue
            known = outbox.known(self.folder, data)
            if missing := known.missing(entry.lacking):
                name = self._name_of(data)
                whom = "; ".join(known.lacking.get(mail, f"{mail} was refused") for mail in missing)
                rest = (
                    f"it is not tried again: pbem send {name}"
                    if entry.is_given_up
                    else "it is tried again later"
                )
                has_it = f"{', '.join(entry.to)} took it; " if entry.to else ""
                what = f"{name}: turn {entry.number}: {whom}; {has_it}{rest}"
                self._failing.fails(f"{_LACKING}{self.folder.name}", what)

    def deliver(self) -> list[SentEntry]:
        """Send what was written and not sent yet, each with the bytes that were made for it
        first."""
        done = []
        for entry in self.journal.due():
            data = self._signed_file(entry)
            if data is None:
                self.journal.drop(entry)
                continue
            known = outbox.known(self.folder, data)
            lacking = known.missing(entry.lacking)
            # the player has sent it, or it has come there
            if self._is_answered(data) or (known.to and not lacking):
                self.journal.note(
                    entry, replace(entry, to=entry.to or ("another way",), lacking=())
                )
            elif entry.again <= time.time():
                done += self._attempt(entry, data, lacking)
        return done

    def _attempt(self, entry: AutoEntry, data: bytes, lacking: Sequence[str]) -> list[SentEntry]:
        """One mail, to all or to those who lack it."""
        thing, name = f"{_SEND}{self.folder.name}", self._name_of(data)
        try:
            mail = self._mail(entry, data)
            turn = MailedTurn(self.folder, entry.number, data)
            done = transport.post(
                turn, mail, transport.way_of(self.settings), lacking or None, automatic=True
            )
        except PbemError as error:
            if isinstance(error, Doubtful):
                self.journal.note(entry, entry.after_doubt(time.time()))
            self.has_failed = True
            self._failing.fails(thing, f"{name}: turn {entry.number} was not sent: {error}")
            return []
        self._failing.works(thing)
        self.journal.note(entry, entry.after_delivery(done, time.time()))
        self._failing.works(f"{_LACKING}{self.folder.name}")
        self.look()
        return [SentEntry(name, entry.number, tuple(done.to))] if done.to else []

    def _mail(self, entry: AutoEntry, data: bytes) -> bytes:
        """The mail of an entry: made once and kept until it is sent."""
        path = self.journal.mail_path(entry)
        if path.exists():
            return files.read_own(path, MAX_MAIL)
        game, last_seen = self.home.checks.follow(data)
        name = f"{short_name(game)}-{entry.number:04}.toml"
        templates, page = (
            self.home.folder / "templates",
            links.page_for(self.home, game, data),
        )
        draft = compose.compose(data, game, last_seen, name, templates, page=page)
        if draft is None:
            raise Usage("nobody else plays this game, so there is no mail of it")
        self.home.make_folder("games", path.parent.parent.name, "outgoing")
        files.write_new(path, draft, mode=0o600)
        return draft

    def _name_of(self, data: bytes) -> str:
        return short_name_in(turnfile.read(data), self.folder.name)

    def _signed_file(self, entry: AutoEntry) -> bytes | None:
        """The file that ends with an entry, as it was signed; None if it never was, or another one
        was."""
        return Memory(self.home, bytes.fromhex(self.folder.name)).signed_as(
            entry.number, entry.file
        )

    def _is_answered(self, data: bytes) -> bool:
        """Whether somebody has gone on with this file, so that it need not be sent any more."""
        shelf = kept_in(self.folder).shelf
        return (
            shelf is not None
            and len(shelf.file.data) > len(data)
            and shelf.file.data.startswith(data)
        )
