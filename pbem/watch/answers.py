"""Entries that decide nothing, written and sent by the program itself where the player has switched
that on.

For each game the facts are gathered and the rules asked (`gather`, `rules`). Then the draft is
signed as `pbem play` signs it, noted, stored for good, and sent. `outbox` has the order of these
steps, in which the program may be killed at any time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Do, PbemError, Refused, Usage, with_hint
from pbem.fileformat import turnfile
from pbem.home import clock, outside, place
from pbem.home.game_index import game_folders, short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.outside import BY_HAND, Outside
from pbem.home.shelf import kept_in
from pbem.ledger.gate import decides_nothing
from pbem.mail.settings import MailSettings
from pbem.turn import prepared, prepared_turns, take_turn
from pbem.turn.draft_entry import DraftEntry
from pbem.watch import gather, rules
from pbem.watch.failing import LOOK, Pause
from pbem.watch.gather import Candidate
from pbem.watch.outbox import Outbox, Post
from pbem.watch.rules import Hold

_GAME = f"{LOOK}game:"
"""How the name of a failure in a game begins."""


@dataclass(frozen=True)
class HeldEntry:
    """An entry that is not written by itself: the game's short name, the entry's number, the rule
    that holds it back (0: automatic turns are not switched on) and the reason."""

    game: str
    entry: int
    rule: int
    reason: str


@dataclass(frozen=True)
class _Known:
    """What was found out about a game; it counts as long as no file of the game changes."""

    state: object
    held: Hold | None
    failure: str = ""
    """Why the game cannot be answered at all; empty if it can."""


class Answers:
    """Writes and sends entries that decide nothing, round after round. What is found out about a
    game counts until one of its files changes, or until the time at which its hold ends.
    `are_sent`: everything that was written so far has gone out."""

    def __init__(self, post: Post, works: Callable[[], None]) -> None:
        """`works` is called before each game, for a service manager that waits for it."""
        self.are_sent = False
        self._works = works
        self._known: dict[str, _Known] = {}
        self._pauses: dict[str, Pause] = {}
        self._post, self._failing = post, post.failing

    def round(self, home: Home, settings: MailSettings) -> list[HeldEntry]:
        """Answer every game that may be answered. Returns the entries that are held back and were
        not before, or for another reason. Raises `PbemError` if nothing may be answered at all."""
        self.are_sent = False
        if elsewhere := place.warning(home.folder):
            self._failing.fails(f"{LOOK}answers", f"nothing is written by itself: {elsewhere}")
            return []
        if doubt := clock.doubt(home.folder):
            what = f"nothing is written by itself, for the clock may be wrong: {doubt}"
            is_right = Do("play", "GAME", "--my-clock-is-right", when="if it is right")
            self._failing.fails(f"{LOOK}clock", with_hint(what, ("set it", is_right)))
        public = home.identity().public
        kept = outside.read(public)
        held: list[HeldEntry] = []
        outboxes: list[Outbox] = []
        for folder in game_folders(home):
            try:
                outboxes.append(Outbox(home, folder, settings, self._post))
            except Usage as error:
                self._failing.fails(f"{LOOK}journal:{folder.name}", str(error))
        for outbox in outboxes:
            folder = outbox.folder
            self._works()
            try:
                counts = gather.counts(outboxes, outbox)
                self._again(outbox, kept, counts)
                if not doubt and (news := self._game(public, outbox, counts)) is not None:
                    held.append(news)
            except (PbemError, OSError) as error:
                self._failing.fails(f"{_GAME}{folder.name}", f"{folder.name[:8]}: {error}")
            # a mistake of this program in one game must not stop all others
            except Exception as error:
                self._failing.breaks(f"{_GAME}{folder.name}", error, folder.name[:8])
        self.are_sent = not any(
            outbox.due() and kept.is_on(outbox.folder.name) for outbox in outboxes
        )
        return held

    def _again(self, outbox: Outbox, kept: Outside, counts: tuple[int, int]) -> None:
        """Send what an earlier round could not, unless the game is played by hand now or the home
        was restored since, or another mail is under way."""
        outbox.look()
        folder = outbox.folder
        if not outbox.turns or not kept.is_on(folder.name):
            return
        outbox.tidy()
        if not outbox.due() or rules.are_used_up(*counts) or not self._may_go(outbox):
            return
        pause = self._pauses.setdefault(folder.name, Pause())
        if not pause.is_over() or self._post.sending.is_busy():
            return
        pause.begin()  # until the next attempt, if this one fails
        outbox.deliver()
        if not outbox.has_failed:
            self._pauses.pop(folder.name, None)

    def _may_go(self, outbox: Outbox) -> bool:
        """Whether what was signed in a game is noted outside of the home, or can be now: before
        that nothing is sent."""
        memory = Memory(outbox.home, bytes.fromhex(outbox.folder.name))
        if problem := memory.note_here():
            self._failing.fails(
                f"{_GAME}{outbox.folder.name}", f"{outbox.folder.name[:8]}: {problem}"
            )
        return memory.newest_signed() is not None and memory.is_noted_here()

    def _game(self, public: bytes, outbox: Outbox, counts: tuple[int, int]) -> HeldEntry | None:
        """Look at one game and write and send its entry. Returns the entry if it is newly held
        back."""
        home, folder = outbox.home, outbox.folder
        kept = outside.read(public)
        memory = Memory(home, bytes.fromhex(folder.name))
        switches = (kept.home, kept.notes, kept.prepared, kept.games.get(folder.name))
        state = (folder_state(folder), switches, memory.is_noted_here(), prepared.kept_of(memory))
        known = self._known.get(folder.name)
        if known is not None and known.state == state:
            until = None if known.held is None else known.held.until
            if until is None or time.time() < until:
                if known.failure:
                    self._failing.fails(f"{_GAME}{folder.name}", known.failure)
                return None
        try:
            shelf = kept_in(folder).shelf
            found = None
            if shelf is not None and kept.is_on(folder.name):
                can_send = outbox.settings.can_send
                found = gather.candidate(home, shelf.file.data, kept, counts, can_send)
        # an own entry that this home does not remember, or another version of one
        except Conflict as error:
            failure = f"{folder.name[:8]} is not answered by itself: {error}"
            self._known[folder.name] = _Known(state, None, failure)
            self._failing.fails(f"{_GAME}{folder.name}", failure)
            return None
        held = None if found is None else rules.may_answer(found.facts)
        self._known[folder.name] = _Known(state, held)
        if found is None:
            return None
        if held is None and found.draft is not None:
            self._write(outbox, found, found.draft)
        if held is None:
            return None
        if held.rule == 2 and found.facts.second_version is not None:
            reason = held.reason
            outside.change(public, lambda now: now.with_mark(folder.name, BY_HAND, reason))
        is_news = (
            held.rule != 0
            and not found.facts.is_end()
            and (known is None or known.held is None or known.held.reason != held.reason)
        )
        news_entry = HeldEntry(
            short_name(found.opened.ledger), len(found.opened.file.entries), held.rule, held.reason
        )
        return news_entry if is_news else None

    def _write(self, outbox: Outbox, found: Candidate, draft: DraftEntry) -> None:
        """Sign the entry for good and send it. If another process has signed one meanwhile, that
        one is kept."""
        take_turn.finish(found.opened, draft, lambda data: _note(outbox, found, draft, data))
        if self._may_go(outbox):
            outbox.deliver()


def _note(outbox: Outbox, found: Candidate, draft: DraftEntry, data: bytes) -> None:
    """Note an entry before it is stored. Raises `Refused` if it would decide something after all
    that its player has not prepared."""
    fields = turnfile.read(data).entries[-1].fields
    if found.facts.is_prepared and prepared_turns.HOLDS.issuperset(fields):
        prepared_turns.check_still_prepared(found.opened, draft)
    elif not decides_nothing(fields):
        raise Refused("a turn that decides something is not written by itself")
    outbox.begin(draft.number, data)


def folder_state(folder: Path) -> tuple[str, ...]:
    """The names of the files in a game's folder: while they are the same, nothing has come and
    nothing was signed."""
    return tuple(
        f"{below}/{path.name}"
        for below in ("signed", "read")
        for path in files.listed(folder / below)
    )
