"""Entries that decide nothing, written and sent by themselves where the player has switched it on.

The way of one: the facts are gathered and the rules asked (`gather`, `rules`); the draft is signed as `pbem play` signs
it, noted, stored for good, and sent; `journal` has the order in which that survives being killed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, PbemError, Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home import outside, place, sent
from pbem.home.game_index import game_folders, kept_in, short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.outside import BY_HAND, Outside
from pbem.ledger.no_decision import decides_nothing
from pbem.mail import compose, transport
from pbem.mail.settings import MailSettings
from pbem.turn import take_turn
from pbem.watch import gather, rules
from pbem.watch.gather import Candidate
from pbem.watch.journal import MAX_MAIL, Journal, Written
from pbem.watch.pauses import Pause
from pbem.watch.rules import Held


@dataclass(frozen=True)
class SentEntry:
    """An entry that was written and sent by itself: the game's short name, its number, and the addresses."""

    game: str
    entry: int
    to: Sequence[str]


@dataclass(frozen=True)
class HeldEntry:
    """An entry that is not written by itself: the game's short name, its number, the rule that holds it back (0: it is
    not switched on) and the reason."""

    game: str
    entry: int
    rule: int
    reason: str


@dataclass(frozen=True)
class _Known:
    """What was found out about a game as long as nothing changes there."""

    state: object
    held: Held | None


class Answers:
    """Writes and sends what decides nothing, round after round. What is found out about a game counts until one of its
    files changes, or until its time has come."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._pauses: dict[str, Pause] = {}
        self.failures: list[str] = []
        """What went wrong with single games in this round, in words."""

    def round(self, home: Home, settings: MailSettings) -> tuple[list[SentEntry], list[HeldEntry]]:
        """Answer every game that may be answered; what was sent, and what newly holds others back. Raises `PbemError`
        if nothing may be answered at all."""
        self.failures = []
        if elsewhere := place.warning(home.folder):
            self.failures.append(f"nothing is written by itself: {elsewhere}")
            return [], []
        public = home.identity().public
        kept = self._keep_numbers(home, public)
        done: list[SentEntry] = []
        held: list[HeldEntry] = []
        folders = game_folders(home)
        journals = {folder: journal for folder in folders if (journal := self._journal(folder)) is not None}
        for folder, journal in journals.items():
            try:
                done += self._again(home, folder, journal, settings, kept)
                found = self._game(home, public, folder, journal, [*journals.values()], settings)
                done += found[0]
                held += found[1]
            except (PbemError, OSError) as error:
                self.failures.append(f"{folder.name[:8]}: {error}")
            except Exception as error:  # a mistake of this program in one game must not stop all others
                self.failures.append(f"{folder.name[:8]}: something is wrong in pbem itself: {type(error).__name__}")
        return done, held

    def _journal(self, folder: Path) -> Journal | None:
        try:
            return Journal(folder)
        except Usage as error:
            self.failures.append(str(error))
            return None

    def _keep_numbers(self, home: Home, public: bytes) -> Outside:
        """Note outside the home what was signed in it, also by hand: before anything is signed by itself."""
        kept = outside.read(public)
        if not outside.is_kept(public):
            return kept
        raised = kept
        for folder in game_folders(home):
            try:
                newest, known = gather.newest_of(folder), kept.newest.get(folder.name)
                if newest is not None and (known is None or known.number < newest.number):
                    data = files.read_own(folder / "signed" / f"{newest.number:04}.toml", MAX_FILE)
                    raised = raised.signed(folder.name, newest.number, data)
            except Usage as error:  # nothing is signed in this game either, for its memory cannot be read
                self.failures.append(str(error))
        if raised == kept:
            return kept
        return outside.change(public, lambda now: _merged(now, raised))

    def _again(
        self, home: Home, folder: Path, journal: Journal, settings: MailSettings, kept: Outside
    ) -> list[SentEntry]:
        """Send what an earlier round could not, unless the game is by hand now or the home was restored since."""
        if not journal.entries or not kept.is_on(folder.name):
            return []
        journal.tidy()
        newest, known = gather.newest_of(folder), kept.newest.get(folder.name)
        is_restored = newest is None or (known is not None and newest.number < known.number)
        if not journal.due() or is_restored:
            return []
        pause = self._pauses.setdefault(folder.name, Pause())
        if not pause.is_over():
            return []
        pause.begin()  # until the next attempt, if this one fails
        done = self._deliver(home, folder, journal, settings)
        self._pauses.pop(folder.name, None)
        return done

    def _game(
        self, home: Home, public: bytes, folder: Path, journal: Journal, journals: list[Journal], settings: MailSettings
    ) -> tuple[list[SentEntry], list[HeldEntry]]:
        """One game: written and sent, or held back."""
        kept = outside.read(public)
        state = (folder_state(folder), kept.home, kept.notes, kept.games.get(folder.name), kept.newest.get(folder.name))
        known = self._known.get(folder.name)
        if known is not None and known.state == state:
            until = None if known.held is None else known.held.until
            if until is None or time.time() < until:
                return [], []
        found = self._candidate(home, folder, kept, gather.counts(journals, journal), settings)
        held = None if found is None else rules.may_answer(found.facts)
        self._known[folder.name] = _Known(state, held)
        if found is None:
            return [], []
        if held is None:
            return self._write(home, public, folder, journal, found, settings), []
        if held.rule == 2 and found.facts.second_version is not None:
            reason = held.reason
            outside.change(public, lambda now: now.marked(folder.name, BY_HAND, reason))
        is_news = held.rule != 0 and (known is None or known.held is None or known.held.reason != held.reason)
        told = HeldEntry(short_name(found.opened.ledger), len(found.opened.file.entries), held.rule, held.reason)
        return [], [told] if is_news else []

    def _candidate(
        self, home: Home, folder: Path, kept: Outside, counts: tuple[int, int], settings: MailSettings
    ) -> Candidate | None:
        """The entry that might be written in a game that is switched on, None if none is asked for."""
        shelf = kept_in(folder).shelf
        if shelf is None or not kept.is_on(folder.name):
            return None
        can_send = bool(settings.program) or settings.send is not None
        try:
            return gather.candidate(home, shelf.file.data, kept, counts, can_send)
        except Conflict as error:  # an own entry that this home does not remember, or another version of one
            self.failures.append(f"{folder.name[:8]} is not answered by itself: {error}")
            return None

    def _write(
        self, home: Home, public: bytes, folder: Path, journal: Journal, found: Candidate, settings: MailSettings
    ) -> list[SentEntry]:
        """Sign the entry for good and send it. If another process has signed one meanwhile, that one counts."""
        opened, draft = found.opened, found.draft
        assert draft is not None and opened.memory is not None
        data = take_turn.finish(opened, draft, lambda data: _note(journal, draft.number, data))
        outside.note_signed(public, folder.name, draft.number, data)
        return self._deliver(home, folder, journal, settings)

    def _deliver(self, home: Home, folder: Path, journal: Journal, settings: MailSettings) -> list[SentEntry]:
        """Send what was written and not sent yet, each with the bytes that were made for it first."""
        done = []
        for entry in journal.due():
            data = Memory(home, bytes.fromhex(folder.name)).signed(entry.number)
            if data is None or hashlib.sha256(data).hexdigest() != entry.file:
                journal.drop(entry)
                continue
            if _has_arrived(folder, data):
                journal.sent(entry, ("another way",))
                continue
            game, _ = home.checks.follow(data)
            to = transport.send(self._mail(home, journal, entry, data), settings)
            sent.remember(folder, data, to)
            journal.sent(entry, to)
            done.append(SentEntry(short_name(game), entry.number, tuple(to)))
        return done

    def _mail(self, home: Home, journal: Journal, entry: Written, data: bytes) -> bytes:
        """The mail of an entry: made once and kept until it is sent."""
        path = journal.mail_path(entry)
        if path.exists():
            return files.read_own(path, MAX_MAIL)
        game, seen = home.checks.follow(data)
        name = f"{short_name(game)}-{entry.number:04}.toml"
        draft = compose.compose(data, game, seen, name, home.folder / "templates")
        if draft is None:
            raise Usage("nobody else plays this game, so there is no mail of it")
        home.make_folder("games", path.parent.parent.name, "outgoing")
        files.write_new(path, draft, mode=0o600)
        return draft


def _note(journal: Journal, number: int, data: bytes) -> None:
    """Note an entry before it is remembered. Raises `Refused` if it were to decide anything after all."""
    if not decides_nothing(turnfile.read(data).entries[-1].fields):
        raise Refused("an entry that decides something is not written by itself")
    journal.begin(number, data, time.time())


def _merged(now: Outside, raised: Outside) -> Outside:
    """The numbers of both, the higher ones; the switches as they are now."""
    newest = {
        game: max(found for found in (now.newest.get(game), raised.newest.get(game)) if found is not None)
        for game in {*now.newest, *raised.newest}
    }
    return Outside(now.home, now.notes, now.games, now.why, newest)


def _has_arrived(folder: Path, data: bytes) -> bool:
    """Whether an entry need not be sent any more: the player has sent it, or somebody has answered it."""
    shelf = kept_in(folder).shelf
    is_answered = shelf is not None and len(shelf.file.data) > len(data) and shelf.file.data.startswith(data)
    return is_answered or sent.is_sent(folder, data)


def folder_state(folder: Path) -> tuple[str, ...]:
    """What lies in the folder of a game: as long as it is the same, nothing has come in and nothing was signed."""
    return tuple(f"{below}/{path.name}" for below in ("signed", "read") for path in files.listed(folder / below))
