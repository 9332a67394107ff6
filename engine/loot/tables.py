"""Contents: the 78 cards, the seats, and what a game can be made with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.flow import Card, Seat
from engine.rules import is_on

NEWEST = 1
"""Version of the rules (docs/design.md, "A rule that changes")."""
SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

COLOURS = ("blue", "green", "purple", "gold")
"""So at most four sides have pirates in one fight [3]."""
ADMIRAL_COLOUR = -1
"""What stands in the place of a colour in a trump that has none."""

MERCHANTS = {2: 5, 3: 6, 4: 5, 5: 5, 6: 2, 7: 1, 8: 1}
"""Gold on a merchant ship: how many there are."""

PIRATES = {1: 2, 2: 4, 3: 4, 4: 2}
"""Skulls on a pirate ship: how many there are of each colour."""

HAND = 6
"""Cards dealt to each player, whatever their number (Set Up)."""


class Face(NamedTuple):
    """What is printed on a card: its kind, the colour (index into `COLOURS`) and the gold or
    skulls."""

    kind: str
    colour: int
    value: int


FACES: tuple[Face, ...] = (
    *(Face("merchant", ADMIRAL_COLOUR, gold) for gold in MERCHANTS),
    *(Face("pirate", colour, skulls) for colour in range(len(COLOURS)) for skulls in PIRATES),
    *(Face("captain", colour, 0) for colour in range(len(COLOURS))),
    Face("admiral", ADMIRAL_COLOUR, 0),
)
"""Every different card by `Card`."""


def _name(face: Face) -> str:
    match face.kind:
        case "merchant":
            return f"merchant {face.value}"
        case "pirate":
            return f"{COLOURS[face.colour]} {face.value}"
        case "captain":
            return f"captain {COLOURS[face.colour]}"
    return face.kind


NAMES = tuple(_name(face) for face in FACES)


def _copies(face: Face) -> int:
    match face.kind:
        case "merchant":
            return MERCHANTS[face.value]
        case "pirate":
            return PIRATES[face.value]
    return 1


DECK: tuple[Card, ...] = tuple(
    card for card, face in enumerate(FACES) for _ in range(_copies(face))
)
"""All 78 cards."""

MOST_SHIPS = sum(MERCHANTS.values())

SETTINGS: Mapping[str, str] = {
    "players": "number of players, 2 to 5, or 4, 6 or 8 with partners",
    "partners": "two neighbours play as a pair and may look at each other's hands",
    "start": "which player begins, counted from 1",
    "pirates_on_trumped_ship": (
        "a pirate may still join a fight in which a captain or the admiral lies (on unless 0)"
    ),
    "captain_on_partner_ship": (
        "a captain may follow a pirate that the partner played (on unless 0)"
    ),
    "end_on_deck_out_with_empty_hand": (
        "the game also ends when the last card is drawn while somebody has no card (on unless 0)"
    ),
}

DEFAULTS: Mapping[str, int] = {
    "players": 2,
    "start": 1,
    "pirates_on_trumped_ship": 1,
    "captain_on_partner_ship": 1,
    "end_on_deck_out_with_empty_hand": 1,
}
"""What holds where nothing else was chosen; 0 for the others."""


class Setup(NamedTuple):
    """The settings of one game, checked and with their defaults."""

    players: int = 2
    partners: bool = False
    start: Seat = 0
    pirates_on_trumped_ship: bool = True
    captain_on_partner_ship: bool = True
    end_on_deck_out_with_empty_hand: bool = True

    def side(self, seat: Seat) -> int:
        """Who fights as one: a player, or a pair of neighbours."""
        return seat // 2 if self.partners else seat

    def members(self, side: int) -> tuple[Seat, ...]:
        """The seats of a side, in order of play. It is out of cards when all of them are [25]."""
        return (2 * side, 2 * side + 1) if self.partners else (side,)

    @property
    def sides(self) -> int:
        return self.players // 2 if self.partners else self.players

    def checks(self, seat: Seat) -> bool:
        """Whether this seat collects its side's captures: everybody, or the one of a pair whose
        partner acts right after, whoever began the game (Partnership Play) [26]."""
        return not self.partners or seat % 2 == 0


def read_settings(settings: Mapping[str, int]) -> Setup:
    """Check what a game is made with; two players need no rules of their own [33]. Raises
    `ValueError`."""
    strange = sorted(set(settings) - set(SETTINGS))
    if strange:
        raise ValueError(f"Loot has no setting {strange[0]}")
    settings = {**DEFAULTS, **settings}
    players, partners = settings["players"], is_on(settings, "partners")
    if partners and players not in (4, 6, 8):
        raise ValueError("with partners 4, 6 or 8 can play")
    if not partners and not 2 <= players <= 5:
        raise ValueError("2 to 5 can play, or 4, 6 or 8 with partners")
    start = settings["start"]
    if not 1 <= start <= players:
        raise ValueError(f"start is one of the players, 1 to {players}")
    return Setup(
        players,
        partners,
        start - 1,
        is_on(settings, "pirates_on_trumped_ship"),
        is_on(settings, "captain_on_partner_ship"),
        is_on(settings, "end_on_deck_out_with_empty_hand"),
    )


def settings_in_words(setup: Setup) -> list[str]:
    """What the game is made with, in words; the rules that hold anyhow are left out."""
    words = [f"{setup.players} players in pairs" if setup.partners else f"{setup.players} players"]
    if setup.start:
        words.append(f"{SEATS[setup.start]} begins")
    if not setup.pirates_on_trumped_ship:
        words.append("no pirates to a ship with a captain or the admiral")
    if not setup.captain_on_partner_ship:
        words.append("captains on one's own pirates only")
    if not setup.end_on_deck_out_with_empty_hand:
        words.append("the last card drawn does not end the game")
    return words
