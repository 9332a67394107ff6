"""Sending what was written by itself in one game, so that everybody has it once: who lacks it is
tried again, nobody else is, and `journal` has what becomes of each mail."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.home import outbox
from pbem.home.game_index import kept_in, short_name, short_name_in
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.mail import compose, page_choice, post, transport
from pbem.mail.post import Posted
from pbem.mail.settings import MailSettings
from pbem.mail.transport import Doubtful
from pbem.watch.failing import LOOK, Failing
from pbem.watch.journal import MAX_MAIL, Journal, Written

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
            data = self._signed(entry) if entry.lacking else None
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
            data = self._signed(entry)
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

    def _attempt(self, entry: Written, data: bytes, lacking: Sequence[str]) -> list[SentEntry]:
        """One mail, to all or to those who lack it."""
        thing, name = f"{_SEND}{self.folder.name}", self._name_of(data)
        try:
            mail = self._mail(entry, data)
            turn = Posted(self.folder, entry.number, data)
            done = post.post(
                turn, mail, transport.way_of(self.settings), lacking or None, automatic=True
            )
        except PbemError as error:
            if isinstance(error, Doubtful):
                self.journal.note(entry, entry.doubtful(time.time()))
            self.has_failed = True
            self._failing.fails(thing, f"{name}: turn {entry.number} was not sent: {error}")
            return []
        self._failing.works(thing)
        self.journal.note(entry, entry.delivered(done, time.time()))
        self._failing.works(f"{_LACKING}{self.folder.name}")
        self.look()
        return [SentEntry(name, entry.number, tuple(done.to))] if done.to else []

    def _mail(self, entry: Written, data: bytes) -> bytes:
        """The mail of an entry: made once and kept until it is sent."""
        path = self.journal.mail_path(entry)
        if path.exists():
            return files.read_own(path, MAX_MAIL)
        game, seen = self.home.checks.follow(data)
        name = f"{short_name(game)}-{entry.number:04}.toml"
        templates, page = (
            self.home.folder / "templates",
            page_choice.page_for(self.home, game, data),
        )
        draft = compose.compose(data, game, seen, name, templates, page=page)
        if draft is None:
            raise Usage("nobody else plays this game, so there is no mail of it")
        self.home.make_folder("games", path.parent.parent.name, "outgoing")
        files.write_new(path, draft, mode=0o600)
        return draft

    def _name_of(self, data: bytes) -> str:
        return short_name_in(turnfile.read(data), self.folder.name)

    def _signed(self, entry: Written) -> bytes | None:
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
