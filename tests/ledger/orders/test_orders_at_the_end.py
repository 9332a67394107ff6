"""Standing orders entered with the entry that ends the game: nothing is left to order, and the
player is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.turn import take_turn
from pbem.turn.draft_lines import Intent
from tests.support.golden_words import Golden
from tests.support.players import Pair, forge, last_fields, refused

ORDER = ["draw: accept"]


SHORT = 19
"""The seed of a game that is soon over."""


@pytest.mark.dear("plays whole games by mail")
def test_orders_that_come_too_late_are_not_dropped_in_silence(
    tmp_path: Path, golden: Golden
) -> None:
    pair = Pair(tmp_path, SHORT)
    told: list[list[str]] = []
    while (turn := pair.turn()) is not None:
        if pair.ledger().playing is not None and pair.ledger().outcome is None:
            answers = pair.choose(turn)
            opened = pair.open(turn)
            draft = take_turn.answer(opened, Intent(answers, ORDER))
            assert bool(opened.warnings) == draft.ledger.is_over()
            assert bool(draft.contents()["orders"]) != draft.ledger.is_over()
            told.append(opened.warnings)
            pair.step(answers)
        else:
            if pair.ledger().outcome is not None:
                opened = pair.open(turn)
                take_turn.answer(opened, Intent(orders=ORDER))
                assert opened.warnings
            pair.step()
    assert not any(told[:-1])
    golden(*told[-1])
    assert len(turnfile.read(pair.data).entries) > 10


def test_the_gate_takes_no_orders_where_the_game_is_over(tmp_path: Path) -> None:
    """docs/format.md, section 12: no question is left that they could answer."""
    pair = Pair(tmp_path, SHORT)
    before = pair.data
    while not pair.ledger().is_over():
        before = pair.data
        pair.step()
    ending = last_fields(pair.data)
    signer = pair.identities[("american", "tripolitan").index(str(ending["seat"]))]
    refused(forge(before, signer, {**ending, "orders": ORDER}), "orders that nothing asks for")
