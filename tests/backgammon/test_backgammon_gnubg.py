"""A match for other programs, against GNU Backgammon itself: its IDs, what it reads and writes
again, what it says."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.backgammon import RULES
from engine.backgammon.game import Backgammon
from engine.backgammon.gnu_ids import match_id, position_id
from engine.backgammon.plays import Board, Step, board_after
from engine.backgammon.tables import BAR, OFF, START, read_stakes
from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import OpenTable
from examples.correspondence import Player
from pbem.errors import Refused, Usage
from pbem.games.backgammon import gnubg
from pbem.games.backgammon.match_files import mat, sgf
from pbem.games.backgammon.match_games import Action, MatchGame, games_of, plain_names
from pbem.games.record import Analysis, Effort, GameRecord, Judged
from pbem.simulate.series import simulate
from tests.backgammon.test_backgammon_mail import begun, players
from tests.support.effort import PATIENCE

__all__ = ["players"]

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
needs_gnubg = pytest.mark.skipif(
    GNUBG is None, reason="gnubg is not installed (Debian: apt install gnubg)"
)
HOSTILE = ("Ann] ;B[drop", 'Ben : 9\n"; system rm')


def random_match(
    settings: Mapping[str, int], seed: str, look: Callable[[Game, Ask], object]
) -> GameRecord:
    """A match of random plays in which the cube is turned now and then."""
    rng = random.Random(seed)
    table = OpenTable(RULES, settings, rng)
    table.game.story = story = []

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        look(game, ask)
        return (
            answers[int(rng.random() < 0.1)]
            if ask.rule == "cube"
            else rng.choice(answers[: len(answers) - len(ask.mends)])
        )

    outcome = table.play(choose)
    return GameRecord(HOSTILE, settings, "2026-11-23", tuple(story), outcome)


def ask_gnubg(folder: Path, script: str) -> Any:
    """What a script that gnubg runs in this folder puts into `told`."""
    ending = '\nwith open("told.json", "w") as out:\n    json.dump(told, out)\n'
    (folder / "ask.py").write_text(f"import gnubg, json\n{script}{ending}", encoding="utf-8")
    command = [str(GNUBG), "--tty", "--quiet", "--no-rc", "--python", "ask.py"]
    env = {"HOME": str(folder), "PATH": "/usr/bin", "LANG": "C.UTF-8"}
    subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    return json.loads((folder / "told.json").read_text(encoding="utf-8"))


def test_ids_as_the_manual_and_the_program_give_them() -> None:
    game = Backgammon(read_stakes({"games": 1, "beavers": 1}))
    flow = game.flow()
    next(flow)
    request, seen = flow.send((3, 1)), [(position_id(game), match_id(game))]
    for answer in ("8/5 6/5", "double", "beaver", "take"):
        assert isinstance(request, Ask)
        (option,) = [option for option in request.options if RULES.words(option) == answer]
        request = flow.send(Answer(option))
        seen.append((position_id(game), match_id(game)))
    assert seen == [
        ("4HPwATDgc/ABMA", "MIEFAAAAAAAE"),
        ("sGfwATDgc/ABMA", "cAkAAAAAAAAE"),
        ("sGfwATDgc/ABMA", "cBEAAAAAAAAE"),
        ("sGfwATDgc/ABMA", "QRkAAAAAAAAE"),
        ("sGfwATDgc/ABMA", "QgkAAAAAAAAE"),
    ]
    game.score[:] = [40000, 3]
    assert len(match_id(game)) == 12, "what a field cannot hold is as much as it can"


@needs_gnubg
def test_gnubg_reads_our_ids_as_the_same_position(tmp_path: Path) -> None:
    seen: list[dict[str, object]] = []

    def look(game: Any, ask: Ask) -> None:
        if ask.rule != "doubled":  # it takes an ID with an open double for one without
            facts = {
                "dice": sorted(game.dice) or [0, 0],
                "cube": game.cube,
                "owner": game.owner,
                "turn": ask.seat,
            }
            seen.append(
                {"id": f"{position_id(game)}:{match_id(game)}", **facts, "score": list(game.score)}
            )

    for settings in ({"match": 5}, {"games": 1, "jacoby": 1}):
        random_match(settings, "ids", look)
    (tmp_path / "ids.json").write_text(json.dumps([one["id"] for one in seen]))
    told = ask_gnubg(
        tmp_path,
        """
told = []
for one in json.load(open("ids.json")):
    gnubg.command("set gnubgid " + one)
    is_at, cube = gnubg.posinfo(), gnubg.cubeinfo()
    told.append({"id": gnubg.positionid() + ":" + gnubg.matchid(), "dice": sorted(is_at["dice"]), "cube": cube["cube"],
        "owner": cube["cubeowner"], "turn": is_at["turn"], "score": list(cube["score"])})
""",  # noqa: E501
    )
    assert len(seen) > 100 and {one["cube"] for one in seen} >= {1, 2}
    assert told == seen


@needs_gnubg
@pytest.mark.parametrize(
    ("form", "settings"),
    [
        ("mat", {"match": 5}),
        ("mat", {"match": 9}),
        ("mat", {"games": 9, "beavers": 1}),
        ("sgf", {"match": 5}),
        ("sgf", {"games": 3, "beavers": 1}),
    ],
)
def test_gnubg_imports_a_match_and_writes_the_same_moves_and_score(
    form: str, settings: dict[str, int], tmp_path: Path
) -> None:
    record = random_match(settings, f"{form} {settings}", lambda *_: None)
    (tmp_path / f"match.{form}").write_text(
        {"mat": mat, "sgf": sgf}[form](record), encoding="utf-8"
    )
    read = "import mat" if form == "mat" else "load match"
    ask_gnubg(
        tmp_path,
        f"""
gnubg.command("{read} match.{form}")
gnubg.command("save match again.sgf")
gnubg.command("export match mat again.mat")
told = []
""",
    )
    ours, again = games_of(record), (tmp_path / "again.sgf").read_text(encoding="utf-8")
    theirs = again.split("(;FF[4]")[1:]
    assert len(theirs) == len(ours) > 1
    before: MatchGame | None = None
    for game, written in zip(ours, theirs, strict=True):
        last, before = before, game
        assert f"[ws:{game.score[0]}][bs:{game.score[1]}]" in written
        assert f"RE[{'WB'[game.winner]}+{game.points}" in written
        assert [f"PW[{plain_names(record)[0]}]" in written, ("CrawfordGame" in written)] == [
            True,
            game.crawford,
        ]
        if (
            form == "mat"
            and last is not None
            and [one.kind for one in last.actions[-2:]] == ["beaver", "drop"]
        ):
            # gnubg 1.07 loses the plays of a game after a beaver that was dropped
            # (docs/backgammon.md)
            continue
        nodes = re.findall(r"\n;([WB])\[([a-z0-9]+)\]", written)
        assert followed(nodes) == own_boards(game.actions)
    if form == "mat":
        heads = re.findall(r" : ([0-9]+)", (tmp_path / "again.mat").read_text(encoding="utf-8"))
        assert heads == [str(points) for game in ours for points in game.score]


def own_boards(actions: Sequence[Action]) -> list[tuple[int, str | Board]]:
    boards, found = [START, START], list[tuple[int, str | Board]]()
    for action in actions:
        if action.kind != "play":
            found.append((action.seat, "double" if action.kind == "beaver" else action.kind))
            continue
        board = board_after(Board(boards[action.seat], boards[1 - action.seat]), action.play)
        boards[action.seat], boards[1 - action.seat] = board
        found.append((action.seat, board))
    return found


def followed(nodes: Sequence[tuple[str, str]]) -> list[tuple[int, str | Board]]:
    """The boards that the nodes of an SGF lead to, men moved one after the other."""
    boards, found = [START, START], list[tuple[int, str | Board]]()
    for colour, text in nodes:
        seat = "WB".index(colour)
        if not text[0].isdigit():
            found.append((seat, text))
            continue
        board = Board(boards[seat], boards[1 - seat])
        places = [place(letter, seat) for letter in text[2:]]
        for source, target in sorted(zip(places[::2], places[1::2], strict=True), reverse=True):
            hits = target != OFF and board.other[BAR - target] == 1
            board = board_after(board, (Step(source, target, hits),))
        boards[seat], boards[1 - seat] = board
        found.append((seat, board))
    return found


def place(letter: str, seat: int) -> int:
    if letter in "yz":
        return BAR if letter == "y" else OFF
    number = ord(letter) - ord("a") + 1
    return number if seat == 0 else BAR - number


def test_names_hold_nothing_that_a_program_reads_as_a_sign() -> None:
    record = GameRecord(HOSTILE, {"match": 1}, "2026-11-23", (("game", 1, 0),), None)
    assert plain_names(record) == ["Ann_B_drop", "Ben_9_system_rm"]
    for form in (mat, sgf):
        assert not any(name in form(record) for name in HOSTILE)
    alike = GameRecord(("Ann", "Ann!"), {"match": 1}, "2026-11-23", (), None)
    assert plain_names(alike) == ["Ann_white", "Ann_black"]
    nobody = GameRecord(("", "***"), {"match": 1}, "2026-11-23", (), None)
    assert plain_names(nobody) == ["white", "black"]


def test_a_play_that_hits_and_one_that_cannot_be_made_are_written_as_others_read_them() -> None:
    story = (
        ("game", 1, 0),
        ("throws", 1, 1, 6),
        ("plays", 1, 1, 6, 25, 19, 1, 19, 18, 0),
        ("throws", 0, 2, 5),
        ("cannot move", 0, 2, 5),
    )
    record = GameRecord(("Ann", "Ben"), {"match": 3}, "2026-11-23", story, None)
    assert mat(record).splitlines()[-2:] == [
        f"  1) {'':34} 61: bar/19* 19/18",
        "  2) 52: Cannot Move",
    ]
    assert sgf(record).splitlines()[1:] == [";B[16yffg]", ";W[25])"]


def test_a_beaver_is_taken_without_a_word_and_dropped_with_one() -> None:
    cube = (("doubles", 1, 2), ("beavers", 0, 4))
    taken = (*cube, ("takes", 1, 4), ("throws", 1, 5, 2), ("plays", 1, 5, 2, 13, 11, 0, 13, 8, 0))
    again = (("doubles", 0, 8), ("takes", 1, 8))
    for story, rows in (
        (
            (*taken, *again),
            [
                f"  1) {'':34}  Doubles => 2",
                f"  2) {' Beavers => 4':34} 52: 13/11 13/8",
                f"  3) {' Doubles => 8':34}  Takes",
            ],
        ),
        (
            (*cube, ("drops", 1), ("won", 0, 2, 1)),
            [
                f"  1) {'':34}  Doubles => 2",
                f"  2) {' Beavers => 4':34}  Drops",
                "  3)  Wins 2 points",
            ],
        ),
    ):
        record = GameRecord(
            ("Ann", "Ben"), {"games": 1, "beavers": 1}, "2026-11-23", (("game", 1, 0), *story), None
        )
        assert mat(record).splitlines()[6:] == rows


def played_match(tmp_path: Path) -> Path:
    """The turn file of a whole match."""
    simulate("backgammon", 1, "7", by_mail=True, settings={"match": 2}, keep=tmp_path / "games")
    (file,) = (tmp_path / "games").glob("*.toml")
    return file


def test_export_and_analyse_are_commands_of_a_game_that_has_them(
    players: dict[str, Player], tmp_path: Path
) -> None:
    ann, file = players["Ann"], str(played_match(tmp_path))
    assert ann.types("export", file, "--format", "mat")[1].startswith("; [EventDate")
    ann.types("export", file, "--format", "sgf", "--out", str(tmp_path / "match.sgf"))
    assert (tmp_path / "match.sgf").read_text(encoding="utf-8").startswith("(;FF[4]GM[6]")
    code, _, error = ann.types("export", file, "--format", "pgn")
    assert code == 2 and all(form in error for form in ("json", "md", "html", "mat", "sgf"))
    running = begun(players, "--match", "3")
    code, _, error = ann.types("analyse", running)
    assert (code, "not over" in error) == (1, True)
    other = str(ann.does("new", "tripoli", "--no-mail")["file"])
    code, _, error = ann.types("analyse", other)
    assert (code, "The Shores of Tripoli" in error) == (2, True)


@pytest.mark.dear("has gnubg look at whole matches")
@needs_gnubg
def test_gnubg_says_what_each_decision_cost(players: dict[str, Player], tmp_path: Path) -> None:
    file = played_match(tmp_path)
    facts = players["Ann"].does("analyse", str(file), "--plies", "0")
    games = facts["decisions"][-1]["part"]
    told = players["Ann"].types("analyse", str(file), "--plies", "0")[1]
    assert facts["program"] == "GNU Backgammon" and f"\nGame {games}\n" in told
    judged = [one for one in facts["decisions"] if one["error"]]
    assert judged and all(one["error"] > 0 and one["better"] for one in judged)
    assert any(one["luck"] for one in facts["decisions"])
    lost = {
        seat: sum(one["error"] or 0 for one in facts["decisions"] if one["seat"] == seat)
        for seat in facts["errors"]
    }
    for seat in ("white", "black"):
        assert lost[seat] == pytest.approx(facts["errors"][seat], abs=0.02) and lost[seat] > 0
        rate = 1000 * facts["errors"][seat] / facts["open_decisions"][seat]
        assert facts["rates"][seat] == pytest.approx(rate, abs=0.1)
        worst = told.partition(f"Worst of {seat}\n")[2].partition("\n\n")[0].splitlines()
        dearest = sorted((one["error"] or 0 for one in judged if one["seat"] == seat), reverse=True)
        assert [f"{-error:+.3f}" in line for error, line in zip(dearest, worst, strict=False)] == (
            [True] * min(3, len(dearest))
        )
        first = next(one for one in judged if one["seat"] == seat and one["error"] == dearest[0])
        assert worst[0].startswith(f"Game {first['part']}, turn {first['turn']}")
    assert re.search(r"\n {7}  all errors   decisions  error rate    all luck\nwhite  ", told)


@pytest.mark.dear("has gnubg look at whole matches")
@needs_gnubg
@pytest.mark.parametrize("settings", [{"match": 3}, {"games": 3}])
def test_the_costs_of_all_decisions_are_what_gnubg_counts_in_its_totals(
    settings: dict[str, int],
) -> None:
    """Those about the cube as well, which it weighs by the chance to win the match."""
    found = gnubg.analysis(random_match(settings, "seven", lambda *_: None), Effort(0, PATIENCE))
    for seat, lost in found.errors.items():
        costs = [one.error or 0 for one in found.decisions if one.seat == seat]
        assert sum(costs) == pytest.approx(lost, abs=0.02)
    cube = [one for one in found.decisions if one.error and one.what in gnubg.BETTER]
    assert {one.what for one in cube} >= {"no double", "take"} and all(one.better for one in cube)


def test_the_error_rate_is_a_thousandth_of_a_point_for_each_open_decision() -> None:
    """As gnubg printed it of a match to 3: 101 plays that were not forced cost 24.389, and 28
    decisions about the cube 4.303; the other one's 113 and 8 cost 26.085 and 2.092."""
    assert gnubg.error_rate(24.389 + 4.303, 101 + 28) == 222.4
    assert gnubg.error_rate(26.085 + 2.092, 113 + 8) == 232.9
    assert gnubg.error_rate(0.5, 10) == 50.0 and gnubg.error_rate(0, 0) == 0.0


@pytest.mark.parametrize(
    ("kind", "nd", "dt", "cost", "better"),
    [
        ("no double", 0.5, 0.7, 0.2, "double"),
        ("no double", 0.8, 1.3, 0.2, "double"),
        ("no double", 0.8, 0.6, 0.0, ""),
        ("no double", 1.2, 1.5, 0.0, ""),
        ("double", 0.3, -0.1, 0.4, "no double"),
        ("double", 1.2, 1.5, 0.2, "no double"),
        ("double", 0.7, 1.1, 0.0, ""),
        ("take", 0.8, 1.4, 0.4, "drop"),
        ("take", 0.5, 0.9, 0.0, ""),
        ("drop", 0.3, 0.4, 0.6, "take"),
        ("drop", 0.8, 1.1, 0.0, ""),
    ],
)
def test_what_a_decision_about_the_cube_costs(
    kind: str, nd: float, dt: float, cost: float, better: str
) -> None:
    """By hand: a double is worth what it is taken for, or the one point of a drop."""
    weighed = {"nd-cubeful-eq": nd, "dt-cubeful-eq": dt}
    assert gnubg.cube_error(kind, weighed) == (pytest.approx(cost), better)
    assert gnubg.cube_error(kind, {}) == (None, "")


def test_the_three_dearest_decisions_of_a_player_are_their_worst() -> None:
    def judged(seat: str, turn: int, error: float | None) -> Judged:
        return Judged(1, turn, seat, "31: 8/5 6/5", error, None, "", "")

    costs = [("white", 0.1), ("black", 0.9), ("white", None), ("white", 0.4), ("white", 0.0)]
    costs += [("white", 0.2), ("white", 0.3)]
    decisions = [judged(seat, turn, error) for turn, (seat, error) in enumerate(costs, 1)]
    found = Analysis("a program", decisions, {}, {}, {}, {})
    assert [one.turn for one in found.worst("white")] == [4, 7, 6]
    assert [one.turn for one in found.worst("black")] == [2]


def fake(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program by the name of gnubg, first in the path."""
    program = folder / "bin" / "gnubg"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)


def short_match() -> GameRecord:
    return random_match({"match": 1}, "short", lambda *_: None)


def test_without_gnubg_the_package_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(gnubg, "_PATH", "/nowhere")
    with pytest.raises(Usage) as error:
        gnubg.analysis(short_match(), Effort(None, PATIENCE))
    assert "apt install gnubg" in str(error.value)


def test_it_runs_alone_in_a_private_folder_with_nothing_that_a_player_wrote(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("SECRET", "of the player")
    look = (
        f"cp -r . {kept}; pwd > {kept}/pwd; env > {kept}/env; stat -c %a . > {kept}/rights; ls"
        f" {tmp_path} >/dev/null"
    )
    fake(tmp_path, look, monkeypatch)
    with pytest.raises(Refused, match="no analysis"):
        gnubg.analysis(short_match(), Effort(2, PATIENCE))
    assert (kept / "rights").read_text().strip() == "700"
    folder = Path((kept / "pwd").read_text().strip())
    assert not folder.exists(), "it is removed"
    assert (
        f"HOME={folder}" in (kept / "env").read_text()
        and "SECRET" not in (kept / "env").read_text()
    )
    written = "".join(path.read_text() for path in kept.iterdir() if path.suffix in (".sgf", ".py"))
    assert "PW[white]PB[black]" in written and not any(
        part in written for part in ("Ann", "Ben", "system")
    )
    assert "evaluation plies 2" in written


def test_it_is_ended_with_all_that_it_started_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Which is up as soon as it has started something."""
    written, wait = tmp_path / "child", subprocess.Popen.wait
    fake(tmp_path, f"sleep {PATIENCE} & echo $! > {written}; wait", monkeypatch)

    def waited(program: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        wait_until(lambda: written.exists() and written.read_text().endswith("\n"))
        return wait(program, 0 if timeout else None)

    monkeypatch.setattr(subprocess.Popen, "wait", waited)
    with pytest.raises(Refused) as error:
        gnubg.analysis(short_match(), Effort(None, 1))
    assert "--limit" in str(error.value)
    child = Path(f"/proc/{written.read_text().strip()}/stat")
    wait_until(lambda: not child.exists() or child.read_text().split()[2] == "Z")


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            raise AssertionError("it never came")
        time.sleep(0.01)


@pytest.mark.parametrize(
    "answer", ["{}", "[]", '{"games": [], "stats": {}}', "{", '{"games": [{"game": [7]}]}']
)
def test_an_answer_that_is_none_is_told_as_such(
    answer: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake(tmp_path, f"printf '%s' '{answer}' > analysis.json", monkeypatch)
    with pytest.raises(Refused, match="gnubg gave"):
        gnubg.analysis(short_match(), Effort(None, PATIENCE))
