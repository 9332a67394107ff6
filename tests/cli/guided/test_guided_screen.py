"""What a led turn shows fits the screen, says one reason, and knows a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.home.home import Home
from pbem.turn import joining
from tests.support.homes import make_home
from tests.support.screen import Seat, at_a_screen


@contextmanager
def begun(
    folder: Path, game: str = "tripoli-solitaire", *options: str, **size: int
) -> Iterator[Seat]:
    """A turn of a game that is played alone, led in a terminal of 80 columns and 24 rows, or of
    this size."""
    home: Home = make_home(folder / "home")
    (folder / "turn.toml").write_bytes(joining.invite(home, game, None, {}, []))
    shape = {"columns": 80, "rows": 24} | size
    with at_a_screen(
        home.folder, folder, "play", "turn.toml", "--no-mail", *options, **shape
    ) as seat:  # type: ignore[arg-type]
        yield seat


@pytest.mark.parametrize(
    ("rows", "plain"),
    [(24, False), (30, False), (50, False), (24, True), (50, True)],
    ids=lambda value: str(value),
)
@pytest.mark.parametrize("game", ["tripoli-solitaire", "paradise"])
def test_all_before_the_first_prompt_fits_the_screen(
    tmp_path: Path, game: str, rows: int, plain: bool
) -> None:
    with begun(tmp_path, game, *(["--plain"] if plain else []), rows=rows) as seat:
        assert len(seat.waits().text().splitlines()) <= rows, seat.text()
        shown = " ".join(seat.text().split())
        assert "You are asked: " in shown and shown.endswith(">")
        if game == "tripoli-solitaire":
            assert (
                "Your hand: " in shown
                and "(hand, card NAME: what they do)" in shown
                and "Needs: " not in shown
            )
            assert "Orders would spare" not in shown
            board = "Gibraltar 3 American frigates" if plain else "harbor"
            assert (board in shown) is ("board shows it" not in shown)


def test_each_step_after_it_fits_too_and_the_rest_comes_when_asked(tmp_path: Path) -> None:
    with begun(tmp_path) as seat:
        seat.waits()
        before = len(seat.text().splitlines())
        seat.types("event thomas")
        new = seat.text().splitlines()[before - 1 :]
        assert len(new) <= 24 and "and 24 more: list shows all, list WORDS some" in new
        seat.types("list")
        assert "40  done" in seat.text()
        seat.types("order")
        told = " ".join(seat.text().split())
        assert (
            "hits: in the order you prefer: damage frigate, sink gunboat, sink damaged frigate;"
            " or ask" in told
        )
        assert "Marine Sharpshooters: decline; play; or ask" in told


def test_an_answer_that_is_whole_wins_and_else_numbers_are_named(tmp_path: Path) -> None:
    with begun(tmp_path) as seat:
        seat.types("event thomas").types("3 gib > tripoli")
        assert "Three American frigates sail from Gibraltar to Tripoli" in " ".join(
            seat.text().split()
        )
        seat.types("back").types("3 gib > tri")
        said = " ".join(seat.last(4).split())
        assert (
            '"3 gib > tri" could be "3 gibraltar > tripoli", "3 gibraltar > tripoli zone"' in said
        )
        number = said.partition("type a number: ")[2].split()[0]
        assert number.isdigit() and "you are asked" not in said
        seat.types(number)
        assert "Three American frigates sail from Gibraltar to Tripoli" in " ".join(
            seat.last(24).split()
        )


@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ("2 malta > tripoli", "no American frigate is in Malta"),
        ("4 gibraltar > malta", "Not taken: there are only 3 in Gibraltar"),
        ("bord", "did you mean board?"),
        ("hepl", "did you mean help?"),
        ("undo", "did you mean back?"),
    ],
)
def test_a_refusal_has_one_reason_and_a_slip_a_suggestion(
    tmp_path: Path, entered: str, said: str
) -> None:
    with begun(tmp_path) as seat:
        seat.types("event thomas").types(entered)
        told = " ".join(seat.last(4).split())
        assert said in told and told.count("; ") <= 2 and "you are asked" not in told, told
