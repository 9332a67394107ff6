"""The places, as small integers: 0 to 13 are the map (chapter "American naval movement": nine
harbors and five patrol zones), 14 to 18 the year track from 1802 on, then the Supply and the
American frigates that Tripolitania has sunk.

Used as a namespace: `places.TRIPOLI`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Place: TypeAlias = int

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

NAMES: Final = (
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
WORDS: Final = tuple(name.lower().replace(" patrol", "") for name in NAMES)
"""The names that answers use: `tripoli zone`."""
COUNT: Final = len(NAMES)

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
