"""Go that begins where a record of another program ends (`pbem_go.record`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.rules import BadData, Rules
from examples.correspondence import Player
from pbem.games.descriptor import load
from pbem.games.record import GameRecord

RECORDS = sorted((Path(__file__).parent / "records").glob("*.sgf"))
NAMES = [path.stem for path in RECORDS]
FIRST_LINES = {"contlist": 3, "under-the-stones": 1311}
"""Moves of the two that are no games of professionals."""


def lines(text: str) -> list[str]:
    found: list[str] = load("pbem_go.record:lines")(text)
    return [f"record: {line}" for line in found]


def begun(go: Rules, text: str) -> Any:
    return go.with_data(lines(text)).begin({})


@pytest.mark.dear("reads twenty whole games")
@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_a_record_of_somebody_else_is_read_and_told_again(go: Rules, path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    game = begun(go, text)
    moves = len(re.findall(r";\s*[BW]\[[a-s]{2}\]", text))
    assert game.moves == FIRST_LINES.get(path.stem, moves) > 2
    game.story = []
    next(game.flow())
    told = load("pbem_go.sgf:sgf")(
        GameRecord(("Ann", "Ben"), {}, "2026-11-29", tuple(game.story), None)
    )
    again = begun(go, told)
    assert again.position() == game.position() and again.record.moves == game.record.moves
    komi = re.search(r"KM\[(\d+)\.5", text)
    assert again.komi == (int(komi[1]) if komi else 7)


def test_there_are_twenty() -> None:
    assert len(RECORDS) == 20


@pytest.mark.parametrize(
    ("text", "stones", "turn"),
    [
        ("(;SZ[9];B[ee](;W[cc](;B[gg])(;B[aa]))(;W[ab]))", "e5:black c7:white g3:black", "white"),
        ("(;SZ[9]CoPyright[a \\] (;B[aa\\])]HA[2]AB[gc][cg])", "g7:black c3:black", "white"),
        ("(;SZ[9]AB[aa:ca]AW[cc]PL[W])", "a9:black b9:black c9:black c7:white", "white"),
        ("(;SZ[9:9]AB[aa]AW[cc])", "a9:black c7:white", "black"),
        ("(;SZ[9];B[ee];W[tt];B[];W[])", "e5:black", "white"),
        ("(;SZ[9];B[ee];W[cc];AE[ee]AB[aa];B[gg])", "e5:black c7:white", "black"),
        ("a mail\n(;SZ[9]\n;B [ee] C[a\\\nb])", "e5:black", "white"),
    ],
)
def test_what_a_record_may_have(go: Rules, text: str, stones: str, turn: str) -> None:
    """Forks, older names, stones before, corners, passes at the end."""
    view = begun(go, text).view(None, {})
    assert view["stones"] == dict(one.split(":") for one in stones.split()) and view["turn"] == turn


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no"),
        ("(", "no record"),
        ("(;SZ[9];B[ee]", "no record"),
        ("(B[ee])", "stands in no move"),
        ("(B[ee];W[cc];B[gg])", '"[(]B" stands in no move'),
        ("(;GM[2]SZ[9])", "no record of Go"),
        ("(;SZ[x])", "no size"),
        ("(;SZ[9:13])", "no size"),
        ("(;SZ[99999];B[aa];W[bb])", "no size"),
        ("(;SZ[\u0669];B[aa])", "no size"),
        (f"(;SZ[19]AB{'[aa:ss]' * 9})", "two stones"),
        ("(;SZ[99])", "lines"),
        ("(;SZ[7])", "lines"),
        ("(;SZ[9];B[jj])", "no point"),
        ("(;SZ[9];B[eee])", "no point"),
        ("(;SZ[9]AB[])", "no point"),
        ("(;SZ[9]AB[ee]AW[ee])", "two stones"),
        ("(;SZ[9]AW[aa]AB[ab][ba])", "no free point"),
        ("(;SZ[9];B[ee];W[ee])", "move 2 of the record is on a stone"),
        ("(;SZ[9]AB[ba][ab];W[aa])", "move 1 of the record brings back"),
        ("(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])", "brings back"),
        ("(;SZ[9]" + ";B[aa];W[]" * 1001 + ";B[aa])", "the most"),
    ],
)
def test_no_game_begins_with_what_is_no_record(go: Rules, text: str, why: str) -> None:
    with pytest.raises((ValueError, BadData), match=why):
        begun(go, text)


def test_the_settings_are_those_of_the_record(go: Rules) -> None:
    rules = go.with_data(lines("(;SZ[9]KM[5.5];B[ee])"))
    assert rules.begin({"komi": 3}).view(None, {})["komi"] == 3
    assert rules.begin({}).view(None, {})["komi"] == 5
    for settings in ({"size": 13}, {"handicap": 2}):
        with pytest.raises(ValueError, match="the record says"):
            rules.seats(settings)


def test_two_go_on_where_a_record_ends(boards: None, tmp_path: Path) -> None:
    """With a clock, which the record that they get has as time left."""
    (tmp_path / "files").mkdir()
    record = next(path for path in RECORDS if path.stem == "Gosei-Gos23-T12")
    ann, ben = (
        Player(name, tmp_path / name, tmp_path / "files", in_process=True)
        for name in ("Ann", "Ben")
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name, "--mail", f"{player.name}@example.org")
    new = ("new", "go", "--data", str(record), "--clock", "30+3", "--no-mail")
    file = ben.does("join", ann.does(*new)["file"], "--no-mail")["file"]
    file = ann.does("play", file, "a19", "--message", "Here?", "--no-mail")["file"]
    told = ben.types("export", file, "--format", "sgf")[1]
    assert told.count(";B[") + told.count(";W[") == 107 and "KM[5.5]" in told
    assert "TM[2592000]" in told
    left = re.fullmatch(r";B\[aa\]BL\[(\d+)\]C\[Ann: Here\?\]\)", told.rstrip().split("\n")[-1])
    assert left is not None and 2_850_000 < int(left[1]) <= 2_851_200
    assert "begins where a record ends" in ben.types("log", file)[1]
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;SZ[9];B[zz])", encoding="utf-8")
    code, _, refused = ann.types("new", "go", "--data", str(broken), "--no-mail")
    assert code == 2 and "broken.sgf" in refused and "no point" in refused
    ann.does("data", "go", "empty")
    for empty in ("empty", "empty/record.txt"):
        code, _, refused = ann.types("new", "go", "--data", empty, "--no-mail")
        assert code == 2 and f"nothing is filled in yet in {empty}" in refused
