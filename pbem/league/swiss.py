"""Pairs of a Swiss round, by the Dutch system as far as docs/format.md, section 26 states it.

Brackets are paired from the top. What a bracket aims at, one aim after the other, is one whole
number for each possible pair, and the pairs are those of the greatest sum (`pbem.league.matching`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import prod
from typing import NamedTuple

from pbem.league.league import DRAWN, LOST, WON, League, Pairs
from pbem.league.matching import matching

FIRST, SECOND = 1, -1
"""The seat of whoever is named first, and the other one."""
_MILD, _STRONG, _ABSOLUTE = 1, 2, 3
_DOWN, _UP = "down", "up"


@dataclass
class _Swiss:
    """A player as the next round sees them. `seats` are those of their games, `floats` where they
    went in each round (empty: nowhere), `rank` their place in the order, from 0."""

    number: int
    points: int = 0
    seats: list[int] = field(default_factory=list)
    met: set[int] = field(default_factory=set)
    floats: list[str] = field(default_factory=list)
    had_bye: bool = False
    rank: int = 0

    @property
    def ahead(self) -> int:
        """How many times more they sat first than second."""
        return sum(self.seats)

    @cached_property
    def due(self) -> tuple[int, int]:
        """The seat that is due to them (0: either), and how strongly; asked for each pair, when all
        rounds so far have been read."""
        if not self.seats:
            return 0, 0
        ahead, last = self.ahead, self.seats[-1]
        if abs(ahead) > 1:
            return (SECOND if ahead > 0 else FIRST), _ABSOLUTE
        if self.seats[-2:] == [last, last]:
            return -last, _ABSOLUTE
        if ahead:
            return -ahead, _STRONG
        return -last, _MILD

    def went(self, where: str, back: int) -> bool:
        """Whether they went up or down so many rounds ago."""
        return len(self.floats) >= back and self.floats[-back] == where


class TooMuch(Exception):
    """The pairs of a round take longer to compute than a reader is ready to wait."""


@dataclass
class Effort:
    """What is left of the work that a reader puts into the pairs of a league: the cubes of the
    numbers of players that are matched at once. Five hundred who play nine rounds take a fifth of
    it; the whole is some minutes."""

    left: int = 500_000_000

    def spend(self, nodes: int) -> None:
        """Raises `TooMuch`."""
        self.left -= nodes**3
        if self.left < 0:
            raise TooMuch


@dataclass
class _Rule:
    """What two players must not: meet again, and, with `seats`, both be due one seat absolutely."""

    seats: bool = True
    effort: Effort | None = None

    def allows(self, one: _Swiss, other: _Swiss) -> bool:
        if other.number in one.met:
            return False
        due, strength = one.due
        return not (self.seats and strength == _ABSOLUTE and other.due == (due, strength))


def pairs(league: League, playing: Sequence[int], effort: Effort | None = None) -> Pairs | None:
    """The pairs of the next round for those who play in it, whoever sits first named first, in the
    order of the better one of each pair; None if there is no way to pair all of them. Raises
    `TooMuch` where that takes more than an effort."""
    if effort is not None and effort.left <= 0:
        raise TooMuch
    known = _players(league)
    field_ = sorted((known[number] for number in playing), key=lambda p: (-p.points, p.number))
    for rank, player in enumerate(field_):
        player.rank = rank
    for rule in (_Rule(effort=effort), _Rule(seats=False, effort=effort)):
        found = _from_the_top(field_, rule)
        if found is not None:
            games = sorted((_upper_first(*pair) for pair in found.pairs), key=lambda p: p[0].rank)
            byes = tuple(player.number for player in found.byes)
            return Pairs(tuple(_seated(*pair) for pair in games), byes)
    return None


def _players(league: League) -> dict[int, _Swiss]:
    """All players after the rounds so far."""
    worth = league.terms.points
    of = {one.number: _Swiss(one.number) for one in league.players}
    by_result = {WON: worth.win, DRAWN: worth.draw, LOST: worth.loss}
    for one in league.rounds:
        before = {number: player.points for number, player in of.items()}
        went = dict.fromkeys(of, "")
        for game in one.games:
            for number, seat in ((game.first, FIRST), (game.second, SECOND)):
                player, other = of[number], game.other(number)
                player.points += by_result.get(game.of(number), 0)
                player.seats.append(seat)
                player.met.add(other)
                if before[number] != before[other]:
                    went[number] = _DOWN if before[number] > before[other] else _UP
        for number in one.byes:
            of[number].points += worth.bye
            of[number].had_bye, went[number] = True, _DOWN
        for number in one.absent:
            of[number].points += worth.absence
            went[number] = _DOWN if worth.absence > worth.loss else ""
        for number, player in of.items():
            player.floats.append(went[number])
    return of


class _Found(NamedTuple):
    """Pairs, who is left without one, and who has the bye; `goes_on`: whether everybody below can
    be paired then, where that was looked at."""

    pairs: list[tuple[_Swiss, _Swiss]]
    left: list[_Swiss]
    byes: list[_Swiss]
    goes_on: bool = True


def _from_the_top(players: Sequence[_Swiss], rule: _Rule) -> _Found | None:
    """Pair bracket after bracket. If the last one cannot be paired whole, the one above is paired
    anew so that it can, or the one above that. None if there is no way at all."""
    groups = [
        [player for player in players if player.points == points]
        for points in sorted({player.points for player in players}, reverse=True)
    ]
    has_bye = len(players) % 2 == 1
    solved: list[_Found] = []

    def solve(place: int, *, ahead: bool) -> _Found:
        bracket = [*(solved[place - 1].left if place else []), *groups[place]]
        is_last = place == len(groups) - 1
        below = [player for group in groups[place + 1 :] for player in group] if ahead else []
        return _bracket(bracket, below, rule, gives_bye=has_bye and (is_last or ahead))

    while len(solved) < len(groups):
        solved.append(solve(len(solved), ahead=False))
        if len(solved) == len(groups) and (solved[-1].left or len(solved[-1].byes) != has_bye):
            again = None
            while again is None or not again.goes_on:
                solved.pop()
                if not solved:
                    return None
                again = solve(len(solved) - 1, ahead=True)
            solved[-1] = again
    return _Found([pair for found in solved for pair in found.pairs], [], solved[-1].byes)


def _bracket(
    bracket: Sequence[_Swiss], below: Sequence[_Swiss], rule: _Rule, *, gives_bye: bool
) -> _Found:
    """The pairs of a bracket: first whom those meet who came down to it, then the rest. Who is left
    goes down. With players `below` so that all of these can be paired then, if there is a way."""
    lowest = bracket[-1].points
    rest = [player for player in bracket if player.points == lowest]
    if len(rest) == len(bracket):
        return _level(rest, len(rest) // 2, below, rule, gives_bye=gives_bye)
    first = _solve(bracket, below, rule, _MixedAims(bracket), gives_bye=gives_bye)
    met = [pair for pair in first.pairs if pair[0].points > lowest]
    paired = {player.number for pair in met for player in pair}
    left = [player for player in first.left if player.points > lowest]
    byes = [player for player in first.byes if player.points > lowest]
    second = _level(
        [player for player in rest if player.number not in paired],
        len(first.pairs) - len(met),
        [*left, *below] if below else (),
        rule,
        gives_bye=gives_bye and not byes,
    )
    return _Found(
        [*met, *second.pairs], [*left, *second.left], [*byes, *second.byes], first.goes_on
    )


def _level(
    bracket: Sequence[_Swiss],
    half: int,
    below: Sequence[_Swiss],
    rule: _Rule,
    *,
    gives_bye: bool,
) -> _Found:
    """The pairs of players of equal points, of whom the first `half` meet the others."""
    upper, lower, left = bracket[:half], bracket[half : 2 * half], bracket[2 * half :]
    straight = [*zip(upper, lower, strict=True)]
    if (
        not below
        and all(rule.allows(*pair) and _seat_counts(*pair) == [1, 1] for pair in straight)
        and not any(one.went(_DOWN, back) or one.had_bye for one in left for back in (1, 2))
    ):  # nothing can be better, and a matching of hundreds of players takes long
        goes, has_bye = ([], [*left]) if gives_bye else ([*left], [])
        return _Found(straight, goes, has_bye)
    found = _solve(bracket, below, rule, _LevelAims(bracket, half), gives_bye=gives_bye)
    if len(found.pairs) < half:
        aims = _LevelAims(bracket, len(found.pairs))
        return _solve(bracket, below, rule, aims, gives_bye=gives_bye)
    return found


def _solve(
    bracket: Sequence[_Swiss],
    below: Sequence[_Swiss],
    rule: _Rule,
    aims: _MixedAims | _LevelAims,
    *,
    gives_bye: bool,
) -> _Found:
    """The pairs of a bracket that serve these aims best. Pairs that reach below it, and a bye that
    is given there, count for the first aim alone, that all can be paired."""
    size, everybody = len(bracket), [*bracket, *below]
    bye = len(everybody)
    if rule.effort is not None:
        rule.effort.spend(bye)
    edges: dict[tuple[int, int], int] = {}
    for one, other in combinations(range(bye), 2):
        if rule.allows(everybody[one], everybody[other]):
            edges[one, other] = aims.of(bracket[one], bracket[other]) if other < size else 0
    for one, player in enumerate(everybody) if gives_bye else ():
        if not player.had_bye:
            edges[one, bye] = 0 if below else aims.of_bye(player)
    whole = (1 + size) << max(edges.values(), default=0).bit_length()
    chosen = matching(bye + 1, {pair: whole + weight for pair, weight in edges.items()})
    found = _Found([], [], [], len(chosen) == (bye + gives_bye) // 2)
    left = {*range(size)}
    for one, other in chosen:
        if other < size:
            found.pairs.append((bracket[one], bracket[other]))
        elif other == bye and not below:
            found.byes.append(bracket[one])
        else:
            continue
        left -= {one, other}
    found.left.extend(bracket[place] for place in sorted(left))
    return found


class _MixedAims:
    """What a bracket aims at for those who came down to it (2 to 6 of the section)."""

    def __init__(self, bracket: Sequence[_Swiss]) -> None:
        self._size = len(bracket)
        self._place = {player.number: place for place, player in enumerate(bracket)}
        self._scores = sorted({player.points for player in bracket}, reverse=True)
        self._gaps = sorted(
            {one - other for one, other in combinations(self._scores, 2)}, reverse=True
        )
        self._above = [player.number for player in bracket if player.points > self._scores[-1]]
        counts = 2 + len(self._scores) + len(self._gaps) + 2 + 4
        self._bases = [2 * self._size + 2] * counts
        self._bases += [self._size + 1] * len(self._above) + [2] * len(self._above)

    def of(self, one: _Swiss, other: _Swiss) -> int:
        """The aims that a pair serves; `one` stands before `other`."""
        gap = one.points - other.points
        values = [1, 0]
        values += [(one.points == score) + (other.points == score) for score in self._scores]
        values += [int(gap != wide) for wide in self._gaps]
        values += _seat_counts(one, other)
        for back in (1, 2):
            values.append((not gap and one.went(_DOWN, back)) + other.went(_DOWN, back))
            values.append(int(not (gap and other.went(_UP, back))))
        partner = self._size - self._place[other.number]
        values += [partner if gap and number == one.number else 0 for number in self._above]
        values += [int(number in (one.number, other.number)) for number in self._above]
        return _number(values, self._bases)

    def of_bye(self, player: _Swiss) -> int:
        """The aims that a bye serves."""
        values = [1, 1 + self._scores.index(player.points)]
        values += [int(player.points == score) for score in self._scores]
        values += [1] * (len(self._gaps) + 2) + [0, 1] * 2 + [0] * 2 * len(self._above)
        return _number(values, self._bases)


class _LevelAims:
    """What players of equal points aim at, of whom the first `half` meet the others (2, 4, 5 and 7
    of the section)."""

    def __init__(self, bracket: Sequence[_Swiss], half: int) -> None:
        size = self._size = len(bracket)
        self._half = half
        self._place = {player.number: place for place, player in enumerate(bracket)}
        self._bases = [2 * size + 2] * 6 + [size * size + 1] + [2] * size + [size + 1] * size

    def of(self, one: _Swiss, other: _Swiss) -> int:
        """The aims that a pair serves; `one` stands before `other`."""
        upper, lower, places = self._place[one.number], self._place[other.number], self._size
        values = [1, *_seat_counts(one, other)]
        values += [one.went(_DOWN, back) + other.went(_DOWN, back) for back in (1, 2)]
        values += [int(upper < self._half), places - upper]
        values += [int(place == upper) for place in range(places)]
        values += [places - lower if place == upper else 0 for place in range(places)]
        return _number(values, self._bases)

    def of_bye(self, _player: _Swiss) -> int:
        """The aims that a bye serves: whoever is left has it."""
        return _number([1, 1, 1], self._bases[:3]) * prod(self._bases[3:])


def _seat_counts(one: _Swiss, other: _Swiss) -> list[int]:
    """1 where each has the seat that is due to them; 1 where nobody lacks one that is due
    strongly."""
    (due, strength), (due_other, strength_other) = one.due, other.due
    clash = bool(due) and due == due_other
    return [int(not clash), int(not (clash and min(strength, strength_other) >= _STRONG))]


def _number(values: Sequence[int], bases: Sequence[int]) -> int:
    """One number for all aims, each value below a base that is above every sum of it, the most
    important one first: the greater number serves the earlier aims more."""
    number = 0
    for value, base in zip(values, bases, strict=True):
        number = number * base + value
    return number


def _upper_first(one: _Swiss, other: _Swiss) -> tuple[_Swiss, _Swiss]:
    return (one, other) if one.rank < other.rank else (other, one)


def _seated(upper: _Swiss, lower: _Swiss) -> tuple[int, int]:
    """The pair with whoever sits first named first."""
    first = _first_seat(upper, lower)
    return (first.number, (lower if first is upper else upper).number)


def _first_seat(upper: _Swiss, lower: _Swiss) -> _Swiss:
    (due, strength), (due_lower, strength_lower) = upper.due, lower.due
    taking: Callable[[int], _Swiss] = lambda seat: upper if seat == FIRST else lower  # noqa: E731
    if not due and not due_lower:
        return taking(FIRST if upper.number % 2 else SECOND)
    if due != due_lower:
        return taking(due or -due_lower)
    one, other = (strength, abs(upper.ahead)), (strength_lower, abs(lower.ahead))
    if strength != strength_lower or (strength == _ABSOLUTE and one != other):
        return taking(due if one > other else -due)
    for had, had_lower in zip(reversed(upper.seats), reversed(lower.seats), strict=False):
        if had != had_lower:
            return taking(-had)
    return taking(due)
