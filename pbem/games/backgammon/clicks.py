"""What a play is about on the board, for whoever clicks: its points, and each way to move its men
one by one."""

from __future__ import annotations

from engine.backgammon.notation import point
from engine.backgammon.plays import MOVE, as_play, step_graph
from engine.backgammon.position import Position
from engine.backgammon.tables import BAR, PLAY, SEATS
from engine.flow import Answer, Ask
from engine.rules import Game, Rules
from pbem.games.descriptor import Concerned, StepGraph, StepNode


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """The points of a play, in the order in which its men go."""
    if answer.option[0] != MOVE:
        return Concerned()
    return Concerned(tuple(point(number) for step in as_play(answer.option) for number in step[:2]))


def steps(game: Game, ask: Ask) -> StepGraph | None:
    """How the throw may be played man by man."""
    assert isinstance(game, Position)
    if ask.rule != PLAY:
        return None
    first, second = game.dice
    nodes = [
        StepNode(
            {
                point(source): {point(to): at for to, at in targets.items()}
                for source, targets in node.steps.items()
            },
            node.option,
        )
        for node in step_graph(game.board(ask.seat), (first, second), ask.options)
    ]
    return StepGraph(nodes, SEATS[ask.seat], point(BAR))
