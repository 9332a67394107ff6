"""Hundreds of random games, watched after every request."""

from __future__ import annotations

import json
import random

import pytest

from engine.flow import Ask, Request
from engine.notation import sentences, understand
from engine.rules import legal_answers
from engine.table import OpenTable
from engine.tripoli import RULES
from engine.tripoli.pieces import LIMITS
from engine.tripoli.places import COUNT as PLACES
from engine.words import tokens

SETTINGS = (
    {},
    {"hidden-discard": 1},
    {"quick-hand-limit": 1},
    {"hidden-discard": 1, "quick-hand-limit": 1},
)
_TOKENS: dict[str, tuple[str, ...]] = {}


class Bold(random.Random):
    """A policy that loves events, far moves and battle cards, so that games go further than at
    random."""

    def choose(self, answers):
        verbs = ("event", "play", "from", "fight", "build")
        eager = [answer for answer in answers if answer.option[0] in verbs]
        return self.choice(eager if eager and self.random() < 0.7 else answers)


def watch(table, game, ask):
    """Check the position when somebody is asked."""
    for row, limit in zip(game.pieces, LIMITS, strict=True):
        assert sum(row) == limit
        assert min(row) >= 0
        assert len(row) == PLACES
    assert 0 <= game.gold < 12
    if ask.rule == "play":
        assert len(game.hands[ask.seat]) <= 8
    for seat, deck in enumerate(table.decks):
        held = (
            len(game.hands[seat])
            + len(game.piles[seat])
            + len(game.discards[seat])
            + len(game.aside[seat])
        )
        gone = sum(card not in CORE for card in game.removed[seat])
        assert held + gone in (len(deck.contents), len(deck.contents) - 1)
    for handle, card in game.opened.items():
        assert table.faces[handle] == card


CORE = {0, 1, 2, 24, 25, 26}


def words_of(sentence):
    if sentence not in _TOKENS:
        _TOKENS[sentence] = tokens(sentence)
    return _TOKENS[sentence]


@pytest.mark.dear("plays whole games")
@pytest.mark.parametrize("settings", SETTINGS)
def test_random_games_keep_the_rules(settings):
    endings = set()
    for seed in range(75):
        table = OpenTable(RULES, settings, random.Random(seed))
        bold = Bold(seed)

        def choose(game, ask, answers, table=table, bold=bold):
            watch(table, game, ask)
            return bold.choose(answers)

        outcome = table.play(choose)
        endings.add(outcome.how)
        assert outcome.points[0] + outcome.points[1] == 30
        assert table.game.view(None, {})["active"] == "none"
    assert len(endings) >= 3


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_legal_answer_reads_back(settings):
    vocabulary = RULES.vocabulary()
    for seed in range(30):
        table = OpenTable(RULES, settings, random.Random(seed))
        bold = Bold(seed + 1000)

        def choose(game, ask, answers, table=table, bold=bold):
            legal = sentences(RULES, game, ask, table.faces)
            assert list(legal.values()) == list(answers)
            spelled = {words_of(sentence) for sentence in legal}
            assert len(spelled) == len(answers)
            assert all(word in vocabulary or word.isdigit() for words in spelled for word in words)
            sentence = bold.choice(list(legal))
            assert understand(RULES, sentence, legal) == legal[sentence]
            assert game.prompt(ask)
            return bold.choose(answers)

        table.play(choose)


def test_every_listed_answer_is_accepted():
    """At questions of random games each legal answer is given, in a game replayed to that point."""
    for seed in range(4):
        stop = random.Random(seed).randrange(15, 60)
        tried, total = 0, 1
        while tried < total:
            total = _try(seed, stop, tried)
            tried += 7
        assert tried >= total


def _try(seed, stop, index):
    count = asked = 0
    table = OpenTable(RULES, {}, random.Random(seed))
    rng = random.Random(seed)

    def choose(_game, _ask, answers):
        nonlocal asked, count
        asked += 1
        if asked == stop:
            count = len(answers)
            return answers[index]
        return rng.choice(answers)

    table.play(choose)
    return count


@pytest.mark.parametrize("settings", SETTINGS)
def test_position_story_and_view(settings):
    """The line is ASCII and repeatable; the public view names no card that nobody has shown; every
    event is told."""
    lines = [[], []]
    for run in lines:
        table = OpenTable(RULES, settings, random.Random(11))
        table.game.story = []
        rng = random.Random(12)

        def choose(game, ask, answers, run=run, rng=rng):
            run.append(game.position())
            public = game.view(None, {})
            for seat in ("american", "tripolitan"):
                assert len(public[seat]["hand_backs"]) == public[seat]["hand_count"]
                shown = sum(back["name"] is not None for back in public[seat]["hand_backs"])
                assert len(public[seat]["hand"]) == shown
            json.dumps(public)
            return rng.choice(answers)

        table.play(choose)
        told = [RULES.tell(event) for event in table.game.story]
        assert {"year", "season", "drew", "spent", "over"} <= {event["kind"] for event in told}
        json.dumps(told)
    assert lines[0] == lines[1]
    assert all(line.isascii() and "\n" not in line for line in lines[0])
    assert len(set(lines[0])) > len(lines[0]) * 0.9


@pytest.mark.parametrize("settings", SETTINGS)
def test_rules_never_depend_on_hidden_cards(settings):
    """Two tables whose unopened cards differ, fed the same answers and openings, ask the same
    public questions."""
    table = OpenTable(RULES, settings, random.Random(5))
    record: list[tuple[object, object]] = []
    rng = random.Random(6)
    flow = table.game.flow()
    request: Request = next(flow)
    try:
        while True:
            answer = _by_table(table, request, rng)
            record.append((_public(request), answer))
            request = flow.send(answer)
    except StopIteration as end:
        outcome = end.value
    blind = RULES.begin(settings).flow()
    request = next(blind)
    for public, answer in record[:-1]:
        assert _public(request) == public
        request = blind.send(answer)
    with pytest.raises(StopIteration) as ended:
        blind.send(record[-1][1])
    assert ended.value.value == outcome


def _public(request):
    return request[:5] if isinstance(request, Ask) else request


def _by_table(table, request, rng):
    if isinstance(request, Ask):
        return rng.choice(legal_answers(request, table.faces))
    name = type(request).__name__
    if name == "Roll":
        return tuple(rng.randrange(1, 7) for _ in range(request.number))
    return table.faces[request.handle] if name == "Open" else table._cards(request)
