"""Who meets whom in the next round of a league, by its method (docs/format.md, section 26)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.league import berger, knockout, swiss
from pbem.league.league import NOBODY, League, Pairs
from pbem.league.swiss import Effort
from pbem.league.terms import GROUPS, KNOCK_OUT, SWISS


def rounds_planned(league: League) -> int:
    """How many rounds the league has with the players who are in it."""
    method, players = league.terms.method, len(league.players)
    if method.kind == SWISS:
        return method.rounds
    if method.kind == KNOCK_OUT:
        return knockout.rounds(players)
    if method.kind == GROUPS:
        return knockout.group_rounds(league) + knockout.rounds(method.groups * method.first)
    return berger.rounds(players) * (2 if method.twice else 1)


def rounds_left(league: League) -> int:
    """How many rounds are still to begin. A Swiss league has no more when nobody can play one."""
    return max(0, rounds_planned(league) - len(league.rounds))


def who_plays(league: League, absent: Iterable[int] = ()) -> list[int]:
    """Who is paired, or has a bye, in the next round, by their numbers."""
    method, away = league.terms.method, set(absent)
    if method.kind == SWISS:
        return [one.number for one in league.players if not one.left and one.number not in away]
    if (bracket := knockout.bracket_now(league)) is not None:
        return sorted(player for player in bracket.lines if player != NOBODY)
    return _everybody(league)


def cannot_begin(league: League, absent: Iterable[int] = ()) -> str:
    """Why no round can begin now, whatever the pairs; empty if one can."""
    method, players = league.terms.method, len(league.players)
    if players < 2:
        return "fewer than two players have joined"
    if method.kind == GROUPS and players < method.groups * max(2, method.first):
        return f"{method.groups} groups of which {method.first} go on need more players"
    if not rounds_left(league):
        return "all rounds have been paired"
    return "" if len(who_plays(league, absent)) > 1 else "fewer than two players are left"


def pairs_of(
    league: League, absent: Iterable[int] = (), effort: Effort | None = None
) -> Pairs | None:
    """The pairs of the next round by the method of the league; None if that gives none, as where
    all who are left in a Swiss league have met. Raises `TooMuch` where that takes more than an
    effort."""
    method, number = league.terms.method, len(league.rounds) + 1
    if method.kind == SWISS:
        return swiss.pairs(league, who_plays(league, absent), effort)
    if (bracket := knockout.bracket_now(league)) is not None:
        return knockout.next_pairs(league, bracket)
    if method.kind == GROUPS:
        return _of_groups(league, number)
    return _all_play_all(_everybody(league), number)


def _all_play_all(players: list[int], number: int) -> Pairs:
    once = berger.rounds(len(players))
    turned = number > once
    found, bye = berger.pairs(len(players), number - once if turned else number)
    games = [(players[one - 1], players[other - 1]) for one, other in found]
    if turned:
        games = [(other, one) for one, other in games]
    return Pairs(tuple(games), (players[bye - 1],) if bye else ())


def _of_groups(league: League, number: int) -> Pairs:
    games: list[tuple[int, int]] = []
    byes: list[int] = []
    for group in knockout.groups(league):
        if number <= berger.rounds(len(group)):
            one = _all_play_all(group, number)
            games += one.games
            byes += one.byes
        else:
            byes += group
    return Pairs(tuple(games), tuple(byes))


def _everybody(league: League) -> list[int]:
    return [one.number for one in league.players]
