"""The dice of Conquest of Paradise beside the board: what lies there is what was thrown."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engine.flow import Roll
from pbem.fileformat import turnfile
from pbem.games.paradise.dice import thrown
from pbem.ledger.events import ChanceUse
from pbem.ledger.gate import replay
from pbem.report import history

ARCHIVE = Path(__file__).parents[1] / "archive"


@pytest.mark.parametrize("name", ["paradise-4", "paradise-4-witnessed"])
def test_the_newest_dice_lie_beside_the_board(name: str) -> None:
    """After each entry: the last throws of the record, in their order, those that hit first."""
    file = turnfile.read((ARCHIVE / f"{name}.toml").read_bytes())
    seen = set()
    for count in range(2, len(file.entries) + 1, 3):
        game = replay(turnfile.read(file.prefix(count)))
        shown = thrown({"told": history.told(game)}, ())
        if shown is None or game.playing is None:
            continue
        rolls = [
            one.facts
            for one in game.playing.referee.record
            if isinstance(one.facts, ChanceUse) and isinstance(one.facts.request, Roll)
        ][-len(shown.throws) :]
        for throw, roll in zip(shown.throws, rolls, strict=True):
            assert sorted(throw.dice) == sorted(roll.result or ())
            seen.add(roll.request.reason)
            is_even = roll.request.reason in ("villages", "warriors")
            if is_even:
                assert throw.hits == sum(die % 2 == 0 for die in throw.dice)
                assert all(one % 2 == 0 for one in throw.dice[: throw.hits])
            if roll.request.reason == "occupation":
                assert (throw.says == "Samoa's") == (throw.hits == 1)
            hit, missed = throw.dice[: throw.hits], throw.dice[throw.hits :]
            if roll.request.reason != "tie":
                assert all(
                    first >= last for part in (hit, missed) for first, last in pairwise(part)
                )
        is_said = (
            shown.throws[0].words.startswith("on ") and len(shown.throws) == 1
        )  # beside the die
        assert shown.says == ("" if is_said else ", ".join(one.says for one in shown.throws))
    assert {"occupation", "villages"} <= seen


def test_a_group_is_samoas_on_the_faces_that_the_rules_name() -> None:
    def die(number: int, faces: str) -> tuple[int, str]:
        why = f"group 2 (atoll, 5 from Tonga, 5 from Samoa) is Samoa's {faces}"
        line = {"kind": "thrown", "reason": "occupation", "why": why, "dice": [number]}
        shown = thrown({"told": [line]}, {"group 2"})
        assert shown is not None and (shown.title, shown.place) == ("Group 2:", "group 2")
        assert shown.throws[0].words == f"{faces}:" and not shown.says
        return shown.throws[0].hits, shown.throws[0].says

    assert [die(3, "on 1 to 3"), die(4, "on 1 to 3")] == [(1, "Samoa's"), (0, "free")]
    assert [die(1, "on 1"), die(6, "on any face"), die(1, "on no face")] == [
        (1, "Samoa's"),
        (1, "Samoa's"),
        (0, "free"),
    ]
    assert thrown({"told": [{"kind": "turn", "number": 3}]}, ()) is None
