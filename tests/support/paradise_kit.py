"""What the tests of Conquest of Paradise share: stretches of play with given answers and dice, and
a random player."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from engine.flow import Answer, Ask, Flow, Pick, Roll
from engine.paradise import RULES
from engine.paradise.data import Data
from engine.paradise.data_lines import read
from engine.paradise.game import Paradise
from engine.paradise.notation import words
from engine.paradise.position import IslandGroup, Realm
from engine.rules import Game, Rules
from engine.table import OpenTable
from engine.words import tokens

Choose = Callable[[Game, Ask, list[Answer]], Answer]

SMALL_MAP = (
    "map: hex samoa 0 0 known",
    "map: hex tonga 0 1 known",
    "map: hex fiji -1 1 known",
    "map: hex tuvalu -1 0 unexplored",
    "map: hex niue 1 0 unexplored",
    "map: hex east 1 -1 unexplored",
    "map: hex north 0 -1 unexplored",
    "map: hex north west -1 -1 unexplored",
    "map: hex far north 0 -2 unexplored",
    "map: hex north east 1 -2 unexplored",
    "map: hex corner 2 -2 unexplored",
    "map: hex far east 2 -1 unexplored",
    "map: hex rarotonga 2 0 unexplored",
    "map: hex tubai 3 -1 unexplored",
    "map: start 1 niue",
    "map: start 2 north west",
)
"""Hexes around Samoa, for tests: shaped like the notes guess, and not the printed map."""


class Stage:
    """One stretch of play: what was asked, thrown and told in it."""

    def __init__(self, realm: Realm) -> None:
        self.realm = realm
        self.asks: list[Ask] = []
        self.rolls: list[Roll] = []
        self.picks: list[Pick] = []
        realm.story = self.story = []

    def play(
        self,
        flow: Flow[Any],
        answers: Iterable[str] = (),
        dice: Iterable[int] = (),
        chits: Iterable[int] = (),
    ) -> Any:
        """Run it with these answers, in words, and these dice and chits; none may be left over."""
        said, thrown, drawn = list(answers), list(dice), list(chits)
        value: Any = None
        try:
            while True:
                request = flow.send(value)
                if isinstance(request, Ask):
                    self.asks.append(request)
                    assert said, (
                        f"{request.rule} is asked:"
                        f" {[words(self.realm.data, o) for o in request.options[:9]]}"
                    )
                    value = Answer(self._meant(request, said.pop(0)))
                elif isinstance(request, Roll):
                    self.rolls.append(request)
                    assert len(thrown) >= request.number, f"dice are thrown: {request}"
                    value = tuple(thrown.pop(0) for _ in range(request.number))
                else:
                    assert isinstance(request, Pick)
                    self.picks.append(request)
                    value = (drawn.pop(0),)
                    assert value[0] in request.handles
        except StopIteration as end:
            assert not said and not thrown and not drawn, f"left over: {said} {thrown} {drawn}"
            return end.value

    def _meant(self, ask: Ask, text: str) -> Any:
        for option in chain(ask.options, ask.mends):
            if tokens(words(self.realm.data, option)) == tokens(text):
                return option
        raise AssertionError(
            f"{text} answers {ask.rule}: {[words(self.realm.data, o) for o in ask.options[:40]]}"
        )

    def told(self) -> list[str]:
        """The steps that were told."""
        return [event[2] for event in self.story if event[0] == "step"]

    def rulings(self) -> list[int]:
        return [event[1] for event in self.story if event[0] == "step"]


def place(realm: Realm, name: str) -> int:
    return realm.data.names.index(name)


def a_realm(
    groups: Mapping[str, IslandGroup] | None = None,
    home: str | None = "samoa",
    lines: Sequence[str] = (),
    **settings: int,
) -> Realm:
    """Samoa's realm with these groups, by name; Samoa itself has two villages in four boxes unless
    it is given."""
    realm = Realm(
        read(lines) if lines else Data(),
        {name.replace("_", "-"): value for name, value in settings.items()},
    )
    realm.groups = {0: IslandGroup(boxes=4, green=3, from_tonga=1, villages=2)}
    for name, group in (groups or {}).items():
        realm.groups[place(realm, name)] = group
        realm.labels += name.startswith("group ")
    realm.home = None if home is None else place(realm, home)
    return realm


# ---- players -------------------------------------------------------------------------------------

WEIGHTS = {
    "exploration complete": 4.0,
    "movement complete": 5.0,
    "that is all": 2.0,
    "undo": 0.15,
    "off course": 0.2,
    "call": 0.3,
    "discover": 3.0,
    "discover at": 3.0,
    "no south island": 4.0,
    "correct": 0.1,
    "correct distance": 0.1,
    "correct pieces": 0.1,
    "correct points": 0.05,
}


def by_verb(chance: random.Random) -> Choose:
    """Any verb, the likelier ones of a real table more often; then any answer with it. Few points,
    so that games are long."""

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        if ask.rule == "victory" and chance.random() < 0.9:
            return answers[int(chance.random() * 30)]
        verbs = list(dict.fromkeys(answer.option[0] for answer in answers))
        weights = [WEIGHTS.get(verb, 1.0) for verb in verbs]
        at = chance.random() * sum(weights)
        verb = verbs[-1]
        for one, weight in zip(verbs, weights, strict=True):
            at -= weight
            if at < 0:
                verb = one
                break
        some = [answer for answer in answers if answer.option[0] == verb]
        return some[int(chance.random() * len(some))]

    return choose


def table(seed: int, settings: Mapping[str, int] | None = None, rules: Rules = RULES) -> OpenTable:
    """A whole game in memory, told."""
    chance = random.Random(seed)
    played = OpenTable(rules, dict(settings or {}), chance)
    played.game.story = []
    played.play(by_verb(chance))
    return played


def game_of(played: OpenTable) -> Paradise:
    assert isinstance(played.game, Paradise)
    return played.game
