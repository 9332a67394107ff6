"""An observer who infers from the backs that are played what the other backs of a hand are
(docs/format.md, section 7).

The statistics are over fixed seeds: the same on every run.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import handles_of, write_handle
from engine.flow import Answer, Ask, Card, Handle
from engine.loot import RULES as LOOT
from engine.orders import Order
from engine.rules import Game, Rules
from engine.tripoli import RULES as TRIPOLI
from pbem.fileformat import turnfile
from pbem.ledger.order_book import OrderBook
from pbem.simulate.by_mail import PolicyDraft, play_by_mail
from pbem.simulate.policies import RandomPolicy
from pbem.turn import questions, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.own_cards import EqualCards, equal_key
from tests.support.forgetful import forgotten_entry
from tests.support.plain_shuffles import take_plain_shuffles
from tests.support.players import AMERICAN, Pair

DECKS = TRIPOLI.decks({})
NAVAL_MOVEMENT = TRIPOLI.cards.index("Naval Movement")


def first_of(root: bytes, faces: dict[Handle, Card], card: Card, **known: object) -> Handle:
    """The copy of `card` that the owner of this hand plays."""
    equal = EqualCards(root, DECKS, faces, known.get("named", set()), known.get("opened", set()))  # type: ignore[arg-type]
    return next(handle for handle in equal.arranged(tuple(faces)) if faces[handle] == card)


# The order


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.integers(0, 3), max_size=9),
    st.sets(st.tuples(st.integers(1, 9), st.integers(0, 3))),
    st.sets(st.integers(1, 9)),
)
def test_each_back_keeps_its_card_and_equal_ones_stand_in_order(
    root: bytes, cards: list[int], named: set[tuple[int, int]], opened: set[int]
) -> None:
    faces = dict(zip(handles_of(0, 1, len(cards)), cards, strict=True))
    arranged = EqualCards(root, DECKS, faces, named, opened).arranged(tuple(faces))
    assert sorted(arranged) == sorted(faces)
    assert [faces[handle] for handle in arranged] == cards
    for card in set(cards):
        places = [
            (
                0 if (handle, card) in named else 1 if handle in opened else 2,
                equal_key(root, f"a{handle}"),
            )
            for handle in arranged
            if faces[handle] == card
        ]
        assert places == sorted(places)


def test_a_copy_that_an_order_has_named_comes_first_then_one_that_everybody_sees() -> None:
    faces = dict.fromkeys(handles_of(0, 1, 5), NAVAL_MOVEMENT)
    for number in range(20):
        root = bytes([number]) * 32
        named, opened = {(2, NAVAL_MOVEMENT)}, {4}
        assert first_of(root, faces, NAVAL_MOVEMENT, named=named, opened=opened) == 2
        assert first_of(root, faces, NAVAL_MOVEMENT, opened=opened) == 4
        other_card = {(2, NAVAL_MOVEMENT + 1)}
        assert first_of(root, faces, NAVAL_MOVEMENT, named=other_card) == min(
            faces, key=lambda handle: equal_key(root, f"a{handle}")
        )


def test_an_order_that_was_taken_back_has_still_named_its_card() -> None:
    game = TRIPOLI.begin({})
    with patch.object(type(game), "hand", lambda _game, _seat: (3, 5)):
        book = OrderBook(2, game)
        book.give(AMERICAN, [Order("x", "x: play {}", ("play", "", 0), 3, NAVAL_MOVEMENT)])
        book.give(AMERICAN, [Order("x", "x: ask")])
    assert not book.by_seat[AMERICAN]
    assert book.claims == {(3, NAVAL_MOVEMENT)}


def test_every_copy_is_played_equally_often() -> None:
    chance, played = random.Random(11), Counter[int]()
    for _ in range(4000):
        hand = handles_of(0, 1, 8)
        copies = chance.sample(hand, 3)
        faces = {handle: NAVAL_MOVEMENT if handle in copies else 1 for handle in hand}
        played[sorted(copies).index(first_of(chance.randbytes(32), faces, NAVAL_MOVEMENT))] += 1
    for count in played.values():
        assert abs(count - 4000 / 3) < 130  # four standard deviations


# Whole games, as an observer sees them


class Watched:
    """Notes for each card used from a hand: its back, and the other backs that held the same, which
    nobody is told."""

    def __init__(self) -> None:
        self.lower: list[int] = []
        """Of each card played from several equal ones: how many of these had a lower back …"""
        self.higher: list[int] = []
        """… and how many a higher one."""

    def choose(self, draft: PolicyDraft, position: Game, ask: Ask) -> Answer | None:
        answer = PLAIN_CHOOSE(draft, position, ask)
        if answer is not None and answer.handle is not None:
            faces, open_to_all = draft.faces(), position.faces()
            card = faces[answer.handle]
            equal = [
                handle for handle in ask.hand if faces[handle] == card and handle not in open_to_all
            ]
            if answer.handle in equal and len(equal) > 1:
                self.lower.append(sum(handle < answer.handle for handle in equal))
                self.higher.append(sum(handle > answer.handle for handle in equal))
        return answer


PLAIN_CHOOSE = PolicyDraft.choose


@pytest.mark.dear("tries every place of whole games")
@pytest.mark.parametrize(
    ("rules", "players", "games"), [(TRIPOLI, 0, 16), (LOOT, 2, 4)], ids=["tripoli", "loot"]
)
def test_lower_and_higher_backs_are_as_often_the_same_card(
    rules: Rules, players: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a back that is played tells of the others: the lowest, if it is always taken, that none
    below is equal."""
    take_plain_shuffles(monkeypatch)  # the observer looks at backs and openings only
    watched = Watched()
    options = {"players": players} if players else {}
    with patch.object(PolicyDraft, "choose", lambda *given: watched.choose(*given)):
        for number in range(games):
            play_by_mail(rules, options, RandomPolicy, f"watched {number}")
    lower, higher = sum(watched.lower), sum(watched.higher)
    assert lower + higher > 30, "too few to tell"
    assert abs(lower - higher) < 4 * (lower + higher) ** 0.5
    assert min(lower, higher) > (lower + higher) / 4


# Versions of one turn


def copies_held(pair: Pair) -> list[Handle]:
    """The backs of the American's Naval Movements, where they are about to play a season's card;
    else none."""
    opened = pair.open(AMERICAN)
    draft = opened.draft()
    ask = None if draft is None else questions.open_question(draft)
    if draft is None or ask is None or ask.rule != "play":
        return []
    return [handle for handle in ask.hand if draft.faces()[handle] == NAVAL_MOVEMENT]


def back_shown(pair: Pair, answers: list[str], nonce: bytes) -> str:
    """The back that an entry with these answers would show."""
    with patch.object(take_turn.random_source, "token_bytes", lambda size: nonce.ljust(size)):
        opened = pair.open(AMERICAN)
        data = forgotten_entry(opened, Intent(answers))
    return turnfile.read(data).entries[-1].list("answers")[0].split(" ")[-1]


@pytest.mark.dear("plays two versions of a game")
def test_two_versions_of_a_turn_show_the_same_copy(tmp_path: Path) -> None:
    found = set()
    versions = (["move with naval movement", "done"], ["build with naval movement"])
    for seed in range(60):
        if len(found) == 2:
            break
        pair = Pair(tmp_path / str(seed), seed).play(4)
        if len(copies := copies_held(pair)) < 2:
            continue
        backs = {
            back_shown(pair, answers, nonce) for answers in versions for nonce in (b"one", b"two")
        }
        assert len(backs) == 1, seed
        found.add("lowest" if backs == {write_handle(DECKS, min(copies))} else "another")
    assert found == {"lowest", "another"}
