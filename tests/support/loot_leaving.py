"""Random games of Loot from which seats leave at random, at an open table."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from engine.flow import Answer, Ask, Card, Draw, Handle, Open, Outcome, Seal
from engine.loot import RULES
from engine.loot.game import LootGame
from engine.rules import legal_answers


@dataclass
class Told:
    """What came of a game: its end (None: seats of one side only were left) and the questions that
    were asked."""

    game: LootGame
    outcome: Outcome | None
    asked: list[int]


def play(seed: int, chance: float, **settings: int) -> Told:
    """A random game in which, at each question, somebody leaves with this probability."""
    rng = random.Random(seed)
    game = RULES.begin(settings)
    assert isinstance(game, LootGame)
    told = Told(game, None, [])
    faces: dict[Handle, Card] = {}
    flow, reply = game.flow(), None
    try:
        while True:
            request = flow.send(reply)
            if isinstance(request, Ask):
                told.asked.append(request.seat)
                assert request.seat not in game.left
                reply = _answer(rng, chance, game, request, faces)
                if len(_sides(game)) == 1:
                    return told
            else:
                reply = _fate(rng, request, faces, game)
    except StopIteration as end:
        told.outcome = end.value
        return told


def _answer(
    rng: random.Random, chance: float, game: LootGame, ask: Ask, faces: dict[Handle, Card]
) -> Answer | None:
    if rng.random() < chance:
        playing = [seat for seat in range(game.setup.players) if seat not in game.left]
        game.leave(rng.choice(playing))
        return None
    return rng.choice(legal_answers(ask, faces))


def _fate(rng: random.Random, request: Any, faces: dict[Handle, Card], game: LootGame) -> Any:
    match request:
        case Seal(handles=handles):
            cards = list(RULES.decks({})[0].contents)
            rng.shuffle(cards)
            faces.update(zip(handles, cards, strict=True))
            return None
        case Draw(seat, pile, number):
            assert seat not in game.left
            return pile[:number]
        case Open(handle):
            return faces[handle]
    raise AssertionError(request)


def _sides(game: LootGame) -> set[int]:
    setup = game.setup
    return {setup.side(seat) for seat in range(setup.players) if seat not in game.left}
