"""A merchant ship in play, the fight for it, and what each card may do there (Play a Pirate Ship,
Tied Attack Strengths, Capturing Merchant Ships).

A *side* is a player, or a pair of partners, who attack as one. Cards are only ever added to a
fight, so whoever leads at the start of their own turn has led since their last one: "keeping the
lead for a round" needs no memory. What may be done with a card follows from public facts and that
card alone, so that nobody need know a hand to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final, NamedTuple

from engine.flow import Card, Handle, Option, Seat
from engine.loot.tables import COLOURS, FACES, MOST_SHIPS, Setup


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
    """A merchant ship in play. `number` counts from 1 in the order the ships were played. Only the
    attacks of others can take it from its owner [6]."""

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
    """Skulls of every side that attacks, in the order they joined. A side has one colour only, so
    its skulls are those of that colour (Tied Attack Strengths). The pirates of sides that are
    `gone` do not count [39]."""
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
    """The colour a side is bound to here, once it has a pirate in the fight [1, 27]. The admiral
    binds nobody [12]."""
    for pirate in ship.pirates:
        if setup.side(pirate.seat) == side:
            return pirate.colour
    return None


def leader(ship: Ship, setup: Setup, gone: Set[int] = NOBODY) -> int | None:
    """The side that would capture the ship: that of the last captain or admiral [10, 11]; without
    pirates the owner's; else the side with more skulls than any other; in a tie nobody, the owner
    included [14, 15].

    The sides that are `gone`, because all their seats have left, neither fight nor own a ship any
    more [39, 42]."""
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


# ---- what a card may do --------------------------------------------------------------------------

DRAW: Option = ("draw",)
MERCHANT: tuple[Option, ...] = tuple(("merchant", card) for card in range(len(FACES)))
DISCARD: tuple[Option, ...] = tuple(("discard", card) for card in range(len(FACES)))
"""By card. Discarding the last one of a hand counts as playing it [19]."""
_VERBS = {"pirate": "attack", "captain": "captain", "admiral": "admiral", "merchant": "merchant"}
AT_SHIP: tuple[tuple[Option, ...], ...] = tuple(
    tuple((_VERBS[face.kind], card, ship) for ship in range(MOST_SHIPS + 1))
    for card, face in enumerate(FACES)
)
"""A card played at a ship: by card, then by the ship's number."""


class CardOptions:
    """What a seat may do with a card, for `Ask.allows`: at ships in the order they were played.
    `gone` are the sides whose seats have all left.

    A merchant ship is played, never discarded [21]. Any other card is played at a ship; once the
    pile is empty it may be discarded instead (Notes) [21]. Which ships take a card is found once
    for each kind and colour.
    """

    def __init__(
        self, setup: Setup, seat: Seat, ships: Sequence[Ship], pile_empty: bool, gone: Set[int]
    ) -> None:
        self._setup: Final = setup
        self._seat: Final = seat
        self._ships: Final = ships
        self._pile_empty: Final = pile_empty
        self._gone: Final = gone
        self._found: Final[dict[tuple[str, int], list[int]]] = {}

    def __call__(self, card: Card) -> tuple[Option, ...]:
        kind, colour, _ = FACES[card]
        if kind == "merchant":
            return (MERCHANT[card],)
        numbers = self._found.get((kind, colour))
        if numbers is None:
            obstacle, setup, seat, gone = OBSTACLES[kind], self._setup, self._seat, self._gone
            numbers = [
                ship.number for ship in self._ships if not obstacle(setup, seat, ship, colour, gone)
            ]
            self._found[kind, colour] = numbers
        at = AT_SHIP[card]
        found = [at[number] for number in numbers]
        if self._pile_empty:
            found.append(DISCARD[card])
        return tuple(found)


def attack_obstacle(
    setup: Setup, seat: Seat, ship: Ship, colour: int, gone: Set[int] = NOBODY
) -> str:
    """What keeps a pirate of this colour from a ship, or "". Any ship in play may be attacked,
    one's own included [5], in the one colour one's side has there [1], or in a colour no other side
    has there [2]. It need not reach anybody's strength [4]. Where a captain or the admiral lies a
    pirate changes nothing at once, and is legal unless the game was made without that [7]. Of sides
    that are `gone` the captains do not count, but the colours stay taken [39, 40]."""
    if not setup.pirates_on_trumped_ship and trumps(ship, setup, gone):
        return "a captain or the admiral is there"
    bound = colour_of(ship, setup.side(seat), setup)
    if bound is not None:
        return "" if bound == colour else _BOUND[bound]
    return _TAKEN if any(pirate.colour == colour for pirate in ship.pirates) else ""


def lead_obstacle(setup: Setup, seat: Seat, ship: Ship, colour: int) -> str:
    """What keeps a captain from a ship: it follows a pirate of its colour that one's own side
    played there before [8, 28]; no enemy and no tie is needed [9]."""
    if setup.captain_on_partner_ship:
        follows = colour_of(ship, setup.side(seat), setup) == colour
    else:
        follows = any(pirate.seat == seat and pirate.colour == colour for pirate in ship.pirates)
    return "" if follows else _NO_PIRATE[colour]


def defence_obstacle(setup: Setup, seat: Seat, ship: Ship) -> str:
    """What keeps the admiral from a ship: it defends one's own, or the partner's, attacked or not,
    led by a captain or not [12]."""
    return "" if setup.side(ship.owner) == setup.side(seat) else "it is not your side's"


_BOUND = tuple(f"your side fights there in {colour}" for colour in COLOURS)
_TAKEN = "another side has that colour there"
_NO_PIRATE = tuple(f"your side has no {colour} pirate there" for colour in COLOURS)
OBSTACLES: Mapping[str, Callable[[Setup, Seat, Ship, int, Set[int]], str]] = {
    "pirate": attack_obstacle,
    "captain": lambda setup, seat, ship, colour, _gone: lead_obstacle(setup, seat, ship, colour),
    "admiral": lambda setup, seat, ship, _colour, _gone: defence_obstacle(setup, seat, ship),
}
"""For each kind of card that is played at a ship, a function that says what keeps the card from a
ship, or ""."""
