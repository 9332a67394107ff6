"""`pbem luck`: the dice of a library's games by player, tested where a test means something, and else told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.library.asking import Asked, check, list_in
from pbem.library.luck_figures import LEVEL, Counts, PlayerLuck, Rolled, is_alarm, luck_of, rows_of_all

TESTED, UNFINISHED, ALONE = "tested", "unfinished", "alone"
"""Which of the games are tested and which stand apart: those that have no result yet, since players who lose are the
likelier to stop; and those that nobody witnessed, since whoever is alone can throw again (docs/trust.md)."""


@dataclass(frozen=True)
class Apart:
    """Games that are counted and not tested: `unfinished` ones, or those that a player played `alone`, unwitnessed."""

    why: str
    games: int
    players: Sequence[PlayerLuck]


@dataclass(frozen=True)
class LuckFacts:
    """What `pbem luck` tells. `games` were tested, those of one `game` (null: of all), at this `level`, by so many
    `tests` of players, of which `alarms` are below it; of the tests of kinds of roll `standing_out` are. `apart` are
    games that were not tested. Dice that were thrown for nobody, since the rules play that seat, are not counted."""

    folder: str
    game: str | None
    games: int
    level: float
    tests: int
    alarms: int
    standing_out: int
    players: Sequence[PlayerLuck]
    apart: Sequence[Apart]


def luck(library: Asked, game: str | None = None, *, unfinished: bool = False) -> LuckFacts:
    """Everybody's dice. `unfinished`: games without a result are tested as well. Raises `Usage` or `Damaged`."""
    chosen = library.name_of_game(game)
    kinds = {
        number: (name, ALONE if not witnessed else TESTED if over or unfinished else UNFINISHED)
        for number, name, over, witnessed in library.rows("SELECT id, game, over, witnessed FROM games")
        if chosen in (None, name)
    }
    sums, games = _counts(library, kinds)
    names, number = library.names(), Counter(why for _, why in kinds.values())
    players = luck_of(sums[TESTED], names, games[TESTED], test=True)
    found = [
        Apart(why, number[why], luck_of(sums[why], names, games[why], test=False))
        for why in (UNFINISHED, ALONE)
        if number[why]
    ]
    return LuckFacts(
        folder=str(library.folder),
        game=chosen,
        games=number[TESTED],
        level=LEVEL,
        tests=sum(row.p is not None for player in players for row in rows_of_all(player)),
        alarms=sum(row.alarm for player in players for row in rows_of_all(player)),
        standing_out=sum(row.alarm for player in players for row in player.kinds),
        players=sorted(players, key=lambda one: (not is_alarm(one), -one.games, one.name, one.key)),
        apart=found,
    )


_Kinds = Mapping[int, tuple[str, str]]
"""By the number of a game: which game it is, and whether it is tested or stands apart."""


def _counts(library: Asked, kinds: _Kinds) -> tuple[dict[str, Counts], dict[str, Counter[str]]]:
    """All dice, and how many games each key played, for those that are tested and those that stand apart."""
    sums = {why: Counts() for why in (TESTED, UNFINISHED, ALONE)}
    games = {why: Counter[str]() for why in sums}
    whose: dict[tuple[int, str], tuple[str, str, str]] = {}
    for number, seat, key in library.stream(
        "SELECT id, seat, key FROM player_rows WHERE key IS NOT NULL AND role = 'player'"
    ):
        if number in kinds:
            whose[number, seat] = (key, *kinds[number])
            games[kinds[number][1]][key] += 1
    with library.telling():
        thrown = library.connection.execute("SELECT id, seat, kind, sides, hits, dice FROM roll_rows")
        equal = Counter(
            (whose.get((number, seat)), kind, sides, hits, dice) for number, seat, kind, sides, hits, dice in thrown
        )
        for (owner, *roll), times in equal.items():
            if owner is not None:
                key, game, why = owner
                check(roll)
                sums[why].add(_rolled(key, game, *roll), times)
    return sums, games


def _rolled(key: str, game: str, kind: str, sides: int, hits: str, dice: str) -> Rolled:
    """One roll. Raises `ValueError` if it is none."""
    roll = Rolled(key, game, kind, sides, tuple(list_in(hits, int)), tuple(list_in(dice, int)))
    if not roll.dice or not 2 <= sides <= 100 or not all(1 <= face <= sides for face in (*roll.dice, *roll.hits)):
        raise ValueError(f"{dice[:40]} was not thrown with dice of {sides} sides")
    return roll
