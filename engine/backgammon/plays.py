"""How a throw may be played: each resulting position once, with one way to write the play that
leads there; and every way to get there man by man.

Both dice are played where that is possible, four of a double; where only one of two can be played,
the higher one if either can (backgammon ruling 2). A man on the bar enters first, and men are borne
off when all are in the home board: from the point of the die, or from the highest point where none
is as far back as the die (backgammon ruling 3).

`play_options` gives the legal plays of a throw. `step_graph` gives, for whoever moves one man after
the other as on a board, which man may go where next, in whichever order, until a legal play is
complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.backgammon.tables import BAR, HOME, OFF, Men, Point
from engine.flow import Option

MOVE: Final = "move"


class Step(NamedTuple):
    """One man goes from a point to another; `hits`: it sends a man of the other player to the bar
    there."""

    source: Point
    target: Point
    hits: bool


Play: TypeAlias = tuple[Step, ...]
"""The steps of one throw, from the farthest point on; what one man does without hitting on the way
is one step."""


class Board(NamedTuple):
    """Both players' men, those of the player whose throw it is first."""

    own: Men
    other: Men


def plays(board: Board, first: int, second: int) -> dict[Board, Play]:
    """Every position to which a throw can lead, each with the play that is written for it. If no
    man can move, the position itself with no steps."""
    if first == second:
        return _plays_of_double(board, first)
    low, high = sorted((first, second))
    both: dict[Board, Play] = {}
    for die, later in ((high, low), (low, high)):
        for step in steps_with(board, die):
            after = board_after_step(board, step)
            for more in steps_with(after, later):
                _keep(both, board_after_step(after, more), _join_two(step, more))
    if both:
        return both
    for die in (high, low):
        single: dict[Board, Play] = {}
        for step in steps_with(board, die):
            _keep(single, board_after_step(board, step), (step,))
        if single:
            return single
    return {board: ()}


@lru_cache(1024)
def play_options(board: Board, first: int, second: int) -> tuple[Option, ...]:
    """The plays of a throw as options, in the order of the game's list. Kept, because every command
    replays the game and every look ahead asks again."""
    return tuple(
        sorted((as_option(play) for play in plays(board, first, second).values()), reverse=True)
    )


def _plays_of_double(board: Board, die: int) -> dict[Board, Play]:
    """The plays of a double. Steps with the same die can always be taken from the farthest man on,
    so each set of steps is tried in that order only."""
    found: dict[Board, Play] = {}
    most = 0
    waiting: list[tuple[Board, Play]] = [(board, ())]
    while waiting:
        at, taken = waiting.pop()
        limit = taken[-1].source if taken else BAR
        more = steps_with(at, die, limit) if len(taken) < 4 else []
        if not more and len(taken) >= most:
            if len(taken) > most:
                most, found = len(taken), {}
            _keep(found, at, join_steps(taken))
        for step in more:
            waiting.append((board_after_step(at, step), (*taken, step)))
    return found


def _keep(found: dict[Board, Play], after: Board, play: Play) -> None:
    """Keep this play for the position it leads to, unless a better one is known: one with fewer
    steps, or with as many that begin farther back."""
    known = found.get(after)
    if known is None or len(play) < len(known) or (len(play) == len(known) and play > known):
        found[after] = play


def _join_two(one: Step, other: Step) -> Play:
    """`join_steps` of two, which most throws have: the search spends its time here."""
    far, near = (one, other) if one > other else (other, one)
    if far.target == near.source and not far.hits:
        return (Step(far.source, near.target, near.hits),)
    return (far, near)


def join_steps(steps: tuple[Step, ...]) -> Play:
    """The same moves with the steps of one man joined where he hit nobody on the way, the farthest
    first."""
    made: list[Step] = []
    for step in sorted(steps, reverse=True):
        for at, one in enumerate(made):
            if one.target == step.source and not one.hits:
                made[at] = Step(one.source, step.target, step.hits)
                break
        else:
            made.append(step)
    made.sort(reverse=True)
    return tuple(made)


def steps_with(board: Board, die: int, limit: Point = BAR) -> list[Step]:
    """Every step with one die, from no point beyond the limit."""
    own, other = board
    if own[BAR]:
        target = BAR - die
        return [] if other[BAR - target] > 1 else [Step(BAR, target, other[BAR - target] == 1)]
    found = []
    highest = OFF
    for point in range(BAR - 1, OFF, -1):
        if not own[point]:
            continue
        if highest == OFF:
            highest = point
        if point > limit:
            continue
        target = point - die
        if target > OFF:
            if other[BAR - target] < 2:
                found.append(Step(point, target, other[BAR - target] == 1))
        elif highest <= HOME and (target == OFF or point == highest):
            found.append(Step(point, OFF, False))
    return found


def board_after_step(board: Board, step: Step) -> Board:
    """The position after a step."""
    own = list(board.own)
    own[step.source] -= 1
    own[step.target] += 1
    if not step.hits:
        return Board(tuple(own), board.other)
    other = list(board.other)
    other[BAR - step.target] -= 1
    other[BAR] += 1
    return Board(tuple(own), tuple(other))


def board_after(board: Board, play: Play) -> Board:
    """The position after a play."""
    for step in play:
        board = board_after_step(board, step)
    return board


def as_option(play: Play) -> Option:
    """A play as an option of the rules: `("move", source, target, hits, …)`."""
    option: list[str | int] = [MOVE]
    for source, target, hits in play:
        option += (source, target, int(hits))
    return tuple(option)


def as_play(option: Option) -> Play:
    """The play of an option."""
    _, *numbers = option
    return tuple(
        Step(numbers[at], numbers[at + 1], bool(numbers[at + 2]))
        for at in range(0, len(numbers), 3)
    )


def pips(men: Men) -> int:
    """How far a player's men have to go, all together."""
    return sum(point * count for point, count in enumerate(men))


def is_race(board: Board) -> bool:
    """Whether the men have passed each other, so that none can be hit or blocked any more
    (backgammon ruling 10)."""
    back, front = (
        max((point for point in range(BAR + 1) if men[point]), default=0) for men in board
    )
    return back + front < BAR


# ---- man by man ----------------------------------------------------------------------------------

Dice = tuple[int, ...]


@dataclass
class StepNode:
    """A position on the way. `steps` lead on: from a point to a point to a node, by its number;
    `option` is the legal play that is complete here, if one is."""

    steps: dict[Point, dict[Point, int]] = field(default_factory=dict)
    option: Option | None = None


def step_graph(board: Board, dice: tuple[int, int], options: Sequence[Option]) -> list[StepNode]:
    """All ways to play a throw man by man. The first node is the position before the throw. Every
    step leads on to a legal play. A man who would hit on the way makes two steps."""
    first, second = dice
    return _Search({board_after(board, as_play(option)): option for option in options}).ways(
        board, (first,) * 4 if first == second else tuple(sorted(dice))
    )


class _Search:
    """Builds the nodes. Each position is looked at once for each set of dice that is left."""

    def __init__(self, options: dict[Board, Option]) -> None:
        self._options = options
        self._known: dict[tuple[Board, Dice], int | None] = {}
        self._nodes: list[StepNode] = []

    def ways(self, board: Board, dice: Dice) -> list[StepNode]:
        self._node(board, dice)
        return self._nodes

    def _node(self, board: Board, dice: Dice) -> int | None:
        """The number of the node for this position and these dice; None if no legal play comes of
        it."""
        key = (board, dice)
        if key in self._known:
            return self._known[key]
        number, node = len(self._nodes), StepNode(option=self._options.get(board))
        self._nodes.append(node)
        for at, die in enumerate(dice):
            if die not in dice[:at]:
                for step in steps_with(board, die):
                    after = self._node(board_after_step(board, step), dice[:at] + dice[at + 1 :])
                    if after is not None:
                        node.steps.setdefault(step.source, {}).setdefault(step.target, after)
        self._join_with_next_dice(node, board)
        if not node.steps and node.option is None:
            del self._nodes[number:]  # nothing of what was tried from here led anywhere either
            self._known[key] = None
        else:
            self._known[key] = number
        return self._known[key]

    def _join_with_next_dice(self, node: StepNode, board: Board) -> None:
        """Add steps in which one man goes on with the next dice. Not if he hits on the way, nor if
        two ways to the same point lead to different positions."""
        for targets in node.steps.values():
            further: dict[Point, set[int]] = {}
            for target, after in targets.items():
                if target != OFF and board.other[BAR - target] != 1:
                    for last, end in self._nodes[after].steps.get(target, {}).items():
                        further.setdefault(last, set()).add(end)
            for last, ends in further.items():
                if len(ends) == 1:
                    targets.setdefault(last, ends.pop())
