"""Hex: the position, the flow of play, and what is the same for every position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.cards import Deck
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Seat
from engine.rules import Game, Rules, Settings, is_on

SEATS = ("red", "blue")
SIZE, SMALLEST, LARGEST = 11, 3, 19
SWAP: Option = ("swap",)
LETTERS = "abcdefghijklmnopqrs"
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
"""From a hex to the six beside it, as columns and rows: each row lies half a hex further right."""


def field_name(column: int, row: int) -> str:
    """What a hex is called: a letter for its column, a number for its row from the top."""
    return f"{LETTERS[column]}{row + 1}"


class Hex(Game):
    """The stones on the board, by column and row."""

    def __init__(self, size: int, *, may_swap: bool) -> None:
        self.size = size
        self.may_swap = may_swap
        self.turn: Seat = 0
        self.placed = 0
        self.stones: dict[tuple[int, int], Seat] = {}
        self.chain: list[tuple[int, int]] = []

    def flow(self) -> Flow[Outcome]:
        """Stones by turns, until a chain joins the sides of whoever laid the last one."""
        while True:
            seat = self.turn
            answer: Answer = yield Ask(seat, "lay", self.options())
            if answer.option == SWAP:
                ((column, row),) = self.stones
                self.stones = {(row, column): seat}
                self.note("swapped", seat, row, column)
            else:
                _, column, row = answer.option
                self.stones[column, row] = seat
                self.note("laid", seat, column, row)
            self.placed += 1
            self.chain = self.joined(seat)
            if self.chain:
                return Outcome((seat,), "a chain from side to side")
            self.turn = 1 - seat

    def options(self) -> tuple[Option, ...]:
        """Every empty hex; and to the second player, once, the swap."""
        free = tuple(
            ("lay", column, row)
            for row in range(self.size)
            for column in range(self.size)
            if (column, row) not in self.stones
        )
        return (*free, SWAP) if self.may_swap and self.placed == 1 else free

    def joined(self, seat: Seat) -> list[tuple[int, int]]:
        """A shortest chain of a seat's stones from side to side; empty if there is none."""
        axis = 1 if seat == 0 else 0  # red joins rows, blue columns
        own = {spot for spot, owner in self.stones.items() if owner == seat}
        came: dict[tuple[int, int], tuple[int, int] | None] = {
            spot: None for spot in sorted(own) if spot[axis] == 0
        }
        waiting = list(came)
        for spot in waiting:
            if spot[axis] == self.size - 1:
                return list(_back(spot, came))
            for right, down in AROUND:
                beside = spot[0] + right, spot[1] + down
                if beside in own and beside not in came:
                    came[beside] = spot
                    waiting.append(beside)
        return []

    def position(self) -> str:
        rows = (
            "".join(".rb"[self.stones.get((column, row), -1) + 1] for column in range(self.size))
            for row in range(self.size)
        )
        swap = "swap" if self.may_swap else "no swap"
        return f"{'/'.join(rows)} {SEATS[self.turn]} {self.placed} {swap}"

    def when(self) -> str:
        return f"stone {self.placed + 1}"

    def period(self) -> int:
        return self.placed + 1

    def prompt(self, ask: Ask) -> str:
        return "lay a stone, or swap" if SWAP in ask.options else "lay a stone"

    def why_refused(self, ask: Ask, text: str) -> str:
        taken = {field_name(*spot): SEATS[owner] for spot, owner in self.stones.items()}
        name = text.strip().casefold()
        if name in taken:
            return f"{name} has a {taken[name]} stone"
        return "only the second player may swap, right after the first stone" * (name == "swap")

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        stones = {field_name(*spot): SEATS[owner] for spot, owner in sorted(self.stones.items())}
        return {
            "when": self.when(),
            "size": self.size,
            "turn": "" if self.chain else SEATS[self.turn],
            "stones": stones,
            "chain": [field_name(*spot) for spot in self.chain],
        }


def _back(
    spot: tuple[int, int], came: Mapping[tuple[int, int], tuple[int, int] | None]
) -> Iterator[tuple[int, int]]:
    """The way back from a stone to where the search began."""
    at: tuple[int, int] | None = spot
    while at is not None:
        yield at
        at = came[at]


class HexRules(Rules):
    """Version 1."""

    name = "hex"
    version = 1
    title = "Hex"
    cards = ()
    dice = False
    measure = "stone"
    settings: ClassVar = {
        "size": f"hexes of a side, {SMALLEST} to {LARGEST}",
        "no-swap": "1: blue may not swap after the first stone",
    }
    defaults: ClassVar = {"size": SIZE}

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if strange := set(settings) - set(self.settings):
            raise ValueError(f"there is no setting {min(strange)}")
        if not SMALLEST <= settings.get("size", SIZE) <= LARGEST:
            raise ValueError(f"a side has {SMALLEST} to {LARGEST} hexes")
        is_on(settings, "no-swap")
        return SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return ()

    def begin(self, settings: Settings) -> Game:
        return Hex(settings.get("size", SIZE), may_swap=not is_on(settings, "no-swap"))

    def words(self, option: Option) -> str:
        return "swap" if option == SWAP else field_name(option[1], option[2])

    def vocabulary(self) -> frozenset[str]:
        fields = (field_name(column, row) for column in range(LARGEST) for row in range(LARGEST))
        return frozenset({"swap", *fields})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        kind, seat, column, row = event
        return {"kind": kind, "seat": SEATS[seat], "field": field_name(column, row)}


RULES = HexRules()
