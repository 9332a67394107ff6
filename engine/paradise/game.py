"""A game in progress: the script of `engine.paradise.sequence`, reports that are taken back, and
the rules as the rest of the program sees them.

A slip at the table is taken back with `undo`: the last report is dropped and the script runs again
from the start with the reports that are left. Dice that were thrown and chits that were drawn are
kept in their order and used first, so that nothing is thrown again; new ones come under the
corrected report. Of several reports that were taken back, those after the one that was wrong are
given again by `again`, one by one (paradise ruling 20).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.cards import Deck, number_of
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Pick, Request, Roll, Seat
from engine.options import Chain
from engine.paradise import cards, data, data_lines, notation, questions, view
from engine.paradise.notation import words
from engine.paradise.options import FACES
from engine.paradise.position import DECKS, ParadisePosition, Realm, Report
from engine.paradise.sequence import whole_game
from engine.paradise.tables import (
    AGAIN,
    MOST_UNDOS,
    NEWEST,
    REASONS,
    SAMOA,
    SEATS,
    SETTINGS,
    TONGA,
    UNDO,
    WITNESS,
)
from engine.requirements import Use
from engine.rules import Game, Rules, Settings, is_on
from engine.words import tokens

_UNDOING: Final = (UNDO,)
_CONFIRMING: Final = (AGAIN,)
BY_HAND: Final = ("die", "chit")
"""Reports of a die or a chit of the player's own."""


class Paradise(ParadisePosition):
    """One game: the script, and the reports that the player takes back."""

    def prompt(self, ask: Ask) -> str:
        question = questions.prompt(self.realm, ask)
        place = self._confirmable(ask)
        return (
            question
            if place is None
            else f"{question}; again confirms: {words(self.data, self.unsaid[place].option)}"
        )

    def why_refused(self, ask: Ask, text: str) -> str:
        return questions.why_refused(self, ask, text)

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return view.view(self)

    def card_uses(
        self, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        return cards.uses(self.realm, ask, card)

    def tally(self) -> dict[str, int]:
        return {
            "chits drawn": len(self.realm.drawn),
            "villages of Samoa": sum(group.villages for group in self.realm.groups.values()),
            "reports taken back": self.undos,
            "facts corrected": self.realm.corrections,
        }

    # ---- the script and what is taken back

    def flow(self) -> Flow[Outcome]:
        """The script, from the start again after each undo."""
        while True:
            outcome = yield from self._run()
            if outcome is not None:
                return outcome

    def _run(self) -> Flow[Outcome | None]:
        """Run the script once. Returns None if a report was taken back."""
        realm = self.realm = Realm(self.data, self.settings, self.version)
        script = whole_game(realm)
        self.dice_used = self.chits_used = self._at = 0
        value: Any = None
        try:
            while True:
                realm.story = self.story if self._telling else None
                request: Request = script.send(value)
                realm.story = self.story if self._telling else None
                if isinstance(request, Ask):
                    option = yield from self._answer(request)
                    value = None if option == UNDO else Answer(option)
                elif self.own_dice:
                    value = yield from self._by_hand(request)
                elif isinstance(request, Roll):
                    value = yield from self._throw(request)
                else:
                    assert isinstance(request, Pick)
                    value = yield from self._draw(request)
                if value is None:
                    return None
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    def _answer(self, ask: Ask) -> Flow[Option]:
        """The answer to a question: the one given before the script began again, or a new one."""
        self._at += 1
        if self._at <= len(self.said):
            return self.said[self._at - 1].option
        self._telling = True
        option: Option = yield from self._ask(ask)
        return option

    def _ask(self, ask: Ask) -> Flow[Option]:
        """Ask a question that is not answered yet. An undo takes the last report back at once."""
        self.unsaid = [one for one in self.unsaid if one.turn >= self.realm.turn]
        place, options = self._confirmable(ask), ask.options
        if place is not None:
            options = Chain(options, _CONFIRMING)
        if self.said and self.undos < MOST_UNDOS:
            options = Chain(options, _UNDOING)
        answer: Answer = yield ask._replace(options=options)
        if answer.option != UNDO:
            option = self._confirm(ask, answer.option, place)
            line = f"{' '.join(map(str, option))}@{self.dice_used},{self.chits_used}"
            self.said.append(
                Report(option, self.dice_used, self.chits_used, line, ask.rule, self.realm.turn)
            )
            return option
        taken = self.said.pop()
        self.unsaid.insert(0, taken)
        chanced = (
            self.dice_used > taken.dice
            or self.chits_used > taken.chits
            or taken.option[0] in BY_HAND
        )
        self.undos += 1
        self.undos_after_chance += chanced
        if self.story is not None:
            self.story.append(("undone", words(self.data, taken.option), chanced))
        self._telling = False
        return UNDO

    def _confirmable(self, ask: Ask) -> int | None:
        """The place in `unsaid` of the report that `again` gives here: the first one that was taken
        back in this turn, at a question of this kind, and is legal now. None if there is none."""
        fits = (
            place
            for place, one in enumerate(self.unsaid)
            if (one.question, one.turn) == (ask.rule, self.realm.turn)
            and (one.option in ask.options or one.option in ask.mends)
        )
        return next(fits, None)

    def _confirm(self, ask: Ask, option: Option, place: int | None) -> Option:
        """The report that was given. `again` stands for the one at `place`, and drops those before
        it; any other report stands in place of the next one that was taken back at such a question.
        """
        if option == AGAIN:
            assert place is not None
            option = self.unsaid[place].option
            if self.story is not None:
                self.story.append(("confirmed", words(self.data, option)))
            del self.unsaid[: place + 1]
        elif self.unsaid and self.unsaid[0].question == ask.rule:
            del self.unsaid[0]
        return option

    # ---- dice and chits: those that are kept first

    def _throw(self, roll: Roll) -> Flow[tuple[int, ...]]:
        """The dice of a roll: first those that were thrown before an undo, then new ones."""
        start, end = self.dice_used, self.dice_used + roll.number
        kept = self.dice[start:end]
        if kept and self._telling:
            self.realm.note("kept", roll.why, tuple(kept))
        if len(kept) < roll.number:
            fresh: tuple[int, ...] = yield roll._replace(number=roll.number - len(kept))
            self.dice += fresh
        self.dice_used = end
        return tuple(self.dice[start:end])

    def _draw(self, pick: Pick) -> Flow[tuple[Handle, ...]]:
        """A chit: the one that was drawn at this point before an undo, or a new one. The cup holds
        the same chits at the nth draw whatever was reported, so a kept one is always in it."""
        if self.chits_used == len(self.chits):
            fresh: tuple[Handle, ...] = yield pick
            self.chits += fresh
        handle = self.chits[self.chits_used]
        assert handle in pick.handles
        self.chits_used += 1
        return (handle,)

    def _by_hand(self, request: Request) -> Flow[tuple[int, ...] | None]:
        """Dice that the player throws, or a chit that they draw, at their table: asked for, and
        taken back like any report (paradise ruling 26). Returns None if something was taken back.
        """
        if isinstance(request, Pick):
            sides = {
                self.data.chits[number_of(chit) - 1]: chit for chit in reversed(request.handles)
            }
            chits = sorted(sides.values())  # equal ones once, as nobody can tell them apart
            option = yield from self._answer(
                Ask(TONGA, "chit", tuple(("chit", chit) for chit in chits))
            )
            return None if option == UNDO else (option[1],)
        assert isinstance(request, Roll)
        dice: list[int] = []
        for number in range(1, request.number + 1):
            which = f", die {number} of {request.number}" if request.number > 1 else ""
            self.realm.about = (f"{request.why}{which}",)
            option = yield from self._answer(Ask(TONGA, "die", FACES))
            if option == UNDO:
                return None
            dice.append(option[1])
        return tuple(dice)


class ParadiseRules(Rules):
    """The player is Tonga, and the rules play Samoa. Each set of data has its own rules, because
    its names are words of the game."""

    name = "paradise"
    version = NEWEST
    title = "Conquest of Paradise, solitaire"
    reasons = REASONS
    settings = SETTINGS

    def __init__(self, given: data.Data) -> None:
        self.data = given
        kind = "practice chit" if given.is_practice else "chit"
        self.cards = tuple(f"{kind} {number}: {chit}" for number, chit in enumerate(given.chits, 1))  # type: ignore[misc]
        self.distinctive_words = _distinctive_words(given.names)  # type: ignore[misc]
        self._vocabulary: frozenset[str] | None = None

    def with_data(self, lines: Sequence[str]) -> Rules:
        return _with_data(type(self), tuple(lines))

    def unfinished(self) -> Mapping[str, str]:
        return data.unfinished(self.data)

    def notices(self) -> Sequence[str]:
        made_up = (
            "The chits are a practice set, made up for this program: they are not those of the"
            " printed game."
        )
        return (made_up,) if self.data.is_practice else ()

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if unknown := [
            name for name, value in settings.items() if name in SETTINGS and value not in (0, 1)
        ]:
            raise ValueError(f"{unknown[0]} is on or off")
        if is_on(settings, "own-dice") and is_on(settings, "witness"):
            raise ValueError("with your own dice there is nothing for a witness to prove")
        return (*SEATS, "witness") if is_on(settings, "witness") else SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return DECKS

    def begin(self, settings: Settings) -> Game:
        return Paradise(self.data, settings, self.version)

    def words(self, option: Option) -> str:
        return notation.words(self.data, option)

    def shapes(self, sentences: Sequence[str]) -> Sequence[str]:
        return notation.shapes(sentences)

    def vocabulary(self) -> frozenset[str]:
        if self._vocabulary is None:
            self._vocabulary = notation.vocabulary(self.data)
        return self._vocabulary

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def settings_in_words(self, settings: Settings) -> list[str]:
        parts = super().settings_in_words(
            {name: value for name, value in settings.items() if name != "witness"}
        )
        parts += ["with a witness"] if settings.get("witness") else []
        return [*parts, "practice chits (unofficial)"] if self.data.is_practice else parts

    def table_cards(self) -> Mapping[str, str]:
        return cards.texts(self.data)

    def played_by_rules(self, settings: Settings) -> tuple[Seat, ...]:
        return (SAMOA,)

    def is_by_hand(self, settings: Settings) -> bool:
        return is_on(settings, "own-dice")

    def bystanders(self, settings: Settings) -> tuple[Seat, ...]:
        return (WITNESS,) if settings.get("witness") else ()


def _distinctive_words(names: Sequence[str]) -> frozenset[str]:
    """The words that make one name into another: "west", if there are North and North West."""
    longer = (
        other[len(name) :] for name in names for other in names if other.startswith(f"{name} ")
    )
    return frozenset(word for rest in longer for word in tokens(rest))


@lru_cache(maxsize=8)
def _with_data(version: type[ParadiseRules], lines: tuple[str, ...]) -> ParadiseRules:
    return version(data_lines.read(lines))


RULES = ParadiseRules(data.Data())
