"""Leagues in memory, without signatures and games: rounds are paired and their results drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

from pbem.league import knockout, pairing
from pbem.league.league import (
    DRAWN,
    LOST,
    WON,
    League,
    LeagueGame,
    LeaguePlayer,
    LeagueRound,
    Pairs,
)
from pbem.league.terms import USUAL_BREAKS, LeagueTerms, read_method


def league(players: int, method: str) -> League:
    """A league with so many players who have joined."""
    made = read_method(method)
    terms = LeagueTerms(
        "Club", (b"",), "backgammon", 2, made, 512, tie_breaks=USUAL_BREAKS[made.kind]
    )
    joined = [LeaguePlayer(one, f"P{one}", "", b"%d" % one, 1) for one in range(1, players + 1)]
    return League(terms, b"", [], joined)


def begin(one: League, pairs: Pairs, absent: Collection[int] = ()) -> LeagueRound:
    """Begin a round with these pairs."""
    number = len(one.rounds) + 1
    games = [
        LeagueGame(len(one.games) + place, number, first, second, b"", b"")
        for place, (first, second) in enumerate(pairs.games, 1)
    ]
    away, bracket = dict.fromkeys(absent, "away"), knockout.bracket_now(one)
    made = LeagueRound(number, 0, games, [*pairs.byes], away, bracket=bracket)
    one.rounds.append(made)
    one.games += games
    return made


def chance(rng: random.Random) -> Callable[[LeagueGame], str]:
    """Results: the smaller number wins more often."""

    def result(game: LeagueGame) -> str:
        if rng.random() < 0.3:
            return DRAWN
        better = rng.random() < 0.65
        return WON if (game.first < game.second) == better else LOST

    return result


def play(one: League, result: Callable[[LeagueGame], str], absent: Collection[int] = ()) -> Pairs:
    """Pair a round by the league's method and play it; its pairs."""
    pairs = pairing.pairs_of(one, absent)
    assert pairs is not None, "there is no way to pair them"
    for game in begin(one, pairs, absent).games:
        game.result, game.digest = result(game), b"end"
    return pairs
