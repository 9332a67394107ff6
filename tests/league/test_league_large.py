"""A league of 200: nine rounds Swiss with absent players, each round signed, and everything
computed again from the file; with figures."""

from __future__ import annotations

import random
import time

import pytest

from pbem.league import gate, pairing, report, verify, write
from pbem.league.join_form import write_join
from pbem.league.league import DRAWN, LOST, WON
from pbem.league.ratings import ratings
from pbem.league.table import table
from pbem.league.write import LeagueNews, LeagueResult
from pbem.library import leagues
from tests.league.leagues import DATE, Club, person
from tests.vectors.make import sample

PLAYERS, ROUNDS = 200, 9


@pytest.mark.slow
def test_two_hundred_players_and_nine_rounds() -> None:
    rng = random.Random("two hundred")
    club = Club(f"swiss {ROUNDS}")
    league_id = club.league.id
    people = [person(f"P{number}") for number in range(PLAYERS)]
    joins = [
        write_join(league_id, DATE, one.public, one.mail, one.name, one.sign) for one in people
    ]
    club.add(LeagueNews(players=joins))
    took = []
    for number in range(1, ROUNDS + 1):
        absent = {one: "away" for one in range(1, PLAYERS + 1) if rng.random() < 0.05}
        began = time.process_time()
        news = LeagueNews(absent=absent)
        news.pairs = write.pairs_now(write.after(club.data, news), news.absent)
        took.append(time.process_time() - began)
        club.add(news)
        games = gate.read(club.data).open_games()
        drawn = [rng.choices((WON, DRAWN, LOST), (5, 2, 3))[0] for _ in games]
        club.add(
            LeagueNews(
                results=[
                    LeagueResult(game.number, result, sample(f"end {game.number}"))
                    for game, result in zip(games, drawn, strict=True)
                ],
                ends=number == ROUNDS,
            )
        )
    began = time.process_time()
    league = gate.read(club.data)
    read = time.process_time() - began
    began = time.process_time()
    verdict = verify.verify(club.data, [])
    checked = time.process_time() - began
    began = time.process_time()
    rated, lines = ratings(league), table(league)
    tabled = time.process_time() - began
    page = leagues.page(report.facts_of(verdict), {})
    print(
        f"{len(league.games)} games, a file of {len(club.data) // 1000} kB and a page of"
        f" {len(page) // 1000} kB; pairs {min(took):.1f} to {max(took):.1f} s a round, the file"
        f" read in {read:.1f} s, verified in {checked:.1f} s, table and ratings {tabled:.1f} s"
    )
    assert league.ended and verdict.league.compared and not pairing.rounds_left(league)
    met = [frozenset((game.first, game.second)) for game in league.games]
    byes = [player for one in league.rounds for player in one.byes]
    assert len(met) == len(set(met)) and len(byes) == len(set(byes))
    assert sum(len(one.absent) for one in league.rounds) > 50
    assert len(lines) == PLAYERS and sum(line.points for line in lines) == 2 * (
        len(league.games) + len(byes)
    )
    best = [rated[line.player - 1].rating for line in lines[:20]]
    last = [rated[line.player - 1].rating for line in lines[-20:]]
    assert min(best) > max(last)
    assert not verdict.is_bad() and verdict.count(verify.CLAIMED) == len(league.games)
