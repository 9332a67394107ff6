"""The legal answers to a question: what is clicked for each of them, in order, and the answers in
groups."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Answer, Ask, Card, Handle
from engine.rules import Rules, words_of
from pbem.games import registry
from pbem.games.descriptor import StepGraph, concerned, load
from pbem.games.desk import Desk
from pbem.turn.questions import Point

FEW = 10
"""So many answers are listed without groups."""


@dataclass(frozen=True)
class Choice:
    """A legal answer, as its canonical sentence. `cards` and places, by the names of the board, are
    what is clicked for it, in this order; with it stand how many pieces move (0: none), whether it
    amends an earlier answer or gives the game up (`Concerned`), whether it uses something that
    can be used only once, and whether a control of the game gives it (`Desk.covers`)."""

    sentence: str
    cards: Sequence[str]
    places: Sequence[str]
    count: int = 0
    amends: str = ""
    once: bool = False
    ends: bool = False
    on_desk: bool = False

    @property
    def path(self) -> str:
        """What is clicked, for an attribute of the page."""
        return "|".join(path_of(self))


def path_of(choice: Choice) -> list[str]:
    """What is clicked for an answer, step by step."""
    return [
        *(f"card:{name}" for name in choice.cards),
        *(f"place:{name}" for name in choice.places),
    ]


@dataclass(frozen=True)
class Group:
    """Answers about one card or place. `title` names it; it is empty for answers about neither."""

    title: str
    choices: Sequence[Choice]


def choices_of(point: Point, desk: Desk | None = None) -> list[Choice]:
    """Every legal answer at a point of the turn, in the order of the game; `desk` are the controls
    that stand there too."""
    rules = point.entry.ledger.rules
    about, faces, found = concerned(registry.descriptor(rules.name)), point.entry.faces(), []
    game = point.entry.ledger.begun().referee.game if point.choices else None
    once = _used_once(rules)
    for sentence, answer in point.choices.items():
        assert isinstance(answer, Answer) and game is not None
        clicked = about(answer, rules, game)
        cards = dict.fromkeys([*_held(answer, faces, rules.cards), *clicked.cards])
        found.append(
            Choice(
                sentence,
                tuple(cards),
                clicked.places,
                clicked.pieces,
                clicked.amends,
                once(answer),
                clicked.ends,
                desk is not None and next(iter(clicked.places), None) in desk.covers,
            )
        )
    return found


def takes_back(point: Point, sentence: str) -> bool:
    """Whether this legal answer is the game's own way to take back the last one."""
    answer, rules = point.choices.get(sentence), point.entry.ledger.rules
    if not isinstance(answer, Answer):
        return False
    game = point.entry.ledger.begun().referee.game
    return concerned(registry.descriptor(rules.name))(answer, rules, game).amends == "last"


def _used_once(rules: Rules) -> Callable[[Answer], bool]:
    """The game's own function that says whether an answer uses something up."""
    reference = registry.descriptor(rules.name).used_once
    found: Callable[[Answer], bool] = (lambda _: False) if reference is None else load(reference)
    return found


def used_once(point: Point, sentence: str) -> bool:
    """Whether this legal answer uses something that is out of the game afterwards."""
    answer = point.choices.get(sentence)
    return isinstance(answer, Answer) and _used_once(point.entry.ledger.rules)(answer)


def desk_of(point: Point, called: Mapping[str, str]) -> Desk | None:
    """The game's own controls for the question that is open; None where it has none. `called` are
    the names of the players, by seat."""
    referee = point.entry.ledger.begun().referee if point.choices else None
    reference = registry.descriptor(point.entry.ledger.rules.name).desk
    if referee is None or reference is None or not isinstance(referee.turn.request, Ask):
        return None
    found: Desk | None = load(reference)(referee.game, referee.turn.request, called)
    return found


def joined(point: Point, sentence: str) -> str | None:
    """What says the newest answer and this one, which is legal after it, in one; empty where they
    come to nothing together, None where the game does not join them."""
    reference = registry.descriptor(point.entry.ledger.rules.name).joined
    if reference is None or not point.line.answers or sentence not in point.choices:
        return None
    found: str | None = load(reference)(point.line.answers[-1], sentence)
    return found


def step_graph(point: Point) -> StepGraph | None:
    """The ways to move the pieces of an answer one by one; None where the game knows none."""
    referee = point.entry.ledger.begun().referee if point.choices else None
    reference = registry.descriptor(point.entry.ledger.rules.name).steps
    if referee is None or reference is None or not isinstance(referee.turn.request, Ask):
        return None
    found: StepGraph | None = load(reference)(referee.game, referee.turn.request)
    return found


def steps_of(point: Point) -> str:
    """The same as JSON for the page; empty where there is none."""
    graph = step_graph(point)
    if graph is None:
        return ""
    rules, game = point.entry.ledger.rules, point.entry.ledger.begun().referee.game
    nodes = [
        [
            {source: list(targets.items()) for source, targets in node.steps.items()},
            None if node.option is None else words_of(rules, game, node.option),
            node.spent,
        ]
        for node in graph.nodes
    ]
    return json.dumps({**graph._asdict(), "nodes": nodes})


def _held(answer: Answer, faces: Mapping[Handle, Card], names: Sequence[str]) -> list[str]:
    """The card of the own hand that an answer uses."""
    return (
        [] if answer.handle is None or answer.handle not in faces else [names[faces[answer.handle]]]
    )


def grouped(choices: Sequence[Choice]) -> list[Group]:
    """The answers in groups: those that use a card by the card, the others by the place they begin
    with; a few answers stand in one group."""
    if len(choices) <= FEW:
        return [Group("", choices)] if choices else []
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(next(iter([*choice.cards, *choice.places]), ""), []).append(choice)
    return [Group(title, listed) for title, listed in groups.items()]
