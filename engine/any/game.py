"""The game as its players play it, act by act, and its rules as the rest of the program sees
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from engine.any import acts, card_acts, setup_lines, view
from engine.any.acts import NOBODY
from engine.any.card_acts import FACE_DOWN, PUT, TARGETS
from engine.any.cards import LaidDeck
from engine.any.forms import forms
from engine.any.listed import listed
from engine.any.position import Position, Question, Throw
from engine.any.setup import MOST_SEATS, CardDeck, Setup, without_setup
from engine.cards import Deck
from engine.flow import Ask, Card, Flow, Handle, Illegal, Option, Outcome, Refusal, Roll, Seat
from engine.options import Notation
from engine.rules import Game, Rules, Settings

UNNAMED: Final = "roll"
"""What is signed as the purpose of dice that are thrown for nothing that has a name."""


class AnyGame(Position):
    """One game, until its players agree how it ended."""

    def flow(self) -> Flow[Outcome]:
        yield from self.cards.deal()
        self.note("turn", self.turns, self.setup.seats[self.turn])
        while self.outcome is None:
            seat = self.acts_now()
            answer = yield self._ask(seat)
            if answer is None:
                continue
            if answer.handle is not None:
                yield from self._use(seat, answer.option, answer.handle)
                continue
            if reason := self.why_not(seat, answer.option):
                raise Illegal(reason)
            yield from self._act(seat, answer.option)
        return self.outcome

    def _ask(self, seat: Seat) -> Ask:
        """The player is asked for their next act."""
        rule = "end" if self.claim else "asked" if self.question else "turn"
        options = Notation(
            listed(self, seat),
            lambda text: acts.read(self.setup, seat, text),
            lambda option: acts.words(self.setup, option),
            lambda option: self.why_not(seat, option),
        )
        hand = () if self.claim else self.cards.hand(seat)
        spend = card_acts.spent(self.setup) if hand else ()
        return Ask(seat, rule, options, hand, spend, card_acts.allowed)

    def _use(self, seat: Seat, option: Option, handle: Handle) -> Flow[None]:
        """What an act does with a card of the hand."""
        who, deck = self.setup.seats[seat], self.cards.deck_of(handle)
        if option == FACE_DOWN:
            self.cards.put(handle, "discard")
            self.note("discards unseen", who, self.setup.decks[deck.deck].name)
            return
        if option in PUT:
            self.cards.put_on(handle, option[1])
            self.note("puts", who, option[1], self.setup.decks[deck.deck].name)
            return
        verb, named = option
        card = yield from self.cards.open(handle)
        if card != named:
            raise Illegal(f"that card is {self.setup.card_names[card]}")
        if verb != "show":
            self.cards.put(handle, TARGETS[verb])
        self.note(verb, who, [self.setup.card_names[card]])

    def _act_with_cards(self, seat: Seat, option: Option) -> Flow[None]:
        """What an act with cards does that needs none of the hand."""
        names, who = self.setup.card_names, self.setup.seats[seat]
        match option:
            case ("draw", number, count, then):
                yield from self._draw(seat, number, count)
                if then != NOBODY:
                    self.pass_to(then)
            case ("shuffle", number, source):
                count = yield from self.cards.shuffle(self._deck(seat, number), source)
                self.note("shuffles", who, count, self.setup.decks[number].name, source)
            case ("look", number, count):
                yield from self.cards.look(self._deck(seat, number), seat, count)
                self.note("looks", who, count, self.setup.decks[number].name)
            case ("top", number, place, where):
                deck = self._deck(seat, number)
                self.cards.move_top(deck, seat, place, where)
                self.note("moves top", who, place, where, self.setup.decks[number].name)
            case ("reveal",):
                shown = []
                for handle in self.cards.hand(seat):
                    shown.append(names[(yield from self.cards.open(handle))])
                self.note("reveals", who, shown)
            case ("move", verb, card, area):
                found = self.cards.find(seat, card, area)
                assert found is not None
                if verb == "take":
                    self.cards.take(seat, found)
                else:
                    self.cards.put(found, TARGETS[verb])
                self.note("moves", who, names[card], verb, area)

    def _draw(self, seat: Seat, number: int, count: int) -> Flow[None]:
        """Cards go to the hand; those of a deck that is face up to the table."""
        deck, kind = self._deck(seat, number), self.setup.decks[number]
        if kind.face_up:
            shown = yield from self.cards.turn_up(deck, seat, count)
            names = [self.setup.card_names[card] for card in shown]
            self.note("turns up", self.setup.seats[seat], names, kind.name)
        else:
            yield from self.cards.draw(deck, seat, count)

    def _deck(self, seat: Seat, number: int) -> LaidDeck:
        deck = self.cards.of(seat, number)
        assert deck is not None
        return deck

    def _act(self, seat: Seat, option: Option) -> Flow[None]:
        """What an act does."""
        match option:
            case ("roll", thrown, name, then):
                numbers: tuple[int, ...] = yield Roll(
                    seat, thrown.thrown, name or "a roll", thrown.die.sides, reason=name or UNNAMED
                )
                self.throw = Throw(seat, name, thrown, numbers)
                self.note(*view.event_of(self.setup.seats[seat], self.throw))
                if then != NOBODY:
                    self.pass_to(then)
            case ("count", counter, owner, by):
                self.count(counter, owner, self.values[counter, owner] + by)
            case ("set", counter, owner, to):
                self.count(counter, owner, to)
            case ("turn", other):
                self.pass_to(other)
            case ("ask", other, text):
                self.question = Question(seat, other, text)
                self.note("asks", self.setup.seats[seat], self.setup.seats[other], text)
            case ("answer", text):
                self.answer(text)
            case ("decline",):
                self.answer("")
            case ("end", winners, points):
                self.say_end(seat, winners, points)
            case (("agree" | "disagree") as verb,):
                self.agree(seat, verb == "agree")
            case _:
                yield from self._act_with_cards(seat, option)

    def prompt(self, ask: Ask) -> str:
        if self.claim is not None:
            how = acts.claim_words(self.setup, self.claim.winners, self.claim.points)
            return f"agree, or disagree, that it ended so: {how}"
        if self.question is not None:
            asker = self.setup.seats[self.question.asker]
            return f'reply to, or decline, what {asker} asks: "{self.question.text}"'
        cards = "draw, play, discard, " if self.cards.decks else ""
        return f"roll, {cards}count, ask, say whose turn it is, or how it ended"

    def respelled(self, ask: Ask, text: str) -> str:
        try:
            return acts.words(self.setup, acts.read(self.setup, ask.seat, text))
        except Refusal:
            return text

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return view.view(self, viewer, faces)

    def tally(self) -> dict[str, int]:
        return {"turns": self.turns}


class AnyRules(Rules):
    """The rules that the program has for a game whose rules are its players': each setup has its
    own, because its names are words of the game."""

    name = "any"
    version = 1
    settings = MappingProxyType({"players": "how many play, 2 to 8; a setup says it itself"})
    defaults = MappingProxyType({"players": 2})
    keeps_rules = False

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup
        self._vocabulary: frozenset[str] | None = None
        titled = "" if setup is None else setup.title
        self.title = f"{titled}, any game" if titled else "Any game"  # type: ignore[misc]
        rolls = () if setup is None else tuple(one.name for one in setup.rolls)
        drawn = () if setup is None else tuple(one.name for one in setup.decks if one.face_up)
        self.reasons = (UNNAMED, *rolls, *drawn)  # type: ignore[misc]
        self.cards = () if setup is None else setup.card_names  # type: ignore[misc]

    def with_data(self, lines: Sequence[str]) -> Rules:
        return _with_data(type(self), tuple(lines)) if lines else self

    def notices(self) -> Sequence[str]:
        return (
            "The program knows no rules of this game: you and the others keep them. It proves dice,"
            " keeps what you count, and who wrote what in which order.",
            "A throw is a mail there and one back: seconds, where the others' programs answer by"
            " themselves, as the page of this game tells.",
        )

    def _setup(self, settings: Settings) -> Setup:
        players = settings.get("players", self.defaults["players"])
        if self.setup is None:
            if not 2 <= players <= MOST_SEATS:
                raise ValueError(f"2 to {MOST_SEATS} play")
            return without_setup(players)
        if settings.get("players", len(self.setup.seats)) != len(self.setup.seats):
            raise ValueError("the setup says who plays, so leave --players out")
        return self.setup

    def seats(self, settings: Settings) -> tuple[str, ...]:
        return self._setup(settings).seats

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return self._setup(settings).laid_decks()

    def begin(self, settings: Settings) -> Game:
        return AnyGame(self._setup(settings))

    def words(self, option: Option) -> str:
        return acts.words(self._of_words, option)

    def shapes(self, sentences: Sequence[str]) -> Sequence[str]:
        return forms(sentences)

    @property
    def _of_words(self) -> Setup:
        """The setup by whose names acts are written."""
        return self.setup or without_setup(MOST_SEATS)

    def vocabulary(self) -> frozenset[str]:
        if self._vocabulary is None:
            self._vocabulary = vocabulary(self._of_words)
        return self._vocabulary

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def settings_in_words(self, settings: Settings) -> list[str]:
        players = len(self._setup(settings).seats)
        setup = self.setup
        if setup is None:
            return [f"{players} players"]
        dice = [f"dice {', '.join(setup.dice)}"] if setup.dice else []
        rolls = [f"rolls {', '.join(one.name for one in setup.rolls)}"] if setup.rolls else []
        counters = [
            f"{one.name} {one.least} to {one.most}" + (" each" if len(one.owners) > 1 else "")
            for one in setup.counters
        ]
        decks = [f"{len(one.cards)} cards {one.name}{_whose(one)}" for one in setup.decks]
        return [f"{players} players", *dice, *rolls, *counters, *decks]


def _whose(deck: CardDeck) -> str:
    """What is said of a deck after its name: who has it."""
    if deck.face_up:
        return " face up"
    if deck.is_shared:
        return " of all"
    return " each" if len(deck.owners) > 1 else ""


@lru_cache(maxsize=8)
def _with_data(version: type[AnyRules], lines: tuple[str, ...]) -> AnyRules:
    return version(setup_lines.read(lines))


def vocabulary(setup: Setup) -> frozenset[str]:
    """Every word of an act, but for what players ask, answer and count."""
    game = AnyGame(setup)
    offered = [option for seat in range(len(setup.seats)) for option in listed(game, seat)]
    offered += [("answer", "yes"), ("answer", "no"), ("decline",), ("agree",), ("disagree",)]
    offered += [
        (verb, number, owner, by)
        for number, owner in setup.counted()
        for verb, by in (("count", 1), ("count", -1))
    ]
    fixed = "roll throw then turn ask answer decline end wins win and draw a agree disagree for to"
    with_cards = "draw shuffle discard into play discard face down remove show reveal hand take"
    on_decks = "look at top put on under the deck in hand"
    areas = "from table discard out of the game card"
    return (
        frozenset(f"{fixed} {with_cards} {on_decks} {areas}".split())
        | setup.words_of_cards()
        | {word for option in offered for word in acts.words(setup, option).split()}
    )


RULES = AnyRules()
