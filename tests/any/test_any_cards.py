"""Decks of the players' own: what a setup says of them, what is done with cards and refused."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.any import RULES, acts, setup_lines
from engine.any.card_lines import MOST_CARDS, MOST_OF_DECK, MOST_OF_PLAYER
from engine.any.cards import AREAS
from engine.any.game import AnyGame
from engine.cards import deck_of, handles_of
from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Handle,
    Illegal,
    NotUnderstood,
    Open,
    Option,
    Refusal,
    Request,
    Roll,
    Seal,
)
from engine.notation import understand_answer
from engine.rules import BadData, Game
from engine.table import OpenTable
from pbem.ledger.file_entry import read_answer, write_answer
from pbem.simulate import check_game
from tests.any.test_any_setup import lines

TWO = (
    "seats france, britain",
    "counter year: 1757 to 1762",
    "deck strategy: 1-20, each, start 3, limit 4, reshuffle",
    "deck cup: white x2, black, face up, reshuffle",
    "deck events: siege x3, fog 1-2, storm, of britain",
)
RULES_OF_TWO = RULES.with_data(lines(*TWO))
SETUP = setup_lines.read(lines(*TWO))
NAMES = SETUP.card_names


def deck_lines(*decks: str) -> list[str]:
    return lines("seats ann, ben", "roll storm", *decks)


# Setups


def test_a_setup_says_which_cards_there_are() -> None:
    strategy, cup, events = SETUP.decks
    assert (
        cup.face_up and cup.is_of(0) and cup.is_of(1) and cup.cards == ("white", "white", "black")
    )
    assert strategy.cards == tuple(map(str, range(1, 21))) and strategy.owners == (0, 1)
    assert (strategy.start, strategy.limit, strategy.reshuffles) == (3, 4, True)
    assert events.cards == ("siege", "siege", "siege", "fog-1", "fog-2", "storm")
    assert (events.owners, events.start, events.limit, events.reshuffles) == ((1,), 0, 0, False)
    decks = RULES_OF_TWO.decks({})
    assert [(deck.letter, deck.owner, len(deck.contents)) for deck in decks] == [
        ("a", 0, 20),
        ("b", 1, 20),
        ("c", 1, 6),
    ]
    assert RULES_OF_TWO.cards == NAMES and [NAMES[card] for card in decks[2].contents] == list(
        events.cards
    )


def test_a_deck_goes_on_in_further_lines() -> None:
    setup = setup_lines.read(
        deck_lines("deck hearts: ace, own", "cards hearts: heart 2-10, jack", "cards hearts: ace")
    )
    assert setup.decks[0].cards == ("ace", *(f"heart-{n}" for n in range(2, 11)), "jack", "ace")


@pytest.mark.parametrize(
    ("decks", "words"),
    [
        (("deck events: 1-5000",), f"at most {MOST_OF_DECK}"),
        (("deck events: 1-9999 x999",), f"at most {MOST_OF_DECK}"),
        (("deck events: siege x201",), f"at most {MOST_OF_DECK}"),
        (("deck events: 1-200", "cards events: 201"), f"at most {MOST_OF_DECK}"),
        (("deck one-a: a 1-200", "deck one-b: b 1-200", "deck one-c: c-d"), f"{MOST_OF_PLAYER}"),
        (("deck events",), "no cards"),
        (("deck events: each, reshuffle",), "no cards"),
        (("deck events: 9-3",), "smaller number"),
        (("deck events: 01-3",), "names no cards"),
        (("deck events: 1-3, start 4",), "4 to start with"),
        (("deck events: 1-3, of spain",), "no seat"),
        (("deck events: a14",), "meaning already"),
        (("deck events: a14 x3",), "meaning already"),
        (("deck events: hand",), "meaning already"),
        (("deck events: face-down 1-3",), "meaning already"),
        (("deck events: siege, s1ege",), "looks like"),
        (("deck events: siege", "deck tactics: s1ege, of ann"), "looks like"),
        (("deck events: st0rm",), "looks like"),
        (("deck events: ann",), "is a seat"),
        (("deck events: anm, a-nn",), "looks like"),
        (("deck events: si-ege, siege",), "looks like"),
        (("deck ann: 1-3",), "named twice"),
        (("deck events: 1-3", "deck events: 4"), "named twice"),
        (("deck events: 1-20", "deck tactics: 1-5"), "name them apart"),
        (("cards events: 1-3",), "no deck"),
        (("deck pack: 1-121, shared",), "at most 120"),
        (("deck pack: 1-9, shared, reshuffle",), "cannot be shuffled again"),
        (("deck pack: 1-9, shared, start 5",), "5 to start with for 2"),
        (("deck pack: 1-9, shared", "deck more: x-y"), "the only one"),
        (("deck pack: 1-9, shared", "deck more: x-y, shared"), "the only one"),
        (("deck cup: 1-9, face up, start 1",), "nobody holds cards of cup"),
        (("deck cup: 1-9, face up, of ann",), "nobody holds cards of cup"),
        (("deck cup: 1-101, face up",), "at most 100"),
        (("deck cup: 1-9, face up", "deck events: 9-12"), "name them apart"),
        (("deck more: x-y, of ann", "deck pack: 1-9, shared"), "the only one"),
        (("deck events: a-very-long-name-of-a-card",), "20 at most"),
        (("deck events: a-very-long-prefix 1-200",), "20 at most"),
    ],
)
def test_a_deck_that_does_not_hold_is_refused_at_its_line(decks: Sequence[str], words: str) -> None:
    with pytest.raises(BadData, match=words) as caught:
        setup_lines.read(deck_lines(*decks))
    assert caught.value.line == 1 + len(decks)


def test_all_cards_of_all_players_are_bounded() -> None:
    seats = "seats " + ", ".join(f"{chr(97 + at) * 3}" for at in range(8))
    with pytest.raises(BadData, match=f"more than {MOST_CARDS}"):
        setup_lines.read(lines(seats, "deck events: 1-126"))
    assert len(setup_lines.read(lines(seats, "deck events: 1-125")).decks[0].cards) == 125


PARTS = st.sampled_from(
    (
        *("1-9", "0", "siege", "siege x3", "fog 1-3", "each", "of ann", "start 2", "limit 3"),
        *(
            "face up",
            "shared",
            "x3",
            "reshuffle",
            "1-",
            "-",
            "siege x0",
            "of",
            "start",
            "a14",
            "1-5000",
            "siege  x 2",
        ),
    )
)


@given(st.lists(st.lists(PARTS | st.text(max_size=20), max_size=5), max_size=4))
def test_any_decks_are_read_or_refused_by_name(decks: list[list[str]]) -> None:
    contents = [f"deck {chr(112 + at) * 3}: {', '.join(one)}" for at, one in enumerate(decks)]
    with contextlib.suppress(BadData):
        _check_decks(contents)


def _check_decks(contents: Sequence[str]) -> None:
    setup = setup_lines.read(deck_lines(*contents))
    rules = RULES.with_data(deck_lines(*contents))
    assert len(set(rules.cards)) == len(rules.cards)
    hidden = [one for one in setup.dealt() if not setup.decks[one[0]].face_up]
    for one in setup.decks:
        assert not (one.face_up and (one.start or one.limit or len(one.cards) > 100))
    for deck, (number, place) in zip(rules.decks({}), hidden, strict=True):
        owner = None if place < 0 else place
        assert 1 <= len(deck.contents) <= MOST_OF_DECK and deck.owner == owner
        assert [rules.cards[card] for card in deck.contents] == list(setup.decks[number].cards)


# Acts


def option_of(said: str) -> Option:
    return acts.read(SETUP, 1, said)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Draw 2 from strategy", "draw 2 from strategy"),
        ("draw a card from the events deck", "draw 1 from events"),
        ("draw from events, then France's turn", "draw 1 from events then france's turn"),
        ("shuffle discard into strategy", "shuffle discard into strategy"),
        ("reshuffle strategy", "shuffle discard into strategy"),
        ("Play 7 to the table", "play 7"),
        ("play siege", "play siege"),
        ("play card 7 from my hand", "play 7"),
        ("play 7 from discard", "play 7 from discard"),
        ("discard 12", "discard 12"),
        ("Discard 12 face down", "discard face down 12"),
        ("discard face down fog 1", "discard face down fog-1"),
        ("discard 12 from the table", "discard 12 from table"),
        ("take 5 from discard", "take 5 from discard"),
        ("return 5 from out of the game", "take 5 from out"),
        ("remove 5 from the game", "remove 5"),
        ("remove 5 from the table", "remove 5 from table"),
        ("reveal 5", "show 5"),
        ("reveal my hand", "reveal hand"),
        ("look at the top 2 cards of strategy", "look at top 2 of strategy"),
        ("look at top of events", "look at top 1 of events"),
        ("put 8 under the deck", "put under the deck 8"),
        ("Put fog 1 back on top of the deck", "put on the deck fog-1"),
        ("put top 2 of strategy under the deck", "put top 2 of strategy under the deck"),
        ("put the top card 3 of events back on the deck", "put top 3 of events on the deck"),
        ("take top 2 of the strategy deck", "put top 2 of strategy in the hand"),
        ("discard the top of events", "put top 1 of events in the discard"),
        ("shuffle top into strategy", "shuffle top into strategy"),
        ("shuffle the table into cup", "shuffle table into cup"),
        ("draw 2 from cup then France's turn", "draw 2 from cup then france's turn"),
        ("discard white from table", "discard white from table"),
    ],
)
def test_what_players_write(text: str, sentence: str) -> None:
    assert acts.words(SETUP, option_of(text)) == sentence
    assert acts.words(SETUP, option_of(sentence)) == sentence


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("draw 2", "of which deck"),
        ("draw 2 from tactics", "no deck"),
        ("draw 61 from events", "too many"),
        ("draw siege", "cannot be drawn"),
        ("play 21", "no card of yours"),
        ("play", "no card of yours"),
        ("play a14", "no card of yours"),
        ("play 12, year +1", '"12, year [+]1" is no card of yours: .*; acts stand apart by ";"'),
        ("take 5", "from where"),
        ("play 5 face down", "only a card that is discarded"),
        ("discard 5 from table face down", "not put away face down"),
        ("show 5 from table", "everybody sees"),
        ("shuffle hand into strategy", "cannot be shuffled"),
        ("look at strategy", "cannot be looked at"),
        ("look at top 2", "of which deck"),
        ("put 8 somewhere", "goes nowhere"),
        ("put top 2 of strategy", "where to"),
        ("put king under the deck", "no card of yours"),
        ("draw 1 from events then spain's turn", "names nobody"),
    ],
)
def test_what_is_not_understood(text: str, reason: str) -> None:
    with pytest.raises(NotUnderstood, match=reason):
        option_of(text)


def test_who_has_no_such_deck_reads_of_their_own() -> None:
    assert acts.read(SETUP, 0, "draw 2") == ("draw", 0, 2, -1)
    with pytest.raises(NotUnderstood, match="no card of yours"):
        acts.read(SETUP, 0, "play siege")


class Dealt:
    """A game with its cards: each deck in its order, and the next cards of a pile are drawn."""

    def __init__(self, *said: str) -> None:
        self.game = AnyGame(SETUP)
        self.faces: dict[Handle, Card] = {}
        self.opened: list[Handle] = []
        self._flow = self.game.flow()
        self.ask = self._run(next(self._flow))
        self.says(*said)

    def says(self, *said: str) -> None:
        for text in said:
            hand = {handle: self.faces[handle] for handle in self.ask.hand}
            legal = {
                RULES_OF_TWO.words(option).replace("{}", NAMES[card]): Answer(option, handle)
                for handle, card in hand.items()
                for option in (*self.ask.spend, *self.ask.allows(card))
            }
            answer = understand_answer(RULES_OF_TWO, self.game, self.ask, text, legal, self.faces)
            written = write_answer(
                RULES_OF_TWO.decks({}), RULES_OF_TWO.words(answer.option), answer.handle
            )
            known = {**self.game.faces(), **hand}
            assert (
                read_answer(RULES_OF_TWO.words, RULES_OF_TWO.decks({}), self.ask, written, known)
                == answer
            )
            self.ask = self._run(self._flow.send(answer))

    def hand(self, seat: int) -> list[str]:
        return [NAMES[self.faces[handle]] for handle in self.game.hand(seat)]

    def area(self, seat: int, name: str) -> list[str | None]:
        view = self.game.view(None, {})
        return [
            card
            for deck in view["decks"]
            if deck["seat"] == SETUP.seats[seat]
            for card in deck[name]
        ]

    def _run(self, request: Request) -> Ask:
        while not isinstance(request, Ask):
            match request:
                case Seal(deck=deck, handles=handles, sources=sources):
                    contents = RULES_OF_TWO.decks({})[deck].contents
                    cards = [self.faces[back] for back in sources] if sources else contents
                    self.faces.update(zip(handles, cards, strict=True))
                    request = self._flow.send(None)
                case Draw(pile=pile, number=number):
                    request = self._flow.send(pile[:number])
                case Roll(number=1, sides=sides, reason="cup"):
                    request = self._flow.send((sides,))
                case Open(handle=handle):
                    self.opened.append(handle)
                    request = self._flow.send(self.faces[handle])
                case _:
                    raise AssertionError(request)
        return request


def test_cards_go_from_the_pile_to_the_hand_the_table_and_away() -> None:
    dealt = Dealt()
    assert dealt.hand(0) == ["1", "2", "3"] and dealt.hand(1) == ["1", "2", "3"]
    dealt.says("play 2", "discard 1 face down", "draw 2", "remove 4", "discard 2 from table")
    assert dealt.hand(0) == ["3", "5"]
    assert dealt.area(0, "discard") == [None, "2"] and dealt.area(0, "out") == ["4"]
    dealt.says("take 2 from discard", "show 3", "play 2")
    assert dealt.hand(0) == ["3", "5"] and dealt.area(0, "table") == ["2"]
    assert len(dealt.opened) == 3, "a card that everybody has seen is not opened again"
    dealt.says("reveal hand", "britain's turn", "draw 3 from events", "play siege", "play siege")
    assert dealt.area(1, "table") == ["siege", "siege"] and len(dealt.opened) == 6
    assert dealt.game.position().isascii()


def test_the_discard_is_shuffled_into_the_pile_with_new_backs() -> None:
    dealt = Dealt("play 1", "discard 2", "discard 3 face down", "discard 1 from table")
    dealt.says("draw 17", "shuffle discard into strategy")
    deck = dealt.game.cards.decks[0]
    assert deck.pile == [21, 22, 23] and deck.areas["discard"] == []
    dealt.says("draw 3")
    assert sorted(dealt.hand(0), key=int) == [str(number) for number in range(1, 21)]


def test_cards_lie_on_an_own_deck_and_under_it() -> None:
    dealt = Dealt("look at top 2 of strategy", "put 1 on the deck", "put 2 under the deck")
    assert dealt.hand(0) == ["3"], "what was looked at is in no hand"
    own, others = (
        next(deck for deck in dealt.game.view(seat, faces)["decks"] if deck["seat"] == "france")
        for seat, faces in ((0, dealt.faces), (1, {}))
    )
    assert (own["top"], own["under"], own["pile"]) == (["1", "4", "5"], 1, 19)
    assert others["top"] == [None] * 3 and others["pile"] == 19
    dealt.says("put top 2 of strategy under the deck", "put top 2 of strategy on the deck")
    dealt.says("draw 1 from strategy")
    assert dealt.hand(0) == ["3", "5"], "the top card"
    dealt.says("draw 16 from strategy")
    assert len(dealt.hand(0)) == 18 and dealt.game.cards.decks[0].top == []
    dealt.says("draw 1 from strategy")
    assert set(dealt.hand(0)) == {str(one) for one in range(1, 21)} - {"4"}, "under it the first"
    assert not dealt.opened, "nothing of it was opened to anybody"


def test_what_lies_on_a_deck_goes_where_its_owner_wants() -> None:
    dealt = Dealt(
        "look at top 3 of strategy", "take top 2 of strategy", "discard top 1 of strategy"
    )
    assert dealt.hand(0) == ["1", "2", "3", "5"] and dealt.area(0, "discard") == [None]
    dealt.says("put 3 under the deck", "shuffle top into strategy")
    deck = dealt.game.cards.decks[0]
    assert (deck.top, deck.under, deck.backs) == ([], [], 36)
    assert deck.pile == [*range(21, 37)], "all of the pile has new backs"
    dealt.says("shuffle discard into strategy", "draw 17 from strategy")
    assert sorted(dealt.hand(0), key=int) == [str(number) for number in range(1, 21)]


def test_cards_that_everybody_sees_are_drawn_by_dice() -> None:
    dealt = Dealt("draw 2 from cup")
    cup = next(deck for deck in dealt.game.view(1, {})["decks"] if deck["name"] == "cup")
    assert cup["table"] == ["black", "white"] and cup["hands"] == {} and cup["pile"] == 1
    dealt.says("discard black from table", "draw 1 from cup then britain's turn")
    assert dealt.ask.seat == 1
    dealt.says("shuffle table into cup", "shuffle discard into cup", "draw 1 from cup")
    cup = next(deck for deck in dealt.game.view(1, {})["decks"] if deck["name"] == "cup")
    assert cup["table"] == ["black"] and cup["pile"] == 2
    assert "deck cup pile 1-2, table 3" in dealt.game.position()
    assert not dealt.game.faces(), "it has no backs in any file"


@pytest.mark.parametrize(
    ("before", "text", "reason"),
    [
        ((), "play white", "white is not in your hand"),
        (("draw 1 from cup",), "take black from table", "nobody holds cards of cup"),
        ((), "look at top 1 of cup", "not one player's own"),
        ((), "put top 1 of cup under the deck", "not one player's own"),
        ((), "put top 1 of strategy under the deck", "first: look at top 1"),
        (("look at top 1 of strategy",), "put top 1 of strategy on the deck", "top card already"),
        (("look at top 2 of strategy",), "look at top 2 of strategy", "seen the top 2"),
        ((), "look at top 18 of strategy", "17 cards left"),
        ((), "put 9 under the deck", "9 is not in your hand"),
        ((), "shuffle top into strategy", "nothing lies on strategy"),
        ((), "shuffle table into strategy", "first discard"),
        (("draw 3 from cup",), "draw 1 from cup", "no cards left"),
        ((), "play 9", "9 is not in your hand"),
        (("play 1",), "play 1", "it lies on the table"),
        (("play 1",), "discard 1 face down", "it lies on the table"),
        (("play 1",), "play 1 from table", "lies there already"),
        (("discard 1 face down",), "take 1 from discard", "does not lie face up in the discard"),
        ((), "take 9 from discard", "does not lie face up"),
        ((), "draw 18", "17 cards left"),
        (("draw 17",), "draw 1", "no cards left"),
        (("draw 17", "discard 1"), "draw 1", "first: shuffle discard into strategy"),
        ((), "shuffle discard into strategy", "no card of strategy lies in the discard"),
        (("draw 2",), "britain's turn", "5 cards of strategy, and 4 is the limit"),
        (("draw 2",), "roll 2d6 then britain's turn", "4 is the limit"),
        ((), "draw 2 then britain's turn", "4 is the limit"),
        (("britain's turn",), "shuffle discard into events", "not shuffled again"),
        (("play 1", "play 2", "play 3"), "reveal hand", "your hand is empty"),
        (("Britain: well?",), "draw 1 from events then france's turn", "answer or decline"),
        (("france wins",), "play 1", "first agree"),
    ],
)
def test_what_is_refused_and_why(before: Sequence[str], text: str, reason: str) -> None:
    dealt = Dealt(*before)
    at = dealt.game.position()
    with pytest.raises(Refusal, match=reason):
        dealt.says(text)
    assert dealt.game.position() == at


@pytest.mark.parametrize(
    "text",
    [
        "play 1",  # without the card
        "play 2 a1",  # another one than was opened
        "play 1 a4",  # a card of the pile
        "play 1 b1",  # of somebody else's hand
        "play 1 a01",
        "Play 1 a1",
        "play 1  a1",
        "play 1 to the table a1",
        "discard face down b1",
        "discard face down a4",
        "discard face down 1",
        "discard face down {}",
        "discard 1 face down a1",
        "take 1 from discard a1",
        "draw 1",
        "draw 1 from strategy a1",
        "draw 1 from events",
        "draw 0 from strategy",
        "draw 61 from strategy",
        "shuffle discard into strategy",
    ],
)
def test_the_gate_takes_no_other_card_and_no_other_words(text: str) -> None:
    ask, decks = Dealt().ask, RULES_OF_TWO.decks({})
    opened = {1: NAMES.index("1"), 4: NAMES.index("1"), 1001: NAMES.index("1")}
    assert read_answer(RULES_OF_TWO.words, decks, ask, text, opened) is None
    good = read_answer(RULES_OF_TWO.words, decks, ask, "play 1 a1", opened)
    assert good == Answer(("play", NAMES.index("1")), 1)
    hidden = read_answer(RULES_OF_TWO.words, decks, ask, "discard face down a2", {})
    assert hidden == Answer(("face down",), 2)


def test_a_hand_at_its_limit_may_be_drawn_to_and_whoever_was_asked_may_play() -> None:
    dealt = Dealt("draw 1 then britain's turn")
    assert dealt.ask.seat == 1 and len(dealt.hand(0)) == 4
    dealt.says("France: do you react?", "play 2", "answer: with 2")
    assert dealt.ask.seat == 1 and dealt.area(0, "table") == ["2"]


def test_the_rules_check_themselves_which_card_was_opened() -> None:
    dealt = Dealt()
    handle = dealt.ask.hand[0]
    flow = dealt.game.flow()
    request = next(flow)
    while not isinstance(request, Ask):
        request = flow.send(request.pile[: request.number] if isinstance(request, Draw) else None)
    opening = flow.send(Answer(("play", NAMES.index("20")), handle))
    assert isinstance(opening, Open)
    with pytest.raises(Illegal, match="that card is 1"):
        flow.send(NAMES.index("1"))


def test_a_deck_of_one_and_as_many_shuffles_as_there_are_backs() -> None:
    setup = setup_lines.read(lines("seats ann, ben", "deck last: 7, of ann, reshuffle"))
    game = AnyGame(setup)
    deck = game.cards.decks[0]
    deck.pile, deck.backs = [], 998
    deck.areas["discard"] = [1]
    assert game.why_not(0, ("shuffle", 0, "discard")) == ""
    deck.backs = 999
    assert "as often as the program can" in game.why_not(0, ("shuffle", 0, "discard"))


@pytest.mark.parametrize("seed", range(30))
def test_games_at_random_keep_every_card_and_tell_nobody_more(seed: int) -> None:
    rng = random.Random(seed)
    table = OpenTable(RULES_OF_TWO, {}, rng)

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        answer = answers[int(rng.random() * len(answers))]
        decks = RULES_OF_TWO.decks({})
        written = write_answer(decks, RULES_OF_TWO.words(answer.option), answer.handle)
        known = {**game.faces(), **{handle: table.faces[handle] for handle in ask.hand}}
        assert read_answer(RULES_OF_TWO.words, decks, ask, written, known) == answer
        assert isinstance(game, AnyGame) and game.position().isascii()
        for one in game.cards.decks:
            lying = [
                *(*one.top, *one.pile, *one.under),
                *(back for hand in one.hands.values() for back in hand),
                *(back for area in AREAS for back in one.areas[area]),
            ]
            if one.is_face_up:
                assert sorted(lying) == [*handles_of(one.number, 1, 3)]
                continue
            held = Counter(table.faces[back] for back in lying)
            assert held == Counter(decks[one.number].contents)
            assert all(deck_of(back) == one.number for back in lying)
        for deck in game.view(None, {})["decks"]:
            if deck["name"] == "cup":
                continue
            for cards in (*deck["hands"].values(), *(deck[area] for area in (*AREAS, "top"))):
                assert sum(card is not None for card in cards) <= len(game.faces())
        return answer

    assert table.play(choose).how == "as all agreed"


@pytest.mark.dear("plays games at the bench")
def test_nothing_that_anybody_sees_tells_a_hidden_card() -> None:
    """The bench for games: cards of hands and piles trade places, and whoever does not know them
    sees the same. (It signs its own game without a setup, which is another matter.)"""
    secret = (
        "seats france, britain",
        "deck strategy: storm-alpha, storm-beta, calm-gamma x2, rally-delta, siege-eps, march-zeta"
        ", feint-eta, each, start 3, limit 6, reshuffle",
        "deck chits: white x3, black x2, face up, reshuffle",
    )
    found = check_game.check(RULES.with_data(lines(*secret)), 2)
    assert [one for one in found.problems if not one.startswith("the signed game")] == []
    assert found.swapped > 5
