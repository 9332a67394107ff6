"""The legal answers of a question as buttons: what each is about, and in which group it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Answer, Card, Handle
from pbem.games import registry
from pbem.games.descriptor import Concerned, load
from pbem.turn.run_line import Point

FEW = 10
"""So many answers are listed without groups."""


@dataclass(frozen=True)
class Choice:
    """A legal answer by its canonical sentence, the places it is about as the board names them, and the cards."""

    sentence: str
    places: Sequence[str]
    cards: Sequence[str]


@dataclass(frozen=True)
class Group:
    """Answers about one card or place; `title` is empty where there is no such thing."""

    title: str
    choices: Sequence[Choice]


def choices_of(point: Point) -> list[Choice]:
    """Every legal answer at a point of the turn, in the order of the game."""
    rules = point.draft.ledger.rules
    reference = registry.descriptor(rules.name).concerns
    about = load(reference) if reference is not None else None
    faces, found = point.draft.faces(), []
    for sentence, answer in point.choices.items():
        assert isinstance(answer, Answer)
        concerned = about(answer) if about is not None else Concerned()
        cards = dict.fromkeys([*_held(answer, faces, rules.cards), *concerned.cards])
        found.append(Choice(sentence, tuple(concerned.places), tuple(cards)))
    return found


def _held(answer: Answer, faces: Mapping[Handle, Card], names: Sequence[str]) -> list[str]:
    """The card of the own hand that an answer uses."""
    return [] if answer.handle is None or answer.handle not in faces else [names[faces[answer.handle]]]


def grouped(choices: Sequence[Choice]) -> list[Group]:
    """The answers by card, else by the place they begin with; a few stand in one group."""
    if len(choices) <= FEW:
        return [Group("", choices)] if choices else []
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(next(iter([*choice.cards, *choice.places]), ""), []).append(choice)
    return [Group(title, listed) for title, listed in groups.items()]
