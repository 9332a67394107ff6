"""A turn of Tripoli led at a terminal: what is shown at every width, every command, and what is
left behind."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from engine.tripoli.cards import NAMES
from pbem.fileformat import turnfile
from tests.cli.guided.test_guided_text import SCENES
from tests.support.led import Led, lead
from tests.support.players import AMERICAN, Pair, last_fields
from tests.support.screen import COLOUR, Seat, at_a_screen

EVENT, MOVE = "event jefferson", "3 gib > trip zone"


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """The first turn of the American; the newest file lies in mails/turn.toml."""
    pair = Pair(tmp_path, 3).play(2)
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "turn.toml").write_bytes(pair.data)
    return pair


def seat_of(
    pair: Pair, *options: str, columns: int = 80, **more: str
) -> AbstractContextManager[Seat]:
    home = pair.homes[AMERICAN].folder
    return at_a_screen(
        home, home.parent / "mails", "play", "turn.toml", *options, columns=columns, **more
    )


def written(tmp_path: Path) -> list[str]:
    return sorted(path.name.partition("-")[2][9:] for path in (tmp_path / "mails").glob("tripoli*"))


@pytest.mark.parametrize(
    ("columns", "colour"),
    [
        *((60, True), (80, False), (120, True)),
        *(
            pytest.param(*seen, marks=pytest.mark.slow)
            for seen in ((60, False), (80, True), (120, False))
        ),
    ],
)
def test_a_turn_from_the_first_question_to_the_signature(
    pair: Pair, tmp_path: Path, columns: int, colour: bool
) -> None:
    with seat_of(
        pair, "--no-mail", columns=columns, **({} if colour else {"NO_COLOR": "1"})
    ) as seat:
        shown = lead(seat, lambda _screen, given: [EVENT, MOVE, "done"][given])
    for words in ("Spring 1801", "You are asked: play an event", "Your turn 2 says"):
        assert words in shown, words
    assert ("Your hand:" in shown) is (columns > 60), "where there is room"
    assert "Gibraltar zone" in shown and "3 American frigates (+3)" in " ".join(shown.split())
    assert shown.count("Sign it?") == 1
    assert max(map(len, shown.splitlines())) <= columns
    assert bool(COLOUR.search(seat.raw)) is colour
    assert "\x1b[6n" not in seat.raw, (
        "a question to the terminal, whose answer a killed program leaves to the shell"
    )
    assert written(tmp_path) == ["0002.md", "0002.toml"]
    (file,) = (tmp_path / "mails").glob("tripoli*.toml")
    assert last_fields(file.read_bytes())["answers"] == [
        "event Thomas Jefferson",
        "3 gibraltar > tripoli zone",
        "done",
    ]


def test_every_command(pair: Pair, tmp_path: Path) -> None:
    """Each does what the list of commands says, and none of them signs anything."""
    draft = pair.open(AMERICAN).draft()
    assert draft is not None
    held = NAMES[draft.faces()[draft.ledger.begun().referee.game.hand(AMERICAN)[0]]]
    with seat_of(pair) as seat:
        for line in SCENES["tripoli"].split("\n")[1:-1]:
            seat.types(line)
        assert held in seat.text() and "3 American frigates (+3)" in " ".join(seat.text().split())
        assert written(tmp_path) == [] and pair.open(AMERICAN).stale is False
        seat.keys("yes\r")
        assert seat.ends() == 0
    (file,) = (tmp_path / "mails").glob("tripoli*.toml")
    fields = last_fields(file.read_bytes())
    assert (fields["message"], len(fields["answers"]), len(fields["orders"])) == (
        "Good luck, Ben",
        3,
        1,
    )
    assert "note" in fields and "draw" not in fields


def test_what_was_tried_is_there_after_a_restart(pair: Pair, tmp_path: Path) -> None:
    with seat_of(pair) as seat:
        seat.types(EVENT).types("message first line")
        seat.keys("\x03")
        assert seat.ends() == 1 and "interrupted" in seat.text()
    with seat_of(pair) as seat:
        seat.types(MOVE)
        assert ": event Thomas Jefferson (" in seat.text()
        seat.types("quit").ends()
    with seat_of(pair) as seat:
        seat.types("done").kill()
        assert seat.ends() == -9
    assert written(tmp_path) == []
    with seat_of(pair) as seat:
        seat.waits()
        assert "| first line" in seat.text() and "Sign it?" in seat.text()
        assert "Not now" not in seat.text(), "the turn is what is shown"
        seat.keys("\x04")
        assert seat.ends() == 0
    assert written(tmp_path) == []


def test_typed_answers_are_shown_and_asked_about(pair: Pair, tmp_path: Path) -> None:
    entered = f"{EVENT}; {MOVE}; done"
    with seat_of(pair, entered, "-m", "Hello", "--order", "hits: spread") as seat:
        seat.waits()
        for words in (
            "Your turn 2 says",
            "  3 gibraltar > tripoli zone",
            "| Hello",
            "standing order: hits: damage",
        ):
            assert words in seat.text()
        assert "┃ harbor" not in seat.text()
        seat.types("no").types("quit").ends()
    assert written(tmp_path) == []
    with seat_of(pair, "event swedish; done") as seat:
        assert seat.ends() == 1 and '"done"' in seat.text()
    with seat_of(pair, EVENT) as seat:
        seat.waits()
        assert "move frigates, 8 moves left" in seat.text(), "what is missing is asked"
    with seat_of(pair, entered, "--yes") as seat:
        assert seat.ends() == 0 and "Sign it?" not in seat.text()
    assert len(written(tmp_path)) == 3


def test_plain_lines_for_a_screen_reader(pair: Pair, tmp_path: Path) -> None:
    """No escape sequence, no box, no column; so too where the terminal can do no more."""
    for given, more in ((["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": ""})):
        with seat_of(pair, *given, **more) as seat:
            seat.types("help").types(EVENT).types("what if 1")
            seat.types("quit").ends()
            assert "1: Gibraltar" in seat.text() and "Not taken: Gibraltar" in seat.text()
            assert "\x1b" not in seat.raw and not set("┃│╭━●") & set(seat.raw)
    with seat_of(pair, "--plain") as seat:
        lead(seat, lambda _screen, given: [MOVE, "done"][given])
    assert len(written(tmp_path)) == 3


def test_the_end_of_the_line_is_completed(pair: Pair) -> None:
    with seat_of(pair) as seat:
        seat.types("event swe\t")
        assert (
            "> event Swedish Frigates Arrive" in seat.text() and "Your turn 2 says" in seat.text()
        )


def test_outside_a_terminal_nothing_is_asked(pair: Pair, tmp_path: Path) -> None:
    """Not where standard input, or the output, is something else."""
    home = pair.homes[AMERICAN].folder
    for redirected in ("</dev/null", "| cat"):
        command = f'"{sys.executable}" -m pbem play turn.toml {redirected}'
        with at_a_screen(home, tmp_path / "mails", "-c", command, program="sh") as seat:
            seat.ends()
            assert "--after" in seat.text() and "Sign it?" not in seat.text()


@pytest.mark.dear("plays in a pseudo-terminal")
def test_two_players_play_a_season(pair: Pair, tmp_path: Path) -> None:
    """Both led, whatever they are asked, until the summer."""
    game = Led(
        {"american": pair.homes[0], "tripolitan": pair.homes[1]}, tmp_path / "mails" / "turn.toml"
    )
    while game.game().begun().referee.game.period() < 2:
        shown = game.turn()
        assert "Sign it?" in shown
    assert "Summer 1801" in game.turn() and len(turnfile.read(game.file.read_bytes()).entries) > 4


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("colour", [True, False], ids=["colour", "no colour"])
def test_a_year_at_every_width(pair: Pair, tmp_path: Path, columns: int, colour: bool) -> None:
    homes = {"american": pair.homes[0], "tripolitan": pair.homes[1]}
    game = Led(homes, tmp_path / "mails" / "turn.toml", **({} if colour else {"NO_COLOR": "1"}))
    while game.game().begun().referee.game.period() < 5:
        shown = game.turn(columns=columns)
        assert max(map(len, shown.splitlines())) <= columns and "…" not in shown
