"""Sends the entries that a program wrote by itself in one game, so that every player gets each of
them once: whoever lacks one is tried again, and nobody else. The journal, `written.json` beside the
game's memory, says what became of each.

No promise is broken if the program is killed at any step. First an entry is noted in the journal
with its digest, and then signed for good (`pbem.home.memory`). Its mail is written to `outgoing/`,
sent, and noted as sent. So a mail is only ever sent again with the same bytes, and an entry that
was noted but never signed counts for nothing.
"""

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
"""How often a mail is sent to an address that a server refuses."""
_MOST_TIMES = 50
"""Mails of one entry whose times are kept; of more, the newest."""


@dataclass(frozen=True)
class AutoEntry:
    """An entry that the program wrote by itself: its number, the SHA-256 of the file that ends with
    it, when it was written (seconds since 1970), and the addresses to which it was sent, none
    before that. `lacking` are the addresses that a server refused, `tries` the number of attempts
    after which somebody still lacked it, `again` the time of the next attempt, and `mails` the
    times at which mails of it went out, or may have."""

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
        """Whether somebody lacks it and no further attempt is made."""
        return bool(self.lacking) and self.tries >= MOST_TRIES

    @property
    def is_done(self) -> bool:
        """Whether no mail of it is to be sent any more."""
        return (bool(self.to) and not self.lacking) or self.is_given_up

    def count_since(self, when: float) -> int:
        """How many mails of it went out since then; one that is still to be sent counts at the time
        when the entry was written."""
        return sum(mail > when for mail in self.mails) if self.mails else int(self.when > when)

    def after_delivery(self, done: Delivery, now: float) -> AutoEntry:
        """The entry after an attempt that reached a server."""
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
        """The entry after an attempt of which it is not known whether a mail went out."""
        tries = self.tries + 1
        mails = (*self.mails, now)[-_MOST_TIMES:]
        return replace(self, tries=tries, again=now + failing.of_doubtful(tries), mails=mails)


_HINT = "remove it; then pbem inbox tells what was not sent"
_JOURNAL = StateFile("written.json", list[AutoEntry], 10_000_000, hint=_HINT)
_OLD = StateFile("automatic.json", list[AutoEntry], 10_000_000, hint=_HINT)
"""Where an older program noted its entries; that file had the name of the switches too."""


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
        """Forget an entry that was never signed. Raises `Usage`."""
        self._write([other for other in self.entries if other != entry])

    def note(self, entry: AutoEntry, after: AutoEntry) -> None:
        """Replace an entry by what became of it. Raises `Usage`."""
        self._write([after if other == entry else other for other in self.entries])
        self.tidy()

    def tidy(self) -> None:
        """Remove mails that need not be sent any more: a program that was killed after it had sent
        them leaves them behind."""
        due = {self.mail_path(entry) for entry in self.due()}
        for path in files.listed(self.folder / "outgoing"):
            if path.suffix == ".eml" and path not in due:
                path.unlink(missing_ok=True)

    def due(self) -> list[AutoEntry]:
        """The entries of which a mail is still to be sent."""
        return [entry for entry in self.entries if not entry.is_done]

    def count_since(self, when: float) -> int:
        """How many mails went out since then, or are to be sent."""
        return sum(entry.count_since(when) for entry in self.entries)

    def mail_path(self, entry: AutoEntry) -> Path:
        """Where the mail of an entry lies until it is sent."""
        return self.folder / "outgoing" / f"{entry.number:04}-{entry.file[:16]}.eml"

    def _write(self, entries: list[AutoEntry]) -> None:
        _JOURNAL.write(self.folder, entries)
        with suppress(OSError):  # from now on it is not read
            (self.folder / _OLD.name).unlink(missing_ok=True)
        self.entries = entries


_SEND, _LACKING = "send:", f"{LOOK}lacking:"
"""How the names of two failures begin: that a game's mails cannot be sent, which is not tried in
every round, and that somebody lacks a turn."""


@dataclass(frozen=True)
class SentEntry:
    """An entry that was written and sent by itself: the game's short name, the entry's number, and
    the addresses."""

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
        """Report that an address refused the newest entry, until the player has sent it there
        themselves or the entry is answered."""
        if not self.journal.due():
            self._failing.works(f"{_SEND}{self.folder.name}")
        for entry in self.journal.entries[-1:]:
            data = self._signed_file(entry) if entry.lacking else None
            if data is None or self._is_answered(data):
                continue
            known = outbox.sent_turn(self.folder, data)
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
        """Send what was written and not sent yet, each time with the bytes that were made at first.
        Returns what was sent."""
        done = []
        for entry in self.journal.due():
            data = self._signed_file(entry)
            if data is None:
                self.journal.drop(entry)
                continue
            known = outbox.sent_turn(self.folder, data)
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
        """Send one mail, to all or to those who lack it."""
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
        """The mail of an entry: it is made once and kept until it is sent."""
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
        """The file that ends with an entry, as it was signed; None if it was never signed, or
        another entry was in its place."""
        return Memory(self.home, bytes.fromhex(self.folder.name)).signed_as(
            entry.number, entry.file
        )

    def _is_answered(self, data: bytes) -> bool:
        """Whether somebody has continued this file, so that it need not be sent any more."""
        shelf = kept_in(self.folder).shelf
        return (
            shelf is not None
            and len(shelf.file.data) > len(data)
            and shelf.file.data.startswith(data)
        )
