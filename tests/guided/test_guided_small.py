"""A terminal of 80 by 24: the question and what just happened stand on it, the rest comes on request."""

from __future__ import annotations

from pathlib import Path

from tests.guided.test_guided_games import alone
from tests.support.screen import Seat, at_a_screen

GROUPS = 7


def visible(seat: Seat) -> str:
    """What stands on the screen now, without what has scrolled off it."""
    return " ".join(" ".join(seat._screen.display).split())


def test_seven_groups_leave_the_question_on_the_screen(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "paradise")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=24) as seat:
        seat.waits()
        assert "group" in visible(seat) and "Samoa has there" in visible(seat)
        seat.types("samoa has 4").types("samoa starts with nothing")
        for number in range(1, GROUPS + 1):
            seat.types("discover 3 from tonga 2 from samoa: 2 boxes 1 green")
            seat.types("die 6")
            assert f"Place nothing on group {number}: it is free" in visible(seat)
            assert "You are asked: what your exploration shows" in visible(seat)
        assert "Samoa has there" not in visible(seat)
        assert "The board has no room here beside the question: board shows it." in " ".join(seat.text().split())
        seat.types("board")
        assert "Samoa has there" in visible(seat) and f"group {GROUPS} new" in visible(seat)
        seat.types("sign").types("yes")
        assert "You are asked: what your exploration shows" in visible(seat)
        assert "Samoa has there" not in visible(seat)
        seat.types("quit").ends()


def test_a_tall_terminal_shows_the_board_after_each_answer(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "paradise")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=60) as seat:
        seat.types("samoa has 4").types("samoa starts with 2 warriors 1 war canoe")
        assert "2 warriors (+2)" in visible(seat) and "no room here" not in seat.text()
        seat.types("quit").ends()
