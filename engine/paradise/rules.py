"""Conquest of Paradise, solitaire, as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.cards import Deck
from engine.flow import Option, Seat
from engine.paradise import cards, data, data_lines, notation, story
from engine.paradise.game import Paradise
from engine.paradise.position import DECKS
from engine.paradise.tables import NEWEST, REASONS, SAMOA, SEATS, SETTINGS, WITNESS
from engine.rules import Game, Rules, Settings, is_on
from engine.words import tokens


class ParadiseRules(Rules):
    """The player is Tonga, the rules play Samoa. Each set of data has rules of its own, for its names are words of the
    game. Version 2 takes facts that are stated anew, and asks nothing that has one answer left; in version 3 a player
    who is alone may sign such a fact by itself; in version 4 reports that were taken back can be confirmed."""

    name = "paradise"
    version = NEWEST
    title = "Conquest of Paradise, solitaire"
    reasons = REASONS
    settings = SETTINGS

    def __init__(self, given: data.Data) -> None:
        self.data = given
        kind = "practice chit" if given.is_practice else "chit"
        self.cards = tuple(f"{kind} {number}: {chit}" for number, chit in enumerate(given.chits, 1))  # type: ignore[misc]
        self.distinctive_words = _telling(given.names)  # type: ignore[misc]
        self._vocabulary: frozenset[str] | None = None

    def with_data(self, lines: Sequence[str]) -> Rules:
        return _with_data(type(self), tuple(lines))

    def unfinished(self) -> Mapping[str, str]:
        return data.unfinished(self.data)

    def notices(self) -> Sequence[str]:
        made_up = "The chits are a practice set, made up for this program: they are not those of the printed game."
        return (made_up,) if self.data.is_practice else ()

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if unknown := [name for name, value in settings.items() if name in SETTINGS and value not in (0, 1)]:
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
        return story.tell(event)

    def settings_in_words(self, settings: Settings) -> list[str]:
        told = super().settings_in_words({name: value for name, value in settings.items() if name != "witness"})
        told += ["with a witness"] if settings.get("witness") else []
        return [*told, "practice chits (unofficial)"] if self.data.is_practice else told

    def table_cards(self) -> Mapping[str, str]:
        return cards.texts(self.data)

    def played_by_rules(self, settings: Settings) -> tuple[Seat, ...]:
        return (SAMOA,)

    def is_by_hand(self, settings: Settings) -> bool:
        return is_on(settings, "own-dice")

    def bystanders(self, settings: Settings) -> tuple[Seat, ...]:
        return (WITNESS,) if settings.get("witness") else ()


def _telling(names: Sequence[str]) -> frozenset[str]:
    """The words that make another name of a name: "west", where there are North and North West."""
    longer = (other[len(name) :] for name in names for other in names if other.startswith(f"{name} "))
    return frozenset(word for rest in longer for word in tokens(rest))


class FirstParadiseRules(ParadiseRules):
    """Version 1, for the games that were begun with it."""

    version = 1


class SecondParadiseRules(ParadiseRules):
    """Version 2, for the games that were begun with it."""

    version = 2


class ThirdParadiseRules(ParadiseRules):
    """Version 3, for the games that were begun with it."""

    version = 3


@lru_cache(maxsize=8)
def _with_data(version: type[ParadiseRules], lines: tuple[str, ...]) -> ParadiseRules:
    return version(data_lines.read(lines))


RULES_1 = FirstParadiseRules(data.Data())
RULES_2 = SecondParadiseRules(data.Data())
RULES_3 = ThirdParadiseRules(data.Data())
RULES = ParadiseRules(data.Data())
