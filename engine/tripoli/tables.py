"""The two sides, the calendar, and what ends the game."""

from __future__ import annotations

from typing import Final

AMERICAN: Final = 0
TRIPOLITAN: Final = 1
SEATS: Final = ("american", "tripolitan")
BOTH: Final = 2
NOBODY: Final = 3
ACTIVE: Final = (*SEATS, "both", "none")
"""Names of `Position.active`: whose turn it is, both at the hand limit, nobody when the game is over."""

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
