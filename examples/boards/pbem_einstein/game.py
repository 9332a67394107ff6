"""EinStein würfelt nicht!: the position, the flow of play, and what is the same for every
position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Roll, Seat
from engine.rules import Game, Rules, Settings

SEATS = ("red", "white")
SIZE = 5
HOMES = (
    ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)),
    ((4, 4), (3, 4), (2, 4), (4, 3), (3, 3), (4, 2)),
)
"""Where each side begins, as columns from the left and rows from the top."""
GOALS = ((4, 4), (0, 0))
WAYS = ((1, 0), (0, 1), (1, 1))
"""The ways a red stone may go; a white one goes the other way."""

Spot = tuple[int, int]


def field_name(spot: Spot) -> str:
    """What a field is called: a letter for its column, a number for its row from below."""
    return f"{'abcde'[spot[0]]}{SIZE - spot[1]}"


class Einstein(Game):
    """The stones on the board, each with its owner and its number; and the die."""

    def __init__(self) -> None:
        self.stones: dict[Spot, tuple[Seat, int]] = {}
        self.turn: Seat = 0
        self.moves = 0
        self.threw: Seat = 0
        self.die = 0
        self.may_go: tuple[int, ...] = ()
        self.is_over = False

    def flow(self) -> Flow[Outcome]:
        """The stones are laid out by throws, then the sides move by turns, each by its die."""
        for seat in range(2):
            yield from self.lay_out(seat)
        while True:
            seat = self.turn
            (self.die,) = yield Roll(seat, 1, "which stone goes", reason="move")
            self.threw = seat
            self.may_go = self.numbers(seat, self.die)
            self.note("threw", seat, self.die)
            answer: Answer = yield Ask(seat, "move", self.options(seat))
            _, column, row, across, down = answer.option
            outcome = self.go(seat, (column, row), (across, down))
            if outcome is not None:
                self.is_over = True
                return outcome
            self.turn = 1 - seat

    def lay_out(self, seat: Seat) -> Flow[None]:
        """A throw for each stone but the last says which of those left lies on the next field."""
        left = list(range(1, 7))
        for spot in HOMES[seat]:
            nth = 1
            if len(left) > 1:
                (nth,) = yield Roll(
                    seat, 1, f"where {SEATS[seat]}'s stones lie", sides=len(left), reason="layout"
                )
            self.stones[spot] = seat, left.pop(nth - 1)

    def numbers(self, seat: Seat, die: int) -> tuple[int, ...]:
        """Whose number was thrown; where that stone is gone, the next one below and above."""
        own = sorted(number for owner, number in self.stones.values() if owner == seat)
        if die in own:
            return (die,)
        below = [number for number in own if number < die][-1:]
        above = [number for number in own if number > die][:1]
        return (*below, *above)

    def options(self, seat: Seat) -> tuple[Option, ...]:
        """Every step of the stones that may go: towards the other corner, straight or across."""
        way = 1 - 2 * seat
        return tuple(
            ("go", column, row, column + way * right, row + way * down)
            for (column, row), (owner, number) in sorted(self.stones.items())
            if owner == seat and number in self.may_go
            for right, down in WAYS
            if 0 <= column + way * right < SIZE and 0 <= row + way * down < SIZE
        )

    def go(self, seat: Seat, source: Spot, target: Spot) -> Outcome | None:
        """A stone goes, and takes whatever lies there, an own stone too; how the game ends by
        that, if it does."""
        taken = self.stones.get(target)
        owner, number = self.stones.pop(source)
        self.stones[target] = owner, number
        self.moves += 1
        self.may_go = ()
        self.note("went", seat, number, *source, *target)
        if taken is not None:
            self.note("taken", *taken, seat)
        if target == GOALS[seat]:
            return Outcome((seat,), "a stone in the far corner")
        if all(other == seat for other, _ in self.stones.values()):
            return Outcome((seat,), "all stones of the other taken")
        return None

    def position(self) -> str:
        held = " ".join(
            f"{field_name(spot)}:{SEATS[owner][0]}{number}"
            for spot, (owner, number) in sorted(self.stones.items())
        )
        return f"{held} {SEATS[self.turn]} {self.moves} die {self.die} {self.may_go}"

    def when(self) -> str:
        return f"move {self.moves + 1}"

    def period(self) -> int:
        return self.moves + 1

    def prompt(self, ask: Ask) -> str:
        return f"move stone {' or '.join(map(str, self.may_go))}; the die shows {self.die}"

    def why_refused(self, ask: Ask, text: str) -> str:
        named = {field_name(spot): held for spot, held in self.stones.items()}
        owner, number = named.get((text.casefold().split() or [""])[0], (ask.seat, 0))
        if owner != ask.seat:
            return f"that stone is {SEATS[owner]}'s"
        if number and number not in self.may_go:
            return f"stone {number} may not go after a {self.die}"
        return ""

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return {
            "when": self.when(),
            "turn": "" if self.is_over else SEATS[self.turn],
            "threw": SEATS[self.threw],
            "die": self.die,
            "may_go": list(self.may_go),
            "stones": {
                field_name(spot): f"{SEATS[owner]}-{number}"
                for spot, (owner, number) in sorted(self.stones.items())
            },
        }


class EinsteinRules(Rules):
    """Version 1."""

    name = "einstein"
    title = "EinStein"
    seat_names = SEATS
    reasons = ("layout", "move")
    measure = "move"

    def begin(self, settings: Settings) -> Game:
        return Einstein()

    def words(self, option: Option) -> str:
        _, column, row, across, down = option
        return f"{field_name((column, row))} {field_name((across, down))}"

    def vocabulary(self) -> frozenset[str]:
        return frozenset(field_name((column, row)) for column in range(SIZE) for row in range(SIZE))

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        if event[0] == "threw":
            return {"kind": "threw", "seat": SEATS[event[1]], "die": event[2]}
        if event[0] == "taken":
            return {
                "kind": "taken",
                "owner": SEATS[event[1]],
                "number": event[2],
                "seat": SEATS[event[3]],
                "is_own": event[1] == event[3],
            }
        _, seat, number, column, row, across, down = event
        return {
            "kind": "went",
            "seat": SEATS[seat],
            "number": number,
            "piece": f"{SEATS[seat]}-{number}",
            "count": 1,
            "from": field_name((column, row)),
            "to": field_name((across, down)),
        }


RULES = EinsteinRules()
