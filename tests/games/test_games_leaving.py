"""The door asks rules of three sides or more without own decks to go on without a seat that
leaves."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from engine.cards import Deck
from engine.flow import Ask, Card, Flow, Handle, Option, Outcome, Seat
from engine.rules import Game, Rules, Settings
from pbem.games import leaving, registry
from pbem.simulate import check_game
from tests.support.golden_words import Golden

TURNS = 60


class Passing(Game):
    """Everybody passes in turn; `leave` as in the guide for authors."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.turn = 0
        self.left: list[Seat] = []

    def flow(self) -> Flow[Outcome]:
        while self.turn < TURNS:
            seat = self.turn % self.seats
            self.turn += 1
            if seat not in self.left:
                yield Ask(seat, "pass", (("pass",), ("wait",)), (), (), lambda _card: ())
        return Outcome((), "everybody has passed")

    def position(self) -> str:
        return f"{self.turn} {self.left}"

    def when(self) -> str:
        return f"turn {self.turn}"

    def period(self) -> int:
        return self.turn

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return ()

    def faces(self) -> Mapping[Handle, Card]:
        return {}

    def prompt(self, ask: Ask) -> str:
        return "pass"

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return {"when": self.when()}


class Leaving(Passing):
    def leave(self, seat: Seat) -> None:
        self.left.append(seat)


class Deaf(Passing):
    """Asks on whoever has left."""

    def leave(self, seat: Seat) -> None:
        pass


class Raising(Passing):
    def leave(self, seat: Seat) -> None:
        raise KeyError(seat)


class PassingRules(Rules):
    name = "passing"
    version = 1
    title = "Passing"
    cards = ()
    settings: ClassVar[Mapping[str, str]] = {"players": "how many play, 2 to 4"}
    defaults: ClassVar[Mapping[str, int]] = {"players": 2}
    dice = False
    game: ClassVar[type[Passing]] = Passing

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if not 2 <= settings.get("players", 2) <= 4:
            raise ValueError("2 to 4 can play")
        return ("first", "second", "third", "fourth")[: settings.get("players", 2)]

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return ()

    def begin(self, settings: Settings) -> Game:
        return self.game(settings.get("players", 2))

    def words(self, option: Option) -> str:
        return str(option[0])

    def vocabulary(self) -> frozenset[str]:
        return frozenset({"pass", "wait"})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return {"kind": event[0]}


def rules_with(game: type[Passing]) -> Rules:
    return type("Made", (PassingRules,), {"game": game})()


def told(game: type[Passing]) -> list[str]:
    rules = rules_with(game)
    settings = leaving.leavable(rules)
    assert settings is not None and len(rules.seats(settings)) > 2
    return [
        problem
        for seed in range(10)
        for problem in leaving.problems_of_leaving(rules, settings, random.Random(seed), 200)
    ]


def test_rules_that_go_on_without_a_seat_hold() -> None:
    assert told(Leaving) == []


def test_rules_without_leave_are_told_by_name(golden: Golden) -> None:
    golden(*dict.fromkeys(told(Passing)))


def test_a_seat_that_has_left_is_never_asked(golden: Golden) -> None:
    golden(*dict.fromkeys(told(Deaf)))


def test_what_leave_raises_is_told_by_the_bench() -> None:
    with pytest.raises(KeyError):
        told(Raising)
    assert any(
        "KeyError" in problem for problem in check_game.check(rules_with(Raising), 12).problems
    )
    assert any(
        "no leave()" in problem for problem in check_game.check(rules_with(Passing), 12).problems
    )


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_built_in_games_go_on_where_they_have_to(game: str) -> None:
    rules = registry.newest(game)
    settings = leaving.leavable(rules)
    assert (settings is not None) == (game in ("any", "loot"))
    for seed in range(20 if settings is not None else 0):
        assert not list(
            leaving.problems_of_leaving(rules, settings or {}, random.Random(seed), 2000)
        )
