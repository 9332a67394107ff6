"""Somebody who starts the program for the first time: `pbem` alone, and the commands that ask who
they are."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from pbem.cli.app import every_command
from pbem.cli.shells import man_pages
from pbem.home.home import Home
from tests.support.begun_game import BegunGame
from tests.support.screen import at_a_screen
from tests.support.terminal import at_a_terminal


def test_the_program_alone_says_the_next_steps_and_later_its_commands(looked_at: BegunGame) -> None:
    cleo = looked_at.stranger("newcomer")
    code, out, err = cleo.types()
    assert (code, err) == (0, "") and max(map(len, out.splitlines())) <= 80
    assert "pbem new tripoli --solitaire" in out.split("pbem play trip")[0]
    assert not cleo.home.exists()
    code, out, err = looked_at.ann.types()
    assert (code, err) == (0, "") and out == looked_at.ann.types("--help")[1]


def test_help_opens_with_the_first_page(looked_at: BegunGame) -> None:
    out = looked_at.ann.types("help")[1]
    assert out.startswith("# ")
    assert out.index("  start ") < out.index("  tripoli ") < out.index("  library ")
    assert "  design " not in out and "  release " not in out


@pytest.mark.dear("plays in a pseudo-terminal")
@pytest.mark.parametrize("command", [["new", "tripoli", "--solitaire"], ["new", "tripoli"]])
def test_new_asks_for_a_name_and_goes_on(tmp_path: Path, command: list[str]) -> None:
    home = tmp_path / "home"
    shown = at_a_terminal(home, tmp_path, command, ["Ann", "ann at home", "ann@example.org"])
    assert shown.count("ann at home") == 2, "what was entered, and what is wrong with it"
    assert len(list(tmp_path.glob("tripoli-*-0000.toml"))) == 1
    assert (Home(home).identity().name, Home(home).identity().mail) == ("Ann", "ann@example.org")
    shown = at_a_terminal(home, tmp_path, command)
    assert "Your name" not in shown


def test_join_asks_for_a_name_and_goes_on(looked_at: BegunGame, tmp_path: Path) -> None:
    (tmp_path / "invitation.toml").write_bytes((looked_at.folder / looked_at.files[0]).read_bytes())
    shown = at_a_terminal(tmp_path / "home", tmp_path, ["join", "invitation.toml"], ["Dora", ""])
    joined = Home(tmp_path / "home").identity()
    assert (joined.name, joined.mail) == ("Dora", "") and "Dora joins" in shown


def test_the_table_opens_without_a_question_for_its_first_page_asks(tmp_path: Path) -> None:
    with at_a_screen(tmp_path / "home", tmp_path, "table", "--no-browser") as seat:
        while "It ends with Ctrl-C" not in seat.text():
            assert seat.reads()
        (address,) = (row for row in seat.text().splitlines() if "http" in row)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{16}", address.strip())
        assert "Your name" not in seat.text()
        seat.kill(signal.SIGINT).ends()
    assert not Home(tmp_path / "home").has_identity()


def test_nobody_is_asked_where_nobody_can_answer(looked_at: BegunGame) -> None:
    cleo = looked_at.stranger("newcomer")
    for command in (
        ["new", "tripoli"],
        ["join", looked_at.files[0]],
        ["table", looked_at.files[0], "--no-browser"],
    ):
        code, out, err = cleo.types(*command)
        assert (code, out) == (2, "") and "pbem id --name" in err
    assert not cleo.home.exists()


def test_values_of_options_have_a_word_in_help_and_on_man_pages(looked_at: BegunGame) -> None:
    page = man_pages(every_command())["pbem-play.1"]
    for option in (
        r'\-\-order "TOPIC: WHAT"',
        r"\-\-message, \-m TEXT",
        r"\-\-grant DAYS",
        r"\-\-note TEXT",
    ):
        assert rf"\fB{option}\fR" in page
    helped = looked_at.ann.types("play", "--help")[1]
    assert (
        "Usage: pbem play [OPTIONS] FILE [ANSWERS]\n" in helped
        and '--order "TOPIC: WHAT" ' in helped
    )
    assert "<str>" not in helped and "<int>" not in helped
