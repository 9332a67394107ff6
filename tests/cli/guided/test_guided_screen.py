"""What a led turn shows fits the screen, says one reason, and knows a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.games.introduction import introduction
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.turn import joining, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import open_file
from pbem.turn.questions import options
from tests.support.homes import complete_answers, make_home
from tests.support.screen import Seat, at_a_screen


@contextmanager
def begun(
    folder: Path, game: str = "tripoli-solitaire", *options: str, **size: int
) -> Iterator[Seat]:
    """A turn of a game that is played alone, led in a terminal of 80 columns and 24 rows, or of
    this size."""
    home: Home = make_home(folder / "home")
    (folder / "turn.toml").write_bytes(joining.invite(home, joining.NewGame(game)))
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
            assert "Needs: " not in shown and "Orders would spare" not in shown
            board = "Gibraltar 3 American frigates" if plain else "Gibraltar"
            assert (board in shown) is ("board shows it" not in shown)


@pytest.mark.dear("plays in a pseudo-terminal")
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["tripoli-solitaire", "backgammon", "loot"])
def test_board_and_question_stand_together(
    tmp_path: Path, game: str, columns: int, rows: int
) -> None:
    """What happened takes a third of the screen at most, and at each step a dozen things can be
    chosen."""
    edges = {"tripoli-solitaire": "Alexandria", "backgammon": " 13  14  15", "loot": "Pile"}
    with begun_by_two(tmp_path, game, columns, rows) as seat:
        for _ in range(4):
            shown = [row.rstrip() for row in seat.waits()._screen.display]
            if "Sign it?" in seat.last():
                break
            asked = max(at for at, row in enumerate(shown) if ASKED.search(row))
            board = [at for at, row in enumerate(shown) if edges[game].casefold() in row.casefold()]
            assert board and board[0] < asked, "\n".join(shown)
            offered = re.findall(r"(?:^|  )\s*(\d+)  \S", "\n".join(shown[asked:]))
            assert 1 <= len(offered) <= 12, "\n".join(shown)
            seat.types("1")
    first = seat.text().splitlines()
    tops = ("gold ", "pips", "Pile")
    assert min(at for at, row in enumerate(first) if any(top in row for top in tops)) <= rows // 3


ASKED = re.compile(r"You are asked: |: where to\?|: what with it\?|: how many\?|where next\?")


@contextmanager
def begun_by_two(folder: Path, game: str, columns: int, rows: int) -> Iterator[Seat]:
    """The first turn with a decision of a game, which chance has begun where two play it."""
    if game == "tripoli-solitaire":
        with begun(folder, game, columns=columns, rows=rows) as seat:
            yield seat
        return
    homes = [make_home(folder / name, name) for name in ("Ann", "Ben")]
    data = joining.join(
        open_file(joining.invite(homes[0], joining.NewGame(game)), homes[1]),
        homes[1],
    )
    while True:
        turn = replay(turnfile.read(data)).to_act()
        assert turn is not None
        opened = open_file(data, homes[turn])
        draft = opened.draft()
        if draft is not None and len(options(draft)) > 1:
            break
        data = take_turn.next_entry(opened, Intent(complete_answers(opened, min)))
    (folder / "turn.toml").write_bytes(data)
    with at_a_screen(
        homes[turn].folder, folder, "play", "turn.toml", "--no-mail", columns=columns, rows=rows
    ) as seat:
        yield seat


def test_a_question_is_answered_step_by_step_as_at_the_table(tmp_path: Path) -> None:
    with begun(tmp_path) as seat:
        seat.waits()
        for line, asked in (
            ("thomas", "From where?"),
            ("gib", "Gibraltar: where to?"),
            ("back", "From where?"),
            ("1", "Gibraltar: where to?"),
            ("patrol", "Patrol Zone: where to?"),
            ("tripoli", "3  3 gibraltar > tripoli zone"),
        ):
            assert asked in seat.types(line).last(8)
        seat.types("3").types("list")
        assert "2 tripoli zone > malta" in seat.text() and "done" in seat.text()


def test_of_answers_that_fit_it_is_asked_which(tmp_path: Path) -> None:
    with begun(tmp_path) as seat:
        seat.types("event thomas").types("3 gib > tripoli")
        assert "> 3 gibraltar > tripoli\n" in seat.text()
        seat.types("back").types("3 gib > tri")
        assert "1 3 gibraltar > tripoli 2 3 gibraltar > tripoli zone" in " ".join(
            seat.last(30).split()
        )
        assert "> 3 gibraltar > tripoli zone\n" in seat.types("2").text()


@pytest.mark.parametrize("game", ["tripoli-solitaire", "paradise"])
def test_help_fits_the_screen_and_offers_what_there_is(tmp_path: Path, game: str) -> None:
    with begun(tmp_path, game) as seat:
        seat.waits()
        before = len(seat.text().splitlines())
        seat.types("help")
        told = seat.text().splitlines()[before - 1 :]
        assert len(told) <= 24 and "goal " in "\n".join(told)
        named = {line.split("  ")[0] for line in told}
        assert not named & {"offer draw", "message [TEXT]", "grant [DAYS]", "drop order N", "lines"}
        assert ("hand" in named) is (game == "tripoli-solitaire")


@pytest.mark.parametrize("word", ["goal", "win", "rules"])
def test_goal_says_how_one_wins(tmp_path: Path, word: str) -> None:
    with begun(tmp_path, columns=120) as seat:
        seat.types(word)
        said = introduction("tripoli-solitaire")
        told = " ".join(seat.text().split())
        assert all(part in told for part in (said.aim, said.length, said.chance))
        assert "pbem help solitaire" in told


@pytest.mark.dear("plays in a pseudo-terminal")
@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ("2 malta > tripoli", " Malta"),
        ("4 gibraltar > malta", " only 3 "),
        ("bord", " board?"),
        ("hepl", " help?"),
        ("undo", " back?"),
    ],
)
def test_a_refusal_has_one_reason_and_a_slip_a_suggestion(
    tmp_path: Path, entered: str, said: str
) -> None:
    with begun(tmp_path) as seat:
        seat.types("event thomas").types(entered)
        told = " ".join(seat.last(4).split())
        assert said in told and told.count("; ") <= 2 and "8 moves left" not in told, told


@pytest.mark.parametrize("game", ["tripoli-solitaire", "loot"])
def test_a_hand_of_six_cards_leaves_the_question_on_the_screen(tmp_path: Path, game: str) -> None:
    """What each can do now; where the texts fit, they stand there. What is longer than the screen
    has the question below it again."""
    with begun_by_two(tmp_path, game, 80, 24) as seat:
        seat.types("hand")
        shown = " ".join(seat._screen.display)
        assert ASKED.search(shown) and "card NAME" in shown
        assert re.search(r"Naval Movement +event, move, build|merchant \d +play", shown), shown
        seat.types("help").types("story").types("board")
        assert ASKED.search(" ".join(seat._screen.display))
        seat.types("card naval" if game == "tripoli-solitaire" else "card merchant 3")
        assert "Now: " in seat.last(12)
        seat.types("quit").ends()


def test_what_happened_comes_before_the_aim(tmp_path: Path) -> None:
    """The first turn of who was invited: on 24 rows the aim waits for its command."""
    with begun_by_two(tmp_path, "loot", 80, 24) as seat:
        told = seat.waits().text()
        assert 0 < told.index(" 6 cards") < told.index("How to win")
