"""Legal answers that are counted and taken by number: the same ones, in the same order, as a list
of them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.flow import Answer, Ask, Card, Handle, Option
from engine.options import Chain, LegalAnswers, Product
from engine.rules import Game, legal_answers
from engine.table import OpenTable
from pbem.games import registry
from pbem.simulate import policies, series
from pbem.simulate.policies import RandomPolicy

# ---- rows and parts ------------------------------------------------------------------------------

ROWS = st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=3)


def multiplied(verb: str, rows: Sequence[Sequence[int]]) -> list[Option]:
    """The same options, one loop for each row."""
    found: list[Option] = [(verb,)]
    for row in rows:
        found = [(*option, value) for option in found for value in row]
    return found


def are_the_same(options: Sequence[Option], listed: Sequence[Option]) -> None:
    count = len(listed)
    assert len(options) == count and list(options) == list(listed)
    assert [options[at] for at in range(-count, count)] == [*listed, *listed]
    assert (
        options[1:3] == tuple(listed[1:3])
        and options == tuple(listed)
        and options != (*listed, ("more",))
    )
    assert all(option in options for option in listed)
    assert repr(options) == repr(tuple(listed)) and hash(options) == hash(tuple(listed))
    for at in (count, -count - 1):
        with pytest.raises(IndexError):
            options[at]


@given(ROWS)
def test_a_product_is_a_list_of_all_combinations(rows: list[list[int]]) -> None:
    listed = multiplied("go", rows)
    options = Product("go", *rows)
    are_the_same(options, listed)
    for other in (
        ("stay", *(0 for _ in rows)),
        ("go", *(10 for _ in rows), 1),
        ("go", *(11 for _ in (*rows, 0))),
        "go",
        7,
    ):
        assert other not in options


@given(st.lists(st.tuples(st.sampled_from("abc"), ROWS), max_size=4))
def test_a_chain_is_its_parts_one_after_the_other(parts: list[tuple[str, list[list[int]]]]) -> None:
    listed = [option for verb, rows in parts for option in multiplied(verb, rows)]
    are_the_same(Chain(*[Product(verb, *rows) for verb, rows in parts]), listed)
    are_the_same(Chain(*[tuple(multiplied(verb, rows)) for verb, rows in parts]), listed)


# ---- positions that games reach ------------------------------------------------------------------


def listed_answers(ask: Ask, faces: Mapping[Handle, Card]) -> list[Answer]:
    """What `engine.flow.Ask` says is legal, equal cards once."""
    answers, seen = [Answer(option) for option in ask.options], set()
    for handle in ask.hand:
        if faces[handle] not in seen:
            seen.add(faces[handle])
            answers += [
                Answer(option, handle) for option in (*ask.spend, *ask.allows(faces[handle]))
            ]
    return answers + [Answer(option) for option in ask.mends]


KINDS: tuple[tuple[str, dict[str, int], int, str], ...] = (
    ("tripoli", {}, 40, "e7948fa70893c41244d98e31b9e2cae2"),
    (
        "tripoli",
        {"hidden-discard": 1, "quick-hand-limit": 1},
        20,
        "3a38438707b22a577f51d824359bd646",
    ),
    ("tripoli-solitaire", {}, 40, "3b78205bb62c3c332a2987d8dd1fc721"),
    ("loot", {}, 15, "2f36e50b6421a66ad6acaddeef887aa0"),
    ("loot", {"players": 5}, 10, "435da0e4c719d6293d5d8965e5f56111"),
    ("loot", {"players": 8, "partners": 1}, 6, "7b20238a5b2d5fa095c6d338ba8e5936"),
    ("paradise", {}, 4, "3fec936f14355be8734511c575416d55"),
)
"""Games (the newest version of their rules, if none is named), their options, how many are played,
and a digest of all of them, made by the program that listed every answer."""


def played(name: str, options: dict[str, int], games: int, look: bool) -> tuple[str, int]:
    """A digest of every answer and every end, and how many questions there were; `look` at each of
    them."""
    name, _, version = name.partition(" ")
    rules = registry.find(name, int(version)) if version else registry.newest(name)
    settings = registry.chosen_settings(rules, options)
    digest, questions = hashlib.sha256(), 0
    for number in range(games):
        rng = random.Random(f"same {number}")
        policy, table = RandomPolicy(rules, rng), OpenTable(rules, settings, rng)

        def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
            if look:
                looked_at(ask, answers, table.faces)  # noqa: B023
            answer = policy.choose(game, ask, answers)  # noqa: B023
            digest.update(repr((ask.seat, ask.rule, answer.option, answer.handle)).encode())
            return answer

        outcome = table.play(choose)
        questions += table.decisions
        digest.update(repr((tuple(outcome), table.game.position(), table.decisions)).encode())
    return digest.hexdigest()[:32], questions


def looked_at(ask: Ask, answers: Sequence[Answer], faces: Mapping[Handle, Card]) -> None:
    listed = listed_answers(ask, faces)
    count = len(listed)
    assert len(answers) == count and list(answers) == listed == legal_answers(ask, faces)
    assert [answers[at] for at in range(count)] == listed and answers[-1] == listed[-1]
    assert len(set(listed)) == count, "no answer is there twice"
    with pytest.raises(IndexError):
        answers[count]


@pytest.mark.parametrize(("name", "options", "games", "digest"), KINDS)
def test_the_same_seed_gives_the_games_it_always_gave(
    name: str, options: dict[str, int], games: int, digest: str
) -> None:
    assert played(name, options, games, look=False)[0] == digest


@pytest.mark.dear("plays thousands of positions")
def test_in_thousands_of_positions_the_answers_by_number_are_those_of_the_list() -> None:
    reached = [
        played(name, options, 1 + games // 3, look=True)[1] for name, options, games, _ in KINDS
    ]
    assert min(reached) > 100 and sum(reached) > 3000


def test_an_answer_is_found_and_taken_from_the_end() -> None:
    ask = Ask(
        0,
        "turn",
        (("draw",),),
        (5, 6, 7),
        (("drop",),),
        lambda card: (("lay", card),) if card else (),
    )
    answers = LegalAnswers(ask, {5: 1, 6: 0, 7: 1})
    assert list(answers) == [
        Answer(("draw",)),
        Answer(("drop",), 5),
        Answer(("lay", 1), 5),
        Answer(("drop",), 6),
    ]
    assert answers[-2:] == [Answer(("lay", 1), 5), Answer(("drop",), 6)] and answers[-4] == Answer(
        ("draw",)
    )
    assert Answer(("lay", 1), 5) in answers and Answer(("lay", 1), 7) not in answers
    for at in (4, -5):
        with pytest.raises(IndexError):
            answers[at]


def test_whims_are_those_of_random_choice() -> None:
    one, other = random.Random(7), random.Random(7)
    assert policies._whims(one.getrandbits, 500) == [
        other.choice(("play", "decline")) for _ in range(500)
    ]
    assert one.random() == other.random()


class Listing(RandomPolicy):
    """A policy that wants a list, as all of them were given one."""

    def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        assert type(answers) is list
        answers.sort(key=repr)
        return answers.pop()


def test_a_policy_of_ones_own_is_given_a_list() -> None:
    assert series.simulate("tripoli", 2, "1", policy=f"{__name__}:Listing").games == 2
