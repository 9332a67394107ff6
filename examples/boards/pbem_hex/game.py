"""Hex: the position and the flow of play, and what is the same for every position."""

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Seat
from engine.rules import Game, Rules, Settings
from pbem_hex.board import SEATS, grid

SIZE, SMALLEST, LARGEST = 11, 3, 19
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
"""From a hex to the six beside it, as columns and rows: each row lies half a hex further right."""


class Hex(Game):
    """The stones on the board: by the name of the hex, whose."""

    def __init__(self, size: int, *, may_swap: bool) -> None:
        self.grid = grid(size)
        self.may_swap = may_swap
        self.placed = 0
        self.stones: dict[str, Seat] = {}
        self.chain: list[str] = []

    def flow(self) -> Flow[Outcome]:
        """Stones by turns, until a chain joins the sides of whoever laid the last one."""
        while True:
            seat = self.placed % 2
            answer: Answer = yield Ask(seat, "lay", self.options())
            (said,) = answer.option
            if said == "swap":
                self.swap(seat)
            else:
                self.stones[said] = seat
                self.note("lays a stone on", seat, said)
            self.placed += 1
            self.chain = self.joined(seat)
            if self.chain:
                return Outcome((seat,), "a chain from side to side")

    def options(self) -> tuple[Option, ...]:
        """Every empty hex; and to the second player, once, the swap."""
        free = tuple((name,) for name in self.grid.names if name not in self.stones)
        return (*free, ("swap",)) if self.may_swap and self.placed == 1 else free

    def swap(self, seat: Seat) -> None:
        """The first stone is the second player's, where it lies on a board that is mirrored."""
        (first,) = self.stones
        column, row = self.grid.at(first)
        mirrored = self.grid.name(row, column)
        self.stones = {mirrored: seat}
        self.note("swaps, and has a stone on", seat, mirrored)

    def joined(self, seat: Seat) -> list[str]:
        """A shortest chain of a seat's stones from side to side; empty if there is none."""
        along = 1 - seat  # red joins rows, blue columns
        own = {self.grid.at(name) for name, owner in self.stones.items() if owner == seat}
        chains = {spot: [spot] for spot in sorted(own) if spot[along] == 0}
        waiting = list(chains)
        for column, row in waiting:
            chain = chains[column, row]
            if (column, row)[along] == self.grid.rows - 1:
                return [self.grid.name(*spot) for spot in chain]
            for right, down in AROUND:
                beside = column + right, row + down
                if beside in own and beside not in chains:
                    chains[beside] = [*chain, beside]
                    waiting.append(beside)
        return []

    def position(self) -> str:
        stones = " ".join(f"{name}:{seat}" for name, seat in sorted(self.stones.items()))
        return f"{self.grid.rows} {self.placed} {'swap' if self.may_swap else 'no swap'} {stones}"

    def period(self) -> int:
        return self.placed + 1

    def when(self) -> str:
        return f"stone {self.period()}"

    def prompt(self, ask: Ask) -> str:
        return "lay a stone, or swap" if ("swap",) in ask.options else "lay a stone"

    def why_refused(self, ask: Ask, text: str) -> str:
        name = text.strip().casefold()
        if name in self.stones:
            return f"{name} has a {SEATS[self.stones[name]]} stone"
        return "only blue may swap, right after the first stone" if name == "swap" else ""

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return {
            "size": self.grid.rows,
            "turn": "" if self.chain else SEATS[self.placed % 2],
            "stones": {name: SEATS[seat] for name, seat in sorted(self.stones.items())},
            "chain": self.chain,
        }


class HexRules(Rules):
    """Version 1."""

    name = "hex"
    title = "Hex"
    seat_names = SEATS
    dice = False
    measure = "stone"
    settings: ClassVar = {
        "size": "hexes of a side",
        "no-swap": "1: blue may not swap after the first stone",
    }
    limits: ClassVar = {"size": (SMALLEST, LARGEST)}
    defaults: ClassVar = {"size": SIZE}

    def begin(self, settings: Settings) -> Game:
        return Hex(settings.get("size", SIZE), may_swap=not settings.get("no-swap"))


RULES = HexRules()
