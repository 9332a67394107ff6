"""Games that are played by answers in words, without a table."""

from __future__ import annotations

from typing import Any

from engine.flow import Ask, Roll
from engine.notation import sentences, understand_answer
from engine.rules import Game, Rules


def answered(rules: Rules, game: Game, *said: str) -> Any:
    """What the rules ask after these answers of whoever is asked, or how the game ended. Dice that
    are thrown before the first question show ones."""
    flow = game.flow()
    request = next(flow)
    while isinstance(request, Roll):
        request = flow.send((1,) * request.number)
    for words in said:
        assert isinstance(request, Ask)
        answer = understand_answer(
            rules, game, request, words, sentences(rules, game, request, {}), {}
        )
        try:
            request = flow.send(answer)
        except StopIteration as end:
            return end.value
    return request
