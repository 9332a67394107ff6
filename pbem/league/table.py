"""The table of a league: points, tie-breaks, places (docs/format.md, section 26). Sums are whole
numbers, in halves where a share of a game may be one half."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.league.league import DRAWN, LOST, WON, League, LeagueGame
from pbem.league.terms import BUCHHOLZ, HEAD_TO_HEAD, SONNEBORN, WINS

SHARE = {WON: 2, DRAWN: 1}
"""The share of a game that its result is, in halves."""


@dataclass(frozen=True)
class TableLine:
    """One player's line. `breaks` are the values of the league's tie-breaks, in its order, in
    halves; `byes` counts byes and `decided` games without one that was verified."""

    place: int
    player: int
    points: int
    won: int
    drawn: int
    lost: int
    byes: int
    decided: int
    breaks: tuple[int, ...]


@dataclass(frozen=True)
class _Sums:
    """What is counted once for all players: the games that count, and everybody's points."""

    games: dict[int, list[LeagueGame]]
    points: dict[int, int]
    missed: dict[int, int]
    """Byes and absences of each."""


def points(league: League) -> dict[int, int]:
    """Everybody's points so far."""
    return _sums(league, league.games, is_whole=True).points


def table(league: League) -> list[TableLine]:
    """All players, the first one first."""
    numbers = [one.number for one in league.players]
    sums = _sums(league, league.games, is_whole=True)
    groups, values = _in_order(league, numbers, sums)
    lines: list[TableLine] = []
    for equal in groups:
        place = len(lines) + 1
        lines += [_line(league, player, place, sums, values[player]) for player in sorted(equal)]
    return lines


def order(league: League, players: Sequence[int], games: Iterable[LeagueGame]) -> list[int]:
    """Some players in the order in which they stand by these games alone."""
    sums = _sums(league, games, is_whole=False)
    groups, _ = _in_order(league, players, sums)
    return [player for equal in groups for player in sorted(equal)]


def _sums(league: League, games: Iterable[LeagueGame], *, is_whole: bool) -> _Sums:
    worth = league.terms.points
    of: dict[int, list[LeagueGame]] = {one.number: [] for one in league.players}
    total = dict.fromkeys(of, 0)
    missed = dict.fromkeys(of, 0)
    by_result = {WON: worth.win, DRAWN: worth.draw, LOST: worth.loss}
    for game in games:
        if game.result:
            for player in (game.first, game.second):
                of[player].append(game)
                total[player] += by_result.get(game.of(player), 0)
    for one in league.rounds if is_whole else ():
        for player in one.byes:
            total[player] += worth.bye
            missed[player] += 1
        for player in one.absent:
            total[player] += worth.absence
            missed[player] += 1
    return _Sums(of, total, missed)


def _in_order(
    league: League, players: Sequence[int], sums: _Sums
) -> tuple[list[list[int]], dict[int, list[int]]]:
    """The players in groups of equal ones, the best first; and the values of each one's
    tie-breaks."""
    groups = [
        [player for player in players if sums.points[player] == one]
        for one in sorted({sums.points[player] for player in players}, reverse=True)
    ]
    values: dict[int, list[int]] = {player: [] for player in players}
    for name in league.terms.tie_breaks:
        value, split = _BREAKS[name], []
        for group in groups:
            for player in group:
                values[player].append(value(player, group, sums))
            split += [
                [player for player in group if values[player][-1] == one]
                for one in sorted({values[player][-1] for player in group}, reverse=True)
            ]
        groups = split
    return groups, values


def _head_to_head(player: int, equal: Sequence[int], sums: _Sums) -> int:
    """Shares of the games among those who are equal, if each two of them have met."""
    others = set(equal) - {player}
    for one in equal:
        if not (set(equal) - {one}) <= {game.other(one) for game in sums.games[one]}:
            return 0
    return sum(
        SHARE.get(game.of(player), 0) for game in sums.games[player] if game.other(player) in others
    )


def _sonneborn(player: int, _equal: Sequence[int], sums: _Sums) -> int:
    return sum(
        sums.points[game.other(player)] * SHARE.get(game.of(player), 0)
        for game in sums.games[player]
    )


def _buchholz(player: int, _equal: Sequence[int], sums: _Sums) -> int:
    met = sum(sums.points[game.other(player)] for game in sums.games[player])
    return 2 * (met + sums.missed[player] * sums.points[player])


def _wins(player: int, _equal: Sequence[int], sums: _Sums) -> int:
    return 2 * sum(1 for game in sums.games[player] if game.of(player) == WON)


_BREAKS: dict[str, Callable[[int, Sequence[int], _Sums], int]] = {
    HEAD_TO_HEAD: _head_to_head,
    SONNEBORN: _sonneborn,
    BUCHHOLZ: _buchholz,
    WINS: _wins,
}


def _line(league: League, player: int, place: int, sums: _Sums, breaks: Sequence[int]) -> TableLine:
    results = [game.of(player) for game in sums.games[player]]
    won, drawn = results.count(WON), results.count(DRAWN)
    return TableLine(
        place,
        player,
        sums.points[player],
        won,
        drawn,
        len(results) - won - drawn,
        sum(1 for one in league.rounds if player in one.byes),
        sum(1 for game in sums.games[player] if game.reason),
        tuple(breaks),
    )
