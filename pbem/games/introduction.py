"""What a game is, for a stranger: what its descriptor says, or what follows from its rules; and a
position of it to be looked at."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from typing import Any

from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import OpenTable
from pbem.english import capital, counted, listed
from pbem.games import registry
from pbem.games.descriptor import Introduction

UNSAID = "Its own rules say how one wins: this program does not know it in words."


def introduction(game: str) -> Introduction:
    """What this game says of itself; where it says nothing, what its newest rules tell."""
    said = registry.descriptor(game).introduction
    if said is not None:
        return said
    rules = registry.newest(game)
    seats = rules.seats(dict(rules.defaults))
    has_cards = any(True for _ in rules.decks(dict(rules.defaults)))
    return Introduction(
        aim=UNSAID,
        sides=f"{capital(counted(len(seats), 'player'))}: {listed(seats)}.",
        hidden="What nobody has opened of the cards." if has_cards else "",
        chance="Dice are thrown." if rules.dice else "Cards are shuffled." if has_cards else "",
    )


class _IsReached(Exception):
    """The position of the sample is there."""


def sample_view(game: str) -> dict[str, Any]:
    """What everybody sees of a position in a game of random answers: always the same one."""
    rules, said = registry.newest(game), introduction(game)
    rng = random.Random(game)

    def choose(_game: Game, _ask: Ask, answers: Sequence[Answer]) -> Answer:
        if table.decisions > said.sample:
            raise _IsReached
        return answers[int(rng.random() * len(answers))]

    table = OpenTable(rules, {**rules.defaults, **said.made_with}, rng)
    with contextlib.suppress(_IsReached):
        table.play(choose)
    return table.game.view(None, table.game.faces())
