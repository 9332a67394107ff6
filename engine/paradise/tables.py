"""What never changes: seats, what a chit can say, names that the board is known to have, and the
bounds of a report."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.automaton import TIE
from engine.flow import Option, Seat

NEWEST: Final = 4
"""Version of the rules. The first asks what has one answer left, and takes no corrections; before
the fourth an undo drops the reports after the one that was wrong."""

TONGA: Final[Seat] = 0
SAMOA: Final[Seat] = 1
WITNESS: Final[Seat] = 2
SEATS: Final = ("tonga", "samoa")

Place: TypeAlias = int
"""Index into `Data.names`: a hex, or a group that has no name yet."""

SAMOA_HEX: Final[Place] = 0
TONGA_HEX: Final[Place] = 1

CARD, CHAIN, VILLAGE, VILLAGES, TWO_WARRIORS, WARRIOR, WARRIORS, WAR_CANOE = range(8)
EXPANDS: Final = (
    "1 Card",
    "Transport Canoe Chain",
    "1 Village",
    "1 Village per Island",
    "2 Warrior Bands",
    "1 Warrior Band",
    "1 Warrior per Village",
    "1 War Canoe",
)
BUILD, DEFEND, EXPLORE, ATTACK = range(4)
ACTIONS: Final = ("Build", "Defend", "Explore!", "Attack!")

CHITS: Final = 15
ATTACKS: Final = 4
"""Chits that say Attack!; they wait outside the cup for the first draws."""
DRAWS_BEFORE_ATTACKS: Final = 6
LEFT_TO_WIN: Final = 2
"""Chits that must be left in the cup for a victory; so many or fewer left without one lose the
game."""
POINTS_TO_WIN: Final = 30
KNOTS: Final = 5
FOUR_BOXES: Final = 4

PRINTED: Final = (
    "samoa",
    "tonga",
    "fiji",
    "tuvalu",
    "niue",
    "rarotonga",
    "tubai",
    "tuamotu",
    "flint",
    "hiva",
    "raiatea",
    "santa cruz",
    "solomon islands",
    "wake",
    "aotearoa",
    "te waka maui",
    "rapa nui",
    "hawaii",
    "hawaiki",
    "kuporu",
)
"""Names of hexes and tiles that the sources know; map and tile data add theirs."""
NEXT_TO_SAMOA: Final = frozenset({"tonga", "fiji"})

KNOWN_CARDS: Final = (
    "navigation",
    "ocean chart",
    "double-hulled canoes",
    "poi",
    "arioi",
    "hui",
    "tattoo",
    "hula",
    "surfing",
    "moai",
    "kahuna healing",
    "powhiri",
    "cannibalism",
)
"""Names of cards that the sources know, for a table without data about cards."""
MORE_KNOTS: Final = frozenset({"navigation", "ocean chart"})
ARIOI: Final = "arioi"
"""The player's card that stops an attack."""
MORE_REACH: Final = frozenset({"double-hulled canoes", "poi"})

# ---- bounds of a report (paradise ruling 22) ----

MOST_GROUPS: Final = 40
FARTHEST: Final = 12
MOST_BOXES: Final = 4
MOST_SAMOAN_BOXES: Final = 6
MOST_KNOTS: Final = 4
MOST_DEFENDERS: Final = 12
MOST_CANOES: Final = 12
MOST_POINTS: Final = 80
MOST_CARDS: Final = 27
MOST_UNDOS: Final = 300
MOST_CORRECTIONS: Final = 99
MOST_EVENTS: Final = 40
"""Battles and the like of one turn."""
MOST_WARRIORS: Final = 8
MOST_WAR_CANOES: Final = 4
"""Of Samoa at the start."""
MOST_OFF_COURSE: Final = 6
"""Off Course markers in one Explore!."""
MOST_ELIGIBLE: Final = 36
MOST_WAYS: Final = 36
"""Equally good ways of a chain among which a die chooses."""

BOXES: Final = (
    (0, 0),
    *((boxes, green) for boxes in range(1, MOST_BOXES + 1) for green in range(boxes + 1)),
)
"""Boxes and green boxes of a group; an atoll has none."""
DISTANCES: Final = tuple(
    (tonga, samoa)
    for tonga in range(1, FARTHEST + 1)
    for samoa in range(1, FARTHEST + 1)
    if abs(tonga - samoa) <= 1
)
"""Hexes from Tonga and from Samoa. The two are neighbours, so the distances differ by one at most
(paradise ruling 18)."""

SETTINGS: Final = {
    "south-island": "the South Island comes into the game when its tile says so",
    "saved-resources": "the advanced rule of saved resources is played at the table",
    "malaria": "the advanced rule of malaria is played at the table",
    "three-boxes": "free groups of three boxes bring a chit too",
    "open-chits": "chits that discoveries bring lie open, and the player orders them",
    "no-off-course-knots": "the knots of Off Course markers do not count for Samoa",
    "arioi-again": "an Arioi may stop more than one attack",
    "own-dice": "the player throws dice and draws chits at the table and types the results",
    "unwitnessed": "the player is alone: their own key is the only source of chance",
    "witness": "a second person decides nothing and proves every roll",
}

_SET_UP: Final = "Setup"
_EXPLORATION: Final = "Exploration Step"
_BATTLE: Final = "Movement and Battle Step"
WAR_CANOE_SECTION: Final = "Expand, 1 War Canoe"
DISCOVERY_SECTION: Final = _EXPLORATION
SECTIONS: Final = {
    1: "Victory Step",
    2: _SET_UP,
    3: "Action",
    4: _EXPLORATION,
    5: "Action, Explore!",
    6: "Expand, order of precedence",
    7: "Expand, 1 Village",
    8: "Expand, Transport Canoe Chain",
    9: _BATTLE,
    10: "Action, Attack!",
    11: "Expand, 1 Card",
    12: "Expand",
    13: "Action, Attack!",
    14: _BATTLE,
    15: "Expand, 1 Card",
    16: _SET_UP,
    17: _EXPLORATION,
    18: "Procedure",
    19: "Procedure",
    20: "Victory Step",
    21: _BATTLE,
    22: "Procedure",
    23: "Expand",
    24: "Expand, Transport Canoe Chain",
    25: _BATTLE,
    26: "Procedure",
    27: "Procedure",
    28: "Procedure",
}
"""The section of the printed solitaire rules that each ruling is about."""

FORCED: Final = frozenset({"chain", "retreat", "card", "start", "second", "tile"})
"""Questions about the board that are not asked when one answer is left (paradise ruling 28)."""

REASONS: Final = (TIE, "chit", "occupation", "villages", "warriors")
"""What dice are thrown and chits are drawn for, as it is signed (`Rules.reasons`)."""

UNDO: Final[Option] = ("undo",)
AGAIN: Final[Option] = ("again",)
"""The report that was taken back here is given again as it was (paradise ruling 20)."""
DONE: Final[Option] = ("that is all",)
