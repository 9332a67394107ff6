"""The film of a game: what happened, step by step, as everybody could follow it then.

A step is one request of the rules that was answered, with the events that followed from it. The
position after it is taken where the rules ask next, never inside a deed. No step knows a card that
nobody had opened then, nor anything that came later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.ledger.events import Answered, Happened
from pbem.ledger.gate import PublicView
from pbem.ledger.ledger import Ledger, called
from pbem.ledger.referee import Referee
from pbem.replay.boards import Boards
from pbem.report import history, picture
from pbem.report.lines import DiceLine, GameData, Line, OpenedLine
from pbem.report.model import Waiting


@dataclass(frozen=True)
class Move:
    """So many pieces of a kind went from one place to another. `piece` is the symbol that a picture
    draws for them; empty where it has none."""

    piece: str
    count: int
    source: str
    target: str


@dataclass(frozen=True)
class FilmStep:
    """One step of entry `entry`: its lines of the story, and the public position after it (None:
    there is none yet). `rolls` of the entry's rolls fell with it, in their order, and it opened
    these cards, by their backs. `waiting` is whom the game waits for: while an entry goes on, whom
    it waited for before."""

    entry: int
    lines: Sequence[Line]
    view: PublicView | None
    waiting: Waiting | None = None

    @property
    def rolls(self) -> int:
        """How many rolls it has."""
        return sum(isinstance(line, DiceLine) for line in self.lines)

    @property
    def opened(self) -> list[str]:
        """The backs of the cards that it opened."""
        return [line.back for line in self.lines if isinstance(line, OpenedLine)]

    @property
    def story(self) -> list[GameData]:
        """What only the game's own rules tell of it."""
        return [line for line in self.lines if isinstance(line, Mapping)]

    def moves(self, symbols: Mapping[str, str]) -> list[Move]:
        """Which pieces went which way: a line has `from` and `to`, or `ways` with several of both.
        `symbols` are those of the picture, by the words of the story."""
        return [
            Move(symbols.get(str(line.get("piece")), ""), _count(line), source, target)
            for line in self.story
            for source, target in _ways(line)
        ]


def _ways(line: GameData) -> list[tuple[str, str]]:
    ways = line.get("ways", [[line.get("from"), line.get("to")]])
    pairs = (
        [way for way in ways if isinstance(way, (list, tuple)) and len(way) == 2]
        if isinstance(ways, list)
        else []
    )
    return [
        (source, target)
        for source, target in pairs
        if isinstance(source, str) and isinstance(target, str)
    ]


def _count(line: GameData) -> int:
    count = line.get("count", 1)
    return count if isinstance(count, int) else 1


class Filming:
    """Follows a game from its first entry on: an onlooker of its ledger (`Ledger`), which is told
    when each entry is done."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, list[Happened], PublicView | None, Waiting | None]] = []
        self._open: list[Happened] = []
        self._told = 0
        self._entry = 0
        self._waiting: Waiting | None = None
        self._begun: int | None = None

    def __call__(self, referee: Referee, _answered: Answered) -> None:
        """The rules have asked, and go on with an answer that has no effect yet."""
        fresh = referee.record[self._told :]
        self._told = len(referee.record)
        noted = next((place for place, one in enumerate(fresh) if one.kind != "story"), len(fresh))
        self._open += fresh[:noted]
        self._close(_view(referee))
        self._open = fresh[noted:]

    def entry_done(self, game: Ledger, waiting: Waiting | None) -> None:
        """An entry holds, and this is whom the game waits for."""
        view = None
        if game.playing is not None:
            referee = game.playing.referee
            self._open += referee.record[self._told :]
            self._told = len(referee.record)
            view = _view(referee)
        is_done = (
            bool(self._steps) and self._steps[-1][0] == self._entry and self._steps[-1][2] == view
        )
        if self._open or not is_done:
            self._steps.append((self._entry, self._open, view, waiting))
        self._steps[-1] = (*self._steps[-1][:3], waiting)
        # whom it waited for before, was to join
        if game.playing is not None and self._begun is None:
            self._begun = self._entry
            self._steps = [
                (*one[:3], waiting) if one[0] == self._entry else one for one in self._steps
            ]
        self._open, self._waiting = [], waiting
        self._entry += 1

    def _close(self, view: PublicView) -> None:
        if self._open or (self._steps and self._steps[-1][2] not in (None, view)):
            self._steps.append((self._entry, self._open, view, self._waiting))

    def steps(self, game: Ledger) -> list[FilmStep]:
        """All steps; `game` is the one that was followed."""
        return [
            FilmStep(entry, [history.line(game, one, {}) for one in happened], view, waiting)
            for entry, happened, view, waiting in self._steps
        ]


def _view(referee: Referee) -> PublicView:
    return referee.game.view(None, referee.faces())


def drawn(game: Ledger, steps: Sequence[FilmStep]) -> Boards:
    """The picture after each step, with what it changed marked."""
    boards, before = Boards(), None
    names = dict(zip(game.seats, called(game), strict=True))
    for step in steps:
        svg = None
        if step.view is not None and step.view != before:
            svg = picture.svg(
                game.rules.name, step.view, before, step.story, waiting=step.waiting, called=names
            )
        boards.add(svg)
        before = step.view
    return boards
