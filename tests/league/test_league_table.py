"""Places, tie-breaks and ratings, by hand-made examples and by others' figures."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext

import pytest

from pbem.league import table
from pbem.league.league import DRAWN, LOST, NONE, WON, League
from pbem.league.ratings import RatedGame, Rating, after_games, ratings
from tests.league import simulated


def played(method: str, players: int, *results: str) -> League:
    """A league whose games had these results, in their order."""
    league, left = simulated.league(players, method), [*results]
    while left:
        simulated.play(league, lambda _: left.pop(0))
    return league


def test_points_byes_and_shared_places() -> None:
    league = played("all-play-all", 4, WON, DRAWN, LOST, LOST, NONE, WON)
    games = [(game.first, game.second, game.result) for game in league.games]
    assert games == [
        (1, 4, WON),
        (2, 3, DRAWN),
        (4, 3, LOST),
        (1, 2, LOST),
        (2, 4, NONE),
        (3, 1, WON),
    ]
    lines = table.table(league)
    assert [(line.place, line.player, line.points) for line in lines] == [
        (1, 3, 5),
        (2, 2, 3),
        (3, 1, 2),
        (4, 4, 0),
    ]
    # 3 beat 4 (0 points) and 1 (2), and drew with 2 (3): 0 + 2 + 3/2, in halves
    assert [line.breaks[0] for line in lines] == [7, 2 * 2 + 5, 0, 0]
    assert [(line.won, line.drawn, line.lost) for line in lines] == [
        (2, 1, 0),
        (1, 1, 1),
        (1, 0, 2),
        (0, 0, 3),
    ]
    level = played("all-play-all", 4, *[DRAWN] * 6)
    assert [line.place for line in table.table(level)] == [1, 1, 1, 1]
    assert [line.player for line in table.table(level)] == [1, 2, 3, 4]


def test_buchholz_counts_a_bye_as_an_opponent_of_ones_own_points() -> None:
    league = played("swiss 2", 3, WON, WON)
    assert [(one.first, one.second) for one in league.games] == [(1, 2), (3, 1)]
    lines = {line.player: line for line in table.table(league)}
    assert [lines[one].points for one in (1, 2, 3)] == [2, 2, 4]
    assert [lines[one].byes for one in (1, 2, 3)] == [0, 1, 1]
    # 2 met 1 (2 points) and had a bye (2, their own); 1 met 2 and 3
    assert [lines[one].breaks[0] for one in (1, 2, 3)] == [2 * 6, 2 * 4, 2 * 6]


def test_head_to_head_counts_only_where_all_have_met() -> None:
    league = played("all-play-all", 3, WON, WON, WON)
    assert len({line.points for line in table.table(league)}) == 1
    assert [line.breaks[1] for line in table.table(league)] == [2, 2, 2]
    swiss = played("swiss 1", 4, WON, WON)
    assert {line.breaks[2] for line in table.table(swiss)} == {0}


def test_glickmans_example() -> None:
    """The figures that Glickman prints, as far as he prints them."""
    ann = Rating(Decimal(1500), Decimal(200))
    met = [
        RatedGame(Rating(Decimal(1400), Decimal(30)), Decimal(1)),
        RatedGame(Rating(Decimal(1550), Decimal(100)), Decimal(0)),
        RatedGame(Rating(Decimal(1700), Decimal(300)), Decimal(0)),
    ]
    after = after_games(ann, met)
    assert after.rating.quantize(Decimal("0.01")) == Decimal("1464.05")
    assert after.deviation.quantize(Decimal("0.01")) == Decimal("151.52")
    assert after.volatility.quantize(Decimal("0.00001")) == Decimal("0.06000")
    assert after == (Decimal("1464.050671"), Decimal("151.516524"), Decimal("0.059996"))
    assert after.whole() == (1464, 152)


def test_ratings_do_not_hang_on_what_the_machine_computes_with() -> None:
    """Whatever arithmetic is in force outside, the digits are the same; nobody else's ratings are
    touched by a decision, and without a game the deviation grows."""
    league = played("all-play-all", 4, WON, DRAWN, LOST, LOST, WON, WON)
    before = ratings(league)
    with localcontext() as context:
        context.prec = 5
        assert ratings(league) == before
    assert before[2].rating > before[0].rating > before[3].rating
    for game in league.games:
        game.digest, game.reason = b"", "nobody wrote"
    idle = ratings(league)
    assert {one.rating for one in idle} == {Decimal(1500)}
    assert all(one.deviation > 350 for one in idle)


@pytest.mark.slow
def test_ratings_are_those_of_another_program() -> None:
    glicko2 = pytest.importorskip("glicko2")
    rng = random.Random("glicko")
    for _ in range(300):
        rating, deviation = rng.randint(800, 2400), rng.randint(30, 350)
        others = [
            (rng.randint(800, 2400), rng.randint(30, 350), rng.choice((0, 0.5, 1)))
            for _ in range(rng.randint(1, 6))
        ]
        theirs = glicko2.Player(rating, deviation, 0.06)
        theirs.update_player(*map(list, zip(*others, strict=True)))
        ours = after_games(
            Rating(Decimal(rating), Decimal(deviation)),
            [
                RatedGame(Rating(Decimal(one), Decimal(far)), Decimal(str(score)))
                for one, far, score in others
            ],
        )
        assert float(ours.rating) == pytest.approx(theirs.rating, abs=0.05)
        assert float(ours.deviation) == pytest.approx(theirs.rd, abs=0.05)
