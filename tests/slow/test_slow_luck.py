"""How often fair dice are an alarm, over many libraries of games that are played in memory from
`engine/` alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from pbem.library.chances import Hits
from pbem.library.luck_figures import LEVEL, is_alarm, luck_of
from tests.support.thrown import library

Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow

LIBRARIES = 1000
OUTSIDE = 0.01
"""How often the number of alarms is outside its interval although the level is right."""


def has_alarm(game: str, games: int, number: int) -> bool:
    """Whether a library of fair games has any."""
    return any(
        map(
            is_alarm,
            luck_of(library(f"luck {games} {number}", games, game=game), {}, {}, test=True),
        )
    )


@pytest.mark.parametrize(
    ("game", "games"), [("tripoli", 200), ("tripoli", 5), ("tripoli-solitaire", 5)]
)
def test_false_alarms_stay_within_their_interval(
    game: str, games: int, record_property: Record
) -> None:
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        each = [LIBRARIES * [given] for given in (game, games)]
        alarms = sum(pool.map(has_alarm, *each, range(LIBRARIES), chunksize=10))
    low, high = Hits({(round(LEVEL * 1000), 1000): LIBRARIES}).within(OUTSIDE)
    record_property(
        "figure",
        f"luck: {alarms} of {LIBRARIES} libraries of {games} fair games of {game} have an alarm at"
        f" {LEVEL:.0%} (99 of 100 times {low} to {high} would, if the level is right)",
    )
    assert alarms <= high


def test_the_better_of_two_throws_is_an_alarm_in_every_library(record_property: Record) -> None:
    found = [
        luck_of(library(f"league {number}", 200, helped="ben"), {}, {}, test=True)
        for number in range(20)
    ]
    alarms = [{player.key for player in players if is_alarm(player)} for players in found]
    record_property(
        "figure", f"luck: of 20 helped players {sum('ben' in keys for keys in alarms)} are an alarm"
    )
    assert all("ben" in keys for keys in alarms)


@pytest.mark.parametrize(("games", "fewest", "most"), [(200, 16, 20), (25, 0, 12), (5, 0, 4)])
def test_the_better_of_two_in_a_quarter_of_throws_takes_many_dice_to_be_found(
    games: int, fewest: int, most: int, record_property: Record
) -> None:
    """As `smallest_biases` says: it makes 27 % of hits where fair dice make 25 %."""
    found = [
        luck_of(library(f"quarter {n}", games, helped="ben", share=0.25), {}, {}, test=True)
        for n in range(20)
    ]
    alarms = sum(
        any(player.key == "ben" and is_alarm(player) for player in players) for players in found
    )
    dice = round(sum(row.hits.dice for _, row in found if row.hits) / 20)
    record_property(
        "figure",
        f"luck: of 20 players who better a quarter of some {dice} dice {alarms} are an alarm",
    )
    assert fewest <= alarms <= most
