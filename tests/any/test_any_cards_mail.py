"""A card game between two homes: hands stay hidden, decks are proven at the end, and a turn that
cannot be is refused, in both verifiers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples.correspondence import Player
from tests.support.leaks import count_secrets_kept
from tests.support.second_verifier import compare, needs_node

GAME = (
    "title Wilderness War",
    "seats france, britain",
    "counter year: 1757 to 1762",
    "deck strategy: plan 1-30, each, start 5, limit 6, reshuffle",
    "deck events: siege x3, fog, storm, of britain",
    "deck chits: white x2, black, face up, reshuffle",
)


class Match:
    """A game of these homes with one file: Ann invites and has the first seat."""

    def __init__(self, folder: Path, setup: tuple[str, ...], *names: str) -> None:
        self.folder = folder
        self.seats = next(line for line in setup if line.startswith("seats"))[6:].split(", ")
        self.players = {name: Player(name, folder / f"{name}-home", folder, True) for name in names}
        for name, player in self.players.items():
            player.does("id", "--name", name)
        (folder / "war").mkdir()
        (folder / "war" / "setup.txt").write_text("\n".join(setup), encoding="utf-8")
        ann, *others = self.players.values()
        new = ann.does("new", "any", "--data", "war", "--seat", self.seats[0], "--no-mail")
        self.file = str(new["file"])
        for player in others:
            self.file = str(player.does("join", self.file, "--no-mail")["file"])

    def to_act(self) -> str:
        seat = self.players["Ann"].does("verify", self.file)["to_act"]
        return list(self.players)[self.seats.index(seat)]

    def plays(self, name: str, *said: str) -> None:
        """A turn of this player, once those before them have given what they owe."""
        while (before := self.to_act()) != name:
            self.file = str(self.players[before].does("play", self.file, "--no-mail")["file"])
        self.file = str(self.players[name].does("play", self.file, *said, "--no-mail")["file"])

    def refused(self, name: str, said: str) -> str:
        code, _, error = self.players[name].types("play", self.file, said, "--no-mail")
        assert code != 0
        return error

    def hand(self, name: str) -> list[str]:
        shown = self.players[name].asks("show", self.file)
        hand: list[str] = shown["hand"]
        return hand

    def data(self) -> bytes:
        return (self.folder / self.file).read_bytes()


@pytest.fixture
def two(tmp_path: Path) -> Match:
    return Match(tmp_path, GAME, "Ann", "Ben")


def test_moves_lists_acts_by_their_forms(two: Match) -> None:
    held = ", ".join(sorted(two.hand("Ann"), key=lambda name: int(name[5:])))
    _, said, _ = two.players["Ann"].types("moves", two.file)
    assert "SEAT's turn: britain" in said and "COUNTER +NUMBER, -NUMBER, = NUMBER: year" in said
    assert "roll DICE [NAME] [then SEAT's turn]: 2d6, " in said
    assert "draw NUMBER from DECK [then SEAT's turn]: strategy, chits" in said
    assert f"play CARD, discard CARD, remove CARD, show CARD: {held}" in said
    assert said.count("\n") <= 12


def test_a_hand_is_read_by_its_owner_alone(two: Match) -> None:
    held = two.hand("Ann")
    assert len(held) == 5 and two.hand("Ben") == [], "Ann's turn brings what Ben draws"
    two.plays("Ann", f"play {held[0]} to the table; discard {held[1]} face down; Britain's turn")
    other = two.hand("Ben")
    assert len(other) == 5
    for name, own, mine in (("Ann", held[2:], "france"), ("Ben", other, "britain")):
        decks = two.players[name].asks("show", two.file)["board"]["decks"]
        strategy = {deck["seat"]: deck for deck in decks if deck["name"] == "strategy"}
        assert strategy["france"]["table"] == [held[0]]
        assert strategy["france"]["discard"] == [None], "it lies face down for everybody"
        for seat, deck in strategy.items():
            hand = deck["hands"][seat]
            assert sorted(hand, key=str) == (sorted(own) if seat == mine else [None] * len(hand))


def _whole_game(two: Match) -> None:
    """Cards are played, put away, drawn, shown, shuffled and taken back, and a counter is moved."""
    held = two.hand("Ann")
    two.plays("Ann", f"play {held[0]}; discard {held[1]} face down; discard {held[2]}; draw 2")
    two.plays("Ben")
    two.plays(
        "Ann",
        f"shuffle discard into strategy; year +1; remove {held[0]} from table; Britain's turn",
    )
    two.plays("Ben", "draw 3 from events then France's turn")
    two.plays("Ann", "draw 1 then Britain's turn")
    ben = two.hand("Ben")
    two.plays(
        "Ben",
        f"reveal hand; play {ben[0]}; discard {ben[1]}; take {ben[0]} from table"
        f"; discard {ben[2]}; France: do you agree?",
    )
    two.plays("Ann", f"play {two.hand('Ann')[0]}; draw 2 from chits")
    two.plays("Ben")
    two.plays("Ann", "shuffle table into chits; answer: yes")
    two.plays("Ben", "look at top 2 of strategy")
    two.plays("Ann")
    looked = two.players["Ben"].asks("show", two.file)["board"]["decks"]
    (top,) = [deck["top"] for deck in looked if deck["top"]]
    assert len(top) == 2 and all(top)
    kept = two.hand("Ben")[0]
    two.plays(
        "Ben",
        f"put {kept} under the deck; put top 2 of strategy under the deck; draw 1 from strategy"
        f"; put {top[0]} on the deck; shuffle top into strategy; France's turn",
    )
    assert kept not in two.hand("Ben") and top[0] not in two.hand("Ben")
    two.plays("Ann", "Britain's turn")
    two.plays("Ben", "France wins, 42 to 37")
    two.plays("Ann", "agree")
    two.plays("Ben")


@pytest.mark.dear("plays a game between homes and starts Node")
@needs_node
def test_a_card_game_is_played_to_its_end_and_both_verifiers_hold_it(two: Match) -> None:
    _whole_game(two)
    code, said, _ = two.players["Ben"].types("verify", two.file)
    assert code == 0 and "the result is proven" in said
    assert re.search(r"Checked: who wrote what.* 6 draws of cards, 11 opened cards and what", said)
    assert count_secrets_kept(two.data()) > 20
    both = compare([(two.file, two.data())])
    assert both.different == [] and both.failed == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("draw 26", "has 25 cards left"),
        ("draw 2; Britain's turn", "comes too late: your turn ends before it"),
        ("play siege", "no card of yours"),
        ("take plan-3 from discard", "does not lie face up"),
        ("shuffle discard into strategy", "no card of strategy lies in the discard"),
        ("draw 2 then Britain's turn", "6 is the limit"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_signed(
    two: Match, text: str, reason: str
) -> None:
    before = two.data()
    assert reason in two.refused("Ann", text)
    missing = next(one for n in range(1, 31) if (one := f"plan-{n}") not in two.hand("Ann"))
    assert f"{missing} is not in your hand" in two.refused("Ann", f"play {missing}")
    assert two.data() == before


PACK = "deck pack: spade 1-9, heart 1-9, shared, start 3, limit 4"


@pytest.mark.dear("plays a game between homes and starts Node")
@needs_node
def test_all_draw_from_one_deck_and_read_their_own_hands_alone(tmp_path: Path) -> None:
    two = Match(tmp_path, ("seats france, britain", PACK), "Ann", "Ben")
    two.plays("Ann")
    two.plays("Ann", "roll 2d6")
    held = two.hand("Ann")
    two.plays("Ann", f"play {held[0]}; discard {held[1]} face down; draw 2 then Britain's turn")
    other = two.hand("Ben")
    assert len(other) == 3 and not set(other) & set(held)
    two.plays("Ben", f"take {held[0]} from table; play {other[0]}; France's turn")
    assert held[0] in two.hand("Ben") and len(two.hand("Ann")) == 3
    assert "has 10 cards left" in two.refused("Ann", "draw 13")
    two.plays("Ann", f"remove {other[0]} from table; draw 1")
    two.plays("Ann", "France wins")
    two.plays("Ben", "agree")
    two.plays("Ann")
    code, said, _ = two.players["Ben"].types("verify", two.file)
    assert (
        code == 0
        and "shuffled 2 times" in said
        and "9 draws of cards" in said
        and "the result is proven" in said
    )
    assert count_secrets_kept(two.data()) > 20
    both = compare([(two.file, two.data())])
    assert both.different == [] and both.failed == 0


@pytest.mark.dear("plays a game between homes and starts Node")
@needs_node
def test_two_go_on_when_the_third_leaves_with_cards_in_the_hand(tmp_path: Path) -> None:
    three = Match(tmp_path, ("seats red, green, blue", PACK), "Ann", "Ben", "Cleo")
    three.plays("Ann")
    three.plays("Ann", "draw 1 then green's turn")
    assert len(three.hand("Ben")) == 3
    gone = three.players["Ben"].does("resign", three.file, "--yes", "--no-mail")
    three.file = str(gone["file"])
    three.plays("Cleo", f"play {three.hand('Cleo')[0]}; draw 1 then red's turn")
    three.plays("Ann", "blue wins")
    three.plays("Cleo", "agree")
    three.plays("Ann")
    code, said, _ = three.players["Cleo"].types("verify", three.file)
    assert code == 0 and "the result is proven" in said
    both = compare([(three.file, three.data())])
    assert both.different == [] and both.failed == 0
