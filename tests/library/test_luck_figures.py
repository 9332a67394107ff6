"""Whose dice are an alarm: fair ones are not, and those of a player with a helper are."""

from __future__ import annotations

import random

import pytest

from pbem.library.luck_figures import (
    LEVEL,
    Counts,
    Tally,
    is_alarm,
    luck_of,
    rows_of_all,
    smallest_biases,
)
from tests.support.thrown import library, rows

NAMES = {"ann": "Ann", "ben": "Ben"}


@pytest.fixture(scope="module")
def fair() -> Counts:
    return library("fair", 200)


@pytest.fixture(scope="module")
def helped() -> Counts:
    return library("league", 200, helped="ben")


def test_200_fair_games_are_no_alarm(fair: Counts) -> None:
    players = luck_of(fair, NAMES, {"ann": 200, "ben": 200}, test=True)
    assert [(player.name, player.games, is_alarm(player)) for player in players] == [
        ("Ann", 200, False),
        ("Ben", 200, False),
    ]
    for player in players:
        assert player.hits is not None and player.hits.p is not None
        assert (player.hits.p > LEVEL) == (player.hits.low <= player.hits.hits <= player.hits.high)
        assert player.hits.hits == sum(kind.hits for kind in player.kinds)
        assert player.hits.dice == sum(kind.dice for kind in player.kinds) > 5000
        assert player.hits.expected == pytest.approx(
            sum(kind.expected for kind in player.kinds), abs=0.1
        )
        [faces] = player.faces
        assert faces.dice == sum(faces.faces) >= player.hits.dice, (
            "rolls without hits count among the faces"
        )


def test_a_witness_in_league_who_keeps_the_better_of_two_throws_is_an_alarm(helped: Counts) -> None:
    ann, ben = luck_of(helped, NAMES, {}, test=True)
    assert is_alarm(ben) and not is_alarm(ann)
    assert ben.hits is not None and ben.hits.alarm and ben.hits.hits > ben.hits.high
    assert ben.faces[0].alarm
    assert {kind.kind for kind in ben.kinds if kind.alarm} >= {"Corsairs raid"}


def test_players_and_kinds_of_roll_are_two_families_of_tests(fair: Counts) -> None:
    players = luck_of(fair, NAMES, {}, test=True)
    whole = [row for player in players for row in rows_of_all(player)]
    kinds = [row for player in players for row in player.kinds]
    assert (len(whole), len(kinds)) == (4, len(list(rows(players))) - 4)
    for family in (whole, kinds):
        tested = [
            (row.p, row.corrected, row.alarm)
            for row in family
            if row.p is not None and row.corrected is not None
        ]
        p, corrected, _ = min(tested)
        assert corrected == pytest.approx(min(1.0, p * len(tested)), rel=1e-5)
        assert all(
            corrected >= p and alarm == (corrected < LEVEL) for p, corrected, alarm in tested
        )


def test_the_same_dice_are_less_of_an_alarm_among_many_players() -> None:
    def of(others: int) -> float:
        counts = Counts()
        counts.add(Tally("ann", "tripoli", "raid", 6, (6,), (18, 0, 0, 0, 0, 14)))
        for number in range(others):
            counts.add(Tally(f"{number}", "tripoli", "raid", 6, (6,), (1, 1, 1, 1, 1, 1)))
        hits = luck_of(counts, {}, {}, test=True)[-1].hits
        assert hits is not None and hits.corrected is not None
        return hits.corrected

    assert of(0) < LEVEL < of(400)


def test_few_dice_are_counted_and_their_faces_not_tested() -> None:
    counts = Counts()
    counts.add(Tally("ann", "loot", "event", 6, (), (0, 0, 0, 0, 0, 29)))
    [ann] = luck_of(counts, {}, {}, test=True)
    assert ann.hits is None and ann.kinds == []
    assert (ann.faces[0].dice, ann.faces[0].p, ann.faces[0].alarm) == (29, None, False)
    counts.add(Tally("ann", "loot", "event", 6, (), (0, 0, 0, 0, 0, 1)))
    [ann] = luck_of(counts, {}, {}, test=True)
    assert ann.faces[0].alarm and ann.faces[0].p == pytest.approx(3.2e-31, rel=0.1)


def test_without_a_test_only_counts_are_told(helped: Counts) -> None:
    players = luck_of(helped, NAMES, {}, test=False)
    assert [
        row for row in rows(players) if row.p is not None or row.corrected is not None or row.alarm
    ] == []
    assert not any(is_alarm(player) for player in players)


def test_dice_of_other_sides_and_other_hits_are_weighed_as_they_are() -> None:
    counts = Counts()
    counts.add(Tally("ann", "own", "shot", 20, (20,), (5, *[0] * 18, 5)))
    counts.add(Tally("ann", "own", "shot", 4, (1, 2, 3), (2, 0, 0, 2)))
    [ann] = luck_of(counts, {}, {}, test=True)
    assert ann.hits is not None and (ann.hits.dice, ann.hits.hits, ann.hits.expected) == (
        14,
        7,
        3.5,
    )
    assert [faces.sides for faces in ann.faces] == [4, 20]
    assert ann.kinds[0].p == ann.hits.p


def test_the_bias_that_is_told_is_found_in_four_of_five_libraries() -> None:
    """Sixty libraries of ten players, in which one hits as often as is told for their thousand
    dice."""
    chance, alarms = random.Random("bias"), 0
    told = next(
        one
        for one in smallest_biases(luck_of(dice_of(chance, 1 / 6), {}, {}, test=True), 20)
        if one.dice == 1000
    )
    assert told.fair == pytest.approx(1 / 6, abs=1e-4) and told.found is not None
    for _ in range(60):
        players = luck_of(dice_of(chance, told.found), {}, {}, test=True)
        assert not any(player.hits and player.hits.alarm for player in players[1:])
        alarms += bool(players[0].hits and players[0].hits.alarm)
    assert 36 <= alarms <= 58, "48 are expected; outside 99.9 % of what four of five give"


def dice_of(chance: random.Random, biased: float) -> Counts:
    """The dice of ten players, a thousand each; the first hits with this probability."""
    counts = Counts()
    for number in range(10):
        hits = sum(chance.random() < (1 / 6 if number else biased) for _ in range(1000))
        faces = [1000 - hits, 0, 0, 0, 0, hits]
        for miss in range(1, 5):
            faces[miss] = (1000 - hits) // 5
            faces[0] -= faces[miss]
        counts.add(Tally(f"{number}", "tripoli", "raid", 6, (6,), faces))
    return counts


def test_where_no_hits_are_counted_no_bias_is_told() -> None:
    assert smallest_biases([], 0) == []
