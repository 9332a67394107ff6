"""What a player types is one legal answer or is refused: for every game, over the questions of
random play."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import words
from engine.flow import Ambiguous, Answer, Ask, NotUnderstood, Refusal
from engine.notation import sentences, understand
from engine.rules import Game, Rules, Settings
from engine.table import OpenTable
from engine.tripoli import RULES as TRIPOLI_RULES
from engine.tripoli.cards import NAMES
from engine.tripoli.orders import _WHEN
from engine.words import pick_sentence, tokens
from pbem.games import registry
from tests.support.effort import examples
from tests.support.faithful import is_faithful

SETTINGS: dict[str, list[dict[str, int]]] = {
    "loot": [{"players": 2}, {"players": 5}, {"players": 4, "partners": 1}],
    "tripoli": [{}, {"hidden-discard": 1}],
    "tripoli-solitaire": [{"unwitnessed": 1}],
}
GAMES = [(name, number) for name in SETTINGS for number in range(len(SETTINGS[name]))]
"""Conquest of Paradise has its own tests (tests/paradise): its thousands of reports begin with
names such as Tonga, of which the second way of telling what fits takes "to" for a beginning, and
the notation for an arrow."""


class Eager:
    """A policy that likes events and battle cards, so that as many kinds of questions as possible
    are asked."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, answers: Sequence[Answer]) -> Answer:
        liked = [answer for answer in answers if answer.option[0] in ("event", "play", "fight")]
        return self.random.choice(liked if liked and self.random.random() < 0.6 else answers)


@cache
def questions(name: str, number: int) -> list[tuple[str, ...]]:
    """The canonical sentences of every different question of some random games."""
    rules = registry.newest(name)
    found: dict[tuple[str, ...], None] = {}
    for seed in range(12):
        table, policy = OpenTable(rules, SETTINGS[name][number], random.Random(seed)), Eager(seed)

        def choose(
            game: Game,
            ask: Ask,
            answers: list[Answer],
            table: OpenTable = table,
            policy: Eager = policy,
        ) -> Answer:
            legal = sentences(rules, game, ask, table.faces)
            assert list(legal.values()) == list(answers), "two legal answers have the same words"
            found[tuple(legal)] = None
            return policy.choose(answers)

        table.play(choose)
    return list(found)


def as_answers(legal: Sequence[str]) -> dict[str, Answer]:
    """Each sentence with an answer of its own."""
    return {sentence: Answer(("said", number)) for number, sentence in enumerate(legal)}


@st.composite
def abbreviations(draw: st.DrawFn, sentence: str) -> str:
    """Some words of a sentence, cut short as one likes; a number stays whole and goes only with
    those before it."""
    kept: list[str] = []
    is_number_lost = False
    for word in tokens(sentence):
        stays = draw(st.booleans()) and not (word.isdigit() and is_number_lost)
        if stays:
            kept.append(word if word.isdigit() else word[: draw(st.integers(1, len(word)))])
        is_number_lost = (is_number_lost or word.isdigit()) and not stays
    return " ".join(kept)


def fitting(entered: str, legal: Sequence[str]) -> set[str]:
    """What fits by another way of telling it: one pattern over the whole sentence."""
    pattern = ""
    for word in tokens(entered):
        if word.isdigit():
            pattern += rf"(?:[^\W0-9][^ ]* |> )*{word} "
        else:
            whole = "|".join(
                re.escape(word[: len(word) - len(end)])
                for end in ("s", "d", "ed")
                if word.endswith(end)
            )
            ending = f"|(?=[^ ]{{3}})(?:{whole})" if whole else ""
            pattern += f"(?:[^ ]+ )*?(?:{re.escape(word)}[^ ]*{ending}) "
    return {sentence for sentence in legal if re.match(pattern, " ".join(tokens(sentence)) + " ")}


@pytest.mark.parametrize(("name", "number"), GAMES)
def test_no_two_legal_answers_read_alike(name: str, number: int) -> None:
    for legal in questions(name, number):
        assert len({tokens(sentence) for sentence in legal}) == len(legal)


@pytest.mark.parametrize(("name", "number"), GAMES)
@examples(30)
@given(data=st.data())
def test_a_canonical_sentence_reads_back_to_its_answer(
    name: str, number: int, data: st.DataObject
) -> None:
    legal = as_answers(data.draw(st.sampled_from(questions(name, number))))
    sentence = data.draw(st.sampled_from(list(legal)))
    for entered in (sentence, sentence.upper(), f"  {sentence}. ", sentence.replace(" to ", " > ")):
        assert understand(registry.newest(name), entered, legal) == legal[sentence]


@pytest.mark.parametrize(("name", "number"), GAMES)
@examples(50)
@given(data=st.data())
def test_an_abbreviation_means_one_answer_or_is_ambiguous(
    name: str, number: int, data: st.DataObject
) -> None:
    legal = data.draw(st.sampled_from(questions(name, number)))
    sentence = data.draw(st.sampled_from(legal))
    entered = data.draw(abbreviations(sentence))
    check(registry.newest(name), entered, legal, sentence)


def check(rules: Rules, entered: str, legal: Sequence[str], meant: str) -> None:
    """`entered` was made from the sentence `meant`, so it may never be understood as another one in
    silence."""
    answers, fits = as_answers(legal), fitting(entered, legal)
    whole = [sentence for sentence in legal if tokens(sentence) == tokens(entered)]
    if not tokens(entered):
        with pytest.raises(NotUnderstood):
            understand(rules, entered, answers)
    elif whole:
        assert understand(rules, entered, answers) == answers[whole[0]]
    elif (
        len(fits) > 1
        and len(given_whole := [one for one in fits if is_given_whole(entered, one)]) == 1
    ):
        assert understand(rules, entered, answers) == answers[given_whole[0]]
    elif fits == {meant} and is_faithful(entered, meant, rules.distinctive_words):
        assert understand(rules, entered, answers) == answers[meant]
    else:
        assert meant in fits
        with pytest.raises(Ambiguous) as refused:
            understand(rules, entered, answers)
        named = listed(str(refused.value))
        assert set(named) <= fits
        assert len(named) == min(len(fits), words._MOST_LISTED)


def is_given_whole(entered: str, sentence: str) -> bool:
    """Whether each word of the sentence is there, cut short or not, and the last one is not."""
    pattern = " ".join(rf"{re.escape(word)}[^ ]*" for word in tokens(entered)[:-1])
    last = tokens(entered)[-1]
    return (
        re.fullmatch(f"{pattern} {re.escape(last)}".strip(), " ".join(tokens(sentence))) is not None
    )


def listed(text: str) -> list[str]:
    """The sentences that a refusal names."""
    return re.findall('"(.*?)"', text.partition("could be")[2])


def deals() -> Iterator[tuple[str, list[str], list[str]]]:
    """What was entered, what is legal, what it could be with the nearest first."""
    damage = ["sink gunboat", "damage frigate", "sink damaged frigate"]
    yield "event tripoli", ["event Tripoli Attacks", "event Troops to Tripoli"], []
    yield (
        "discard purple",
        ["discard captain purple", "discard purple 3"],
        ["discard purple 3", "discard captain purple"],
    )
    yield "damaged frigate", damage, ["damage frigate", "sink damaged frigate"]
    yield "damage", damage, ["damage frigate", "sink damaged frigate"]
    sail = ["1 gibraltar > gibraltar zone", "1 gibraltar zone > gibraltar", "1 gibraltar > malta"]
    yield "1 gib > gib", sail, sail[:2]
    yield (
        "1 gib > tun",
        ["1 gibraltar > tunis zone", "1 gibraltar > tunis"],
        ["1 gibraltar > tunis", "1 gibraltar > tunis zone"],
    )
    yield "1 t > tunis", ["1 tripoli > tunis", "1 tangier > tunis", "1 tunis > tunis zone"], []
    yield "play", ["play Storms", "play when it rains"], []


@pytest.mark.parametrize(("entered", "legal", "near"), list(deals()))
def test_words_that_fit_two_answers_are_refused_with_the_nearest_first(
    entered: str, legal: list[str], near: list[str]
) -> None:
    with pytest.raises(Ambiguous) as refused:
        understand(TRIPOLI_RULES, entered, as_answers(legal))
    assert listed(str(refused.value)) == (near or legal)
    with pytest.raises(Ambiguous):
        pick_sentence(entered, legal)


@pytest.mark.parametrize(
    ("entered", "meant"),
    [
        ("damage frigate", "damage frigate"),
        ("sink damaged frigate", "sink damaged frigate"),
        ("Sink damaged", "sink damaged frigate"),
        ("1 gibraltar > tunis", "1 gibraltar > tunis"),
        ("1 gib tunis zone", "1 gibraltar > tunis zone"),
    ],
)
def test_a_whole_sentence_means_itself_though_others_fit_too(entered: str, meant: str) -> None:
    legal = [
        "sink gunboat",
        "damage frigate",
        "sink damaged frigate",
        "1 gibraltar > tunis",
        "1 gibraltar > tunis zone",
    ]
    assert pick_sentence(entered, legal) == meant


def test_letters_of_another_script_are_not_passed_over() -> None:
    """They were dropped in silence: `event бури` was the only event that was legal."""
    with pytest.raises(NotUnderstood, match="бури"):
        understand(TRIPOLI_RULES, "event бури", as_answers(["event Storms", "done"]))
    assert pick_sentence("évent STÖRMS", ["event Storms", "done"]) == "event Storms"


def test_a_number_stands_for_the_next_number() -> None:
    legal = ["blue 3 at ship 1", "green 1 at ship 3", "blue 3 at ship 2"]
    assert pick_sentence("blue 3 ship 1", legal) == "blue 3 at ship 1"
    with pytest.raises(NotUnderstood):
        pick_sentence("blue 1", legal)
    with pytest.raises(Ambiguous, match='"red 2"'):
        pick_sentence("red 2", ["red or red 2", "red 1"])


@st.composite
def orders(draw: st.DrawFn) -> tuple[int, str]:
    """A seat and a canonical order of it, with the back a5 or t5 where a card is played."""
    seat = draw(st.sampled_from([0, 1]))
    preferences = TRIPOLI_RULES.preference_topics(seat)
    topic = draw(st.sampled_from(TRIPOLI_RULES.order_topics(seat)))
    if topic in preferences:
        return seat, f"{topic}: {', '.join(draw(st.permutations(preferences[topic])))}"
    if topic == "draw":
        return seat, "draw: accept"
    back, number = "at"[seat] + "5", draw(st.integers(1, 8))
    plays = [
        f"play {back}",
        *(
            f"play {back} when at least {number} {what}"
            for what in _WHEN.get(NAMES.index(topic), ())
        ),
    ]
    return seat, f"{topic}: {draw(st.sampled_from(['decline', *plays]))}"


@examples(66)
@given(order=orders(), data=st.data())
def test_an_order_reads_back_and_cut_short_it_is_the_same_or_refused(
    order: tuple[int, str], data: st.DataObject
) -> None:
    seat, text = order
    topic, _, rest = text.partition(": ")
    whole = TRIPOLI_RULES.read_order(seat, text, lambda _card: 1000 * seat + 5)
    assert whole.words.replace("{}", "at"[seat] + "5") == text
    rest = re.sub(r" [at]5\b", "", rest)
    entered = ",".join(data.draw(abbreviations(part)) for part in rest.split(","))
    try:
        short = TRIPOLI_RULES.read_order(seat, f"{topic}: {entered}", lambda _card: 1000 * seat + 5)
    except Refusal:
        return
    said = short.words.partition(": ")[2].replace(" {}", "")
    assert short == whole or tokens(said) == tokens(entered)


@pytest.mark.parametrize("seat", [0, 1])
def test_topics_of_orders_read_back_and_never_guess(seat: int) -> None:
    topics = TRIPOLI_RULES.order_topics(seat)
    for topic in topics:
        assert pick_sentence(topic, topics) == topic
        for end in range(1, len(topic) + 1):
            fits = fitting(topic[:end], topics)
            if len(fits) > 1 and tokens(topic[:end]) not in map(tokens, topics):
                with pytest.raises(Ambiguous):
                    pick_sentence(topic[:end], topics)
            else:
                assert pick_sentence(topic[:end], topics) in topics


class March(Rules):
    """A game that is nothing but its words."""

    name = "march"
    title = "March"
    seat_names = ("first", "second")

    def begin(self, settings: Settings) -> Game:
        raise NotImplementedError

    def vocabulary(self) -> frozenset[str]:
        return frozenset({"march", "please", "put", "red", "blue", "on", "a1", "b2"})


def means(rules: Rules, entered: str, *legal: str) -> str:
    """The sentence that a text means."""
    found = understand(rules, entered, {one: Answer((one,)) for one in legal})
    return str(found.option[0])


def test_what_may_be_left_out_is_the_game_s_to_say() -> None:
    class Strict(March):
        small_words = words.SMALL - {"on"}

    class Distinct(March):
        distinctive_words = frozenset({"On", "to"})

    class Polite(March):
        small_words = words.SMALL | {"please"}

    whole = "put red on blue"
    assert means(March(), "put red blue", whole) == whole
    for rules in (Strict(), Distinct()):
        assert means(rules, "put red on", whole) == whole
        with pytest.raises(Ambiguous, match="leaves out words"):
            means(rules, "put red blue", whole)
    assert means(Strict(), "march a1 b2", "march a1 to b2") == "march a1 to b2"
    with pytest.raises(Ambiguous, match="leaves out words"):
        means(Distinct(), "march a1 b2", "march a1 to b2")
    assert means(Distinct(), "march a1 -> b2", "march a1 to b2") == "march a1 to b2"
    assert means(Polite(), "march a1", "please march a1") == "please march a1"
    with pytest.raises(Refusal):
        means(March(), "march a1", "please march a1")


@pytest.mark.parametrize(
    ("entered", "word"), [("march a1 to b2", "to"), ("march a1 -> b2", "->"), ("march To a1", "To")]
)
def test_a_word_that_the_game_does_not_have_is_named_as_it_was_written(
    entered: str, word: str
) -> None:
    """It is compared as an arrow, and the reader wrote no arrow."""
    with pytest.raises(NotUnderstood, match=f'"{word}" is no word'):
        means(March(), entered, "march a1", "march b2")
