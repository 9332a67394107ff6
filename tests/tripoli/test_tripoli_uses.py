"""What a card can be used for, and why not: the same as what the rules allow, in every position of
random games."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.flow import Answer, Ask, Illegal
from engine.notation import held_cards, sentences, understand_answer
from engine.requirements import Unmet, why_not
from engine.rules import Game, legal_answers
from engine.table import OpenTable
from engine.tripoli import RULES
from engine.tripoli.battle_cards import MOMENTS
from engine.tripoli.cards import CORE, KIND, NAMES, NAMES_FOR_TWO, NEEDED, TABLE
from engine.tripoli.pieces import FRIGATE, GUNBOAT
from engine.tripoli.places import ALEXANDRIA, GIBRALTAR, MALTA, TRIPOLI
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from engine.words import cards_in
from tests.support.golden_words import Golden
from tests.support.tripoli_kit import Stage

VERBS = {"event", "move", "build", "raid", "play"}


def usable(table: OpenTable, game: Game, ask: Ask) -> set[tuple[str, int]]:
    """The verbs and cards that the legal answers use; of a core card the event alone."""
    found = set()
    for answer in legal_answers(ask, table.faces):
        verb = answer.option[0]
        if verb not in VERBS:
            continue
        card = answer.option[1] if len(answer.option) > 1 else table.faces[answer.handle]
        found.add((verb, card))
    return found


@pytest.mark.dear("plays whole games")
@pytest.mark.parametrize("settings", [{}, {"hidden-discard": 1}])
def test_uses_are_open_where_the_rules_allow_them_and_nowhere_else(
    settings: dict[str, int],
) -> None:
    seen: set[str] = set()
    for seed in range(12):
        table = OpenTable(RULES, settings, random.Random(seed))
        chance = random.Random(seed)

        def choose(
            game: Game, ask: Ask, answers: Sequence[Answer], table: OpenTable = table, chance=chance
        ) -> Answer:
            held = held_cards(game, ask, ask.seat, table.faces)
            open_now = {
                (use.what, card)
                for card in range(len(NAMES_FOR_TWO))
                for use in game.card_uses(ask, ask.seat, card, held)
                if not use.unmet
            }
            assert open_now == usable(table, game, ask), ask.rule
            seen.add(ask.rule)
            eager = [
                answer
                for answer in answers
                if answer.option[0] in ("event", "play", "from", "fight")
            ]
            return chance.choice(eager if eager and chance.random() < 0.7 else answers)

        table.play(choose)
    assert {"play", "intel", "interception", "raid", "naval battle", "hits"} <= seen


def test_nothing_is_open_to_the_side_that_is_not_asked() -> None:
    table = OpenTable(RULES, {}, random.Random(3))

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        other = 1 - ask.seat
        held = held_cards(game, ask, other, table.faces)
        for card in range(len(NAMES_FOR_TWO)):
            assert all(use.unmet for use in game.card_uses(ask, other, card, held))
        return answers[0]

    table.play(choose)


def test_every_card_says_what_it_needs() -> None:
    for card, entry in enumerate(TABLE):
        required = MOMENTS[card].needs if card in MOMENTS else NEEDED[card]
        assert all(requirement.words for requirement in required), entry.name
    assert {card for card, kind in enumerate(KIND) if kind == "battle"} == set(MOMENTS)


def reasons(stage: Stage, name: str, seat: int = AMERICAN) -> str:
    ask = Ask(seat, "play", ())
    held = held_cards(stage.game, ask, seat, stage.faces)
    return "; ".join(
        why_not(name, use.unmet)
        for use in stage.game.card_uses(ask, seat, NAMES.index(name), held)
        if use.unmet
    )


def test_a_reason_names_the_requirement_and_the_fact(golden: Golden) -> None:
    stage = Stage().clear().at(1803)
    golden(reasons(stage, "Hamet's Army Created"))
    stage.put(FRIGATE, ALEXANDRIA, 1).at(1804)
    assert reasons(stage, "Hamet's Army Created") == ""
    stage.deal(TRIPOLITAN, "Sweden Pays Tribute").at(1801)
    golden(reasons(stage, "Sweden Pays Tribute", TRIPOLITAN))


def test_a_card_that_is_elsewhere_says_so_first(golden: Golden) -> None:
    stage = Stage()
    stage.game.remove_card(AMERICAN, NAMES.index("Burn the Philadelphia"))
    for card in ("Storms", "Tribute Paid", "Burn the Philadelphia"):
        golden(reasons(stage, card))


def refused(stage: Stage, entered: str, ask: Ask | None = None) -> str:
    """How an answer to a question is refused; to that of a season, unless to another."""
    cards = tuple(stage.game.hands[AMERICAN])
    ask = ask or Ask(AMERICAN, "play", (("event", 0),), cards, (("move",),), lambda card: ())
    legal = sentences(RULES, stage.game, ask, stage.faces)
    with pytest.raises(Illegal) as error:
        understand_answer(RULES, stage.game, ask, entered, legal, stage.faces)
    return str(error.value)


@pytest.mark.parametrize(
    ("held", "entered"),
    [
        ("Hamet Recruits Bedouins", "event bedouins"),
        ("", "event treaty of peace"),
        ("Tribute Paid", "2 gibraltar > tripoli zone"),
        ("Tribute Paid", "done"),
    ],
)
def test_a_refused_event_has_its_reason_and_the_question(
    held: str, entered: str, golden: Golden
) -> None:
    """About a card that is not held nothing else is told."""
    golden(refused(Stage().deal(AMERICAN, *filter(None, [held])), entered))


@pytest.mark.parametrize(
    ("rule", "left", "entered"),
    [
        ("move", 8, "2 malta > tripoli"),
        ("move", 8, "4 gibraltar > malta"),
        ("move", 2, "3 gibraltar > malta"),
        ("move", 8, "1 gibraltar > gibraltar"),
        ("move", 8, "1 gibraltar > derne"),
        ("move", 8, "discard tribute paid"),
        ("move", 8, "4 gib > trip zone"),
        ("move", 8, "9 gib trip"),
        ("move", 8, "2 trip > malta"),
        ("move", 8, "0 gib > malta"),
        ("move", 8, "1 gib > alex zone"),
        ("move", 8, "troops to tripoli"),
        ("gunboats", 2, "3 gunboats to derne"),
        ("join", 2, "4 from gib"),
        ("join", 2, "1 from algiers"),
    ],
)
def test_a_move_that_cannot_be_made_has_one_reason(
    rule: str, left: int, entered: str, golden: Golden
) -> None:
    stage = Stage().clear().put(FRIGATE, GIBRALTAR, 3).put(GUNBOAT, MALTA, 2)
    stage.game.left = left
    reason, _, _ = refused(stage, entered, Ask(AMERICAN, rule, (("done",),))).partition("; you are")
    golden(reason)
    assert ";" not in reason


def test_a_question_about_no_card_is_meant_before_any_card() -> None:
    stage = Stage().clear().put(FRIGATE, GIBRALTAR, 3)
    stage.game.left = 8
    ask = Ask(AMERICAN, "move", (("sail", 1, GIBRALTAR, TRIPOLI), ("done",)))
    told = refused(stage, "frigates > tripoli", ask)
    assert '"frigates"' in told and "Troops" not in told


def test_words_that_name_many_cards_explain_none() -> None:
    assert "not now:" not in refused(Stage(), "event tripoli")


@pytest.mark.parametrize(
    ("entered", "names"),
    [
        ("event sweden", ["Sweden Pays Tribute"]),
        ("storms", ["Storms"]),
        ("play preble's boys now", ["Preble's Boys Take Aim"]),
        ("move with naval", ["Naval Movement"]),
        ("a", []),
        ("the", ["Lieutenant O'Bannon Leads the Charge"]),
        ("2 gibraltar > malta", []),
        ("troops", ["Troops to Derne", "Troops to Benghazi", "Troops to Tripoli"]),
    ],
)
def test_the_cards_that_words_name(entered: str, names: list[str]) -> None:
    found = [NAMES_FOR_TWO[card] for card in cards_in(entered, NAMES_FOR_TWO)]
    assert set(names) <= set(found) and (entered == "the" or found == names)


def test_why_not_says_it_after_the_first_time() -> None:
    assert why_not("Storms", [Unmet("", "it is here"), Unmet("", "it is there")]) == (
        "Storms is here; it is there"
    )
    assert CORE in KIND
