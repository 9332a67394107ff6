"""What a player can report: options made once from tables.

An option is a verb and small integers: places (`Data.names`), hexes, boxes, pieces, knots, faces of
a die.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.flow import Option
from engine.paradise.tables import (
    BOXES,
    DISTANCES,
    FARTHEST,
    MOST_DEFENDERS,
    MOST_ELIGIBLE,
    MOST_KNOTS,
    MOST_POINTS,
    MOST_SAMOAN_BOXES,
    MOST_WAR_CANOES,
    MOST_WARRIORS,
    Place,
)

BOX_OPTIONS: Final = tuple(("boxes", *boxes) for boxes in BOXES)
CHARTED: Final = tuple(("boxes", boxes, green) for boxes, green in BOXES if boxes)
"""A group that has boxes: one with a village."""
OFF_COURSE: Final = tuple(("off course", number) for number in range(1, MOST_ELIGIBLE + 1))
VICTORY: Final = tuple(("victory", points) for points in range(MOST_POINTS + 1))
OVER: Final[tuple[Option, ...]] = (("over",),)
FACES: Final = tuple(("die", face) for face in range(1, 7))
MARKERS: Final = tuple(
    (kind, knots) for kind in ("ocean", "island") for knots in range(1, MOST_KNOTS + 1)
)
ADRIFT: Final = tuple(("adrift", knots) for knots in range(1, MOST_KNOTS + 1))
STARTS: Final = tuple(
    ("starts", warriors, canoes, transport)
    for warriors in range(MOST_WARRIORS + 1)
    for canoes in range(MOST_WAR_CANOES + 1)
    for transport in (0, 1)
)
SAMOAN_BOXES: Final = tuple(("samoa boxes", boxes) for boxes in range(2, MOST_SAMOAN_BOXES + 1))


@lru_cache(64)
def tile_options(verb: str, tiles: int, used: frozenset[int]) -> tuple[Option, ...]:
    """A tile and where it lies; `verb` is discover or found. If the data have tiles, they are given
    by name."""
    if not tiles:
        return tuple((verb, *far, *boxes) for far in DISTANCES for boxes in BOXES)
    left = [number for number in range(tiles) if number not in used]
    if not left:
        return tile_options(verb, 0, frozenset())
    return tuple((f"{verb} tile", *far, number) for far in DISTANCES for number in left)


@lru_cache(256)
def chain_options(place: Place, most: int) -> tuple[Option, ...]:
    """How many new canoes (at most `most`) the way to a group needs, or that it cannot be
    joined."""
    return (*(("needs", place, number) for number in range(most + 1)), ("apart", place))


@lru_cache(256)
def far_options(place: Place) -> tuple[Option, ...]:
    """How far a place is from Samoa."""
    return tuple(("far", place, hexes) for hexes in range(1, FARTHEST + 1))


@lru_cache(1024)
def reach_options(place: Place) -> tuple[Option, ...]:
    """That a place can be reached, with its defenders."""
    return tuple(("reach", place, number) for number in range(MOST_DEFENDERS + 1))


@lru_cache(1024)
def losses(warriors: int, war_canoes: int) -> tuple[tuple[int, int], ...]:
    """What Samoa can lose of these pieces: warriors are removed before War Canoes (paradise ruling
    14)."""
    total = warriors + war_canoes
    return tuple((min(lost, warriors), max(0, lost - warriors)) for lost in range(total + 1))


@lru_cache(1024)
def any_losses(warriors: int, war_canoes: int) -> tuple[tuple[int, int], ...]:
    """What malaria can take of these pieces. No source gives an order (paradise ruling 19)."""
    pairs = [(some, canoes) for some in range(warriors + 1) for canoes in range(war_canoes + 1)]
    return tuple(pairs[1:])


@lru_cache(4096)
def battle_options(place: Place, warriors: int, war_canoes: int) -> tuple[Option, ...]:
    """A battle as the player reports it. If the player lost, Samoa has a piece left (paradise
    ruling 18)."""
    lost = losses(warriors, war_canoes)
    won: list[Option] = [("battle", place, 1, *pieces) for pieces in lost]
    return (*won, *(("battle", place, 0, *pieces) for pieces in lost[:-1]))


@lru_cache(256)
def distances_but(tonga: int, samoa: int) -> tuple[Option, ...]:
    """All possible distances except these."""
    return tuple(("away", *far) for far in DISTANCES if far != (tonga, samoa))


@lru_cache(1024)
def pieces_but(there: tuple[int, ...], most: tuple[int, ...]) -> tuple[Option, ...]:
    """Another number of one kind of Samoa's pieces: up to the most that are possible, except the
    present number."""
    return tuple(
        ("piece", kind, number)
        for kind, (now, bound) in enumerate(zip(there, most, strict=True))
        for number in range(bound + 1)
        if number != now
    )
