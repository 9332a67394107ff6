"""`pbem luck`: the dice of each player in the games of a library. They are tested where a test
means something, and only counted elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.flow import SIDES
from pbem.library.asking import OpenLibrary, list_in
from pbem.library.luck_figures import (
    LEVEL,
    Counts,
    PlayerLuck,
    SmallestBias,
    Tally,
    is_alarm,
    luck_of,
    rows_of_all,
    smallest_biases,
)

TESTED, UNFINISHED, ALONE = "tested", "unfinished", "alone"
"""The three groups of games. Only the first is tested. Games without a result are not, since
players who lose are more likely to stop; nor are those that nobody witnessed, since whoever is
alone can throw again (docs/trust.md)."""

MOST = 1_000_000
"""Dice of one kind in a game at most, on average: a hundred for each entry that a file may have.
More are damage, and the distribution of their hits would take hours to compute."""


@dataclass(frozen=True)
class Apart:
    """Games that are counted and not tested: `unfinished` ones, or those that a player played
    `alone`, unwitnessed."""

    why: str
    games: int
    players: Sequence[PlayerLuck]


@dataclass(frozen=True)
class LuckFacts:
    """What `pbem luck` reports. `games` were tested, those of one `game` (null: of all), at this
    `level`, by so many `tests` of players, of which `alarms` are below it; of the tests of kinds of
    roll, `standing_out` are. `unseen` says how far a player's dice must be from fair ones to be
    noticed. `apart` are games that were not tested. Dice of a seat that the rules play are not
    counted."""

    folder: str
    game: str | None
    games: int
    level: float
    tests: int
    alarms: int
    standing_out: int
    unseen: Sequence[SmallestBias]
    players: Sequence[PlayerLuck]
    apart: Sequence[Apart]


def luck(library: OpenLibrary, game: str | None = None, *, unfinished: bool = False) -> LuckFacts:
    """Everybody's dice. With `unfinished`, games without a result are tested as well. Raises
    `Usage` or `Damaged`."""
    name = library.name_of_game(game)
    which = _Which(int(unfinished), name)
    names, number = (
        library.names(),
        dict(library.rows(f"SELECT {_WHY}, count(*) {_GAMES} GROUP BY 1", which)),
    )
    games, sums = _games(library, which), _sums(library, which)
    players = luck_of(sums[TESTED], names, games[TESTED], test=True)
    found = [
        Apart(why, number[why], luck_of(sums[why], names, games[why], test=False))
        for why in (UNFINISHED, ALONE)
        if why in number
    ]
    return LuckFacts(
        folder=str(library.folder),
        game=name,
        games=number.get(TESTED, 0),
        level=LEVEL,
        tests=(
            tests := sum(row.p is not None for player in players for row in rows_of_all(player))
        ),
        alarms=sum(row.alarm for player in players for row in rows_of_all(player)),
        standing_out=sum(row.alarm for player in players for row in player.kinds),
        unseen=smallest_biases(players, tests),
        players=sorted(players, key=lambda one: (not is_alarm(one), -one.games, one.name, one.key)),
        apart=found,
    )


class _Which(NamedTuple):
    """The values for `?1` and `?2` in the SQL below: whether games without a result are tested, and
    of which game (None: all)."""

    unfinished: int
    game: str | None


_WHY = (
    f"CASE WHEN NOT g.witnessed THEN '{ALONE}' WHEN g.over OR ?1 THEN '{TESTED}' ELSE"
    f" '{UNFINISHED}' END"
)
_GAMES = "FROM games g WHERE ?2 IS NULL OR g.game = ?2"
_PLAYERS = (
    f"FROM (SELECT g.id, g.game, {_WHY} AS why {_GAMES}) g "
    "JOIN player_rows p ON p.id = g.id AND p.key IS NOT NULL AND p.role = 'player'"
)
_TALLIES = f"{_PLAYERS} JOIN tally_rows t ON t.id = p.id AND t.seat = p.seat"
_DAMAGED = (
    "CASE WHEN typeof(t.faces) != 'text' OR NOT json_valid(t.faces) THEN 1 ELSE t.faces GLOB"
    " '*[^][0-9,]*' OR t.faces GLOB '?*[[]*' OR json_array_length(t.faces) != t.sides END"
)
"""True where the faces of a tally are anything but a list with one number for each side of the
dice."""


def _games(library: OpenLibrary, which: _Which) -> dict[str, dict[str, int]]:
    """For each of the three groups, how many games each key played."""
    games: dict[str, dict[str, int]] = {TESTED: {}, UNFINISHED: {}, ALONE: {}}
    for why, key, number in library.stream(
        f"SELECT g.why, p.key, count(*) {_PLAYERS} GROUP BY 1, 2", which
    ):
        games[why][key] = number
    return games


def _sums(library: OpenLibrary, which: _Which) -> dict[str, Counts]:
    """For each of the three groups, all dice added up. The database adds them, so that the memory
    used here grows with the players and not with their games."""
    sums = {why: Counts() for why in (TESTED, UNFINISHED, ALONE)}
    with library.row_errors():
        if bad_rows := library.rows(
            f"SELECT substr(t.faces, 1, 40) {_TALLIES} WHERE {_DAMAGED} LIMIT 1", which
        ):
            raise ValueError(f"{bad_rows[0][0]} is not how often each face of a die came")
        for (sides,) in library.rows(f"SELECT DISTINCT t.sides {_TALLIES}", which):
            if type(sides) is not int or sides not in SIDES:
                raise ValueError(f"there are no dice with {str(sides)[:40]} sides")
            faces = ", ".join(f"sum(json_extract(t.faces, '$[{face}]'))" for face in range(sides))
            for why, key, game, kind, hits, number, *came in library.stream(
                f"SELECT g.why, p.key, g.game, t.kind, t.hits, count(*), {faces} {_TALLIES} WHERE"
                f" t.sides = {sides} GROUP BY 1, 2, 3, 4, 5",
                which,
            ):
                sums[why].add(
                    Tally(
                        key, game, kind, sides, _hit_faces(hits, sides), _face_counts(came, number)
                    )
                )
    return sums


def _hit_faces(hits: str, sides: int) -> tuple[int, ...]:
    """The faces that count as a hit. Raises `ValueError` if the dice do not have them."""
    hitting = tuple(list_in(hits, int))
    if not all(1 <= face <= sides for face in hitting):
        raise ValueError(f"{hits[:40]} are not hits of dice with {sides} sides")
    return hitting


def _face_counts(came: Sequence[int], tallies: int) -> Sequence[int]:
    """How often each face came, in so many tallies. Raises `ValueError` for numbers that no games
    can have."""
    if {*map(type, came)} != {int} or not 0 < sum(came) <= MOST * tallies:
        raise ValueError(f"{sum(came):,} dice in {tallies:,} tallies")
    return came
