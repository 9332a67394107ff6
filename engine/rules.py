"""What every game offers to those who play, record or show it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from engine.cards import Deck
from engine.flow import (
    Answer,
    Ask,
    Card,
    Flow,
    Handle,
    Illegal,
    Option,
    Outcome,
    Pick,
    Roll,
    Seal,
    Seat,
)
from engine.options import LegalAnswers
from engine.orders import ASK, HandleOf, Order, Orders, split_order
from engine.requirements import Use
from engine.words import SMALL, pick_sentence

Settings = Mapping[str, int]
"""Options chosen when the game was made: name to value; a switch that is on has the value 1."""


def is_on(settings: Settings, name: str) -> bool:
    """Whether a switch is on. Raises `ValueError` for a value that is neither on nor off."""
    value = settings.get(name, 0)
    if value not in (0, 1):
        raise ValueError(f"{name} is 0 or 1")
    return value == 1


class BadData(ValueError):
    """Data of a game's own do not hold. `line` counts the lines from 0."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


class Game(ABC):
    """The public position of one game in progress, and what depends on it: the question in words,
    what each viewer sees, what standing orders answer. The generator of `flow` changes it. What is
    the same for every position of a game is asked of its `Rules`."""

    story: list[tuple[Any, ...]] | None = None
    """The list to which the rules append what happened, as tuples of a kind and small integers;
    None if nobody reads it."""

    def note(self, *event: Any) -> None:
        """Add what happened to the story, if anybody reads it."""
        if self.story is not None:
            self.story.append(event)

    @abstractmethod
    def flow(self) -> Flow[Outcome]:
        """The whole game, from set-up to its end."""

    @abstractmethod
    def position(self) -> str:
        """The public position as one line of ASCII, the same on every machine and in every version
        that replays this rules version. Its digest stands in every entry."""

    def when(self) -> str:
        """Where in the game we are, in the game's own measure: `Spring 1803`, `turn 17`."""
        return f"turn {self.period()}"

    @abstractmethod
    def period(self) -> int:
        """How many seasons (or turns) were begun: where in the game we are, as a number that
        grows."""

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        """The backs of the cards in a seat's hand: what everybody may count."""
        return ()

    def may_pause(self) -> bool:
        """Whether a player who is alone may end an entry at this question, after answering others:
        for games that can ask many questions without a die."""
        return False

    def coming_seals(self) -> Iterator[Seal]:
        """Piles that will be shuffled later and whose cards are known now, so that their owner can
        seal them with an earlier entry. Such a seal is used only if its sources are the same when
        the pile is shuffled."""
        return iter(())

    def faces(self) -> Mapping[Handle, Card]:
        """Every card that was opened for everybody."""
        return {}

    def prompt(self, ask: Ask) -> str:
        """The question in words, without a full stop: "take the hits, two left". The name of its
        rule, unless a game has better ones."""
        return ask.rule

    def words(self, option: Option) -> str:
        """The option as a player would type it in this position, for a notation that looks at it
        (`Nbxd7+`). Empty where no position is needed: then `Rules.words` says it. It is asked while
        the question waits, and what it said is kept; nobody asks once the answer has taken
        effect."""
        return ""

    @abstractmethod
    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        """The position for somebody: plain data for a template or JSON. `faces` are the cards the
        viewer knows."""

    def respelled(self, ask: Ask, text: str) -> str:
        """The canonical sentence of the answer that a text means, in games in which one answer can
        be written in several ways; otherwise the text itself. `engine.notation` then reads the
        result, so nothing may be guessed here."""
        return text

    def why_refused(self, ask: Ask, text: str) -> str:
        """Why this answer cannot be taken: one reason, with the number of the ruling. In brackets
        if it only adds to the general refusal; empty if the game has nothing to add."""
        return ""

    def occasion(self, request: Roll | Pick) -> str:
        """What dice or cards of chance are for, in words and with the place: "naval battle at
        Tripoli"."""
        return request.why

    def opening(self, handle: Handle) -> str | None:
        """What the card's owner is to open, in words, for games in which the card's handle would
        mean nothing to a reader."""
        return None

    def obey(self, ask: Ask, given: Orders) -> Answer | None:
        """The answer that the asked seat's orders give, or None if they leave the question open."""
        return None

    def cards_out(self, seat: Seat) -> Collection[Card]:
        """Those of the seat's `Rules.card_topics` that have left the game, as everybody knows: an
        order about them would do nothing."""
        return ()

    def card_uses(
        self, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        """The ways in which `seat` can use a card, each with what is missing for it now: by the
        predicates that the rules themselves ask. `ask` is the question that is open; `held` are the
        cards that the seat could use there, None for somebody who does not know them; an onlooker
        has no seat. Empty for a game that explains no cards."""
        return ()

    def tally(self) -> dict[str, int]:
        """What a simulation counts at the end of a game, besides who won and how."""
        return {}

    def spread(self) -> dict[str, int]:
        """What a simulation sums up by its range at the end of a game, where an average would tell
        little."""
        return {}

    def is_played_out(self) -> bool:
        """Whether nothing is left to decide, even if the rules still throw dice or open cards:
        everybody may reveal everything then (docs/format.md, section 8). A game that never says so
        is played out when its flow ends."""
        return False

    def leave(self, seat: Seat) -> None:
        """A seat has left, and the others play on: it decides, draws and wins nothing any more
        (docs/format.md, section 8). Called where the rules wait for something; a question that
        waits is then answered with None.

        Only for games of three sides or more in which no seat has an own deck.
        """
        raise NotImplementedError(f"{type(self).__name__} does not go on without a seat")


class MailWay(NamedTuple):
    """One way to settle in advance what would otherwise cost a mail, for simulations that compare
    such ways: the options that the game is played with, the standing orders that every seat gives,
    and those that seats keep to without giving them."""

    settings: Settings
    orders: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class Rules(ABC):
    """One game and one version of its rules. Holds no state: what depends on a position is asked of
    the `Game`. A game must have a `name`, a `title`, the names of its seats and `begin`."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    title: ClassVar[str]
    seat_names: ClassVar[tuple[str, ...]] = ()
    """What `seats` gives where the options make no difference."""
    cards: ClassVar[tuple[str, ...]] = ()
    """Card names by `Card`."""
    settings: ClassVar[Mapping[str, str]] = {}
    """The options a game can be made with, each with a line that says what it does."""
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """The least and the most of a setting; one without limits is a switch, 0 or 1."""
    defaults: ClassVar[Mapping[str, int]] = {}
    """The value of an option that was not chosen, if it is not 0."""
    dice: ClassVar[bool] = True
    """Whether dice are thrown in this game."""
    reasons: ClassVar[tuple[str, ...]] = ()
    """What dice are thrown and cards are picked for, as keys of lower-case letters, digits and "-":
    the `reason` of a `Roll` or `Pick` is one of them. They are signed (docs/format.md, section 18),
    so they are never reworded or left out while games of this version exist; the words for readers
    (`Roll.why`) may be. With none no purpose is signed."""
    measure: ClassVar[str] = "turn"
    """What `Game.period` counts, in one word."""
    pattern: ClassVar[str] = ""
    """A regular expression for words of answers that are too many for the vocabulary, as they are
    typed: moves of chess. With one the game reads its answers itself (`engine.options.Notation`):
    what a reader may leave out is then the game's to say."""
    distinctive_words: ClassVar[frozenset[str]] = frozenset()
    """Words that may not be left out of an answer, because without them it could mean another one:
    "tunis" never means "tunis zone"."""
    small_words: ClassVar[frozenset[str]] = SMALL
    """Words that readers may leave out anywhere, because no two answers differ in them alone."""
    order_ways: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Standing orders that are one of a few words: by topic, what can be ordered."""
    keeps_rules: ClassVar[bool] = True
    """Whether the rules know how the game is played. If not, its players keep its rules themselves,
    and whoever checks such a game is told what was checked."""
    unit: ClassVar[str] = "points"
    """What the points of an `Outcome` are called."""

    def with_data(self, lines: Sequence[str]) -> Rules:
        """These rules with data that the players bring, for games that take any (docs/format.md,
        section 4). Raises `BadData`."""
        if lines:
            raise BadData(f"{self.title} takes no data", 0)
        return self

    def unfinished(self) -> Mapping[str, str]:
        """Files of the players' data that are only partly filled in, each with what is missing. A
        new game is made without them."""
        return {}

    def notices(self) -> Sequence[str]:
        """What a player who makes a new game should know about it, in sentences."""
        return ()

    def seats(self, settings: Settings) -> tuple[str, ...]:
        """Names of the seats in order of play, one lower-case word each. Raises `ValueError` if no
        game can be made with these options: here, one that there is not or that is out of its
        limits."""
        for name, value in settings.items():
            if name not in self.settings:
                raise ValueError(f"there is no setting {name}")
            least, most = self.limits.get(name, (0, 1))
            if not least <= value <= most:
                raise ValueError(f"{name} is {least} {'to' if most > 1 else 'or'} {most}")
        return self.seat_names

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        """The decks, their owners and contents."""
        return ()

    @abstractmethod
    def begin(self, settings: Settings) -> Game:
        """A new game."""

    def words(self, option: Option) -> str:
        """The option as a player would type it: its parts, unless a game says it otherwise; words
        that look at the position are those of `Game.words`. `{}` stands where the name of a card of
        the hand goes, in options of `Ask.spend` only: those of `Ask.allows` name their card
        themselves."""
        return " ".join(map(str, option))

    def shapes(self, sentences: Sequence[str]) -> Sequence[str]:
        """How the legal answers of one question are listed for a reader, where there may be too
        many to read."""
        return sentences

    def vocabulary(self) -> frozenset[str]:
        """Every word that occurs in any answer of this game, as `engine.words.tokens` spells it,
        but for those of its `pattern`. It tells a text that is no sentence of the game from one
        that is not legal now. Empty: every word may be one of the game."""
        return frozenset()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        """A line of the story as names and numbers for a template: `{"kind": …, …}`. Unless a game
        says otherwise it notes what a seat did as `note(verb, seat, *objects)`, and that is the
        sentence: `note("lays a stone on", 0, "f6")`. Two names in a tuple are a way from the one to
        the other, which the film shows: `note("moves", 0, ("d1", "d7"))`. The seat is None where
        nobody did it."""
        kind, seat, *objects = event
        name = None if seat is None else self.seat_names[seat]
        ways = [list(one) for one in objects if isinstance(one, tuple)]
        said = [f"from {one[0]} to {one[1]}" if isinstance(one, tuple) else one for one in objects]
        return {"kind": kind, "seat": name, "objects": said, "ways": ways}

    def settings_in_words(self, settings: Settings) -> list[str]:
        """What the game was made with, as a player would say it: `hidden discard`, `4 players`."""
        words = {name: name.replace("-", " ").replace("_", " ") for name in settings}
        return [
            words[name] if value == 1 else f"{words[name]} {value}"
            for name, value in sorted(settings.items())
        ]

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        """What a seat may give standing orders about (`engine.orders`)."""
        return tuple(self.order_ways)

    def preference_topics(self, seat: Seat) -> Mapping[str, tuple[str, ...]]:
        """Topics of orders that are lists of preferences, with all that can be preferred."""
        return {}

    def card_topics(self, seat: Seat) -> tuple[Card, ...]:
        """Cards that an order may decline to play, or play."""
        return ()

    def eager_cards(self, seat: Seat) -> tuple[Card, ...]:
        """Those of `card_topics` that are always best played at once."""
        return ()

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        """An order in words, forgiving as answers are: here, one of `order_ways`. Raises a
        `Refusal`."""
        if not self.order_ways:
            raise Illegal(f"{self.title} takes no standing orders")
        topic, rest = split_order(text, self.order_ways)
        way = pick_sentence(rest, (*self.order_ways[topic], ASK))
        return Order(topic, f"{topic}: {way}", () if way == ASK else (way,))

    def ways_by_mail(self) -> Mapping[str, MailWay]:
        """Ways to play by mail that a simulation compares, by name. Empty if the game's orders are
        compared by how many questions they answer."""
        return {}

    def table_cards(self) -> Mapping[str, str]:
        """Cards that lie with the players, not in a deck, and whose use the players report; each
        with what it does. In `Game.card_uses` their numbers follow those of `cards`."""
        return {}

    def accepts_draw(self, given: Orders) -> bool:
        """Whether a seat's orders accept a draw that is offered now."""
        return False

    def side(self, settings: Settings, seat: Seat) -> int:
        """Which side a seat plays for: seats of one side win and lose together."""
        return seat

    def played_by_rules(self, settings: Settings) -> tuple[Seat, ...]:
        """Seats with nobody behind them: their answers come from the rules, and they have no
        key."""
        return ()

    def seals_choices(self, settings: Settings) -> bool:
        """Whether the game asks sealed questions (`engine.flow.Ask.sealed`). Its players reveal a
        root at the end."""
        return False

    def has_chance(self, settings: Settings) -> bool:
        """Whether chance has a part in the game once it is set up. Where it has none, and nothing
        is hidden, players may prepare answers to turns to come."""
        return self.dice

    def is_by_hand(self, settings: Settings) -> bool:
        """Whether players throw dice and draw cards of chance themselves and enter them: nothing
        proves such a game."""
        return False

    def bystanders(self, settings: Settings) -> tuple[Seat, ...]:
        """Seats that decide nothing and only give proofs: witnesses of somebody else's game."""
        return ()

    def may_see(self, settings: Settings, viewer: Seat, seat: Seat) -> bool:
        """Whether the rules show `seat`'s hand to `viewer`."""
        return viewer == seat


def words_of(rules: Rules, game: Game, option: Option) -> str:
    """How an option is entered in the position of `game`, in which it is asked for."""
    return game.words(option) or rules.words(option)


def legal_answers(ask: Ask, faces: Mapping[Handle, Card]) -> list[Answer]:
    """A list of every legal answer of a seat that knows the cards of its hand, as `LegalAnswers`
    counts them."""
    return list(LegalAnswers(ask, faces))
