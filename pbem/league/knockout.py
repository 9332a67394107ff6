"""Knock-outs, and the groups that come before one (docs/format.md, section 26)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.league import berger, table
from pbem.league.league import (
    NOBODY,
    NONE,
    WON,
    Bracket,
    League,
    LeagueGame,
    LeagueRound,
    Pairs,
)
from pbem.league.terms import GROUPS, KNOCK_OUT


def rounds(players: int) -> int:
    """How many rounds a knock-out of so many has."""
    return max(0, players - 1).bit_length()


def lines_of(seeds: Sequence[int]) -> list[int]:
    """The lines of a bracket from top to bottom, so that the two best meet in the last round, the
    four best not before the one ahead of it, and so on."""
    lines = [1]
    while len(lines) < len(seeds):
        size = 2 * len(lines)
        lines = [line for seed in lines for line in (seed, size + 1 - seed)]
    return [seeds[line - 1] if line <= len(seeds) else NOBODY for line in lines]


def bracket_now(league: League) -> Bracket | None:
    """The bracket that the next round finds; None where that is no round of a knock-out. Who goes
    on is settled when a round begins: what is decided of earlier ones after that changes nothing
    of it."""
    newest = league.rounds[-1] if league.rounds else None
    if newest is not None and newest.bracket is not None:
        return Bracket(newest.bracket.seeds, tuple(_after(newest, newest.bracket)))
    if league.terms.method.kind == KNOCK_OUT:
        seeds = [one.number for one in league.players]
    elif league.terms.method.kind == GROUPS and len(league.rounds) >= group_rounds(league):
        seeds = finalists(league)
    else:
        return None
    return Bracket(tuple(seeds), tuple(lines_of(seeds)))


def _after(played: LeagueRound, bracket: Bracket) -> list[int]:
    """Who is left in the lines of the bracket after a round. Where its games are not those of the
    bracket, since they were paired by hand, whoever wins goes on in the line of the upper one."""
    met = {frozenset((game.first, game.second)): game for game in played.games}
    pairs = bracket.pairs()
    if not all(NOBODY in pair or frozenset(pair) in met for pair in pairs):
        by_hand = {player: game for game in played.games for player in (game.first, game.second)}
        return _winners_by_hand(pairs, by_hand)
    return [_winner(met[frozenset(pair)]) if NOBODY not in pair else max(pair) for pair in pairs]


def _winners_by_hand(pairs: Sequence[tuple[int, int]], games: dict[int, LeagueGame]) -> list[int]:
    """Who goes on after a round that was paired by hand, in order of the lines that they came
    from."""
    left: list[int] = []
    for player in (player for pair in pairs for player in pair):
        game = games.get(player)
        if player != NOBODY and (game is None or _winner(game) == player):
            left.append(player)
    return left + [NOBODY] * (len(pairs) - len(left))


def _winner(game: LeagueGame) -> int:
    """Who goes on: of a drawn game the one who sat second."""
    if game.result == NONE:
        return NOBODY
    return game.first if game.result == WON else game.second


def next_pairs(league: League, bracket: Bracket) -> Pairs:
    """The pairs of a round that finds this bracket, and who goes on without one."""
    games: list[tuple[int, int]] = []
    byes: list[int] = []
    for one, other in bracket.pairs():
        if NOBODY in (one, other):
            byes += [max(one, other)] if max(one, other) != NOBODY else []
        else:
            better, worse = sorted((one, other), key=bracket.seeds.index)
            sat = [_sat_first(league, player) for player in (better, worse)]
            games.append((worse, better) if sat[1] < sat[0] else (better, worse))
    return Pairs(tuple(games), tuple(byes))


def _sat_first(league: League, player: int) -> int:
    return sum(1 for game in league.games if game.first == player)


def groups(league: League) -> list[list[int]]:
    """The players of each group: 1, 2, ... in turn."""
    count = league.terms.method.groups
    return [
        [one.number for one in league.players if (one.number - 1) % count == group]
        for group in range(count)
    ]


def group_rounds(league: League) -> int:
    """How many rounds the groups play, all in the same ones."""
    return max(berger.rounds(len(group)) for group in groups(league))


def finalists(league: League) -> list[int]:
    """Who goes on from the groups: the first ones of all of them, then the second ones, and so
    on."""
    games = [game for game in league.games if game.round <= group_rounds(league)]
    tables = [table.order(league, group, games) for group in groups(league)]
    return [places[place] for place in range(league.terms.method.first) for places in tables]
