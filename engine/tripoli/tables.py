"""The two sides, the calendar, and what ends the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

AMERICAN: Final = 0
TRIPOLITAN: Final = 1
SEATS: Final = ("american", "tripolitan")
BOTH: Final = 2
NOBODY: Final = 3
ACTIVE: Final = (*SEATS, "both", "none")
"""Names of `Position.active`: whose turn it is, both at the hand limit, nobody when the game is
over."""

FIRST_YEAR: Final = 1801
RESHUFFLE_YEAR: Final = 1805
LAST_YEAR: Final = 1806
NEWEST: Final = 1
"""Version of the rules (docs/design.md, "A rule that changes")."""
SPRING: Final = 0
SUMMER: Final = 1
FALL: Final = 2
WINTER: Final = 3
SEASONS: Final = ("spring", "summer", "fall", "winter")

HAND_LIMIT: Final = 8
YEARLY_DRAW: Final = 6
GOLD_TO_WIN: Final = 12
SINKINGS_TO_WIN: Final = 4

CHANCE: Final[Mapping[str, str]] = {
    "naval-frigates": "naval battle: American frigates",
    "naval-gunboats": "naval battle: American gunboats",
    "naval-tripolitan-frigates": "naval battle: Tripolitan frigates",
    "naval-tripolitan-corsairs": "naval battle: Tripolitan corsairs",
    "naval-allied-corsairs": "naval battle: Allied corsairs",
    "naval-guns-of-tripoli": "naval battle: The Guns of Tripoli",
    "bombardment-frigates": "bombardment: American frigates",
    "bombardment-gunboats": "bombardment: American gunboats",
    "ground-obannon": "ground combat: Lieutenant O'Bannon",
    "ground-marines": "ground combat: American marines",
    "ground-arab-infantry": "ground combat: Arab infantry",
    "ground-tripolitan-infantry": "ground combat: Tripolitan infantry",
    "interception-frigates": "American frigates intercept",
    "interception-swedish-frigates": "Swedish frigates intercept",
    "raid": "Corsairs raid",
    "happy-hunting": "Happy Hunting",
    "signal-books": "US Signal Books Overboard",
    "mercenaries-desert": "Mercenaries Desert",
    "storms": "Storms",
    "philadelphia-aground": "The Philadelphia Runs Aground",
    "burn-the-philadelphia": "Burn the Philadelphia",
    "launch-the-intrepid": "Launch the Intrepid",
}
"""What dice are thrown and cards are picked for: the keys that are signed (`Rules.reasons`), with
words for readers."""
