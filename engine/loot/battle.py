"""A merchant ship in play and the fight for it (Play a Pirate Ship, Tied Attack Strengths, Capturing Merchant Ships).

A *side* is a player, or a pair of partners, who attack as one. Cards are only ever added to a fight, so whoever leads
at the start of their own turn has led since their last one: "keeping the lead for a round" needs no memory.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from engine.flow import Handle, Seat
from engine.loot.tables import Setup


class Pirate(NamedTuple):
    """A pirate ship in a fight."""

    seat: Seat
    colour: int
    skulls: int
    handle: Handle


class Trump(NamedTuple):
    """A captain, or the admiral (who has no colour)."""

    seat: Seat
    colour: int
    handle: Handle


class Ship:
    """A merchant ship in play. `number` counts from 1 in the order the ships were played. Only the attacks of others
    can take it from its owner [6]."""

    __slots__ = ("gold", "handle", "number", "owner", "pirates", "trumps")

    def __init__(self, number: int, owner: Seat, gold: int, handle: Handle) -> None:
        self.number = number
        self.owner = owner
        self.gold = gold
        self.handle = handle
        self.pirates: list[Pirate] = []
        self.trumps: list[Trump] = []

    def fighters(self) -> list[tuple[Seat, Handle]]:
        """Who added which card: the pirates in order, then the trumps in order."""
        pirates = [(card.seat, card.handle) for card in self.pirates]
        return pirates + [(card.seat, card.handle) for card in self.trumps]

    def cards(self) -> list[Handle]:
        """The cards of the fight without the merchant ship."""
        return [handle for _, handle in self.fighters()]


NOBODY: Set[int] = frozenset()


def strengths(ship: Ship, setup: Setup, gone: Set[int] = NOBODY) -> dict[int, int]:
    """Skulls of every side that attacks, in the order they joined. A side has one colour only, so its skulls are
    those of that colour (Tied Attack Strengths). The pirates of sides that are `gone` do not count [39]."""
    found: dict[int, int] = {}
    for pirate in ship.pirates:
        side = setup.side(pirate.seat)
        if side not in gone:
            found[side] = found.get(side, 0) + pirate.skulls
    return found


def trumps(ship: Ship, setup: Setup, gone: Set[int] = NOBODY) -> list[Trump]:
    """The captains and the admiral that count, in the order they were played [11, 39]."""
    return [trump for trump in ship.trumps if setup.side(trump.seat) not in gone]


def colour_of(ship: Ship, side: int, setup: Setup) -> int | None:
    """The colour a side is bound to here, once it has a pirate in the fight [1, 27]. The admiral binds nobody [12]."""
    for pirate in ship.pirates:
        if setup.side(pirate.seat) == side:
            return pirate.colour
    return None


def leader(ship: Ship, setup: Setup, gone: Set[int] = NOBODY) -> int | None:
    """The side that would capture the ship: that of the last captain or admiral [10, 11]; without pirates the owner's;
    else the side with more skulls than any other; in a tie nobody, the owner included [14, 15].

    The sides that are `gone`, because all their seats have left, neither fight nor own a ship any more [39, 42]."""
    if ship.trumps and (played := trumps(ship, setup, gone)):
        return setup.side(played[-1].seat)
    fighting = strengths(ship, setup, gone) if ship.pirates else {}
    if not fighting:
        owner = setup.side(ship.owner)
        return None if owner in gone else owner
    most = max(fighting.values())
    best = [side for side, skulls in fighting.items() if skulls == most]
    return best[0] if len(best) == 1 else None


def is_abandoned(ship: Ship, setup: Setup, gone: Set[int]) -> bool:
    """Whether the ship's side has left and nobody who still plays fights for it [42]."""
    fought = trumps(ship, setup, gone) or strengths(ship, setup, gone)
    return setup.side(ship.owner) in gone and not fought
