"""Boards of `examples/boards` at the table: as large as a window lets them be, with their dice in
view."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from tests.support.hex_match import HexMatch, hex_installed
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import MEASURED as STAGE
from tests.table.test_table_stage import check_measures, in_windows

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
WINDOWS = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]
BOARD = """() => {
    const [x, y, wide, high] = board.whole, [one, other] = [onScreen([x, y]), onScreen([x + wide, y + high])], free = freePart();
    const width = Math.abs(one[0] - other[0]), height = Math.abs(one[1] - other[1]), die = document.querySelector("#dice .thrown-dice svg")?.getBoundingClientRect();
    const seen = die && [[0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].every(([u, v]) =>
        document.elementFromPoint(die.left + die.width * u, die.top + die.height * v)?.closest("#dice"));
    return { isTurned: camera.isTurned, fills: Math.max(width / innerWidth, height / innerHeight), free: Math.max(width / free.width, height / free.height), high: height / innerHeight, die: die?.width, seen };
}"""  # noqa: E501
"""How much of the window, and of what is free of it, the board takes; its die, and whether nothing
lies over it."""


def begun(folder: Path, command: Sequence[str], answers: int) -> tuple[Home, Path]:
    """A game after so many answers, always the last one, and the home of who is asked."""
    match = HexMatch(folder).begin(*command)
    while True:
        told = [(one, one.asks("moves", match.last)) for one in (match.ann, match.ben)]
        asked, moves = next((one, moves) for one, moves in told if moves.get("options"))
        if len(match.files) > answers:
            return Home(asked.home), match.folder / "mails" / match.last
        match.write(asked, "play", match.last, moves["options"][-1])


@pytest.mark.parametrize(
    ("game", "command", "answers"),
    [("hex", ("hex",), 2), ("einstein", ("einstein",), 4), ("go", ("go", "--size", "9"), 2)],
)
def test_a_board_is_as_large_as_it_can_be_and_its_die_is_seen(
    chromium: Any, tmp_path: Path, game: str, command: Sequence[str], answers: int
) -> None:
    (tmp_path / "site").mkdir()
    with hex_installed(tmp_path / "site", game):
        home, file = begun(tmp_path, command, answers)
        with served(home, tmp_path / "table", file) as server:
            visitor = Visitor(chromium, server, still=WINDOWS[0])
            for size in in_windows(visitor, WINDOWS):
                found = visitor.page.evaluate(BOARD)
                assert found["free"] > 0.84, (size, found)
                assert found["high"] > 0.86 or size != (844, 390), "it has a low window's height"
                assert found["isTurned"] == (game == "hex" and size == (390, 844)), size
                assert found["fills"] > 0.6, (size, found)
                if game == "einstein":
                    assert found["die"] >= 28 and found["seen"], (size, found)
                measured = visitor.page.evaluate(STAGE)
                check_measures({**measured, "targets": [44]}, size)  # fields are as they fit
            if game != "einstein":  # nearly all points are free: the one that is pointed at says so
                free = visitor.page.locator("#view.open .pin.can-go").nth(3)
                assert free.evaluate("(one) => getComputedStyle(one).backgroundImage") == "none"
                free.hover()
                assert visitor.page.locator(".pin.can-go .ghost").count() == 1
            assert visitor.problems == []
            visitor.close()
