"""The descriptors of the games that come with the program: they pass the check that plug-ins pass,
and are true."""

from __future__ import annotations

import random
import re
from itertools import permutations

import pytest

from engine.backgammon.tables import UNLESS_ORDERED
from engine.cards import Deck
from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import OpenTable
from engine.tripoli import places
from pbem.errors import Malformed, Newer, Usage
from pbem.files import shipped
from pbem.games import BUILT_IN, registry
from pbem.games.check import MORE_WORDS, WORDS, problems
from pbem.games.descriptor import Concerned, load
from tests.support.golden_words import Golden

GAMES = sorted(BUILT_IN)
CARDLESS = ("any", "backgammon", "paradise")
"""Games whose answers are about places only."""


@pytest.mark.parametrize("name", GAMES)
def test_a_built_in_game_passes_the_check_of_plug_ins(name: str) -> None:
    assert problems(registry.descriptor(name)) == []


def test_lists_say_of_a_game_what_its_newest_rules_do(golden: Golden) -> None:
    """Those that come with the program are listed without their rules; a plug-in may say less."""
    found = registry.descriptor("loot")
    assert all(
        registry.descriptor(name).title and registry.descriptor(name).seats for name in GAMES
    )
    assert problems(found._replace(title="", seats=())) == []
    golden(*problems(found._replace(title="Lout", seats=("first",))))
    sealed = next(one for one in registry.descriptor("backgammon").options if one.name == "sealed")
    assert sealed.value == UNLESS_ORDERED


@pytest.mark.parametrize("name", GAMES)
def test_every_card_that_is_played_has_a_text_of_its_own(name: str) -> None:
    found = registry.descriptor(name)
    if not registry.newest(name).cards:
        assert found.card_texts is None, "nothing to tell of"
        return
    assert found.card_texts is not None
    texts, rules = load(found.card_texts), registry.newest(name)
    assert all(texts[card][0].isupper() and texts[card].endswith(".") for card in rules.cards)
    decks: tuple[Deck, ...] = rules.decks({})
    assert len({texts[rules.cards[card]] for deck in decks for card in deck.contents}) > 14


@pytest.mark.parametrize("name", GAMES)
def test_answers_concern_places_and_cards_of_the_game(name: str) -> None:
    found, rules = registry.descriptor(name), registry.newest(name)
    assert found.concerns is not None
    concerns, places_seen, cards_seen = load(found.concerns), set[str](), set[str]()
    rng = random.Random(5)

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        for about in (concerns(answer, rules) for answer in answers):
            places_seen.update(about.places)
            cards_seen.update(about.cards)
        return rng.choice(answers)

    OpenTable(rules, {}, rng).play(choose)
    assert cards_seen <= set(rules.cards) and (len(cards_seen) > 3 or name in CARDLESS)
    assert len(places_seen) > 4


def test_an_answer_concerns_what_it_names() -> None:
    concerns, rules = load("pbem.games.tripoli.clicks:concerns"), registry.newest("tripoli")
    assert concerns(Answer(("sail", 2, 0, 10)), rules) == Concerned(
        ("Gibraltar", "Tripoli Patrol Zone"), pieces=2
    )
    assert concerns(Answer(("event", 5), 14), rules) == Concerned(cards=("Naval Movement",))
    assert (
        concerns(Answer(("move",), 14), rules)
        == Concerned()
        == concerns(Answer(("damage", 0)), rules)
    )
    concerns = load("pbem.games.loot.cards:concerns")
    assert concerns(Answer(("attack", 9, 3), 7), rules) == Concerned(
        ("ship 3",), (registry.newest("loot").cards[9],)
    )
    assert concerns(Answer(("draw",)), rules) == Concerned(("pile",))


def test_a_move_concerns_both_places_however_their_names_begin() -> None:
    concerns, rules = load("pbem.games.tripoli.clicks:concerns"), registry.newest("tripoli")
    for start, end in permutations(range(places.TRACK), 2):
        about = concerns(Answer(("sail", 1, start, end)), rules).places
        assert about == (places.NAMES[start], places.NAMES[end])


@pytest.mark.parametrize("name", GAMES)
def test_a_page_of_help_names_the_commands(name: str) -> None:
    found = registry.descriptor(name)
    assert found.help is not None
    text = (found.templates / found.help).read_text(encoding="utf-8")
    assert "pbem new " in text and "pbem help " in text and max(map(len, text.splitlines())) <= 120


def test_the_check_knows_every_macro_that_the_program_s_templates_call() -> None:
    called: dict[str, dict[str, int]] = {"words": {}}
    for path in shipped().glob("*.j2"):
        for module, macro, given in re.findall(
            r"\b(words)\.(\w+)\(([^)]*)\)", path.read_text(encoding="utf-8")
        ):
            called[module][macro] = len(given.split(","))
    assert called["words"].pop("tell") == WORDS["tell"], (
        "with the details of a deed only where FOLLOWS is set"
    )
    assert called == {"words": MORE_WORDS}


def test_a_game_that_is_not_installed_is_named() -> None:
    with pytest.raises(Usage, match='"chess"') as caught:
        registry.newest("chess")
    assert all(name in str(caught.value) for name in BUILT_IN)
    with pytest.raises(Malformed, match='"chess", rules version 3'):
        registry.find("chess", 3)
    with pytest.raises(Malformed, match=r'"pbem-chess 2\.1"'):
        registry.find("chess", 3, "pbem-chess 2.1")
    with pytest.raises(Newer, match='"loot", rules version 7'):
        registry.find("loot", 7)


def test_formats_and_analyses_of_a_game_can_be_called(golden: Golden) -> None:
    offered = {
        "json": "pbem.english:listed",
        "A b": "pbem.english:listed",
        "mat": "pbem.english:_WORDS",
    }
    bad = registry.descriptor("backgammon")._replace(
        exports=offered, analysis="pbem.english:_WORDS"
    )
    golden(*problems(bad))
