"""A stage for one rule: a position made to measure, entered answers, and dice from a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.flow import Answer, Ask, Draw, Flow, Handle, Open, Outcome, Pick, Request, Roll, Seal
from engine.notation import sentences, understand
from engine.tripoli import RULES
from engine.tripoli.cards import DECKS, NAMES
from engine.tripoli.game import Tripoli
from engine.tripoli.pieces import LIMITS
from engine.tripoli.places import SUPPLY
from engine.tripoli.position import GameOver


class Stage:
    """A game whose cards and dice the test decides, and a record of what the rules asked for."""

    def __init__(self, **settings: int) -> None:
        self.game = Tripoli({name.replace("_", "-"): value for name, value in settings.items()})
        self.game.story = []
        self.faces: dict[Handle, int] = {}
        self.log: list[str] = []
        """Every request: `ask american hits`, `roll 2 Storms`, `open a3` …"""
        self.prompts: list[str] = []

    # ---- making a position -----------------------------------------------------------------------

    def clear(self) -> Stage:
        """An empty board."""
        for row, limit in zip(self.game.pieces, LIMITS, strict=True):
            row[:] = [0] * len(row)
            row[SUPPLY] = limit
        return self

    def put(self, kind: int, place: int, count: int) -> Stage:
        self.game.place_new(kind, place, count)
        return self

    def at(self, year: int, season: int = 0) -> Stage:
        self.game.year, self.game.season = year, season
        return self

    def _back(self, seat: int, name: str) -> Handle:
        (handle,) = self.game.new_handles(seat, 1)
        self.faces[handle] = NAMES.index(name)
        self.game.drawn[handle] = self.game.period()
        return handle

    def deal(self, seat: int, *names: str) -> Stage:
        """Cards for a hand, unseen."""
        self.game.hands[seat] += [self._back(seat, name) for name in names]
        return self

    def discard(self, seat: int, *names: str, seen: bool = True) -> Stage:
        """Cards for a discard."""
        for name in names:
            handle = self._back(seat, name)
            self.game.discards[seat].append(handle)
            if seen:
                self.game.learn(handle, self.faces[handle])
        return self

    # ---- playing ---------------------------------------------------------------------------------

    def run(
        self, flow: Flow[Any], answers: Iterable[str] = (), dice: Iterable[str] = ()
    ) -> Outcome | None:
        """Play a stretch: one entered answer for each question, one string of dice for each roll;
        all must be used."""
        entered, rolls = list(answers), list(dice)
        outcome = None
        try:
            request: Request = next(flow)
            while True:
                request = flow.send(self._answer(request, entered, rolls))
        except StopIteration:
            pass
        except GameOver as end:
            outcome = end.outcome
        assert not entered, f"not asked for: {entered}; log {self.log}"
        assert not rolls, f"not rolled: {rolls}; log {self.log}"
        return outcome

    def _answer(self, request: Request, entered: list[str], rolls: list[str]) -> Any:
        if isinstance(request, Ask):
            self.log.append(f"ask {request.seat} {request.rule}")
            self.prompts.append(self.game.prompt(request))
            assert entered, f"no answer left at {self.log}"
            return self.understood(request, entered.pop(0))
        if isinstance(request, Roll):
            self.log.append(f"roll {request.number} {request.why}")
            assert rolls, f"no dice left at {self.log}"
            dice = tuple(int(die) for die in rolls.pop(0))
            assert len(dice) == request.number, self.log[-1]
            return dice
        if isinstance(request, Open):
            self.log.append(f"open {NAMES[self.faces[request.handle]]}")
            return self.faces[request.handle]
        if isinstance(request, Pick):
            self.log.append("pick")
            return request.handles[: request.number]
        if isinstance(request, Draw):
            self.log.append(f"draw {request.seat} {request.number}")
            return request.pile[: request.number]
        assert isinstance(request, Seal)
        self.log.append(f"seal {request.deck} {len(request.handles)}")
        cards = [self.faces[handle] for handle in request.sources] or list(
            DECKS[request.deck].contents
        )
        self.faces.update(zip(request.handles, cards, strict=True))
        return None

    def legal(self, ask: Ask) -> dict[str, Answer]:
        return sentences(RULES, self.game, ask, self.faces)

    def understood(self, ask: Ask, text: str) -> Answer:
        return understand(RULES, text, self.legal(ask))

    # ---- looking ---------------------------------------------------------------------------------

    def asked(self) -> list[str]:
        return [line[4:] for line in self.log if line.startswith("ask ")]

    def rolled(self) -> list[str]:
        return [line.split(" ", 2)[2] for line in self.log if line.startswith("roll ")]

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The lines of the story of one kind."""
        assert self.game.story is not None
        return [told for told in map(RULES.tell, self.game.story) if told["kind"] == kind]

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        return self.game.view(viewer, {})


def first_ask(stage: Stage, flow: Flow[Any]) -> Ask:
    """The first question of a stretch of play."""
    request: Request = next(flow)
    assert isinstance(request, Ask)
    return request
