"""A whole game as the game's own export formats and analyses get it: plain facts, without the
ledger they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.flow import Outcome, Seat
from engine.rules import Settings


@dataclass(frozen=True)
class Said:
    """A message of a turn: whose, and how many lines of the story there were by then."""

    seat: Seat
    text: str
    after: int


@dataclass(frozen=True)
class ClockMark:
    """What a player had left on their clock at the end of a turn, in seconds (less than nothing:
    they were overdue), as the players claim; and how many lines of the story there were by then."""

    seat: Seat
    left: int
    after: int


@dataclass(frozen=True)
class GameRecord:
    """Who played (by seat; empty where nobody sits), with which options, since when (a date in
    UTC), what the rules noted from the beginning (`engine.rules.Game.story`), how the game
    ended, if it did, the messages of all turns, and in a game with a clock what was left after
    each, with what everybody began with (`base`) and is given for a turn (`increment`), in
    seconds. Names and messages are as their owners wrote them, so a format in which text can be
    anything else than text must escape them."""

    names: tuple[str, ...]
    settings: Settings
    date: str
    story: tuple[tuple[Any, ...], ...]
    outcome: Outcome | None
    said: tuple[Said, ...] = ()
    clocks: tuple[ClockMark, ...] = ()
    base: int = 0
    increment: int = 0


@dataclass(frozen=True)
class Judged:
    """One decision as a program judges it: of which part of the game and of which turn there (both
    from 1), whose, and what it was in words.

    `error` is what it cost and `luck` what the dice before it gave, both in points of the game;
    None where the program has no number. `better` is what it would have done, and `mark` its word
    for the decision; both empty where it has no quarrel."""

    part: int
    turn: int
    seat: str
    what: str
    error: float | None
    luck: float | None
    better: str
    mark: str


@dataclass(frozen=True)
class Analysis:
    """What a program says of a game that is over: the program with its version, every decision, and
    by seat what all errors cost, how many decisions could have been errors, the error rate (a
    thousandth of a point for each of these), and what all luck gave."""

    program: str
    decisions: list[Judged]
    errors: Mapping[str, float]
    open_decisions: Mapping[str, int]
    rates: Mapping[str, float]
    luck: Mapping[str, float]

    def worst(self, seat: str, most: int = 3) -> list[Judged]:
        """The decisions of a player that cost most, the dearest first."""
        costly = [one for one in self.decisions if one.seat == seat and one.error]
        return sorted(costly, key=lambda one: -(one.error or 0))[:most]


@dataclass(frozen=True)
class Effort:
    """How far an analysis looks ahead (in the program's own measure; None: as it likes), and for
    how many seconds it may run."""

    plies: int | None
    seconds: int
