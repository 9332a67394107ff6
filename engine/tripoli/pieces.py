"""The kinds of pieces, as small integers; how many of each there are, and where they begin.

Used as a namespace: `pieces.CORSAIR`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.tripoli import places

Kind: TypeAlias = int

FRIGATE: Final = 0
GUNBOAT: Final = 1
MARINE: Final = 2
ARAB: Final = 3
SWEDE: Final = 4
ENEMY_FRIGATE: Final = 5
CORSAIR: Final = 6
INFANTRY: Final = 7
ALLIED: Final = 8

KEYS: Final = (
    "us_frigates",
    "us_gunboats",
    "marines",
    "arab_infantry",
    "swedish_frigates",
    "tr_frigates",
    "tr_corsairs",
    "tr_infantry",
    "allied_corsairs",
)
NAMES: Final = (
    "American frigate",
    "American gunboat",
    "Marine",
    "Arab infantry",
    "Swedish frigate",
    "Tripolitan frigate",
    "Tripolitan corsair",
    "Tripolitan infantry",
    "allied corsair",
)
LETTERS: Final = "fgmasFCIA"
"""For the line that `Game.position` writes."""
LIMITS: Final = (8, 3, 4, 10, 2, 2, 9, 20, 9)
SETUP: Final = (
    (FRIGATE, places.GIBRALTAR, 3),
    (FRIGATE, places.TRACK, 1),
    (FRIGATE, places.TRACK + 1, 1),
    (FRIGATE, places.TRACK + 2, 1),
    (CORSAIR, places.GIBRALTAR, 2),
    (CORSAIR, places.TRIPOLI, 4),
    (INFANTRY, places.TRIPOLI, 4),
    (INFANTRY, places.BENGHAZI, 2),
    (INFANTRY, places.DERNE, 2),
)
