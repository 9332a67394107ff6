"""The rules of Morra: in each of three rounds every player seals their fingers and the sum that
they call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from engine.cards import Deck
from engine.flow import Ask, Card, Flow, Handle, Option, Outcome, Reveal, Seat
from engine.rules import Game, Rules, Settings

SEATS: Final = ("first", "second", "third")
ROUNDS: Final = 3
CALLS: Final[tuple[Option, ...]] = tuple(
    ("call", fingers, total) for fingers in range(1, 6) for total in range(2, 16)
)


class Morra(Game):
    """What everybody knows: points, and who has sealed a call in this round."""

    def __init__(self, players: int) -> None:
        self.playing = list(range(players))
        self.points = [0] * players
        self.round = 0
        self.leader = 0
        self.sealed: list[Seat] = []
        self.calls: list[tuple[Seat, int, int]] = []

    def flow(self) -> Flow[Outcome]:
        for self.round in range(1, ROUNDS + 1):
            yield from self.play_round()
        best = max(self.points[seat] for seat in self.playing)
        winners = tuple(seat for seat in self.playing if self.points[seat] == best)
        return Outcome(
            () if len(winners) == len(self.playing) else winners,
            "the most right calls",
            tuple(self.points),
        )

    def play_round(self) -> Flow[None]:
        """All call, unseen by the others; then all calls are shown. Who opens last begins the next
        round."""
        seats, tokens = len(self.points), []
        self.sealed = []
        for seat in ((self.leader + step) % seats for step in range(seats)):
            token: int | None = None
            while token is None and seat in self.playing:
                token = yield Ask(seat, "call", CALLS, sealed=True)
            if token is not None:
                self.sealed.append(seat)
                tokens.append(token)
        shown: tuple[Option, ...] = yield Reveal(tuple(tokens))
        self.calls = [
            (seat, option[1], option[2]) for seat, option in zip(self.sealed, shown, strict=True)
        ]
        total = sum(fingers for _, fingers, _ in self.calls)
        for seat, fingers, call in self.calls:
            self.note("called", seat, fingers, call)
            if call == total and seat in self.playing:
                self.points[seat] += 1
                self.note("right", seat, self.points[seat])
        self.leader = self.sealed[-1]

    def note(self, *event: object) -> None:
        """Tell those who listen."""
        if self.story is not None:
            self.story.append(event)

    def leave(self, seat: Seat) -> None:
        self.playing.remove(seat)

    def position(self) -> str:
        return (
            f"round {self.round} of {self.playing} points {self.points} sealed {self.sealed} calls"
            f" {self.calls}"
        )

    def when(self) -> str:
        return f"round {self.round}"

    def period(self) -> int:
        return self.round

    def prompt(self, ask: Ask) -> str:
        return "show fingers, and call the sum of all"

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return {
            "when": self.when(),
            "points": self.points,
            "sealed": [SEATS[seat] for seat in self.sealed],
        }


class MorraRules(Rules):
    """Version 1."""

    name = "morra"
    version = 1
    title = "Morra"
    cards = ()
    settings: ClassVar = {"players": "how many play, 2 or 3"}
    defaults: ClassVar = {"players": 2}
    dice = False
    measure = "round"

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if strange := set(settings) - set(self.settings):
            raise ValueError(f"there is no setting {min(strange)}")
        if settings.get("players", 2) not in (2, 3):
            raise ValueError("2 or 3 can play")
        return SEATS[: settings.get("players", 2)]

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return ()

    def seals_choices(self, settings: Settings) -> bool:
        return True

    def begin(self, settings: Settings) -> Game:
        return Morra(settings.get("players", 2))

    def words(self, option: Option) -> str:
        return f"show {option[1]} call {option[2]}"

    def vocabulary(self) -> frozenset[str]:
        return frozenset({"show", "call", *map(str, range(1, 16))})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        keys = {"called": ("seat", "fingers", "call"), "right": ("seat", "points")}[event[0]]
        told = dict(zip(keys, event[1:], strict=True))
        return {"kind": event[0], **told, "seat": SEATS[told["seat"]]}


RULES = MorraRules()
