"""What a play is about on the board, for whoever clicks: its points, and each way to move its men
one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.backgammon.notation import point
from engine.backgammon.plays import MOVE, Board, as_play, step_graph
from engine.backgammon.position import Position
from engine.backgammon.tables import BAR, DOUBLE, OFF, PLAY, RESIGN, ROLL, SEATS, TAKE
from engine.flow import Answer, Ask, Option
from engine.rules import Game, Rules
from pbem.games.descriptor import Concerned, StepGraph, StepNode

DICE, CUBE = "dice", "cube"
"""Places of the board: the dice before they are thrown, and the doubling cube."""
_TOUCHED: Mapping[Option, tuple[str, ...]] = {ROLL: (DICE,), DOUBLE: (CUBE,), TAKE: (CUBE,)}


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """The points of a play, in the order in which its men go; the dice, or the cube."""
    if answer.option[0] == RESIGN:
        return Concerned((RESIGN, str(answer.option[1])), ends=True)
    if answer.option[0] != MOVE:
        return Concerned(_TOUCHED.get(answer.option, ()))
    return Concerned(tuple(point(number) for step in as_play(answer.option) for number in step[:2]))


def steps(game: Game, ask: Ask) -> StepGraph | None:
    """How the throw may be played man by man, each by one die: by the larger one unless the dice
    are turned round."""
    assert isinstance(game, Position)
    if ask.rule != PLAY:
        return None
    first, second = game.dice
    order = ("die 1", "die 2") if first != second else ()
    nodes = nodes_by_die(game.board(ask.seat), (first, second), ask.options)
    return StepGraph(nodes, SEATS[ask.seat], point(BAR), order)


def nodes_by_die(board: Board, dice: tuple[int, int], options: Sequence[Option]) -> list[StepNode]:
    """The ways through a throw, where each step is one man by one die."""
    larger_first = sorted(set(dice), reverse=True)

    def by_die(source: int, targets: Mapping[int, int]) -> dict[str, int]:
        reached = dict.fromkeys(max(OFF, source - die) for die in larger_first)
        return {point(to): targets[to] for to in reached if to in targets}

    return [
        StepNode(
            {
                point(source): found
                for source, targets in node.steps.items()
                if (found := by_die(source, targets))
            },
            node.option,
            _spent(dice, node.left),
        )
        for node in step_graph(board, dice, options)
    ]


def _spent(dice: tuple[int, int], left: Sequence[int]) -> list[str]:
    """The places of the dice that men have gone by: the larger die lies first, of a double so
    many of the four."""
    first, second = sorted(dice, reverse=True)
    if first == second:
        return [f"die {nth}" for nth in range(1, 5 - len(left))]
    return [f"die {nth}" for nth, die in enumerate((first, second), 1) if die not in left]
