"""`pbem card`, `pbem show --cards`, and the reasons that follow refusals of cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.flow import Ask, Refusal
from engine.notation import understand_answer
from engine.rules import Rules
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.ledger.gate import replay
from pbem.report.facts import card_names, card_text, described_now
from tests.support.begun_game import BegunGame
from tests.support.golden_words import Golden


@pytest.fixture
def begun(looked_at: BegunGame) -> BegunGame:
    """Nothing here writes a turn."""
    return looked_at


@pytest.mark.parametrize(
    ("game", "cards"), [("tripoli", 48), ("tripoli-solitaire", 49), ("loot", 28)]
)
def test_every_card_has_a_text_of_its_own(game: str, cards: int) -> None:
    rules: Rules = registry.newest(game)
    texts = [card_text(rules, name) for name in rules.cards]
    assert len(rules.cards) == cards
    assert all(len(text.split()) > 8 for text in texts)
    assert all(line.endswith((".", "it")) for text in texts for line in text.split("\n")), (
        "whole sentences"
    )


def told(begun: BegunGame, *words: str) -> str:
    code, out, err = begun.ann.types("card", *words)
    assert (code, err) == (0, "")
    return out


def uses_of(player: Player, *words: str) -> dict[str, Any]:
    return {use["use"]: use for use in player.does("card", *words)["uses"]}


def test_a_card_without_a_game_tells_what_it_does(begun: BegunGame) -> None:
    for words, game, name in (
        (["sweden", "pays"], "tripoli", "Sweden Pays Tribute"),
        (["tripoli", "attacks"], "tripoli", "Tripoli Attacks"),
        (["loot", "admiral"], "loot", "admiral"),
        (["blue 3"], "loot", "blue 3"),
        (["tripoli-solitaire", "sweden"], "tripoli-solitaire", "Sweden Pays Tribute"),
    ):
        facts = begun.ann.does("card", *words)
        assert (facts["game"], facts["name"], facts["uses"]) == (game, name, None)
        assert told(begun, *words).splitlines()[0] == name


def test_with_a_game_it_tells_whether_it_is_legal_now(begun: BegunGame) -> None:
    for game in (begun.last, begun.last.rpartition("-")[0], begun.last.split("-")[1]):
        event = uses_of(begun.ann, game, "hamet's army")["event"]
        assert event["now"] is False and event["missing"][0]["fact"] in told(
            begun, game, "hamet's army"
        )
        assert uses_of(begun.ann, game, "swedish frigates")["event"]["now"] is True


def test_another_player_is_told_by_their_own_hand(begun: BegunGame) -> None:
    assert uses_of(begun.ann, begun.last, "swedish")["event"]["now"] is True
    for who, card in (
        (begun.ben, "thomas jefferson"),
        (begun.ben, "swedish"),
        (begun.stranger(), "burn the philadelphia"),
    ):
        event = uses_of(who, begun.last, card)["event"]
        assert event["now"] is False and event["missing"]
    assert "hand" not in begun.stranger().types("card", begun.last, "burn the philadelphia")[1]


def test_a_card_that_is_held_is_open_and_one_that_is_not_says_so(begun: BegunGame) -> None:
    hand = begun.ann.does("show", begun.last)["hand"]
    for name in registry.newest("tripoli").cards[3:24]:
        move = uses_of(begun.ann, begun.last, name)["move"]
        assert move["now"] is (name in hand) is not bool(move["missing"])


def test_a_name_that_means_nothing_or_several_is_refused(begun: BegunGame) -> None:
    code, _, err = begun.ann.types("card", "castle")
    assert code == 1 and '"castle"' in err
    code, _, err = begun.ann.types("card", begun.last, "troops")
    assert code == 1 and all(f"Troops to {place}" in err for place in ("Derne", "Tripoli"))
    code, _, err = begun.ann.types("card", "missing.toml", "storms")
    assert code == 2 and "missing.toml" in err


def test_show_cards_tells_what_each_card_of_the_hand_does(begun: BegunGame) -> None:
    hand = begun.ann.does("show", begun.last)["hand"]
    code, text, _ = begun.ann.types("show", begun.last, "--cards")
    below = text[text.index("You can say:") :]
    assert code == 0 and all(f"\n{name}\n  " in below for name in hand)
    told = begun.ann.does("show", begun.last, "--cards")["cards"]
    assert [card["name"] for card in told] == list(dict.fromkeys(hand))
    code, markdown, _ = begun.ann.types("show", begun.last, "--cards", "--format", "md")
    assert code == 0 and all(f"{name}**" in markdown for name in hand)
    assert begun.ann.does("show", begun.last)["cards"] == []


def test_a_refused_card_is_told_why_and_what_is_asked(begun: BegunGame) -> None:
    for command in (
        ["play", begun.last, "event hamet's army"],
        ["moves", begun.last, "--after", "event hamet's army"],
    ):
        code, _, err = begun.ann.types(*command)
        missing = uses_of(begun.ann, begun.last, "hamet's army")["event"]["missing"]
        assert code == 1 and missing[0]["fact"] in err
        asked = begun.ann.does("show", begun.last)["asked"]["prompt"]
        assert asked in err


PARADISE = Path(__file__).parents[1] / "archive" / "paradise-4-witnessed.toml"


def test_the_cards_of_paradise_are_those_of_its_data(begun: BegunGame, golden: Golden) -> None:
    """Chits and cards that lie with the player, each with what it does and whether it does it
    now."""
    rules = registry.newest("paradise")
    for name in card_names(rules):
        assert len(card_text(rules, name).split()) > 8, name
    assert told(begun, "paradise", "navigation").startswith("navigation\n")
    golden(told(begun, "ocean chart"))
    with_data = rules.with_data(["cards: raft: movement", "cards: drum: other"])
    assert set(with_data.table_cards()) == {"raft", "drum"}
    golden(card_text(with_data, "raft"), card_text(with_data, "drum"))
    file = turnfile.read(PARADISE.read_bytes())
    said, refused = set(), set()
    for number in range(3, len(file.entries)):
        game = replay(turnfile.read(file.prefix(number)))
        for card in range(len(card_names(rules))):
            facts = described_now(game, 0, {}, card)
            said |= {(use.use, use.now) for use in facts.uses or ()}
        play = game.begun().referee
        ask = play.turn.request
        if isinstance(ask, Ask) and ask.rule != "card":
            with pytest.raises(Refusal) as caught:
                understand_answer(rules, play.game, ask, "card hula", {}, {})
            refused.add(str(caught.value).split("; ")[0])
            assert play.game.prompt(ask) in str(caught.value)
    golden(*sorted(f"{use}: {'now' if now else 'not now'}" for use, now in said), *sorted(refused))
