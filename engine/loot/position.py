"""The public position of a game of Loot: hands and pile as backs, ships, captures, and who has
left."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cards import handles_of, number_of
from engine.flow import Card, Handle, Seat
from engine.loot.battle import Ship
from engine.loot.tables import DECK, NEWEST, SEATS, Setup
from engine.rules import Game

_BACKS: Mapping[Handle, str] = {
    handle: str(number_of(handle)) for handle in handles_of(0, 1, len(DECK))
}
"""The number on the back of each card."""


class LootPosition(Game):
    """Everything on the table that everybody can see, and who has left it."""

    def __init__(self, setup: Setup, version: int = NEWEST) -> None:
        self.version = version
        """Of the rules."""
        self.setup = setup
        self.turn = 0
        self.active: Seat | None = None
        self.pile: list[Handle] = []
        self.hands: list[list[Handle]] = [[] for _ in range(setup.players)]
        self.ships: list[Ship] = []
        self.played = 0
        self.captured: list[list[Ship]] = [[] for _ in range(setup.sides)]
        self.discard: list[Handle] = []
        self.open: dict[Handle, Card] = {}
        self._written = dict(_BACKS)
        """Each card in the line of the position: its back as a number, an open one with its face,
        `14=7`."""
        self.points: tuple[int, ...] = ()
        self.left: list[Seat] = []
        """The seats that have left, in the order in which they did."""
        self.gone: frozenset[int] = frozenset()
        """The sides all of whose seats have left."""
        self.played_out = False

    # What everybody may know

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return tuple(self.hands[seat])

    def faces(self) -> Mapping[Handle, Card]:
        return self.open

    def when(self) -> str:
        return f"turn {self.turn}" if self.turn else "the deal"

    def period(self) -> int:
        return self.turn

    def is_played_out(self) -> bool:
        return self.played_out

    def position(self) -> str:
        parts = [
            (
                f"loot turn {self.turn} active {'-' if self.active is None else self.active + 1}"
                f" ships {self.played}"
            ),
            *([f"left {','.join(str(seat + 1) for seat in self.left)}"] if self.left else []),
            f"pile {','.join(map(_BACKS.__getitem__, self.pile)) or '-'}",
            *(f"hand {seat + 1} {self._cards(cards)}" for seat, cards in enumerate(self.hands)),
            *(self._fight(ship) for ship in self.ships),
            *(
                f"captured {side + 1} {self._cards([ship.handle for ship in ships])}"
                for side, ships in enumerate(self.captured)
            ),
            f"discard {self._cards(self.discard)}",
        ]
        if self.points:
            parts.append(f"points {','.join(map(str, self.points))}")
        return "; ".join(parts)

    def _fight(self, ship: Ship) -> str:
        cards = [f"{seat + 1}:{self._cards([handle])}" for seat, handle in ship.fighters()]
        return (
            f"ship {ship.number} {ship.owner + 1}:{self._cards([ship.handle])} under"
            f" {','.join(cards) or '-'}"
        )

    def _cards(self, handles: list[Handle]) -> str:
        return ",".join(map(self._written.__getitem__, handles)) or "-"

    def show(self, handle: Handle, card: Card) -> None:
        """Everybody sees this card from now on."""
        self.open[handle] = card
        self._written[handle] = f"{_BACKS[handle]}={card}"

    # A seat that leaves

    def leave(self, seat: Seat) -> None:
        """The others play on; the hand stays a hand [34]. Leaving takes no ship at once [41]."""
        self.left.append(seat)
        members = self.setup.members(self.setup.side(seat))
        if all(member in self.left for member in members):
            self.gone |= {self.setup.side(seat)}
        self.note("left", seat)

    def ends_of(self, side: int) -> tuple[Seat, Seat]:
        """A side in the story: its first and its last seat."""
        members = self.setup.members(side)
        return members[0], members[-1]


def side_name(setup: Setup, side: int) -> str:
    """`third`, or `third and fourth`."""
    return " and ".join(SEATS[seat] for seat in setup.members(side))
