"""Random games with random leavings: they end, whatever the switches, and nobody who left is ever
asked or wins."""

from __future__ import annotations

import pytest

from engine.loot.tables import DECK
from tests.support.loot_leaving import play

TABLES = [(3, 0), (4, 0), (5, 0), (6, 1), (8, 1)]
SWITCHES = [
    {},
    {"end_on_deck_out_with_empty_hand": 0},
    {"pirates_on_trumped_ship": 0, "captain_on_partner_ship": 0},
]


@pytest.mark.parametrize(("players", "partners"), TABLES)
@pytest.mark.parametrize("switches", SWITCHES)
def test_random_games_with_random_leavings_end(
    players: int, partners: int, switches: dict[str, int]
) -> None:
    ends = {"alone": 0, "scored": 0, "left": 0}
    for seed in range(30):
        told = play(
            seed, (0.01, 0.03, 0.1)[seed % 3], players=players, partners=partners, **switches
        )
        game = told.game
        assert len(told.asked) <= 2 * len(DECK) + players, (
            "a card is drawn once and played once; each leaves once"
        )
        assert len(set(game.left)) == len(game.left)
        ends["left"] += len(game.left)
        if told.outcome is None:
            ends["alone"] += 1
            continue
        ends["scored"] += 1
        assert told.outcome.winners and not set(told.outcome.winners) & set(game.left)
        assert sorted(game.open.values()) == sorted(DECK) or game.pile
        assert not game.pile and game.is_played_out()
        assert game.when().startswith("turn")
    assert all(ends.values()), ends
