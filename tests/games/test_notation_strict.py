"""No answer of any game passes over words that could tell, or takes one twice: what is typed is the
report that is signed, or it is refused. Over all notations, with words left out, doubled and
exchanged."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from engine.flow import Answer, Ask, NotUnderstood, Refusal
from engine.notation import sentences, understand
from engine.rules import Game, Rules
from engine.table import OpenTable
from engine.words import pick_sentence, tokens
from pbem.games import registry
from tests.games.test_notation import Eager, as_answers
from tests.support.faithful import is_faithful
from tests.support.paradise_kit import SMALL_MAP, by_verb

SETTINGS: dict[str, dict[str, int]] = {
    "loot": {"players": 4, "partners": 1},
    "tripoli": {},
    "tripoli-solitaire": {"unwitnessed": 1},
    "paradise": {"unwitnessed": 1, "malaria": 1, "south-island": 1},
    "paradise with a map": {"unwitnessed": 1, "malaria": 1},
    "paradise with own dice": {"unwitnessed": 1, "own-dice": 1},
}
MOST, QUESTIONS, WHOLE, MUTATED = 80, 50, 60, 12


def rules_of(name: str) -> Rules:
    return registry.newest(name.partition(" ")[0]).with_data(
        SMALL_MAP if name.endswith("map") else ()
    )


@cache
def questions(name: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """The different questions of some random games with their legal sentences, and every sentence
    of them all."""
    rules = rules_of(name)
    asked: dict[tuple[str, ...], None] = {}
    whole: dict[str, None] = {}
    for seed in range(3):
        chance = random.Random(seed)
        table, eager = OpenTable(rules, SETTINGS[name], chance), Eager(seed)
        policy = (
            by_verb(chance)
            if rules.name == "paradise"
            else lambda _game, _ask, answers, eager=eager: eager.choose(answers)
        )

        def choose(
            game: Game,
            ask: Ask,
            answers: Sequence[Answer],
            table: OpenTable = table,
            chance: random.Random = chance,
            policy: Callable[[Game, Ask, list[Answer]], Answer] = policy,
        ) -> Answer:
            legal = list(sentences(rules, game, ask, table.faces))
            few = legal if len(legal) < MOST else chance.sample(legal, MOST)
            asked[tuple(few)] = None
            whole.update(dict.fromkeys(few))
            return policy(game, ask, list(answers))

        table.play(choose)
    return random.Random(1).sample(list(asked), min(len(asked), QUESTIONS)), list(whole)


def mutations(sentence: str, chance: random.Random) -> list[str]:
    """The sentence with some of its words left out, doubled or exchanged."""
    words = sentence.split()
    found = []
    for _ in range(MUTATED):
        changed = list(words)
        one, other = chance.randrange(len(words)), chance.randrange(len(words))
        match chance.randrange(4):
            case 0:
                del changed[one]
            case 1:
                del changed[min(one, other) : max(one, other)]
            case 2:
                changed.insert(other, words[one])
            case 3:
                changed[one], changed[other] = changed[other], changed[one]
        found.append(" ".join(changed))
    return [one for one in found if tokens(one)]


@pytest.mark.dear("plays thousands of positions")
@pytest.mark.parametrize("name", SETTINGS)
def test_words_left_out_doubled_or_exchanged_never_make_another_answer(name: str) -> None:
    rules, chance = rules_of(name), random.Random(2)
    asked, whole = questions(name)
    understood = 0
    for legal in asked:
        answers = as_answers(legal)
        by_answer = {answer: sentence for sentence, answer in answers.items()}
        for source in [chance.choice(legal), chance.choice(legal), chance.choice(whole)]:
            for entered in mutations(source, chance):
                try:
                    meant = by_answer[understand(rules, entered, answers)]
                except Refusal:
                    continue
                understood += 1
                assert tokens(meant) == tokens(entered) or is_faithful(
                    entered, meant, rules.distinctive_words
                ), (
                    entered,
                    meant,
                )
    assert understood > 100


@pytest.mark.dear("plays thousands of positions")
@pytest.mark.parametrize("name", SETTINGS)
def test_a_whole_answer_that_is_not_legal_now_is_never_another(name: str) -> None:
    rules, chance = rules_of(name), random.Random(3)
    asked, whole = questions(name)
    for legal in asked:
        answers, spelled = as_answers(legal), {tokens(sentence) for sentence in legal}
        for entered in chance.sample(whole, min(len(whole), WHOLE)):
            if tokens(entered) not in spelled:
                with pytest.raises(Refusal):
                    understand(rules, entered, answers)


@pytest.mark.parametrize(
    ("entered", "legal"),
    [
        (
            "battle at samoa won, lost 1 war canoe",
            "battle at samoa won, lost 1 warrior 1 war canoe",
        ),
        ("battle at samoa lost 1 warrior", "battle at samoa won, lost 1 warrior"),
        ("lost 1 warrior", "battle at samoa won, lost 1 warrior"),
        ("blue 3 2", "blue 3 at ship 2"),
        ("derne", "fight at derne"),
        ("malta tunis", "1 malta > tunis"),
    ],
)
def test_a_word_or_a_number_is_never_passed_over(entered: str, legal: str) -> None:
    with pytest.raises(Refusal):
        pick_sentence(entered, [legal])
    assert pick_sentence(legal, [legal]) == legal


@pytest.mark.parametrize(
    ("entered", "legal"),
    [
        ("battle samoa won", "battle at samoa won, lost nothing"),
        ("ev jeff", "event Thomas Jefferson"),
        ("event derne", "event General Eaton Attacks Derne"),
        ("build tribute", "build with Tribute Paid"),
        ("2 gib tri z", "2 gibraltar > tripoli zone"),
        ("correct distance group 2", "correct distance of group 2"),
    ],
)
def test_small_words_words_of_a_name_and_the_end_may_be_left_out(entered: str, legal: str) -> None:
    assert pick_sentence(entered, [legal]) == legal


@pytest.mark.parametrize(
    "number", ["-3", "−3", "–3", "+3", "3²", "³", "3½", "3.5", "3,5", "0x3", "3e0"]
)
def test_a_number_is_whole_and_has_no_sign(number: str) -> None:
    legal = ["victory 3", "victory 32", "needs 3 canoes"]
    for words in (f"victory {number}", f"needs {number} canoes"):
        with pytest.raises(NotUnderstood):
            pick_sentence(words, legal)
    assert pick_sentence("victory: 3.", legal) == "victory 3"
    assert pick_sentence("victory - 3", legal) == "victory 3"
    assert pick_sentence("3->malta", ["3 > malta"]) == "3 > malta"
