"""A led turn where somebody, or something, does their worst."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pbem.cli.guided import words
from pbem.cli.guided.screen import clean
from pbem.cli.guided.steps import COMMANDS
from pbem.cli.guided.words import candidates
from tests.support.players import AMERICAN, Pair
from tests.support.screen import Seat, at_a_screen

LINE = {"answers": [], "orders": [], "message": "", "draw": "", "name": "a"}
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    pair = Pair(tmp_path, 3).play(2)
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "turn.toml").write_bytes(pair.data)
    return pair


def led(pair: Pair, *options: str, **more: str) -> AbstractContextManager[Seat]:
    home = pair.homes[AMERICAN].folder
    return at_a_screen(home, home.parent / "mails", "play", "turn.toml", *options, **more)


def tried(pair: Pair) -> Path:
    return pair.homes[AMERICAN].folder / "games" / pair.ledger().game_id.hex()[:32] / "tried.json"


def written(pair: Pair) -> list[Path]:
    return list((pair.homes[AMERICAN].folder.parent / "mails").glob("tripoli*"))


@pytest.mark.dear("plays in a pseudo-terminal")
@pytest.mark.parametrize("options", [["--plain"], []], ids=["plain", "terminal"])
def test_nothing_that_was_tried_commands_the_terminal(pair: Pair, options: list[str]) -> None:
    line = {
        **LINE,
        "answers": ["event swedish frigates", ESCAPE],
        "message": ESCAPE,
        "orders": [ESCAPE],
    }
    tried(pair).write_text(json.dumps({"entry": 2, "chosen": "a", "lines": [line]}))
    with led(pair, *options) as seat:
        seat.types("lines").types("order")
        assert "Not taken: " in seat.text()
        seat.types("message Hello").types("quit").ends()
        assert (
            "owned" not in seat.raw.replace("]0;owned?", "")
            and "\x1b[2J" not in seat.raw
            and "\u202e" not in seat.raw
        )
    assert not written(pair)


def test_text_is_clean_and_keeps_its_lines() -> None:
    assert clean(f"a\n{ESCAPE}b\tc\n") == "a\n?]0;owned??[2J?31m?b?c\n"


@pytest.mark.dear("plays in a pseudo-terminal")
def test_the_late_one_of_two_terminals_is_told(pair: Pair) -> None:
    with led(pair, "--no-mail") as early, led(pair, "--no-mail") as late:
        late.types("event jefferson")
        early.types("event swedish").types("yes")
        assert early.ends() == 0
        late.types("3 gib > trip zone")
        assert late.ends() == 4 and "turn 2" in late.last(6)
    assert len(written(pair)) == 2 and not tried(pair).exists()


@pytest.mark.parametrize(("columns", "rows"), [(1, 4), (7, 3)])
def test_a_terminal_of_hardly_any_size(pair: Pair, columns: int, rows: int) -> None:
    """What is shown cannot be read there, and does what was entered all the same."""
    home = pair.homes[AMERICAN].folder
    with at_a_screen(
        home, home.parent / "mails", "play", "turn.toml", "--no-mail", columns=columns, rows=rows
    ) as seat:
        code = seat.blind("event swedish\r", "yes\r")
    assert code == 0 and "Traceback" not in seat.raw and len(written(pair)) == 2


def test_another_size_in_the_middle(pair: Pair) -> None:
    with led(pair) as seat:
        seat.types("event jefferson").resize(50, 60).types("board")
        assert "4 Tripolitan corsairs" in seat.text()
        seat.resize(50, 120).types("board").types("quit")
        assert seat.ends() == 0 and "Tripoli zone" in seat.text()


@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_terminal_that_is_closed_leaves_the_tried_line(pair: Pair, sent: int) -> None:
    with led(pair) as seat:
        assert seat.types("event jefferson").kill(sent).ends() == -sent
    assert "event Thomas Jefferson" in tried(pair).read_text() and not written(pair)
    assert sorted(path.name for path in tried(pair).parent.iterdir()) == [
        "read",
        "signed",
        "tried.json",
    ]


def test_bytes_that_are_no_text(pair: Pair) -> None:
    for options in ([], ["--plain"]):
        with led(pair, *options) as seat:
            seat.waits()
            seat.presses(b"event \xff\xfe\r")
            seat.types("quit")
            assert seat.ends() == 0 and "Traceback" not in seat.raw


def test_no_standard_input_at_all(pair: Pair) -> None:
    home = pair.homes[AMERICAN].folder
    command = f'"{sys.executable}" -m pbem play turn.toml <&-'
    with at_a_screen(home, home.parent / "mails", "-c", command, program="sh") as seat:
        assert seat.ends() == 1 and "--after" in seat.text()


def test_a_command_never_hides_a_legal_answer() -> None:
    assert words.read("draw", ["draw", "merchant 2"], COMMANDS) == ("", "draw")
    assert words.read("Back", ["back"], COMMANDS) == ("", "Back") and words.read(
        "/back", ["back"], COMMANDS
    ) == (
        "back",
        "",
    )
    assert words.read("back 2", ["back 22"], COMMANDS) == ("back", "2")
    assert words.read("what if move; done", [], COMMANDS) == ("what if", "move; done")
    assert words.read("if move", [], COMMANDS) == ("if", "move")
    assert words.read("backwards", [], COMMANDS) == ("", "backwards")
    assert words.read("/nonsense", [], COMMANDS).command == "help"
    assert words.read("q", ["queen"], COMMANDS) == ("quit", "")
    assert words.read("q", ["q"], COMMANDS) == ("", "q"), (
        "an answer that is spelled in full comes first"
    )


def test_completion_finds_by_words() -> None:
    known = ["1 gibraltar > tripoli", "1 gibraltar > tunis", "done", *COMMANDS]
    assert candidates("gib tun", known) == ["1 gibraltar > tunis"]
    assert candidates("d", known)[:1] == ["done"] and "drop line" in candidates("d", known)
    assert candidates("xyz", known) == []


def test_prompt_toolkit_is_loaded_where_somebody_is_led_only(pair: Pair, tmp_path: Path) -> None:
    home = pair.homes[AMERICAN].folder
    script = (
        "import sys\nfrom pbem.cli.app import run\ntry: run()\nexcept SystemExit: pass\nprint([name"
        " for name in ('prompt_toolkit', 'pbem.cli.guided', 'rich') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script, "play", "turn.toml", "event swedish", "--no-mail"]
    environment = {
        "PBEM_HOME": str(home),
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        command,
        cwd=tmp_path / "mails",
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stdout


def test_the_page_names_every_command() -> None:
    page = (Path(__file__).parents[3] / "docs" / "turn.md").read_text(encoding="utf-8")
    named = {name for name in COMMANDS if f"`{name}`" in page or f"`{name} " in page}
    assert named == set(COMMANDS)
