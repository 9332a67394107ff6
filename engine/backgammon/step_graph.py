"""A throw as it is played man by man: which man may go where next, in whichever order, until a legal play is complete.

For whoever moves men one after the other, as on a board. A legal play (`engine.backgammon.plays`) is a position that
the throw can lead to; here are all ways to get there with one man after the other, each by a die or on by several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.backgammon.plays import Board, as_play, played, stepped, steps_with
from engine.backgammon.tables import BAR, OFF, Point
from engine.flow import Option

Dice = tuple[int, ...]


@dataclass
class StepNode:
    """A position on the way. `steps` lead on: from a point to a point to a node, by its number; `option` is the legal
    play that is complete here, if one is."""

    steps: dict[Point, dict[Point, int]] = field(default_factory=dict)
    option: Option | None = None


def step_graph(board: Board, dice: tuple[int, int], options: Sequence[Option]) -> list[StepNode]:
    """The ways to play a throw; the first node is where it begins. No step leads where no legal play is complete, and
    no step hits on its way: that is two steps."""
    first, second = dice
    return _Search({played(board, as_play(option)): option for option in options}).ways(
        board, (first,) * 4 if first == second else tuple(sorted(dice))
    )


class _Search:
    """Every position on the way, each looked at once for the dice that are left there."""

    def __init__(self, options: dict[Board, Option]) -> None:
        self._options = options
        self._known: dict[tuple[Board, Dice], int | None] = {}
        self._nodes: list[StepNode] = []

    def ways(self, board: Board, dice: Dice) -> list[StepNode]:
        self._node(board, dice)
        return self._nodes

    def _node(self, board: Board, dice: Dice) -> int | None:
        """The number of a node; None if nothing that is legal comes of it."""
        key = (board, dice)
        if key in self._known:
            return self._known[key]
        number, node = len(self._nodes), StepNode(option=self._options.get(board))
        self._nodes.append(node)
        for at, die in enumerate(dice):
            if die not in dice[:at]:
                self._take_die(node, board, die, dice[:at] + dice[at + 1 :])
        self._go_on(node, board)
        if not node.steps and node.option is None:
            del self._nodes[number:]  # nothing of what was tried from here led anywhere either
            self._known[key] = None
        else:
            self._known[key] = number
        return self._known[key]

    def _take_die(self, node: StepNode, board: Board, die: int, left: Dice) -> None:
        for step in steps_with(board, die):
            after = self._node(stepped(board, step), left)
            if after is not None:
                node.steps.setdefault(step.source, {}).setdefault(step.target, after)

    def _go_on(self, node: StepNode, board: Board) -> None:
        """A man who goes on with the next dice, as one step; not one who hits on the way, nor where two ways to a
        point differ."""
        for targets in node.steps.values():
            further: dict[Point, set[int]] = {}
            for target, after in targets.items():
                if target != OFF and board.other[BAR - target] != 1:
                    for last, end in self._nodes[after].steps.get(target, {}).items():
                        further.setdefault(last, set()).add(end)
            for last, ends in further.items():
                if len(ends) == 1:
                    targets.setdefault(last, ends.pop())
