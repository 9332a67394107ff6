"""An answer that the player's own order has given already is taken as said, once, and told."""

from __future__ import annotations

import pytest

from pbem.errors import Refused
from pbem.turn import take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.extras import given_by_orders
from tests.support.golden_words import Golden
from tests.support.players import Pair
from tests.turn.test_turn import begun


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pair, list[str]]:
    """A turn in which an order answers a question of its own player, and the answers that the
    player gives besides."""
    pair = Pair(tmp_path_factory.mktemp("pair"), 3).play(2)
    for number in range(20):
        seat, answers = pair.turn(), pair.choose(pair.turn() or 0)
        assert seat is not None
        draft = pair.open(seat).draft(answers)
        assert draft is not None
        if given_by_orders(draft.ledger.begun(), seat, draft.number, draft.faces()) == ["decline"]:
            return pair, answers
        pair.step(
            answers,
            **({"orders": ["all: decline", "hits: spread"]} if number < 2 and answers else {}),
        )
    raise AssertionError("no order answers in its own player's turn")


def test_it_is_taken_as_said(found: tuple[Pair, list[str]], golden: Golden) -> None:
    pair, answers = found
    opened = pair.open(pair.turn() or 0)
    draft = take_turn.answer(opened, Intent([*answers, "declines"]))
    assert draft.said == answers and draft.repeated == ["decline"]
    assert any('"decline"' in warning for warning in opened.warnings)
    golden(*opened.warnings)
    assert (
        draft.contents()
        == take_turn.answer(pair.open(opened.seat or 0), Intent(answers)).contents()
    )
    turn = begun(pair)
    assert turn.answer(*answers, "decline") == tuple(answers) == turn.line.answers


@pytest.mark.parametrize("more", [["decline", "decline"], ["play"], ["done"]])
def test_once_and_nothing_else(found: tuple[Pair, list[str]], more: list[str]) -> None:
    pair, answers = found
    with pytest.raises(Refused, match=f'"{more[-1]}"'):
        take_turn.answer(pair.open(pair.turn() or 0), Intent([*answers, *more]))
