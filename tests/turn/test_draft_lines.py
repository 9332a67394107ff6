"""What was tried, in a home that somebody damages: one line of words, and the turn goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.home.memory import Memory
from pbem.turn import draft_lines
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import Intent, TriedLines, new_name
from tests.support.homes import make_home
from tests.support.players import AMERICAN, Pair
from tests.turn.test_turn import CANONICAL, EVENT, MOVE, begun, tried_file


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """The first turn of the American, who has tried something."""
    pair = Pair(tmp_path, 3).play(2)
    begun(pair).answer(EVENT)
    return pair


LINE = {"answers": [], "orders": [], "message": "", "draw": "", "name": "a"}
DAMAGED = {
    "empty": b"",
    "half": b'{"entry": 2, "lines": [{"ans',
    "not text": b"\xff\xfe\x00",
    "a list": b"[]",
    "no number": b'{"entry": true, "lines": []}',
    "deep": b"[" * 100_000,
    "a huge number": b'{"entry": ' + b"9" * 5000 + b"}",
    "half a pair": (
        b'{"entry": 2, "chosen": "a", "lines": [{"answers": ["\\ud800"], "orders": [], "message":'
        b' "", "draw": "", "name": "a"}]}'
    ),
    "resigned": (
        json.dumps({"entry": 2, "chosen": "a", "lines": [{**LINE, "draw": "resign"}]}).encode()
    ),
    "two of one name": json.dumps({"entry": 2, "chosen": "a", "lines": [LINE, LINE]}).encode(),
    "many lines": (
        json.dumps({"entry": 2, "lines": [{**LINE, "name": f"a{n}"} for n in range(51)]}).encode()
    ),
    "an answer that is none": (
        json.dumps({"entry": 2, "lines": [{**LINE, "answers": [7]}]}).encode()
    ),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_put_aside_with_one_line(pair: Pair, data: bytes) -> None:
    file = tried_file(pair)
    file.write_bytes(data)
    turn = begun(pair)
    assert (
        len(turn.warnings) == 1 and "\n" not in turn.warnings[0] and "damaged" in turn.warnings[0]
    )
    assert turn.line.is_empty() and file.with_name("tried.damaged").read_bytes() == data
    turn.answer(EVENT, MOVE)
    assert begun(pair).line.answers == CANONICAL and not begun(pair).warnings


def test_what_no_longer_fits_is_cut_and_named(pair: Pair) -> None:
    file = tried_file(pair)
    stored = json.loads(file.read_text())
    hostile = "\x1b]0;owned\x07\x1b[2J; rm -rf"
    stored["lines"][0] |= {
        "answers": [CANONICAL[0], "99 gibraltar > tunis", hostile],
        "message": "Hello",
    }
    file.write_text(json.dumps(stored))
    turn = begun(pair)
    assert turn.line.answers == CANONICAL[:1] and turn.line.message == "Hello"
    assert len(turn.warnings) == 1 and "99 gibraltar > tunis" in turn.warnings[0]
    stored["lines"][0] |= {"orders": ["weather: nice"]}
    file.write_text(json.dumps(stored))
    assert (begun(pair).line.answers, begun(pair).line.orders) == (CANONICAL[:1], ())


def test_a_line_of_an_earlier_entry_is_not_taken_for_this_one(pair: Pair) -> None:
    kept = tried_file(pair).read_bytes()
    pair.step([EVENT, MOVE, "done"])
    while pair.turn() != AMERICAN or not begun(pair).point().question:
        pair.step()
    tried_file(pair).write_bytes(kept)
    assert begun(pair).line.is_empty() and not begun(pair).warnings


@pytest.mark.skipif(os.name != "posix", reason="other systems have other rights")
@pytest.mark.parametrize("made", ["folder", "pipe", "link to nothing", "link out"])
def test_something_else_in_its_place_is_left_alone(pair: Pair, made: str, tmp_path: Path) -> None:
    file, other = tried_file(pair), tmp_path / "other.json"
    file.unlink()
    other.write_text("precious")
    if made == "folder":
        file.mkdir()
    elif made == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to(other if made == "link out" else tmp_path / "nowhere")
    turn = begun(pair)
    turn.answer(EVENT, MOVE, "done")
    assert turn.warnings and all("\n" not in line for line in turn.warnings)
    assert other.read_text() == "precious"
    assert turn.sign()


KILLED = """
import os, sys
from pathlib import Path
from pbem.home.home import Home
from pbem.turn.open_game import open_file
from pbem.turn.draft import Draft

turn = Draft(open_file(Path(sys.argv[2]).read_bytes(), Home(Path(sys.argv[1]))))
turn.answer("3 gibraltar > tripoli zone")
os.kill(os.getpid(), 9)
"""


def test_a_killed_program_leaves_the_line_and_nothing_else(pair: Pair, tmp_path: Path) -> None:
    home = pair.homes[AMERICAN].folder
    (tmp_path / "turn.toml").write_bytes(pair.data)
    before = {path for path in home.rglob("*") if path.is_file()}
    command = [sys.executable, "-c", KILLED, str(home), str(tmp_path / "turn.toml")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    assert subprocess.run(command, env=environment, check=False).returncode == -9
    assert {path for path in home.rglob("*") if path.is_file()} == before
    assert begun(pair).line.answers == CANONICAL


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
draws = st.sampled_from(draft_lines.DRAWS)
lines = st.builds(
    Intent,
    answers=st.tuples(texts, texts),
    orders=st.tuples(texts),
    message=texts,
    draw=draws,
    note=texts,
    leave=texts,
    grant=st.integers(),
)


@given(st.lists(lines, min_size=1, max_size=5), st.data())
def test_what_was_kept_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, tried: list[Intent], data: st.DataObject
) -> None:
    home = make_home(tmp_path_factory.mktemp("home"))
    home.make_folder("games", "00" * 16)
    kept, warnings = {new_name(): line for line in tried}, list[str]()
    memory, chosen = Memory(home, bytes(32)), data.draw(st.sampled_from(list(kept)))
    TriedLines(memory, 7, warnings).keep(kept, chosen)
    store = TriedLines(memory, 7, warnings)
    found = store.read()
    assert found is not None and (list(found.lines.items()), found.chosen) == (
        list(kept.items()),
        chosen,
    )
    assert not warnings and TriedLines(memory, 8, warnings).read() is None


def test_a_turn_of_a_home_that_is_full_goes_on(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem import files
    from pbem.errors import Usage

    turn = begun(pair)

    def full(*_: object, **__: object) -> None:
        raise Usage("cannot write tried.json: No space left on device")

    monkeypatch.setattr(files, "replace", full)
    turn.answer(MOVE)
    turn.answer("done")
    assert turn.line.answers == (*CANONICAL, "done")
    assert [line for line in turn.warnings if "not kept" in line] == turn.warnings[-1:]
    assert isinstance(turn, Draft)
