"""Luck in figures: the hits and the faces of each player's dice beside those of fair ones, and which are alarms.

What is counted comes in as `Counts`, from a library (`pbem.library.luck`) or from anywhere else; nothing here reads a
file. All tests of a library are one family: a row is an alarm where its p-value, corrected for the number of tests
(Holm), is below `LEVEL`. So of a hundred libraries of fair dice at most one has an alarm of any kind, however many
players and kinds of roll there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem.library.chances import FEWEST_EXPECTED, Hits, beyond_chi_square, chi_square, holm

LEVEL = 0.01
"""An alarm is a corrected p-value below this; ranges of hits leave out as much."""


class Rolled(NamedTuple):
    """Dice thrown for somebody: `player` is a key, `kind` what they were thrown for in the game's words, `hits` the
    faces that count (none where the game counts no hits)."""

    player: str
    game: str
    kind: str
    sides: int
    hits: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass
class Thrown:
    """Dice of one kind of roll: how many for each (number of faces that hit, sides), and how many hit."""

    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    hits: int = 0

    def add(self, hitting: int, sides: int, dice: int, hits: int) -> None:
        """More dice."""
        self.dice[hitting, sides] = self.dice.get((hitting, sides), 0) + dice
        self.hits += hits


@dataclass
class Own:
    """All dice of one player: `kinds` by game and kind of roll; `faces` by sides, the first number for face 1."""

    kinds: dict[tuple[str, str], Thrown] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)


@dataclass
class Counts:
    """All dice of some games, by player."""

    players: dict[str, Own] = field(default_factory=dict)

    def add(self, roll: Rolled, times: int = 1) -> None:
        """A roll, or as many equal ones."""
        own = self.players.setdefault(roll.player, Own())
        faces = own.faces.setdefault(roll.sides, [0] * roll.sides)
        for die in roll.dice:
            faces[die - 1] += times
        if roll.hits:
            hits = sum([die in roll.hits for die in roll.dice])
            thrown = own.kinds.setdefault((roll.game, roll.kind), Thrown())
            thrown.add(len(roll.hits), roll.sides, len(roll.dice) * times, hits * times)


@dataclass(frozen=True)
class HitFacts:
    """Hits beside those expected of fair dice, for one kind of roll of one game (null: of all). Fair dice stay from
    `low` to `high` with a probability of at least 99 %. `p` is two-sided: twice the exact probability of so many hits
    or more (or of so many or fewer, if that is smaller); `corrected` for the number of tests. Both are null without a
    test."""

    game: str | None
    kind: str | None
    dice: int
    hits: int
    expected: float
    low: int
    high: int
    p: float | None
    corrected: float | None
    alarm: bool


@dataclass(frozen=True)
class FaceFacts:
    """How often each face of a player's dice of so many sides came. `p` is that of the chi-square test; null where a
    face is expected fewer than 5 times, or without a test."""

    sides: int
    dice: int
    faces: Sequence[int]
    expected: float
    chi_square: float
    p: float | None
    corrected: float | None
    alarm: bool


@dataclass(frozen=True)
class PlayerLuck:
    """The luck of a key: all hits together (null: no hits are counted in these games), each kind of roll, the faces."""

    key: str
    name: str
    games: int
    hits: HitFacts | None
    kinds: Sequence[HitFacts]
    faces: Sequence[FaceFacts]


def is_alarm(player: PlayerLuck) -> bool:
    """Whether any of a player's tests is an alarm."""
    return any(row.alarm for row in _tests(player))


def luck_of(counts: Counts, names: Mapping[str, str], games: Mapping[str, int], *, test: bool) -> list[PlayerLuck]:
    """Everybody's luck, by key. `names` and how many `games` by key too; without a test only counts are told."""
    found = [_player(own, key, names.get(key, ""), games.get(key, 0)) for key, own in sorted(counts.players.items())]
    return _corrected(found) if test else [_untested(player) for player in found]


def _player(own: Own, key: str, name: str, games: int) -> PlayerLuck:
    total = Thrown()
    for thrown in own.kinds.values():
        total.hits += thrown.hits
        for (hitting, sides), dice in thrown.dice.items():
            total.add(hitting, sides, dice, 0)
    return PlayerLuck(
        key=key,
        name=name,
        games=games,
        hits=_hits(None, None, total) if own.kinds else None,
        kinds=[_hits(game, kind, thrown) for (game, kind), thrown in sorted(own.kinds.items())],
        faces=[_faces(sides, faces) for sides, faces in sorted(own.faces.items())],
    )


def _hits(game: str | None, kind: str | None, thrown: Thrown) -> HitFacts:
    fair = Hits(thrown.dice)
    low, high = fair.within(LEVEL)
    p = fair.two_sided(thrown.hits)
    return HitFacts(game, kind, fair.most, thrown.hits, round(fair.expected, 2), low, high, p, p, False)


def _faces(sides: int, faces: Sequence[int]) -> FaceFacts:
    dice = sum(faces)
    statistic, enough = chi_square(faces), dice / sides >= FEWEST_EXPECTED
    p = beyond_chi_square(statistic, sides - 1) if enough else None
    return FaceFacts(sides, dice, faces, round(dice / sides, 2), round(statistic, 3), p, p, False)


def _tests(player: PlayerLuck) -> Iterator[HitFacts | FaceFacts]:
    if player.hits is not None:
        yield player.hits
    yield from player.kinds
    yield from player.faces


def _corrected(players: Sequence[PlayerLuck]) -> list[PlayerLuck]:
    """All tests of the library as one family."""
    given = [row.p for player in players for row in _tests(player) if row.p is not None]
    values = iter(holm(given))

    def judged(row: HitFacts | FaceFacts) -> HitFacts | FaceFacts:
        if row.p is None:
            return row
        corrected = next(values)
        return replace(row, corrected=corrected, alarm=corrected < LEVEL)

    return [_with(player, [judged(row) for row in _tests(player)]) for player in players]


def _untested(player: PlayerLuck) -> PlayerLuck:
    return _with(player, [replace(row, p=None, corrected=None) for row in _tests(player)])


def _with(player: PlayerLuck, rows: Sequence[HitFacts | FaceFacts]) -> PlayerLuck:
    """The player with these rows in the order of `_tests`."""
    hits = [row for row in rows if isinstance(row, HitFacts)]
    faces = [row for row in rows if isinstance(row, FaceFacts)]
    total = hits[0] if player.hits is not None else None
    return replace(player, hits=total, kinds=hits[1:] if player.hits is not None else [], faces=faces)
