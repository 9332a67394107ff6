"""A small game for three to eight, without cards or dice: each in turn shows fingers, the second
seat first. With it joining is tried thousands of times."""

from __future__ import annotations

from typing import ClassVar, Final

import morra
from morra.game import CALLS, Morra, MorraRules

from engine.flow import Ask, Flow, Outcome
from engine.rules import Game, Settings
from pbem.games.descriptor import API, CommandOption, GameDescriptor

SEATS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Lots(Morra):
    """One round, in which everybody sees what is called."""

    def flow(self) -> Flow[Outcome]:
        self.round, seats = 1, len(self.points)
        for step in range(1, seats + 1):
            seat = step % seats
            if seat in self.playing and (answer := (yield Ask(seat, "call", CALLS[:2]))):
                self.points[seat] = answer.option[2]
        return Outcome(tuple(self.playing), "all have called", tuple(self.points))


class LotsRules(MorraRules):
    """Version 1."""

    name = "lots"
    title = "Lots"
    settings: ClassVar = {"players": "how many play, 3 to 8"}
    defaults: ClassVar = {"players": 3}

    def seats(self, settings: Settings) -> tuple[str, ...]:
        return SEATS[: settings.get("players", 3)]

    def seals_choices(self, settings: Settings) -> bool:
        return False

    def begin(self, settings: Settings) -> Game:
        return Lots(settings.get("players", 3))


RULES = LotsRules()
GAME = GameDescriptor(
    api=API,
    name="lots",
    rules={1: "lots:RULES"},
    templates=morra.GAME.templates,
    board=morra.GAME.board,
    options=(CommandOption("players", "How many play.", "number"),),
    help="help.txt",
)
