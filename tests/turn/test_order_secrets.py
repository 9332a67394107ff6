"""What orders tell everybody about a hand: what the program recommends tells nothing, and the rest
is said first."""

from __future__ import annotations

from pathlib import Path

from engine.tripoli import RULES
from engine.tripoli.cards import NAMES
from pbem.fileformat import turnfile
from pbem.turn import take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.own_report import own_faces
from pbem.turn.questions import options
from tests.report.test_advice import hand_of, shown
from tests.support.golden_words import Golden
from tests.support.players import AMERICAN, Pair

BATTLE = {NAMES[card] for card in RULES.card_topics(AMERICAN)}


def told(pair: Pair, *orders: str) -> tuple[list[str], list[str]]:
    """The warnings before an entry with these orders is signed, and the orders as it would hold
    them."""
    opened = pair.open(AMERICAN)
    draft = take_turn.answer(opened, Intent([f"build with {min(hand_of(pair))}"], orders))
    return opened.warnings, list(draft.contents()["orders"])  # type: ignore[arg-type]


def test_all_declines_each_card_whether_it_is_held_or_not(tmp_path: Path) -> None:
    """Two players with other hands sign the same words."""
    found = set()
    for seed in range(5, 10):
        pair = Pair(tmp_path / str(seed), seed).play(4)
        draft = pair.open(AMERICAN).draft([]) if pair.turn() == AMERICAN else None
        if draft is None or not any(option.startswith("build with ") for option in options(draft)):
            continue
        warnings, orders = told(pair, "all: decline")
        assert not warnings, "it tells nothing"
        assert set(orders) == {f"{name}: decline" for name in BATTLE}
        found.add(frozenset(hand_of(pair)))
    assert len(found) > 1


def test_others_leaves_open_what_is_held_and_says_so_before_it_is_signed(
    tmp_path: Path, golden: Golden
) -> None:
    pair = Pair(tmp_path, 8).play(4)
    held = hand_of(pair) & BATTLE
    assert held
    warnings, orders = told(pair, "others: decline")
    assert {order.removesuffix(": decline") for order in orders} == BATTLE - held
    (warning,) = warnings
    assert all(name in warning for name in held)
    golden(warning)
    entries = len(turnfile.read(pair.data).entries)
    assert entries == 4, "nothing was signed"


def test_an_order_to_play_and_one_taken_back_are_told(tmp_path: Path, golden: Golden) -> None:
    pair = Pair(tmp_path, 8).play(4)
    card = max(hand_of(pair) & BATTLE)
    (warning,), (order,) = told(pair, f"{card}: play")
    back = order.split(" ")[-1]
    assert warning.endswith(back)
    golden(warning)
    assert own_faces(pair.open(AMERICAN))[int(back[1:])] == NAMES.index(card)
    spared = iter(lambda: pair.choose(AMERICAN), [])
    pair.step(
        next(turn for turn in spared if card not in " ".join(turn)), orders=[f"{card}: decline"]
    )
    pair.until(lambda game: game.to_act() == AMERICAN)
    (warning,), _ = told(pair, f"{card}: ask")
    golden(warning)


def test_a_card_may_be_excepted_and_both_short_orders_are_one(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 8).play(4)
    card = max(hand_of(pair) & BATTLE)
    _, orders = told(pair, "all: decline", f"{card}: play", "others: decline")
    assert len(orders) == len(BATTLE)
    assert sum(order.endswith(": decline") for order in orders) == len(BATTLE) - 1


def test_the_report_recommends_what_tells_nothing(tmp_path: Path, golden: Golden) -> None:
    text = shown(Pair(tmp_path, 8).play(4))
    golden(*(line for line in text.splitlines() if "--order" in line))
    assert '--order "others: decline"' not in text
