"""Whole games in memory for every number of players: two ledgers agree after every entry, and the
result is proven."""

from __future__ import annotations

import random

import pytest

from pbem.report import verification
from tests.support.loot_match import Match, whole_game

COUNTS = [(2, 0), (3, 0), (4, 1), (8, 1)]
MORE = [pytest.param(*one, marks=pytest.mark.slow) for one in ((4, 0), (5, 0), (6, 1))]


@pytest.mark.dear("plays Loot with its true deck")
@pytest.mark.parametrize(("count", "partners"), [*COUNTS, *MORE])
def test_a_random_game(count: int, partners: int) -> None:
    match = whole_game(count, partners)
    game = match.checker
    moved = next(entry.number for entry in game.entries if entry.list("answers"))
    assert moved == 2 * count
    assert game.is_proven() and game.to_act() is None
    facts, failure = verification.verify(match.data)
    assert failure is None
    assert (facts.rolls, facts.shuffles, facts.result.proven) == (0, count, True)
    assert facts.draws == facts.openings == 78
    opened = game.begun().referee.game.faces()
    assert sorted(opened.values()) == sorted(game.decks[0].contents)
    assert sum(facts.result.points.values()) <= 100 * (1 + partners)


def test_a_turn_costs_one_mail_while_everybody_plays() -> None:
    """No mail is written for shares alone after the deal."""
    match = Match(4)
    drawing = random.Random(3)
    match.until(8)
    for _ in range(40):
        entry = match.step(
            lambda seat, options: (
                "draw" if drawing.random() < 0.6 else drawing.choice(list(options))
            )
        )
        assert entry.list("answers")


def test_one_who_sits_out_still_helps() -> None:
    """In pairs a player without cards is passed over, and writes only when a share of theirs is
    missing."""
    helped = [
        entry
        for entry in whole_game(4, 1).checker.entries[8:]
        if "shares" in entry.fields and not entry.list("answers") and not entry.list("openings")
    ]
    assert len(helped) > 1
