"""Plays a few turns of a game in memory, to check that its rules keep what the program relies on:
the notation of every answer, views, prompts, positions."""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Iterator, MutableMapping, Sequence
from time import perf_counter
from typing import Protocol

from engine.cards import Deck, read_handle
from engine.flow import Answer, Ask, Card, Handle, Refusal
from engine.notation import known_words, say, understand, unlisted
from engine.rules import Game, Rules
from engine.table import OpenTable
from engine.words import as_written
from pbem.fileformat.characters import FORBIDDEN
from pbem.games.descriptor import Concerned, GameDescriptor, concerned, load
from pbem.games.stage import StageBoard

QUESTIONS = 40
"""Questions of the sample: enough to meet most kinds, in some milliseconds;"""
SECONDS = 5.0
"""or as many as are asked in this time,"""
ANSWERS = 6
"""and the answers of one question that are checked; `pbem check-game` checks all."""
LONGEST_ANSWER = 120
"""Characters of an answer in a file (docs/format.md, section 3)."""
_HIDDEN = re.compile(f"[{FORBIDDEN}]")


class _SampleIsFull(Exception):
    """The sample is long enough."""


def check_play(found: GameDescriptor, rules: Rules) -> Iterator[str]:
    """Play at random from the start, and stop at the first question with a problem. Yields what is
    wrong there."""
    problems: list[str] = []
    concerns = concerned(found)
    rng = random.Random(found.name)
    count, begun = 0, perf_counter()

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        nonlocal count
        count += 1
        few = answers[:: max(1, len(answers) // ANSWERS)]
        problems.extend(problems_at(rules, table, ask, answers, few))
        for answer in few:
            if not isinstance(about := concerns(answer, rules, game), Concerned):
                problems.append(f"concerns gives {about!r} for {answer}: it is to be a Concerned")
                break
        problems.extend(_boards(found, rules, table, ask))
        if problems or count == QUESTIONS or perf_counter() - begun > SECONDS:
            raise _SampleIsFull
        return answers[int(rng.random() * len(answers))]

    table = OpenTable(rules, dict(rules.defaults), rng)
    with contextlib.suppress(_SampleIsFull):
        table.play(choose)
    yield from problems


def _boards(found: GameDescriptor, rules: Rules, table: OpenTable, ask: Ask) -> Iterator[str]:
    """Describe the board for everybody, and for the asked seat."""
    described = load(found.board)
    for viewer, faces in ((None, table.game.faces()), (ask.seat, table.faces)):
        view = table.game.view(viewer, faces)
        waiting = {"seat": rules.seats(rules.defaults)[ask.seat], "what": "answer"}
        board = described({**view, "waiting": waiting, "called": {}, "told": ()}, None, ())
        if not isinstance(board, StageBoard):
            yield f"the board, {found.board}, gives {board!r:.80}: it is to be a StageBoard"
            return


class KnownGame(Protocol):
    """A game in progress whose cards are all known."""

    game: Game
    faces: MutableMapping[Handle, Card]

    @property
    def decks(self) -> Sequence[Deck]:
        """Its decks, which name the backs of cards."""


def problems_at(
    rules: Rules,
    table: KnownGame,
    ask: Ask,
    answers: Sequence[Answer],
    looked: Sequence[Answer],
    *,
    views: bool = True,
) -> Iterator[str]:
    """What is wrong with one question: with its prompt, and with the words of some of its
    `answers`, `looked`. With `views` the position and the views are checked too."""
    where = f'the question "{ask.rule}"'
    if not answers:
        yield f"{where} has no legal answer"
    prompt = table.game.prompt(ask)
    if not prompt.strip() or prompt.rstrip().endswith("."):
        yield f'{where}: "{prompt}" is no prompt: words without a full stop'
    yield from _notation(rules, table, where, answers, looked)
    if not views:
        return
    position = table.game.position()
    if not position.isascii() or "\n" in position:
        yield f"{where}: the position is not one line of ASCII"
    for viewer in (None, ask.seat):
        view = table.game.view(viewer, table.faces if viewer is not None else table.game.faces())
        try:
            json.dumps(view)
        except (TypeError, ValueError) as error:
            yield f"{where}: the view is no plain data: {error}"
            return


def _notation(
    rules: Rules, table: KnownGame, where: str, answers: Sequence[Answer], looked: Sequence[Answer]
) -> Iterator[str]:
    """Check that each answer has a sentence of its own, in words that the game knows, and that this
    sentence means the answer again."""
    sentences = {say(rules, table.game, answer, table.faces): answer for answer in answers}
    if len(sentences) < len(answers):
        twice = [say(rules, table.game, answer, table.faces) for answer in answers]
        yield f'{where}: two answers are "{max(twice, key=twice.count)}"'
        return
    known = known_words(rules)
    for answer in looked:
        sentence = say(rules, table.game, answer, table.faces)
        if not sentence or len(sentence) > LONGEST_ANSWER or sentence != " ".join(sentence.split()):
            yield (
                f'{where}: "{sentence}" is no sentence: single blanks, at most {LONGEST_ANSWER}'
                " characters"
            )
        if ";" in sentence or _HIDDEN.search(sentence):
            yield f'{where}: "{sentence}" has a character that no answer may have'
        if answer.handle is None and read_handle(table.decks, sentence.split(" ")[-1]) is not None:
            yield (
                f'{where}: "{sentence}" ends like the back of a card of this game'
                " (docs/write-a-game.md, 5, Notation)"
            )
        if strange := [word for word in unlisted(rules, sentence) if word not in known]:
            word = as_written(strange[0], sentence)
            yield f'{where}: the vocabulary does not know "{word}" of "{sentence}"'
        try:
            meaning = understand(rules, sentence, sentences)
        except Refusal as error:
            yield f'{where}: "{sentence}" is not understood: {error}'
            continue
        if meaning != answer:
            yield f'{where}: "{sentence}" means {meaning}, not {answer}'
