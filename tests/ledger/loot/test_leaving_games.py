"""Whole games of the ledger with random leavings: they end, verify, and end in few mails."""

from __future__ import annotations

import random

import pytest

from pbem.report import verification
from tests.support.loot_left import table
from tests.support.loot_match import Match, anything, whole_game

MORE = [pytest.param(*one, marks=pytest.mark.slow) for one in ((4, 0), (5, 0), (8, 1))]


@pytest.mark.parametrize(("count", "partners"), [(3, 0), (6, 1), *MORE])
def test_random_leavings(count: int, partners: int) -> None:
    """Two ledgers agree after every entry; whoever left never writes again; the last entries are
    the roots."""
    chance = random.Random(103 * count + partners)
    match, left = Match(count, partners=partners), []
    last_decision = 0
    while (seat := match.maker.to_act()) is not None:
        assert match.names[seat] not in left
        begun = match.maker.playing is not None and match.maker.players[seat] is not None
        leaves = begun and not match.maker.is_over() and chance.random() < 2 / (10 * count)
        over = match.maker.is_over()
        entry = match.step(anything(chance), resign=leaves and len(left) < count - 2)
        left += [entry.seat] if "decryption" in entry.fields else []
        if not over:
            last_decision = entry.number
        assert match.maker.to_act() == match.checker.to_act()
    assert left, "somebody left"
    game = match.checker
    assert game.is_proven() and [match.names[seat] for seat in table(game).left] == left
    roots = count - len(left) - ("root" in game.entries[last_decision].fields)
    assert len(game.entries) - 1 - last_decision == roots <= count - 1
    facts, failure = verification.verify(match.data)
    assert (
        failure is None
        and isinstance(facts, verification.VerifiedGame)
        and facts.result is not None
    )
    assert facts.result.unaudited == left and not set(facts.result.winners) & set(left)


@pytest.mark.parametrize(("count", "partners"), [(2, 0), (3, 0), (4, 1)])
def test_a_game_ends_n_minus_1_mails_after_its_last_decision(count: int, partners: int) -> None:
    game = whole_game(count, partners).checker
    last = max(entry.number for entry in game.entries if entry.list("answers"))
    assert len(game.entries) - 1 - last == count - 1
    assert all("root" in entry.fields for entry in game.entries[last:])
    assert not any(
        entry.list("openings") or "shares" in entry.fields for entry in game.entries[last + 1 :]
    )
