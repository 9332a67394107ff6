"""Introduces a game to a stranger: in the words of its descriptor, or in words made from its rules,
and with a position to look at."""

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
    """What a game says of itself; if it says nothing, what its newest rules show."""
    said = registry.descriptor(game).introduction
    if said is not None:
        return said
    rules = registry.newest(game)
    seats = rules.seats(dict(rules.defaults))
    has_cards = any(True for _ in rules.decks(dict(rules.defaults)))
    shuffled = "Cards are shuffled." if has_cards else ""
    return Introduction(
        aim=UNSAID,
        sides=f"{capital(counted(len(seats), 'player'))}: {listed(seats)}.",
        hidden="What nobody has opened of the cards." if has_cards else "",
        chance="Dice are thrown." if rules.dice else shuffled,
    )


def pitch(game: str) -> str:
    """What one does in a game, in one line."""
    said = introduction(game)
    return said.pitch or f"{said.aim.partition('. ')[0].rstrip('.')}."


class _SampleReached(Exception):
    """The position of the sample is reached."""


def sample_view(game: str) -> dict[str, Any]:
    """The public view of a position in a game of random answers, which is always the same one."""
    rules, said = registry.newest(game), introduction(game)
    rng = random.Random(game)

    def choose(_game: Game, _ask: Ask, answers: Sequence[Answer]) -> Answer:
        if table.decisions > said.sample:
            raise _SampleReached
        return answers[int(rng.random() * len(answers))]

    table = OpenTable(rules, {**rules.defaults, **said.made_with}, rng)
    with contextlib.suppress(_SampleReached):
        table.play(choose)
    return table.game.view(None, table.game.faces())
