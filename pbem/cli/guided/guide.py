"""Leads a player through one turn: shows, asks, does what the line says, and signs at the end if
they say so."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from engine.flow import Ambiguous
from pbem.cli.guided import words
from pbem.cli.guided.display import TurnDisplay
from pbem.cli.guided.screen import PlainScreen, Screen
from pbem.cli.guided.steps import COMMANDS, Left, Steps
from pbem.errors import Conflict, Do, PbemError, Refused, Typed, advice, worded_by
from pbem.home.home import Home
from pbem.turn import prepared
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import OpenFile
from pbem.turn.questions import Point
from pbem.turn.take_turn import MoreNeeded

_KEPT = (
    "Nothing is signed. What you tried is kept until this turn is signed: the same command goes on"
    " with it."
)
_NOTHING = "Nothing is signed."
_BESIDE = (
    *("order", "drop order", "message", "note", "plan", "plan together", "open plan", "file", "if"),
)
"""Commands that change the entry and mostly not the question."""


def _beside_commands(_part: Do | Typed) -> str:
    """A led turn has words of its own, and no command line until it ends."""
    return ""


def lead(
    opened: OpenFile, home: Home, said: Intent, *, plain: bool, goes_on: bool = False
) -> bytes | None:
    """The signed turn file, or None if the player leaves the turn unsigned; `said` is what the
    command line says of the entry, `goes_on`: the player signed the turn before a moment ago, and
    reads all that it brought. Raises `Conflict` if it was signed elsewhere meanwhile,
    `KeyboardInterrupt` at Ctrl-C: what was tried is kept then."""
    draft, screen = Draft(opened), _open_screen(plain=plain)
    return Guide(draft, TurnDisplay(draft, home, screen, goes_on=goes_on), screen).lead(said)


def _open_screen(*, plain: bool) -> Screen:
    """The screen for this terminal: plain lines where it is asked for, or where the terminal can do
    no more."""
    is_simple = os.name == "posix" and os.environ.get("TERM", "") in ("", "dumb", "unknown")
    if plain or is_simple:
        return PlainScreen()
    from pbem.cli.guided.terminal_screen import TerminalScreen  # plain lines need none of it

    return TerminalScreen()


class Guide:
    """One turn before one player."""

    def __init__(self, draft: Draft, display: TurnDisplay, screen: Screen) -> None:
        self._draft = draft
        self._display = display
        self._screen = screen
        self._steps = Steps(draft, display, screen)
        self._seen: Intent | None = None
        """The line whose entry was shown last: only that is signed."""
        self._asked_at = 0
        """So many rows were printed before the question that was shown last."""

    def lead(self, said: Intent) -> bytes | None:
        """From the first question to the signature. Raises `Refused` at an answer of the command
        line that is not taken."""
        self._draft.take(said)
        if not said.answers or not self._draft.point().is_complete():
            self._begin()
        self._warn(self._draft.opened.warnings)
        is_new = True
        try:
            while True:
                self._warn(self._draft.news())
                try:
                    given = self._ask(is_new)
                except Refused as error:  # what was entered is no text
                    self._refused(error)
                    is_new = False
                    continue
                if self._is_signed(given):
                    return self._draft.sign()
                is_new = self._did(given)
        except (Left, EOFError):
            self._screen.show(_NOTHING if self._draft.line.is_empty() else _KEPT)
            return None

    def _begin(self) -> None:
        """The whole position, and what was tried before."""
        point = self._draft.point()
        below = self._preview if point.is_complete() else partial(self._question, point)
        self._display.begin(point, below)
        opened = self._draft.opened
        for prepared_words in prepared.in_words(prepared.left_in(opened.memory, opened.file)):
            self._screen.show(f"You have prepared: {prepared_words}")
        if self._draft.line.answers:
            tried = "; ".join(self._draft.line.answers)
            self._screen.show(
                f"You have tried: {tried} (back takes the last answer back, new line begins another"
                " way)"
            )

    def _ask(self, is_new: bool) -> words.Input:
        """Show what is asked, if that is new, and read a line."""
        point = self._draft.point()
        if is_new and point.is_complete():
            self._preview()
        elif is_new:
            self._display.board_if_needed(point, lambda: self._question(point))
            self._question(point)
        elif self._screen.printed - self._asked_at >= self._screen.height() and (
            self._seen != self._draft.line
        ):
            self._question(point)  # what was looked up has moved it out of sight
        if self._seen == self._draft.line:
            line = self._screen.ask("Sign it? (yes, back, help) ", ["yes", *COMMANDS])
        else:
            items = [item.words for item in self._steps.level().items]
            line = self._screen.ask("> ", [*items, *point.choices, *COMMANDS])
        return words.read(line, point.choices, COMMANDS)

    def _question(self, point: Point) -> None:
        self._asked_at = self._screen.printed
        if point.offer:
            self._screen.show(
                f"{point.offer} offers a draw: accept draw, or decline draw.", style="bold"
            )
            return
        self._display.question(point, self._steps.level())

    def _preview(self) -> None:
        self._seen = None
        try:
            self._display.entry(self._draft.preview())
            self._display.order_choices(self._draft.order_choices())
            self._seen = self._draft.line
        except Conflict:
            raise
        except PbemError as error:
            self._refused(error)

    def _is_signed(self, given: words.Input) -> bool:
        """Whether the player agrees to the entry that they have seen."""
        return self._seen == self._draft.line and given in (("", "yes"), ("", "y"), ("sign", ""))

    def _did(self, given: words.Input) -> bool:
        """Do what a line says; whether the question is to be shown again. What is refused is told,
        and nothing is changed. Raises `Conflict`."""
        before, point, level = self._draft.line, self._draft.point(), self._steps.level()
        try:
            if given.command in ("sign", "preview"):
                self._preview()
            elif self._seen == before and not given.command and given.rest.isdecimal():
                self._steps.choose_ahead(given.rest)
            elif self._seen == before and given in (("", "no"), ("", "n")):
                self._screen.show(
                    "Nothing was signed. Change it (back, new line, message, order), or quit: it is"
                    " kept."
                )
            else:
                self._steps.do(given)
        except Conflict:
            raise
        except PbemError as error:
            self._refused(error, given.rest if not given.command else "")
            if point.question:  # the player wanted something else than the entry as it stands
                self._seen = None
        after = self._draft.point()
        is_asked_anew = (point.question, list(point.choices)) != (
            after.question,
            list(after.choices),
        )
        return self._steps.level() is not level or (
            after.line != before
            and (is_asked_anew or after.is_complete() or given.command not in _BESIDE)
        )

    def _refused(self, error: PbemError, given: str = "") -> None:
        """What is wrong, and what to do unless that is another command: of answers that fit it is
        asked which, or the command is named whose name is nearly the same."""
        with worded_by(_beside_commands):
            hint = advice(error.hint)
        if given.casefold().partition(" ")[0] in words.RESIGN:
            hint = "quit leaves the turn unsigned; then pbem resign FILE gives the game up"
        elif near := words.nearest(given, COMMANDS):
            hint = f"did you mean {near}?"
        elif isinstance(error.__cause__, Ambiguous) and self._steps.offer(given):
            hint = ""
        what = error.what.partition("; you are asked: ")[0]
        if isinstance(error, MoreNeeded):  # its answers stand above, by number
            what = f"the turn goes on, and you are asked: {error.prompt}"
            hint = "quit leaves it as it is, and keeps it"
        self._screen.show(f"Not taken: {what}{f' ({hint})' if hint else ''}")

    def _warn(self, warnings: Sequence[str]) -> None:
        for warning in warnings:
            self._screen.show(f"Note: {warning}")
