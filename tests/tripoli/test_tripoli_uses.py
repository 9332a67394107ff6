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


def test_a_reason_names_the_requirement_and_the_fact() -> None:
    stage = Stage().clear().at(1803)
    assert (
        reasons(stage, "Hamet's Army Created")
        == "it is 1803, and Hamet's Army Created needs 1804 or later; there are no American"
        " frigates in Alexandria, and it needs an American frigate in Alexandria"
    )
    stage.put(FRIGATE, ALEXANDRIA, 1).at(1804)
    assert reasons(stage, "Hamet's Army Created") == ""
    stage.deal(TRIPOLITAN, "Sweden Pays Tribute").at(1801)
    assert reasons(stage, "Sweden Pays Tribute", TRIPOLITAN).startswith(
        "it is 1801, and Sweden Pays Tribute needs 1803 or later"
    )


def test_a_card_that_is_elsewhere_says_so_first() -> None:
    stage = Stage()
    assert reasons(stage, "Storms").startswith("Storms is one of Tripolitania's cards")
    assert reasons(stage, "Tribute Paid").startswith("Tribute Paid is not in your hand")
    stage.game.remove_card(AMERICAN, NAMES.index("Burn the Philadelphia"))
    assert reasons(stage, "Burn the Philadelphia").startswith(
        "Burn the Philadelphia has left the game"
    )


def refused(stage: Stage, entered: str, seat: int = AMERICAN) -> str:
    table = Ask(
        seat, "play", (("event", 0),), tuple(stage.game.hands[seat]), (("move",),), lambda card: ()
    )
    with pytest.raises(Illegal) as error:
        understand_answer(
            RULES, stage.game, table, entered, sentences(RULES, table, stage.faces), stage.faces
        )
    return str(error.value)


def test_a_refusal_of_a_card_gives_the_reason_and_repeats_the_question() -> None:
    stage = Stage().deal(AMERICAN, "Hamet Recruits Bedouins")
    told = refused(stage, "event bedouins")
    reason = (
        "Hamet's Army is not on the map, and Hamet Recruits Bedouins needs Hamet's Army on the map"
    )
    assert told == f"not now: {reason}; you are asked: play an event or spend a card, Spring 1801"


def test_a_refusal_about_a_card_that_is_not_held_tells_nothing_else_of_it() -> None:
    told = refused(Stage(), "event treaty of peace")
    assert "not now: Treaty of Peace and Amity is not in your hand; you are asked" in told


@pytest.mark.parametrize(
    ("entered", "left", "reason"),
    [
        ("2 malta > tripoli", 8, "no American frigate is in Malta"),
        ("4 gibraltar > malta", 8, "there are only 3 in Gibraltar"),
        ("3 gibraltar > malta", 2, "only 2 moves are left"),
        ("1 gibraltar > gibraltar", 8, "they are in Gibraltar already"),
        ("1 gibraltar > derne", 8, "nothing Tripolitan is in Derne, so no frigate goes there"),
        ("discard tribute paid", 8, "not now: Tribute Paid is not in your hand"),
        ("4 gib > trip zone", 8, "there are only 3 in Gibraltar"),
        ("9 gib trip", 8, "there are only 3 in Gibraltar"),
        ("2 trip > malta", 8, "no American frigate is in Tripoli"),
        ("0 gib > malta", 8, "at least one frigate goes"),
        ("1 gib > alex zone", 8, "Alexandria has no patrol zone"),
        ("troops to tripoli", 8, "not now: Troops to Tripoli is one of Tripolitania's cards"),
    ],
)
def test_a_move_that_cannot_be_made_has_one_reason(entered: str, left: int, reason: str) -> None:
    stage = Stage().clear().put(FRIGATE, GIBRALTAR, 3)
    stage.game.left = left
    ask = Ask(AMERICAN, "move", (("done",),))
    with pytest.raises(Illegal) as error:
        understand_answer(
            RULES, stage.game, ask, entered, sentences(RULES, ask, stage.faces), stage.faces
        )
    assert str(error.value).partition("; you are asked: ")[0] == reason


@pytest.mark.parametrize(
    ("rule", "entered", "reason"),
    [
        ("gunboats", "3 gunboats to derne", "there are only 2 gunboats in Malta"),
        ("join", "4 from gib", "there are only 3 in Gibraltar"),
        ("join", "1 from algiers", "no American frigate is in Algiers"),
    ],
)
def test_a_force_that_is_not_there_is_counted(rule: str, entered: str, reason: str) -> None:
    stage = Stage().clear().put(FRIGATE, GIBRALTAR, 3).put(GUNBOAT, MALTA, 2)
    stage.game.left = 2
    ask = Ask(AMERICAN, rule, (("done",),))
    with pytest.raises(Illegal) as error:
        understand_answer(
            RULES, stage.game, ask, entered, sentences(RULES, ask, stage.faces), stage.faces
        )
    assert str(error.value).partition("; you are asked: ")[0] == reason


def test_a_question_about_no_card_is_meant_before_any_card() -> None:
    stage = Stage().clear().put(FRIGATE, GIBRALTAR, 3)
    stage.game.left = 8
    ask = Ask(AMERICAN, "move", (("sail", 1, GIBRALTAR, TRIPOLI), ("done",)))
    with pytest.raises(Illegal) as error:
        understand_answer(
            RULES, stage.game, ask, "frigates > tripoli", sentences(RULES, ask, {}), stage.faces
        )
    assert 'none has "frigates"' in str(error.value) and "Troops" not in str(error.value)


def test_a_move_before_a_card_is_spent_says_what_comes_first() -> None:
    told = refused(Stage().deal(AMERICAN, "Tribute Paid"), "2 gibraltar > tripoli zone")
    assert told.startswith(
        "no frigates are moved now: first play an event that moves them, or spend a card, as in"
    )
    told = refused(Stage().deal(AMERICAN, "Tribute Paid"), "done")
    assert told.startswith('"done" is no answer to this question')


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
    assert (
        why_not("Storms", [Unmet("", "it is not in your hand"), Unmet("", "it has gone")])
        == "Storms is not in your hand; it has gone"
    )
    assert CORE in KIND
