"""`pbem card`, `pbem show --cards`, and the reasons that follow refusals of cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.flow import Ask, Refusal
from engine.notation import understand_answer
from engine.rules import Rules
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.ledger.gate import replay
from pbem.report.facts import card_names, card_text, described_now
from tests.support.begun_game import BegunGame


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


def test_a_card_without_a_game_tells_what_it_does(begun: BegunGame) -> None:
    text = told(begun, "sweden", "pays")
    assert (
        text.startswith("Sweden Pays Tribute\n")
        and "Needs: 1803 or later; Swedish frigates" in text
    )
    assert "Now" not in text and "Not now" not in text
    assert told(begun, "tripoli", "attacks").startswith("Tripoli Attacks\n")
    assert told(begun, "loot", "admiral").startswith("admiral\n") and told(
        begun, "blue 3"
    ).startswith("blue 3\n")
    assert "the bot needs 1803 or later" in told(begun, "tripoli-solitaire", "sweden")


def test_with_a_game_it_tells_whether_it_is_legal_now(begun: BegunGame) -> None:
    for game in (begun.last, begun.last.rpartition("-")[0], begun.last.split("-")[1]):
        assert "Not now (event): it is 1801" in told(begun, game, "hamet's army")
        uses = begun.ann.does("card", game, "hamet's army")["uses"]
        (event,) = [use for use in uses if use["use"] == "event"]
        assert event["now"] is False
        assert {"needs": "1804 or later", "fact": "it is 1801"} in event["missing"]
        assert "Now: event" in told(begun, game, "swedish frigates")


def test_another_player_is_told_by_their_own_hand(begun: BegunGame) -> None:
    code, out, _ = begun.ben.types("card", begun.last, "thomas jefferson")
    assert code == 0 and "Thomas Jefferson has left the game" in out
    code, out, _ = begun.ben.types("card", begun.last, "swedish")
    assert code == 0 and "is one of America's cards" in out
    code, out, _ = begun.stranger().types("card", begun.last, "burn the philadelphia")
    assert (
        code == 0
        and "your hand" not in out
        and "there are no Tripolitan frigates in Tripoli" in out
    )


def test_a_card_that_is_held_is_open_and_one_that_is_not_says_so(begun: BegunGame) -> None:
    hand = begun.ann.does("show", begun.last)["hand"]
    for name in registry.newest("tripoli").cards[3:24]:
        uses = {use["use"]: use for use in begun.ann.does("card", begun.last, name)["uses"]}
        assert uses["move"]["now"] is (name in hand)
        assert (
            "it is not in your hand" in [missing["fact"] for missing in uses["move"]["missing"]]
        ) is (name not in hand)


def test_a_name_that_means_nothing_or_several_is_refused(begun: BegunGame) -> None:
    code, _, err = begun.ann.types("card", "castle")
    assert code == 1 and '"castle"' in err
    code, _, err = begun.ann.types("card", begun.last, "troops")
    assert (
        code == 1
        and '"troops" could be Troops to Derne, Troops to Benghazi, Troops to Tripoli' in err
    )
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
    assert code == 0 and markdown.count("- Action: spend the card") == len(set(hand))
    assert begun.ann.does("show", begun.last)["cards"] == []


def test_a_refused_card_is_told_why_and_what_is_asked(begun: BegunGame) -> None:
    for command in (
        ["play", begun.last, "event hamet's army"],
        ["moves", begun.last, "--after", "event hamet's army"],
    ):
        code, _, err = begun.ann.types(*command)
        assert code == 1 and "not now: it is 1801, " in err
        asked = begun.ann.does("show", begun.last)["asked"]["prompt"]
        assert f"you are asked: {asked}" in err


PARADISE = Path(__file__).parents[1] / "archive" / "paradise-1.toml"


def test_the_cards_of_paradise_are_those_of_its_data(begun: BegunGame) -> None:
    """Chits and cards that lie with the player, each with what it does and whether it does it
    now."""
    rules = registry.newest("paradise")
    for name in card_names(rules):
        assert len(card_text(rules, name).split()) > 8, name
    assert told(begun, "paradise", "navigation").startswith("navigation\n")
    assert "one knot more" in told(begun, "ocean chart")
    with_data = rules.with_data(["cards: raft: movement", "cards: drum: other"])
    assert set(with_data.table_cards()) == {"raft", "drum"}
    assert "reach" in card_text(with_data, "raft") and "apply it at your table" in card_text(
        with_data, "drum"
    )
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
            assert f"you are asked: {play.game.prompt(ask)}" in str(caught.value)
    assert said >= {
        ("chance may draw it", True),
        ("chance may draw it", False),
        ("works for Samoa", False),
    }
    assert said >= {("report it", True), ("report it", False)}
    assert (
        "not now: no card of Samoa's lies face down, and hula needs to be turned face up" in refused
    )
