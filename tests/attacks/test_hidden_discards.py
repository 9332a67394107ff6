"""With hidden discards no view lists what lies face down, its owner's least of all
(docs/tripoli.md, ruling 18)."""

from __future__ import annotations

from pathlib import Path

from pbem.turn import own_report
from tests.support.players import AMERICAN, TRIPOLITAN, Pair


def test_the_own_face_down_pile_is_counted_and_not_listed(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 5, hidden_discard=1).play(4)
    assert pair.turn() == AMERICAN
    held = own_report.facts_for(pair.open(AMERICAN), public=False)[0].position.hand
    assert held
    pair.step([f"build with {held[0]}"])
    pair.until(lambda game: game.to_act() == AMERICAN)
    for seat, public in ((AMERICAN, False), (AMERICAN, True), (TRIPOLITAN, False)):
        facts = own_report.facts_for(pair.open(seat), public=public)[0]
        cards = facts.position.view["american"]
        assert cards["discard"] == [] and cards["discard_count"] > 0, (seat, public)
    opened = own_report.facts_for(pair.open(AMERICAN), public=False)[0]
    assert opened.position.hand, "one's own hand is still read"
