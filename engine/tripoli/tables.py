"""The board and the pieces: places and kinds are small integers, and these tables give them names.

Places 0 to 13 are the map (chapter "American naval movement": nine harbors and five patrol zones), 14 to 18 the year
track from 1802 on, then the Supply and the American frigates that Tripolitania has sunk.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Place: TypeAlias = int
Kind: TypeAlias = int

AMERICAN: Final = 0
TRIPOLITAN: Final = 1
SEATS: Final = ("american", "tripolitan")
BOTH: Final = 2
NOBODY: Final = 3
ACTIVE: Final = (*SEATS, "both", "none")
"""Names of `Position.active`: whose turn it is, both at the hand limit, nobody when the game is over."""

GIBRALTAR: Final = 0
MALTA: Final = 1
ALEXANDRIA: Final = 2
TRIPOLI: Final = 3
BENGHAZI: Final = 4
DERNE: Final = 5
ALGIERS: Final = 6
TANGIER: Final = 7
TUNIS: Final = 8
GIBRALTAR_ZONE: Final = 9
TRIPOLI_ZONE: Final = 10
ALGIERS_ZONE: Final = 11
TANGIER_ZONE: Final = 12
TUNIS_ZONE: Final = 13
TRACK: Final = 14
"""The space of 1802, the first on the year track."""
SUPPLY: Final = 19
"""Follows the space of 1806: what is due in 1807 is out of the game (ruling 7)."""
SUNK: Final = 20

PLACE_NAMES: Final = (
    "Gibraltar",
    "Malta",
    "Alexandria",
    "Tripoli",
    "Benghazi",
    "Derne",
    "Algiers",
    "Tangier",
    "Tunis",
    "Gibraltar Patrol Zone",
    "Tripoli Patrol Zone",
    "Algiers Patrol Zone",
    "Tangier Patrol Zone",
    "Tunis Patrol Zone",
    "1802",
    "1803",
    "1804",
    "1805",
    "1806",
    "Supply",
    "Sunk",
)
PLACE_WORDS: Final = tuple(name.lower().replace(" patrol", "") for name in PLACE_NAMES)
"""As a player types them: `tripoli zone`."""
PLACES: Final = len(PLACE_NAMES)

ON_MAP: Final = range(TRACK)
ON_BOARD: Final = range(SUPPLY)
ZONES: Final = (GIBRALTAR_ZONE, TRIPOLI_ZONE, ALGIERS_ZONE, TANGIER_ZONE, TUNIS_ZONE)
ALLIES: Final = (ALGIERS, TANGIER, TUNIS)
CITIES: Final = (TRIPOLI, BENGHAZI, DERNE)
"""Held by Tripolitania, with infantry."""
ZONE_OF: Final = {
    GIBRALTAR: GIBRALTAR_ZONE,
    TRIPOLI: TRIPOLI_ZONE,
    ALGIERS: ALGIERS_ZONE,
    TANGIER: TANGIER_ZONE,
    TUNIS: TUNIS_ZONE,
}

FRIGATE: Final = 0
GUNBOAT: Final = 1
MARINE: Final = 2
ARAB: Final = 3
SWEDE: Final = 4
ENEMY_FRIGATE: Final = 5
CORSAIR: Final = 6
INFANTRY: Final = 7
ALLIED: Final = 8

PIECE_KEYS: Final = (
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
PIECE_NAMES: Final = (
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
PIECE_LETTERS: Final = "fgmasFCIA"
"""For the line that `Game.position` writes."""
LIMITS: Final = (8, 3, 4, 10, 2, 2, 9, 20, 9)
SETUP: Final = (
    (FRIGATE, GIBRALTAR, 3),
    (FRIGATE, TRACK, 1),
    (FRIGATE, TRACK + 1, 1),
    (FRIGATE, TRACK + 2, 1),
    (CORSAIR, GIBRALTAR, 2),
    (CORSAIR, TRIPOLI, 4),
    (INFANTRY, TRIPOLI, 4),
    (INFANTRY, BENGHAZI, 2),
    (INFANTRY, DERNE, 2),
)

FIRST_YEAR: Final = 1801
RESHUFFLE_YEAR: Final = 1805
LAST_YEAR: Final = 1806
SPRING: Final = 0
SUMMER: Final = 1
FALL: Final = 2
WINTER: Final = 3
SEASONS: Final = ("spring", "summer", "fall", "winter")

HAND_LIMIT: Final = 8
YEARLY_DRAW: Final = 6
GOLD_TO_WIN: Final = 12
SINKINGS_TO_WIN: Final = 4
