"""Mails of the recorded games of Tripoli (`../shared/conformance`): our referee counts whose entry
is waited for, while dice, draws and answers come from the recording. These games are longer than
our own random ones, and they are what the goals for mails were worked out from.

Here a standing order answers what was recorded, so that every row plays the same games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.flow import Answer, Ask, Card, Handle, Seal, Seat
from engine.orders import Order
from engine.rules import Game, Settings
from engine.tripoli import RULES
from engine.tripoli.cards import MERCHANT_CONVERTED
from engine.tripoli.game import Tripoli, TripoliRules
from pbem.ledger.common_deck import EntryPart
from pbem.ledger.events import ChanceUse
from pbem.ledger.file_entry import EntrySource, NotInEntry
from pbem.ledger.referee import Referee
from tests.support.conformance_tripoli import WINDOWS, Mismatch, Replayer

GAMES = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "tripoli.jsonl"
Figure = tuple[str, str, str]
LEVELS = (
    ("no orders, no options", "", "3.36 worked out"),
    ("hits, battles, raids, merchant ship by orders", "losses", "2.55"),
    ("… and windows declined for good whose card is not held", "declining", "2.1"),
    ("… and windows settled ahead whose card is held", "all", "2.1"),
)
SETTLED = ("hits", "losses", "battle", "harbor")
_SEATS = ("american", "tripolitan")


class Recording(Replayer):
    """A recorded game that answers as asked; positions are not compared, for the hand limits may
    come later."""

    def __init__(self, record: dict[str, Any], game: Game, quick: bool) -> None:
        super().__init__(record)
        self.game = game
        self.events = (
            _quick(self.events)
            if quick
            else [event for event in self.events if "state" not in event]
        )
        self.declined: list[set[Card]] = [set(), set()]
        self._cut: tuple[Seat, str, list[str]] = (0, "", [])

    def next_state(self) -> dict[str, Any]:
        return {}

    def hand_limit(self, ask: Ask) -> Answer:
        seat, when, names = self._cut
        if (seat, when) != (ask.seat, self.game.when()) or not names:
            names = self.take("hand_limit", lambda event: event["seat"] == _SEATS[ask.seat])[
                "discard"
            ][:]
            self._cut = ask.seat, self.game.when(), names
        return Answer(("discard",), self.held(ask.hand, names.pop(0)))

    def declines(self, seat: Seat) -> None:
        """With its entry a seat declines for good what it does not hold."""
        held = {self.faces[back] for back in self.game.hand(seat)}
        self.declined[seat] |= {card for card in RULES.card_topics(seat) if card not in held}

    def decide(self, ask: Ask) -> Answer:
        return self.hand_limit(ask) if ask.rule == "hand limit" else super().decide(ask)


def _quick(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events with Tripolitania's hand limit just before its play."""
    moved: list[dict[str, Any]] = []
    waiting: list[dict[str, Any]] = []
    for event in events:
        if event.get("seat") == "tripolitan" and event.get("decision") == "hand_limit":
            waiting.append(event)
        elif "state" not in event:
            if event.get("seat") == "tripolitan" and event.get("decision") == "play":
                moved, waiting = moved + waiting, []
            moved.append(event)
    return moved


class Ordered(TripoliRules):
    """The rules with orders that answer what was recorded, as far as the level goes."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.recording: Recording

    def begin(self, settings: Settings) -> Tripoli:
        return OrderedGame(self, settings)

    def ordered(self, ask: Ask) -> Answer | None:
        return self.recording.decide(ask) if self._is_ordered(ask) else None

    def _is_ordered(self, ask: Ask) -> bool:
        if ask.rule not in WINDOWS:
            return bool(self.level) and ask.rule in SETTLED
        usable = [card for card in range(len(self.cards)) if ask.allows(card)]
        if self.level == "all" or usable == [MERCHANT_CONVERTED]:
            return bool(self.level)
        return self.level == "declining" and self.recording.declined[ask.seat].issuperset(usable)


class OrderedGame(Tripoli):
    """A game with these orders."""

    def __init__(self, rules: Ordered, settings: Settings) -> None:
        super().__init__(settings)
        self._rules = rules

    def obey(self, ask: Ask, given: Any) -> Answer | None:
        return self._rules.ordered(ask)


class CountingReferee(Referee):
    """The laws of whose turn it is, without their cryptography."""

    recording: Recording

    def __init__(self, *game: Any) -> None:
        super().__init__(*game)
        by_owner = self.opened.open

        def settle(chanced: ChanceUse, source: EntrySource) -> tuple[Handle, ...]:
            chance = self.randomness
            if source.seat in chance.missing() and chance.newest < source.number:
                chance.outputs[source.seat] = b""
            if chance.missing():
                raise NotInEntry
            taken: tuple[Handle, ...] = self.recording.answer(chanced.request)
            return taken

        def opened(handle: Handle, source: EntrySource) -> tuple[Card, bool]:
            by_order = self.turn.owner(handle) != source.seat
            return (self.recording.faces[handle], True) if by_order else by_owner(handle, source)

        self.randomness.settle = settle  # type: ignore[method-assign]
        self.opened.open = opened  # type: ignore[method-assign]
        self.opened._check_opening = lambda _handle, opening: opening[0]  # type: ignore[method-assign]


class Turn:
    """One entry that brings whatever is asked of its seat."""

    common: EntryPart

    def __init__(self, number: int, seat: Seat, recording: Recording) -> None:
        self.number, self.seat, self._recording = number, seat, recording

    def proof(self, alpha: bytes) -> bytes:
        self._recording.declines(self.seat)
        return b""

    def opening(self, handle: Handle) -> tuple[Card, bytes]:
        return self._recording.faces[handle], b""

    def seals(self, seal: Seal) -> tuple[bytes, ...]:
        return tuple(b"" for _ in seal.handles)

    def answer(self, position: Game, ask: Ask) -> Answer:
        self._recording.declines(self.seat)
        return self._recording.decide(ask)

    def orders(self) -> list[Order]:
        return []


def entries(record: dict[str, Any], level: str) -> tuple[int, int]:
    """Entries from the first play to the one that ends the game, and seasons begun."""
    rules = Ordered(level)
    settings = {"quick-hand-limit": 1} if level else {}
    referee = CountingReferee(rules, settings, b"", (b"a", b"t"))
    recording = referee.recording = rules.recording = Recording(record, referee.game, bool(level))
    referee.randomness.authors = [0]
    referee.start()
    while isinstance(referee.turn.request, Seal):  # the joins
        referee.take(
            Turn(len(referee.randomness.authors), referee.turn.waits_for() or 0, recording)
        )
    first = len(referee.randomness.authors)
    while (seat := referee.turn.waits_for()) is not None:
        source = Turn(len(referee.randomness.authors), seat, recording)
        referee.take(source)
        referee.seal_early(source)
    return len(referee.randomness.authors) - first, referee.game.period()


def figures() -> list[Figure]:
    if not GAMES.exists():
        return [("the recorded games are not there", "", str(GAMES.name))]
    records = [json.loads(line) for line in GAMES.read_text(encoding="utf-8").splitlines()]
    return [_figure(records, *row) for row in LEVELS]


def _figure(records: Sequence[dict[str, Any]], what: str, level: str, goal: str) -> Figure:
    """Where the quick hand limit lets a recorded choice come too late to be made, the game is left
    out."""
    total = seasons = told = 0
    for record in records:
        try:
            count, length = entries(record, level)
        except Mismatch:
            continue
        total, seasons, told = total + count, seasons + length, told + 1
    return (f"{what} ({told} games)", f"{total / seasons:.2f}", goal)
