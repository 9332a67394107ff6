"""Half-filled data: found, told, and left out of a new game."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.paradise import RULES
from pbem.games import registry
from pbem.games.game_data import check, finished, read, write_templates
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP

COMPLETE = "map: complete"
THIRTY = tuple(f"tiles: isle {number}: atoll" for number in range(1, 31))


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        (SMALL_MAP, {"map": "14 hexes, and no line"}),
        ((*SMALL_MAP, COMPLETE), {}),
        (
            (*SMALL_MAP, COMPLETE, "map: hex far 0 -4 unexplored"),
            {"map": "no hex at 0 -3, between far and far north"},
        ),
        ((*SMALL_MAP, COMPLETE, "map: hex far 5 0 unexplored"), {"map": "no hex in column 4"}),
        (
            (*SMALL_MAP, COMPLETE, "map: hex far 4 9 unexplored"),
            {"map": "nothing joins far to samoa"},
        ),
        (THIRTY, {}),
        (THIRTY[1:], {"tiles": "29 of 30 tiles"}),
        ((*THIRTY[1:], "tiles: complete"), {}),
        (("setup: boxes 4", "movement: reach 2"), {}),
    ],
)
def test_what_is_missing_is_found(lines: tuple[str, ...], missing: dict[str, str]) -> None:
    """Ruling 29: nobody but the player knows where the board ends; holes are found."""
    found = RULES.with_data(lines).unfinished()
    assert found.keys() == missing.keys()
    assert all(found[file].startswith(what) for file, what in missing.items())


def test_a_file_that_is_not_complete_is_left_out(tmp_path: Path, golden: Golden) -> None:
    game = registry.descriptor("paradise")
    write_templates(game, tmp_path)
    (tmp_path / "map.txt").write_text(
        "\n".join(line.removeprefix("map: ") for line in SMALL_MAP), encoding="utf-8"
    )
    (tmp_path / "setup.txt").write_text("boxes 4\n", encoding="utf-8")
    lines, left_out = finished(RULES, read(game, tmp_path))
    assert not [line for line in lines if line.line.startswith("map: ")] and "setup: boxes 4" in [
        line.line for line in lines
    ]
    (told,) = left_out
    golden(told)
    states = {state.path.stem: state for state in check(game, RULES, tmp_path)}
    assert states["map"].missing and not states["setup"].missing
    for state in states.values():
        golden(str(state).replace(f"{tmp_path}/", ""))


def test_who_makes_a_game_is_told_that_practice_chits_are_made_up(golden: Golden) -> None:
    golden(*RULES.notices())
    chits = [f"chits: {chit.sides()}" for chit in RULES.data.chits]
    assert not RULES.with_data(chits).notices()
