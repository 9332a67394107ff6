"""A stage for one turn of the bot: a position made to order, dice and cards by name, and what came
of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from engine.automaton import played_by
from engine.flow import Answer, Ask, Flow, Open, Pick, Roll
from engine.tripoli.cards import DECKS, NAMES
from engine.tripoli.pieces import (
    ALLIED,
    ARAB,
    CORSAIR,
    ENEMY_FRIGATE,
    FRIGATE,
    INFANTRY,
    LIMITS,
    SWEDE,
)
from engine.tripoli.places import COUNT as PLACES
from engine.tripoli.places import DERNE, GIBRALTAR_ZONE, SUPPLY
from engine.tripoli.places import WORDS as PLACE_WORDS
from engine.tripoli.tables import TRIPOLITAN
from engine.tripoli_solitaire import RULES
from engine.tripoli_solitaire.game import Solitaire
from engine.tripoli_solitaire.reactions import decide
from engine.tripoli_solitaire.sequence import bot_turn

KINDS = {
    "frigates": FRIGATE,
    "swedes": SWEDE,
    "corsairs": CORSAIR,
    "red frigates": ENEMY_FRIGATE,
    "allied": ALLIED,
    "arabs": ARAB,
    "infantry": INFANTRY,
}
PLACE = {name: place for place, name in enumerate(PLACE_WORDS)}
CARD = {name: card for card, name in enumerate(NAMES)}


class Stage:
    """A board with infantry only, one American frigate before Gibraltar (so that Murad Reis stays),
    and no corsair."""

    def __init__(self, year: int = 1802, season: int = 0) -> None:
        self.game = Solitaire({})
        game = self.game
        game.lay_out()
        game.story = []
        game.year, game.season, game.active = year, season, TRIPOLITAN
        for kind in (FRIGATE, CORSAIR):
            game.pieces[kind] = [0] * PLACES
            game.pieces[kind][SUPPLY] = LIMITS[kind]
        game.frigates, game.corsairs = game.pieces[FRIGATE], game.pieces[CORSAIR]
        game.place_new(FRIGATE, GIBRALTAR_ZONE, 1)
        game.story.clear()
        self.dice: list[int] = []
        self.drawn: list[str] = []
        self.rolls: list[tuple[str, int]] = []
        self.lines: list[dict[str, Any]] = []

    def has(self, kind: str, count: int, place: str) -> Stage:
        """Exactly so many pieces at a place, from or back to the Supply."""
        row = self.game.pieces[KINDS[kind]]
        row[SUPPLY] += row[PLACE[place]] - count
        row[PLACE[place]] = count
        return self

    def deal(self, *cards: str) -> Stage:
        """The bot's pile turns these over, in this order, and holds no others."""
        self.drawn = list(cards)
        handles: list[int] = []
        for name in cards:
            handle = next(
                h for h, c in self.game.opened.items() if c == CARD[name] and h not in handles
            )
            handles.append(handle)
        self.game.piles[TRIPOLITAN] = handles
        return self

    def american(self, *cards: str) -> Stage:
        """The American's hand, face up."""
        handles = self.game.new_handles(0, len(DECKS[0].contents))
        for handle, name in zip(handles, cards, strict=False):
            self.game.learn(handle, CARD[name])
            self.game.hands[0].append(handle)
        return self

    def capture_derne(self) -> Stage:
        self.game.pieces[INFANTRY][DERNE] = 0
        return self.has("arabs", 3, "derne")

    def lacks(self, *cards: str) -> Stage:
        """These have left the bot's lines before."""
        core, hand = self.game.core[TRIPOLITAN], self.game.hands[TRIPOLITAN]
        for card in (CARD[name] for name in cards):
            for row, thing in (
                (core, card),
                (self.game.added, card),
                (hand, self.game.known[card]),
            ):
                if thing in row:
                    row.remove(thing)
        return self

    def turn(self, *dice: int) -> Stage:
        """The bot's turn; dice that are not given are ones."""
        return self.run(bot_turn(self.game), *dice)

    def run(self, flow: Flow[Any], *dice: int) -> Stage:
        """Any stretch of play, with the bot's answers from its tables; the American answers by
        their last option."""
        self.dice = list(dice)
        try:
            for _ in self._play(played_by(self.game, TRIPOLITAN, partial(decide, self.game), flow)):
                pass
        finally:
            assert self.game.story is not None
            self.lines += [RULES.tell(event) for event in self.game.story]
            self.game.story.clear()
        return self

    def _play(self, flow: Flow[Any]) -> Iterator[None]:
        value: Any = None
        while True:
            try:
                request = flow.send(value)
            except StopIteration:
                return
            if isinstance(request, Roll):
                self.rolls.append((request.why, request.number))
                value = tuple(self.dice.pop(0) if self.dice else 1 for _ in range(request.number))
            elif isinstance(request, Pick):
                value = (self._pick(request),)
            else:
                assert isinstance(request, Ask) and request.seat != TRIPOLITAN, request
                assert not isinstance(request, Open)
                value = Answer(request.options[-1])
            yield

    def _pick(self, request: Pick) -> int:
        known = {self.game.opened[handle]: handle for handle in reversed(request.handles)}
        wanted = next((name for name in self.drawn if CARD[name] in known), None)
        if wanted is None:
            return request.handles[0]
        self.drawn.remove(wanted)
        return known[CARD[wanted]]

    # What came of it

    def fired(self) -> list[str]:
        """The lines of the table that fired, in order."""
        return [line["line"] for line in self.lines if line["kind"] == "fired"]

    def passed(self) -> dict[str, str]:
        """The lines passed over, and why."""
        return {line["line"]: line["why"] for line in self.lines if line["kind"] == "passed over"}

    def told(self, kind: str, key: str) -> list[Any]:
        """This fact of every line of that kind."""
        return [line[key] for line in self.lines if line["kind"] == kind]

    def count(self, kind: str, place: str) -> int:
        return self.game.pieces[KINDS[kind]][PLACE[place]]

    def waiting(self) -> list[str]:
        """The event card line after the core cards."""
        return [NAMES[card] for card in self.game.added]


def names(cards: Iterable[int]) -> list[str]:
    return [NAMES[card] for card in cards]
