"""Clauses 3 and 9 of docs/format.md, section 8, for games in which dice are thrown: no built-in one
has three sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.flow import Ask, Roll
from pbem.errors import RulesBroken
from pbem.ledger.game_end import Agreement, Offer
from pbem.ledger.signatures import Verifier
from pbem.ledger.whose_turn import Randomness
from tests.support.golden_words import Golden

THREE: Any = SimpleNamespace(
    dice=True,
    seats=lambda _settings: ("ann", "ben", "cleo"),
    side=lambda _settings, seat: seat,
    decks=lambda _settings: (),
    bystanders=lambda _settings: (),
    played_by_rules=lambda _settings: (),
    accepts_draw=lambda _given: False,
)


class Waits:
    """A referee that waits for this."""

    def __init__(self, request: object, waits_for: int) -> None:
        self.outcome, self.turn, self.randomness = None, self, SimpleNamespace(left=[])
        self.request, self._waits_for = request, waits_for

    def waits_for(self) -> int:
        return self._waits_for

    def pending(self) -> bool:
        return isinstance(self.request, Roll)

    def leave(self, source: Any) -> None:
        self.randomness.left.append(source.seat)


def resign(request: object, waits_for: int, seat: int, offer: Offer | None = None) -> list[int]:
    """Who has left after the resignation of `seat`."""
    referee: Any = Waits(request, waits_for)
    agreement = Agreement(THREE, {})
    agreement.offer = offer
    agreement.apply(referee, SimpleNamespace(seat=seat), "", True)  # type: ignore[arg-type]
    return list(referee.randomness.left)


def test_03_with_dice_a_seat_leaves_in_place_of_the_answer_to_its_own_question() -> None:
    assert resign(Ask(1, "turn", (("go",),)), 1, 1) == [1]


@pytest.mark.parametrize(
    ("request_", "waits_for", "seat"),
    [(Ask(2, "turn", (("go",),)), 2, 1), (Roll(0, 2, "dice"), 1, 1), (Roll(1, 2, "dice"), 2, 1)],
    ids=["another's question", "a proof of its own pending", "a proof pending"],
)
def test_03_with_dice_a_seat_leaves_nowhere_else(
    request_: object, waits_for: int, seat: int, golden: Golden
) -> None:
    """Whoever has given a proof knows what E settles, and would move E by leaving."""
    with pytest.raises(RulesBroken) as refused:
        resign(request_, waits_for, seat)
    golden(refused.value.what)


def test_03_with_dice_a_draw_that_stands_is_answered_first() -> None:
    with pytest.raises(RulesBroken, match="in place of"):
        resign(Ask(1, "turn", (("go",),)), 1, 1, Offer(0, True, frozenset((0,))))


def test_09_one_who_left_is_no_witness_of_later_decisions() -> None:
    chance = Randomness(b"game", (b"a", b"b", b"c"), Verifier())
    chance.authors = [0, 1, 2, 1, 0]
    chance.newest = 2
    assert chance.witnesses() == (0, 1)
    chance.left.append(1)
    chance.decide(3)
    assert chance.author() == 1 and chance.witnesses() == (0, 2) == tuple(sorted(chance.missing()))
    chance.decide(4)
    assert chance.witnesses() == (2,) and chance.missing() == [2]
