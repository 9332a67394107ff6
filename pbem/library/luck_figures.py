"""Luck in figures: the hits and the faces of each player's dice beside those of fair ones, and
which are alarms.

What is counted comes in as `Counts`, from a library (`pbem.library.luck`) or from anywhere else;
nothing here reads a file. The tests of all players together, one of their hits and one of the faces
of each kind of die, are one family: a row is an alarm where its p-value, corrected for the number
of these tests (Holm), is below `LEVEL`. So of a hundred libraries of fair dice about one has an
alarm, however many players there are. The kinds of roll are a second family, to see where luck was:
a row of theirs stands out by the same rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from pbem.library.chances import (
    FEWEST_EXPECTED,
    Hits,
    beyond_chi_square,
    chi_square,
    holm,
    smallest_chance,
)

LEVEL = 0.01
"""An alarm is a corrected p-value below this; ranges of hits leave out as much."""


class Tally(NamedTuple):
    """Dice thrown for somebody, added up: `player` is a key, `kind` what they were thrown for in
    the game's words, `hits` the faces that count (none where the game counts no hits), `faces` how
    often each face came, the first number for face 1."""

    player: str
    game: str
    kind: str
    sides: int
    hits: tuple[int, ...]
    faces: Sequence[int]


@dataclass
class DiceCount:
    """Dice of one kind of roll: how many for each (number of faces that hit, sides), and how many
    hit."""

    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    hits: int = 0

    def add(self, hitting: int, sides: int, dice: int, hits: int) -> None:
        """More dice."""
        self.dice[hitting, sides] = self.dice.get((hitting, sides), 0) + dice
        self.hits += hits


@dataclass
class Own:
    """All dice of one player: `kinds` by game and kind of roll; `faces` by sides, the first number
    for face 1."""

    kinds: dict[tuple[str, str], DiceCount] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)


@dataclass
class Counts:
    """All dice of some games, by player."""

    players: dict[str, Own] = field(default_factory=dict)

    def add(self, tally: Tally) -> None:
        """More dice."""
        own = self.players.setdefault(tally.player, Own())
        faces = own.faces.setdefault(tally.sides, [0] * tally.sides)
        for at, times in enumerate(tally.faces):
            faces[at] += times
        if hitting := set(tally.hits):
            hits = sum(tally.faces[face - 1] for face in hitting)
            thrown = own.kinds.setdefault((tally.game, tally.kind), DiceCount())
            thrown.add(len(hitting), tally.sides, sum(tally.faces), hits)


@dataclass(frozen=True)
class HitFacts:
    """Hits beside those expected of fair dice, for one kind of roll of one game (null: of all).
    Fair dice stay from `low` to `high` with a probability of at least 99 %. `p` is two-sided: twice
    the exact probability of so many hits or more (or of so many or fewer, if that is smaller);
    `corrected` for the number of tests: of all players, or of all kinds of roll. Both are null
    without a test. `alarm`: it is corrected below the level."""

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
    """How often each face of a player's dice of so many sides came. `p` is that of the chi-square
    test; null where a face is expected fewer than 5 times, or without a test."""

    sides: int
    dice: int
    faces: Sequence[int]
    expected: float
    chi_square: float
    p: float | None
    corrected: float | None
    alarm: bool


@dataclass(frozen=True)
class SmallestBias:
    """The smallest bias that so many dice of a player can show: where fair dice hit with the
    probability `fair`, as those of all tested players do on average, the dice of a player who hits
    with `found` or more are an alarm in four of five libraries with as many tests. Null: not even
    dice that always hit."""

    dice: int
    fair: float
    found: float | None


BIAS_SIZES = (200, 1_000, 10_000)
"""Dice for which the smallest bias is told."""
POWER = 0.8
"""In how many libraries a bias is found that counts as one that can be found: the usual 80 % (Cohen
1988)."""


@dataclass(frozen=True)
class PlayerLuck:
    """The luck of a key: all hits together (null: no hits are counted in these games), each kind of
    roll, the faces. A kind of roll whose `alarm` is set stands out; the player is an alarm by the
    other rows alone."""

    key: str
    name: str
    games: int
    hits: HitFacts | None
    kinds: Sequence[HitFacts]
    faces: Sequence[FaceFacts]


def is_alarm(player: PlayerLuck) -> bool:
    """Whether any test of a player as a whole is an alarm."""
    return any(row.alarm for row in rows_of_all(player))


def luck_of(
    counts: Counts, names: Mapping[str, str], games: Mapping[str, int], *, test: bool
) -> list[PlayerLuck]:
    """Everybody's luck, by key. `names` and how many `games` by key too; without a test only counts
    are told."""
    found = [
        _player(own, key, names.get(key, ""), games.get(key, 0))
        for key, own in sorted(counts.players.items())
    ]
    return _correct(found) if test else [_without_tests(player) for player in found]


def _player(own: Own, key: str, name: str, games: int) -> PlayerLuck:
    total = DiceCount()
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


def _hits(game: str | None, kind: str | None, thrown: DiceCount) -> HitFacts:
    fair = Hits(thrown.dice)
    low, high = fair.within(LEVEL)
    p = _six_digits(fair.two_sided(thrown.hits))
    return HitFacts(
        game, kind, fair.most, thrown.hits, round(fair.expected, 2), low, high, p, p, False
    )


def _six_digits(p: float) -> float:
    """A p-value to six digits: the same on every machine."""
    return float(f"{p:.6g}")


def _faces(sides: int, faces: Sequence[int]) -> FaceFacts:
    dice = sum(faces)
    statistic, enough = chi_square(faces), dice / sides >= FEWEST_EXPECTED
    p = _six_digits(beyond_chi_square(statistic, sides - 1)) if enough else None
    return FaceFacts(sides, dice, faces, round(dice / sides, 2), round(statistic, 3), p, p, False)


def rows_of_all(player: PlayerLuck) -> list[HitFacts | FaceFacts]:
    """The rows about a player as a whole: what an alarm is about."""
    return [*([player.hits] if player.hits is not None else []), *player.faces]


def _correct(players: Sequence[PlayerLuck]) -> list[PlayerLuck]:
    """Both families of tests, each corrected for its number."""
    whole = _values(row for player in players for row in rows_of_all(player))
    kinds = _values(row for player in players for row in player.kinds)
    return [
        replace(
            player,
            hits=player.hits and _with_alarm(player.hits, whole),
            faces=[_with_alarm(row, whole) for row in player.faces],
            kinds=[_with_alarm(row, kinds) for row in player.kinds],
        )
        for player in players
    ]


def smallest_biases(players: Iterable[PlayerLuck], tests: int) -> list[SmallestBias]:
    """What could have been found of these players' hits beside so many tests; nothing where no hits
    were counted."""
    rows = [player.hits for player in players if player.hits is not None and player.hits.dice]
    if not rows:
        return []
    fair = sum(hits.expected for hits in rows) / sum(hits.dice for hits in rows)
    found = [(dice, smallest_chance(dice, fair, LEVEL / tests, POWER)) for dice in BIAS_SIZES]
    return [
        SmallestBias(dice, round(fair, 4), chance and round(chance, 4)) for dice, chance in found
    ]


Row = TypeVar("Row", HitFacts, FaceFacts)


def _values(rows: Iterable[HitFacts | FaceFacts]) -> Iterator[float]:
    """The corrected p-values of one family, in the order of its rows."""
    return iter(holm(row.p for row in rows if row.p is not None))


def _with_alarm(row: Row, corrected: Iterator[float]) -> Row:
    if row.p is None:
        return row
    found = _six_digits(next(corrected))
    return replace(row, corrected=found, alarm=found < LEVEL)


def _without_tests(player: PlayerLuck) -> PlayerLuck:
    return replace(
        player,
        hits=player.hits and replace(player.hits, p=None, corrected=None),
        faces=[replace(row, p=None, corrected=None) for row in player.faces],
        kinds=[replace(row, p=None, corrected=None) for row in player.kinds],
    )
