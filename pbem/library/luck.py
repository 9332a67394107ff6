"""`pbem luck`: the dice of a library's games by player, tested where a test means something, and else told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.flow import SIDES
from pbem.library.asking import OpenLibrary, check, list_in
from pbem.library.luck_figures import LEVEL, Counts, PlayerLuck, Tally, is_alarm, luck_of, rows_of_all

TESTED, UNFINISHED, ALONE = "tested", "unfinished", "alone"
"""Which of the games are tested and which stand apart: those that have no result yet, since players who lose are the
likelier to stop; and those that nobody witnessed, since whoever is alone can throw again (docs/trust.md)."""

MOST = 1_000_000
"""Dice of one kind in a game at most: a hundred for each entry that a file may have. More are damage, and the
distribution of their hits would take hours."""


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


def luck(library: OpenLibrary, game: str | None = None, *, unfinished: bool = False) -> LuckFacts:
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


def _counts(library: OpenLibrary, kinds: _Kinds) -> tuple[dict[str, Counts], dict[str, Counter[str]]]:
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
        alike: dict[tuple[tuple[str, str, str] | None, str, int, str], list[str]] = {}
        for number, seat, kind, sides, hits, faces in library.connection.execute(
            "SELECT id, seat, kind, sides, hits, faces FROM tally_rows ORDER BY id, number"
        ):
            alike.setdefault((whose.get((number, seat)), kind, sides, hits), []).append(faces)
        for (owner, kind, sides, hits), texts in alike.items():
            if owner is not None:
                key, game, why = owner
                sums[why].add(_summed(key, game, kind, sides, hits, texts))
    return sums, games


def _summed(key: str, game: str, kind: str, sides: int, hits: str, faces: Sequence[str]) -> Tally:
    """Dice of one kind from several games, the faces of each as the library keeps them. Raises `ValueError` if they
    are no dice."""
    check((kind, sides, hits))
    hitting = tuple(list_in(hits, int))
    if type(sides) is not int or sides not in SIDES or not all(1 <= face <= sides for face in hitting):
        raise ValueError(f"{hits[:40]} are not hits of dice with {sides} sides")
    came = zip(*(_faces(text, sides) for text in faces), strict=True)
    return Tally(key, game, kind, sides, hitting, [*map(sum, came)])


@lru_cache(maxsize=1 << 16)
def _faces(text: str, sides: int) -> tuple[int, ...]:
    """How often each face came; many games have the same. Raises `ValueError` if these are no dice of so many sides."""
    came = tuple(list_in(text, int))
    if len(came) != sides or min(came) < 0 or not 0 < sum(came) <= MOST:
        raise ValueError(f"{text[:40]} is not how often each face of dice with {sides} sides came")
    return came
