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


# In a search a step is one number, which compares as a `Step` does: its source and its target in
# five bits each, then the hit. A play is one number too, of two steps or of a double's four, the
# first in the highest bits; a step that it has not is nought. With tuples instead, making them
# costs most of the time of games that are played at random.
_SOURCE: Final = 6
_TO: Final = 31
_AFTER: Final = 63  # target and hit
_STEP: Final = 11  # bits
_ONE: Final = (1 << _STEP) - 1
_FIRST: Final = 3 * _STEP  # how far left the first of four stands
_TWO: Final = 2 * _STEP  # bits of two steps

_STEPS: Final = [
    [
        [source << _SOURCE | max(source - die, OFF) << 1 | hits for hits in (0, 1)]
        for source in range(BAR + 1)
    ]
    for die in range(7)
]
"""For each die and point the step from there, without a hit and with one."""


class Board(NamedTuple):
    """Both players' men, those of the player whose throw it is first."""

    own: Men
    other: Men


def _numbers_in(play: int) -> list[int]:
    """Source, target and hit of each step in turn."""
    shift = _FIRST if play >> _TWO else _STEP
    numbers: list[int] = []
    while shift >= 0:
        step = play >> shift & _ONE
        if not step:
            break
        numbers += (step >> _SOURCE, step >> 1 & _TO, step & 1)
        shift -= _STEP
    return numbers


def _as_step(step: int) -> Step:
    return Step(step >> _SOURCE, step >> 1 & _TO, bool(step & 1))


class _PlayOptions(OptionSequence):
    """Plays as options. Each is made when it is asked for: of a throw's plays one is played."""

    def __init__(self, found: list[int]) -> None:
        self._plays: Final = found

    def __len__(self) -> int:
        return len(self._plays)

    def __iter__(self) -> Iterator[Option]:
        return map(self._at, range(len(self._plays)))

    def __contains__(self, option: object) -> bool:
        return option in tuple(self)

    def _at(self, number: int) -> Option:
        return (MOVE, *_numbers_in(self._plays[number]))


@lru_cache(1024)
def play_options(board: Board, first: int, second: int) -> Sequence[Option]:
    """The legal plays of a throw as options, `("move", source, target, hits, …)`, in the order of
    the game's list: for every position to which the throw can lead, the one play that is written
    for it. If no man can move, one play of no steps.

    Of two ways to the same position the one with fewer steps is written; of two with as many, the
    one that begins farther back. Kept, because every command replays the game and every look ahead
    asks again.
    """
    own, other = list(board.own), list(board.other)
    if first == second:
        found = _plays_of_double(own, other, first)
    else:
        low, high = sorted((first, second))
        found = _plays_of_two(own, other, low, high)
        if not found:
            singles = _steps(own, other, high, BAR) or _steps(own, other, low, BAR)
            found = [step << _STEP for step in singles] or [0]
    found.sort(reverse=True)
    return _PlayOptions(found)


# The search changes the men in place and puts them back: a throw has some twenty plays, and
# simulations spend most of their time here.


def _plays_of_two(own: list[int], other: list[int], low: int, high: int) -> list[int]:
    """The plays of both of two different dice, each position once."""
    first, second = _steps(own, other, high, BAR), _steps(own, other, low, BAR)
    found: set[int] = set()
    if own[BAR] or sum(own[HOME + 1 :]) < 2:
        # the first step may free all others, or let men be borne off
        for step in first:
            _go(own, other, step)
            for more in _steps(own, other, low, BAR):
                found.add(_join_two(step, more))
            _go_back(own, other, step)
        for step in second:
            _go(own, other, step)
            for more in _steps(own, other, high, BAR):
                # What the higher die could do at once has been played in the other order. So has
                # what it can do now because the lower one has just hit where it goes.
                if more not in first and not (step & 1 and (step ^ more) & _AFTER <= 1):
                    found.add(_join_two(step, more))
            _go_back(own, other, step)
        return list(found)
    for step in first:
        source, after = step >> _SOURCE, step & _AFTER
        is_alone = own[source] == 1
        for more in second:
            if is_alone and more >> _SOURCE == source:
                continue
            if after & 1 and more & _AFTER == after:
                more -= 1  # who stood there has gone
            found.add(_join_two(step, more))
    for steps, later in ((first, low), (second, high)):
        for step in steps:
            target = step >> 1 & _TO
            there = other[BAR + later - target] if target > later and not own[target] else 2
            if there < 2:  # the man who moved goes on
                found.add(_join_two(step, _STEPS[later][target][there]))
    return list(found)


def _plays_of_double(own: list[int], other: list[int], die: int) -> list[int]:
    """The plays of a double. Steps with the same die can always be taken from the farthest man on,
    so each set of steps is tried in that order only, and each leads to a position of its own."""
    ends: list[list[int]] = [[], [], [], [], []]
    _go_on(own, other, die, BAR, 0, 0, ends)
    return next(found for found in reversed(ends) if found)


def _go_on(
    own: list[int],
    other: list[int],
    die: int,
    limit: Point,
    taken: int,
    play: int,
    ends: list[list[int]],
) -> None:
    """Add to `ends`, by how many steps were taken, every way to go on with a double after the
    `taken` steps of `play`, from no point beyond the limit."""
    more = _steps(own, other, die, limit)
    if not more:
        ends[taken].append(play)
    elif taken == 3:
        for step in more:
            ends[4].append(_with_step(play, step))
    else:
        for step in more:
            _go(own, other, step)
            _go_on(own, other, die, step >> _SOURCE, taken + 1, _with_step(play, step), ends)
            _go_back(own, other, step)


def _go(own: list[int], other: list[int], step: int) -> None:
    target = step >> 1 & _TO
    own[step >> _SOURCE] -= 1
    own[target] += 1
    if step & 1:
        other[BAR - target] = 0


def _go_back(own: list[int], other: list[int], step: int) -> None:
    target = step >> 1 & _TO
    own[step >> _SOURCE] += 1
    own[target] -= 1
    if step & 1:
        other[BAR - target] = 1


def _join_two(one: int, other: int) -> int:
    """`_with_step` of two, which most throws have."""
    far, near = (one, other) if one > other else (other, one)
    if near >> _SOURCE << 1 == far & _AFTER:
        return (far & ~_AFTER | near & _AFTER) << _STEP
    return far << _STEP | near


def join_steps(steps: Iterable[Step]) -> Play:
    """The same moves, of one throw, with the steps of one man joined where he hit nobody on the
    way, the farthest first. Raises `ValueError` if more than four steps are left."""
    play = 0
    for source, target, hits in sorted(steps, reverse=True):
        play = _with_step(play, source << _SOURCE | target << 1 | hits)
    return as_play((MOVE, *_numbers_in(play)))


def _with_step(play: int, step: int) -> int:
    """A play with one more step, of a man no farther back than those that went before."""
    reached = step >> _SOURCE << 1  # by a man who hit nobody: he goes on
    shift = _FIRST
    begun = play >> shift
    while begun:
        if begun & _AFTER == reached:
            return _moved_on(play, shift, begun, begun & ~_AFTER | step & _AFTER)
        shift -= _STEP
        begun = play >> shift & _ONE if shift >= 0 else 0
    return play | step << shift


def _moved_on(play: int, shift: int, begun: int, joined: int) -> int:
    """A play in which a longer step has taken the place of one, behind those that now go before."""
    play ^= (begun ^ joined) << shift
    while shift:
        after = play >> shift - _STEP & _ONE
        if after <= joined:
            break
        play ^= (joined ^ after) << shift ^ (joined ^ after) << shift - _STEP
        shift -= _STEP
    return play


def steps_with(board: Board, die: int) -> list[Step]:
    """Every step with one die, from the farthest man on."""
    return [_as_step(step) for step in _steps(list(board.own), list(board.other), die, BAR)]


def _steps(own: list[int], other: list[int], die: int, limit: Point) -> list[int]:
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
    return board_after(board, (step,))


def board_after(board: Board, play: Play) -> Board:
    """The position after a play."""
    own, other = list(board.own), list(board.other)
    for source, target, hits in play:
        own[source] -= 1
        own[target] += 1
        if hits:
            other[BAR - target] -= 1
            other[BAR] += 1
    return Board(tuple(own), tuple(other))


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
class PlayNode:
    """A position on the way. `steps` lead on: from a point to a point to a node, by its number;
    `option` is the legal play that is complete here, if one is; `left` are the dice that no man
    has gone by yet."""

    steps: dict[Point, dict[Point, int]] = field(default_factory=dict)
    option: Option | None = None
    left: Dice = ()


def step_graph(board: Board, dice: tuple[int, int], options: Sequence[Option]) -> list[PlayNode]:
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
        self._nodes: list[PlayNode] = []

    def ways(self, board: Board, dice: Dice) -> list[PlayNode]:
        self._node(board, dice)
        return self._nodes

    def _node(self, board: Board, dice: Dice) -> int | None:
        """The number of the node for this position and these dice; None if no legal play comes of
        it."""
        key = (board, dice)
        if key in self._known:
            return self._known[key]
        number, node = len(self._nodes), PlayNode(option=self._options.get(board), left=dice)
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

    def _join_with_next_dice(self, node: PlayNode, board: Board) -> None:
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
