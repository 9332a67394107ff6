"""The film of a game: what happened, step by step, as its viewer could follow it then.

A step is one request of the rules that was answered, with the events that followed from it. The
position after it is taken where the rules ask next, never inside a deed. No step knows a card that
its viewer did not know then, nor anything that came later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.flow import Card, Handle, Seat
from pbem.games import registry
from pbem.games.descriptor import load
from pbem.games.stage import StageBoard
from pbem.ledger.events import Event, Reply
from pbem.ledger.gate import PublicView
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.referee import Referee
from pbem.replay.boards import Boards, parts_of
from pbem.report import history, picture
from pbem.report.board import board_at
from pbem.report.lines import DiceLine, GameData, Line, OpenedLine, kind_of
from pbem.report.model import EntryFacts, Waiting
from pbem.report.picture_board import FINE


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
    there is none yet). So many of the entry's `rolls` fell with it, in their order, and it opened
    the cards with these backs. `waiting` says for whom the game waits after the entry; for a step
    inside an entry, for whom it waited before. `told` is the story up to then
    (`history.told`)."""

    entry: int
    lines: Sequence[Line]
    view: PublicView | None
    waiting: Waiting | None = None
    told: Sequence[GameData] = ()

    @property
    def rolls(self) -> int:
        """The number of rolls that fell with the step."""
        return sum(isinstance(line, DiceLine) for line in self.lines)

    @property
    def opened(self) -> list[str]:
        """The backs of the cards that the step opened."""
        return [line.back for line in self.lines if isinstance(line, OpenedLine)]

    @property
    def story(self) -> list[GameData]:
        """The lines that the rules of the game tell."""
        return [line for line in self.lines if isinstance(line, Mapping)]

    def moves(self, game: str, symbols: Mapping[str, str], board: StageBoard | None) -> list[Move]:
        """The moves of pieces: the `board` after the step knows them, or a line of the story has
        `from` and `to`, or several of both in `ways`, or the stage of the game reads them out of
        it. `symbols` are the board's symbols by the words of the story."""
        if board is not None and board.moved:
            return [Move(*move) for move in board.moved]
        stage = registry.descriptor(game).stage
        if stage.moves is not None:
            of_line = load(stage.moves)
            return [Move(*move) for line in self.story for move in of_line(line)]
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


@dataclass
class _Step:
    """A step as it is noted while the game goes on, with the cards that the viewer could read at
    that time."""

    entry: int
    happened: list[Event]
    known: Mapping[Handle, Card]
    view: PublicView | None
    waiting: Waiting | None


class Filming:
    """Notes the steps of a game from its first entry on. It looks on at a `Ledger`, and is told
    when each entry is done. Positions and cards are those that `viewer` (None: everybody) could see
    at that time; `own` are the cards behind the viewer's own backs. For entries before `since` it
    keeps the lines, and only the last position."""

    def __init__(
        self,
        viewer: Seat | None = None,
        own: Mapping[Handle, Card] | None = None,
        since: int = 0,
    ) -> None:
        self._steps: list[_Step] = []
        self._open: list[Event] = []
        self._told = 0
        self._entry = 0
        self._waiting: Waiting | None = None
        self._begun: int | None = None
        self._viewer = viewer
        self._own = own or {}
        self._since = since
        self._known: Mapping[Handle, Card] = {}

    def __call__(self, referee: Referee, _answered: Reply) -> None:
        """The rules have asked, and were answered; the answer has no effect yet."""
        fresh = referee.record[self._told :]
        self._told = len(referee.record)
        noted = next((place for place, one in enumerate(fresh) if one.kind != "story"), len(fresh))
        self._open += fresh[:noted]
        self._close(None if self._entry < self._since else self._view(referee))
        self._open = fresh[noted:]

    def entry_done(self, game: Ledger, waiting: Waiting | None) -> None:
        """An entry has been played, or as much of it as is tried. `waiting` is for whom the game
        waits now."""
        view = None
        if game.playing is not None:
            referee = game.playing.referee
            self._open += referee.record[self._told :]
            self._told = len(referee.record)
            self._known = self._readable(referee)
            view = None if self._entry < self._since - 1 else self._view(referee)
        is_done = (
            bool(self._steps)
            and self._steps[-1].entry == self._entry
            and self._steps[-1].view == view
        )
        if self._open or not is_done:
            self._steps.append(_Step(self._entry, self._open, self._known, view, waiting))
        self._steps[-1].waiting = waiting
        # whom it waited for before, was to join
        if game.playing is not None and self._begun is None:
            self._begun = self._entry
            for one in self._steps:
                one.waiting = waiting if one.entry == self._entry else one.waiting
        self._open, self._waiting = [], waiting
        self._entry += 1

    def _close(self, view: PublicView | None) -> None:
        if self._open or (self._steps and self._steps[-1].view not in (None, view)):
            self._steps.append(_Step(self._entry, self._open, self._known, view, self._waiting))

    def _view(self, referee: Referee) -> PublicView:
        return referee.game.view(self._viewer, {**referee.faces(), **self._known})

    def _readable(self, referee: Referee) -> Mapping[Handle, Card]:
        """Those of the viewer's own cards that they can read by now. A card of the common deck
        needs the shares of all others, and a partner's card that the partner has shown it."""
        common = referee.common
        if common is None or not self._own:
            return self._own
        readable = {
            back for box in common.boxes if box.partner == self._viewer for back in box.handles
        }
        return {
            back: card
            for back, card in self._own.items()
            if not common.has(back)
            or len({*common.shares[back], self._viewer}) + (back in readable) >= len(common.keys)
        }

    def steps(self, game: Ledger) -> list[FilmStep]:
        """All steps; `game` is the game that was filmed."""
        steps: list[FilmStep] = []
        told: list[GameData] = []
        for one in self._steps:
            lines = [history.line(game, happened, one.known) for happened in one.happened]
            heard = [history.told_of(game, happened) for happened in one.happened]
            fresh = [line for line in heard if line is not None]
            told = [*told, *fresh][-history.MOST_TOLD :] if fresh else told
            steps.append(FilmStep(one.entry, lines, one.view, one.waiting, told))
        return steps


def cut(
    game: Ledger,
    steps: Sequence[FilmStep],
    entries: Sequence[EntryFacts],
    words: Callable[[EntryFacts], list[str]],
    since: int = 0,
) -> list[tuple[FilmStep, list[str]]]:
    """The steps of these entries from `since` on, each with its lines in `words`. A line about
    something that goes on (`standing` of the game's descriptor) is left out where it was said
    before; a step without lines is joined to the next one."""
    standing = registry.descriptor(game.rules.name).standing
    kept: list[tuple[FilmStep, list[str]]] = []
    silent: Sequence[Line] = ()
    stands = [
        line
        for step in steps
        for line in step.lines
        if step.entry < since and kind_of(line) in standing
    ]
    steps = [step for step in steps if since <= step.entry < len(entries)]
    for number, step in enumerate(steps):
        fresh = [line for line in (*silent, *step.lines) if line not in stands]
        stands += [line for line in fresh if kind_of(line) in standing]
        step, silent = replace(step, lines=fresh), ()
        is_last = number + 1 == len(steps) or steps[number + 1].entry != step.entry
        entry = entries[step.entry]
        spoken = words(history.part(entry, fresh, is_last=is_last))
        if not spoken and not is_last:  # nobody is told of it: it goes with the next one
            silent = fresh
        elif not spoken and kept and kept[-1][0].entry == step.entry:
            last, lines = kept[-1]
            kept[-1] = replace(last, view=step.view, waiting=step.waiting, told=step.told), lines
        elif spoken or entry.seat is not None:
            kept.append((step, spoken or words(entry)))
    return kept


def symbols(board: StageBoard) -> dict[str, str]:
    """The symbols of a board's pieces, by the words for the pieces."""
    pieces = [piece for place in board.places for piece in place.pieces]
    items = [*board.strip, *(item for tray in board.trays for item in tray.items)]
    pieces += [piece for item in items for piece in item.pieces]
    return {piece.words: piece.kind for piece in pieces}


def position(
    game: str,
    view: PublicView,
    before: PublicView | None,
    step: FilmStep | None,
    names: Mapping[str, str],
) -> StageBoard:
    """The board of the position after a step."""
    story, waiting = ([], None) if step is None else (step.story, step.waiting)
    return board_at(game, view, before, story, waiting, names, () if step is None else step.told)


@dataclass(frozen=True)
class Pictures:
    """The boards of a film: the one after each of its steps, the backdrop under all of them, and
    the pieces that moved in each step."""

    boards: Boards
    ground: str
    moves: Sequence[Sequence[Move]]


def draw(
    game: Ledger, steps: Sequence[FilmStep], names: Mapping[str, str] | None = None
) -> Pictures:
    """The board after each step, with what it changed marked. `names` are names for the players, by
    seat, instead of those that sentences use."""
    boards, before = Boards(), None
    last: StageBoard | None = None
    known: dict[str, str] = {}
    moves: list[list[Move]] = []
    names = {**dict(zip(game.seats, player_names(game), strict=True)), **(names or {})}
    for step in steps:
        fresh = None
        if step.view is not None and (step.view != before or step.rolls):
            fresh = position(game.rules.name, step.view, before, step, names)
            known = {**symbols(fresh), **known}
        boards.add(None if fresh is None else parts_of(fresh))
        moves.append(step.moves(game.rules.name, known, fresh))
        last, before = fresh or last, step.view
    # a page is kept small: it has what a picture in a mail has
    ground = "" if last is None else FINE.sub("", picture.stage_backdrop(game.rules.name, last))
    return Pictures(boards, ground, moves)
