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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.backgammon.tables import BAR, HOME, OFF, Men, Point
from engine.flow import Option
from engine.options import OptionSequence

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


_STEPS: Final = [
    [
        [Step(source, max(source - die, OFF), hits) for hits in (False, True)]
        for source in range(BAR + 1)
    ]
    for die in range(7)
]
"""For each die and point the step from there, without a hit and with one."""


class Board(NamedTuple):
    """Both players' men, those of the player whose throw it is first."""

    own: Men
    other: Men


def plays(board: Board, first: int, second: int) -> list[Play]:
    """The legal plays of a throw, in the order of the game's list: for every position to which the
    throw can lead, the one play that is written for it. If no man can move, one play of no steps.

    Of two ways to the same position the one with fewer steps is written; of two with as many, the
    one that begins farther back.
    """
    own, other = list(board.own), list(board.other)
    if first == second:
        found = _plays_of_double(own, other, first)
    else:
        low, high = sorted((first, second))
        found = _plays_of_two(own, other, low, high)
        if not found:
            singles = _steps(own, other, high, BAR) or _steps(own, other, low, BAR)
            found = [(step,) for step in singles] or [()]
    found.sort(reverse=True)
    return found


class _PlayOptions(OptionSequence):
    """Plays as options. Each is made when it is asked for: of a throw's plays one is played."""

    def __init__(self, found: list[Play]) -> None:
        self._plays: Final = found

    def __len__(self) -> int:
        return len(self._plays)

    def __iter__(self) -> Iterator[Option]:
        return map(as_option, self._plays)

    def __contains__(self, option: object) -> bool:
        return option in tuple(self)

    def _at(self, number: int) -> Option:
        return as_option(self._plays[number])


@lru_cache(1024)
def play_options(board: Board, first: int, second: int) -> Sequence[Option]:
    """The plays of a throw as options, in the order of the game's list. Kept, because every command
    replays the game and every look ahead asks again."""
    return _PlayOptions(plays(board, first, second))


# The search changes the men in place and puts them back: a throw has some twenty plays, and
# simulations spend most of their time here.


def _plays_of_two(own: list[int], other: list[int], low: int, high: int) -> list[Play]:
    """The plays of both of two different dice, each position once."""
    first, second = _steps(own, other, high, BAR), _steps(own, other, low, BAR)
    found = set()
    if own[BAR] or sum(own[HOME + 1 :]) < 2:
        # the first step may free all others, or let men be borne off
        for step in first:
            _go(own, other, step)
            found.update([_join_two(step, more) for more in _steps(own, other, low, BAR)])
            _go_back(own, other, step)
        for step in second:
            _go(own, other, step)
            for more in _steps(own, other, high, BAR):
                # What the higher die could do at once has been played in the other order. So has
                # what it can do now because the lower one has just hit where it goes.
                if more not in first and not (step.hits and step.target == more.target):
                    found.add(_join_two(step, more))
            _go_back(own, other, step)
        return list(found)
    for step in first:
        source, target, hits = step
        for more in second:
            if more.source == source and own[source] == 1:
                continue
            if hits and more.target == target:
                more = _STEPS[low][more.source][0]  # who stood there has gone
            found.add(_join_two(step, more))
    for steps, later in ((first, low), (second, high)):
        for step in steps:
            target = step.target
            there = other[BAR + later - target] if target > later and not own[target] else 2
            if there < 2:  # the man who moved goes on
                found.add(_join_two(step, _STEPS[later][target][there]))
    return list(found)


def _plays_of_double(own: list[int], other: list[int], die: int) -> list[Play]:
    """The plays of a double. Steps with the same die can always be taken from the farthest man on,
    so each set of steps is tried in that order only, and each leads to a position of its own."""
    ends: list[list[Play]] = [[], [], [], [], []]
    _go_on(own, other, die, BAR, 0, (), ends)
    return next(found for found in reversed(ends) if found)


def _go_on(
    own: list[int],
    other: list[int],
    die: int,
    limit: Point,
    taken: int,
    play: Play,
    ends: list[list[Play]],
) -> None:
    """Add to `ends`, by how many steps were taken, every way to go on with a double after the
    `taken` steps of `play`, from no point beyond the limit."""
    more = _steps(own, other, die, limit)
    if not more:
        ends[taken].append(play)
    elif taken == 3:
        ends[4] += [_with_step(play, step) for step in more]
    else:
        for step in more:
            _go(own, other, step)
            _go_on(own, other, die, step.source, taken + 1, _with_step(play, step), ends)
            _go_back(own, other, step)


def _go(own: list[int], other: list[int], step: Step) -> None:
    source, target, hits = step
    own[source] -= 1
    own[target] += 1
    if hits:
        other[BAR - target] = 0


def _go_back(own: list[int], other: list[int], step: Step) -> None:
    source, target, hits = step
    own[source] += 1
    own[target] -= 1
    if hits:
        other[BAR - target] = 1


def _join_two(one: Step, other: Step) -> Play:
    """`join_steps` of two, which most throws have."""
    far, near = (one, other) if one > other else (other, one)
    if far.target == near.source and not far.hits:
        return (Step(far.source, near.target, near.hits),)
    return (far, near)


def join_steps(steps: Iterable[Step]) -> Play:
    """The same moves with the steps of one man joined where he hit nobody on the way, the farthest
    first."""
    play: Play = ()
    for step in sorted(steps, reverse=True):
        play = _with_step(play, step)
    return play


def _with_step(play: Play, step: Step) -> Play:
    """A play with one more step, of a man no farther back than those that went before."""
    source, target, hits = step
    for at, (begun, reached, hit) in enumerate(play):
        if reached == source and not hit:
            return tuple(
                sorted((*play[:at], Step(begun, target, hits), *play[at + 1 :]), reverse=True)
            )
    return (*play, step)


def steps_with(board: Board, die: int) -> list[Step]:
    """Every step with one die, from the farthest man on."""
    return _steps(board.own, board.other, die, BAR)


def _steps(own: Sequence[int], other: Sequence[int], die: int, limit: Point) -> list[Step]:
    """Every step with one die from no point beyond the limit, from the farthest man on."""
    steps, beyond = _STEPS[die], BAR + die
    if own[BAR]:
        there = other[die]
        return [steps[BAR][there]] if there < 2 else []
    found = [
        steps[point][other[beyond - point]]
        for point in range(min(limit, BAR - 1), die, -1)
        if own[point] and other[beyond - point] < 2
    ]
    if not any(own[HOME + 1 : BAR]):
        for point in range(HOME if not own[die] else die, OFF, -1):
            if own[point]:
                if point <= die and point <= limit:
                    found.append(steps[point][0])
                break
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
