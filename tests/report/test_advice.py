"""What a report tells a player about orders they have not given: to them alone, and only where it
would spare mails."""

from __future__ import annotations

from pathlib import Path

from engine.tripoli import RULES
from engine.tripoli.cards import NAMES
from pbem.report import render
from pbem.report.facts import about_orders
from pbem.report.model import OrderHints
from pbem.turn import own_report
from pbem.turn.own_report import own_faces
from tests.support.golden_words import Golden
from tests.support.players import AMERICAN, Pair

ADVICE = "Orders would spare mails"
BATTLE = {NAMES[card] for card in RULES.card_topics(AMERICAN)}


def hand_of(pair: Pair) -> set[str]:
    opened = pair.open(AMERICAN)
    faces = own_faces(opened)
    return {NAMES[faces[back]] for back in opened.ledger.begun().referee.game.hand(AMERICAN)}


def shown(pair: Pair, *, public: bool = False) -> str:
    facts, _ = own_report.facts_for(pair.open(AMERICAN), public=public)
    return render.render("report.txt.j2", facts, None)


def test_a_player_is_told_what_he_has_ordered_nothing_about(tmp_path: Path, golden: Golden) -> None:
    pair = Pair(tmp_path, 8).play(4)
    assert pair.turn() == AMERICAN
    held = hand_of(pair) & BATTLE
    opened = pair.open(AMERICAN)
    told = about_orders(opened.ledger.begun(), AMERICAN, own_faces(opened))
    assert held
    assert told == OrderHints(
        topics=["hits", "losses", "battles"],
        others=len(BATTLE - held),
        held=sorted(held, key=NAMES.index),
        against=[],
    )
    golden(*(line for line in shown(pair).splitlines() if told.held[0] in line))


def test_nobody_else_is_told_what_he_holds(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 8).play(4)
    assert ADVICE in shown(pair)
    assert ADVICE not in shown(pair, public=True)
    pair.step()
    assert ADVICE not in shown(pair), "it is not their turn"


def test_an_order_that_declines_a_card_of_the_hand_is_told(tmp_path: Path, golden: Golden) -> None:
    pair = Pair(tmp_path, 8).play(4)
    held = sorted(hand_of(pair) & BATTLE)
    card = held[0]
    orders = ["others: decline", "hits: spread", "losses: arab, marine", "battles: tripoli"]
    orders += [f"{name}: decline" for name in held]
    turns = iter(lambda: pair.choose(AMERICAN), [])
    pair.step(next(turn for turn in turns if card not in " ".join(turn)), orders=orders)
    pair.until(lambda game: game.to_act() == AMERICAN)
    assert card in hand_of(pair)
    text = shown(pair)
    golden(*(line for line in text.splitlines() if f"hold {card}" in line))
    assert ADVICE not in text
