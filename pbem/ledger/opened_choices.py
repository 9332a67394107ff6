"""Sealed choices as entries bring them: sealed where the rules ask, opened when the rules want to see them.

docs/format.md, section 19. A choice is opened by its author in a later entry than the one that sealed it, as soon as
everything that is shown with it is sealed, and by who leaves the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.flow import Ask, Option
from engine.rules import Game
from pbem.errors import RulesBroken
from pbem.ledger.entry_source import EntrySource, NotInEntry
from pbem.ledger.events import Chosen
from pbem.ledger.sealed_choices import SealedChoice, SealedChoices
from pbem.ledger.whose_turn import WhoseTurn

Tell: TypeAlias = Callable[[EntrySource, Chosen], None]
"""Who is told of a choice that the entry sealed or opened."""


class OpenedChoices:
    """The choices of a game in progress, taken from one entry after the other."""

    def __init__(self, game: Game, turn: WhoseTurn, choices: SealedChoices, tell: Tell) -> None:
        self._game = game
        self._turn = turn
        self._choices = choices
        self._tell = tell

    def seal(self, ask: Ask, source: EntrySource) -> int:
        """The token of the choice that the entry seals. Raises `NotInEntry` if it seals none."""
        if (commitment := source.choice(self._game, ask)) is None:
            raise NotInEntry
        token = self._choices.seal(ask, source.number, commitment)
        self._tell(source, Chosen(ask.seat, self._choices.all[token].label))
        return token

    def reveal(self, tokens: tuple[int, ...], source: EntrySource) -> tuple[Option, ...]:
        """The choices behind these tokens, once they are opened, or follow from roots. Raises `NotInEntry`, `Forged`
        or `RulesBroken`."""
        wanted = [self._choices.all[token] for token in tokens]
        if self._turn.is_played_out():
            if not all(choice.words or choice.by_root for choice in wanted):
                raise NotInEntry
            return tuple(choice.options[choice.words or choice.by_root] for choice in wanted)
        while due := self._turn.choices_due():
            if due[0].seat != source.seat or any(choice.entry == source.number for choice in due):
                raise NotInEntry
            for choice in due:
                self._open(choice, source)
        return tuple(choice.options[choice.words] for choice in wanted)

    def open_all(self, source: EntrySource) -> None:
        """A seat that leaves opens all its choices, for nobody will see its root. Raises `Forged`, `RulesBroken`."""
        for choice in self._choices.unopened(source.seat):
            if choice.entry == source.number:
                raise RulesBroken("who leaves the game seals no choice in the same entry")
            try:
                self._open(choice, source)
            except NotInEntry:
                raise RulesBroken("a seat that leaves opens all its choices", layer="seal") from None

    def _open(self, choice: SealedChoice, source: EntrySource) -> None:
        """The entry opens one of its seat's choices."""
        if (opened := source.chosen(choice)) is None:
            raise NotInEntry
        self._choices.open(choice, opened)
        if opened.words not in choice.options:
            what = f'"{opened.words[:40]}" was sealed, and is no answer to what was asked'
            raise RulesBroken(what, layer="rules")
        choice.words = opened.words
        self._tell(source, Chosen(choice.seat, choice.label, choice.words))
