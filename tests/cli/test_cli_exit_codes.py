"""Every failure is one line on standard error, an exit code, and nothing written; with `--json` one
object instead."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import starter
from tests.support.begun_game import BegunGame
from tests.support.homes import copy_homes

REFUSED, USAGE, INVALID, CONFLICT = 1, 2, 3, 4

FAILURES: dict[str, tuple[str, list[str], int, str]] = {
    "not understood": (
        "ann",
        ["play", "{last}", "sail to the moon"],
        REFUSED,
        r'"sail" is no word of this game',
    ),
    "resign as an answer": (
        "ann",
        ["play", "{last}", "resign"],
        REFUSED,
        "hint: pbem resign FILE gives the game up",
    ),
    "draw as an answer": (
        "ann",
        ["play", "{last}", "offer draw"],
        REFUSED,
        "hint: pbem draw FILE offers a draw",
    ),
    "undo as an answer": (
        "ann",
        ["play", "{last}", "undo"],
        REFUSED,
        "hint: what is signed stays; .*and back takes",
    ),
    "help as an answer": (
        "ann",
        ["play", "{last}", "help"],
        REFUSED,
        "hint: pbem moves FILE .* pbem help",
    ),
    "a command after the last answer": (
        "ann",
        ["play", "{last}", "event swedish; resign"],
        REFUSED,
        "hint: pbem resign FILE gives the game up",
    ),
    "not legal": (
        "ann",
        ["play", "{last}", "5 gibraltar > malta"],
        REFUSED,
        "no frigates are moved now: .*pbem moves",
    ),
    "ambiguous": (
        "ann",
        ["play", "{last}", "build with"],
        REFUSED,
        '"build with" could be "build with .*"',
    ),
    "more needed": (
        "ann",
        ["play", "{last}"],
        REFUSED,
        "more is needed from you: .*event Swedish Frigates Arrive",
    ),
    "too much": (
        "ann",
        ["play", "{last}", "event swedish; decline"],
        REFUSED,
        "a question that is not asked yet",
    ),
    "not your turn": (
        "ben",
        ["play", "{last}", "event yusuf"],
        REFUSED,
        r"not your turn: the game waits for Ann",
    ),
    "moves out of turn": ("ben", ["moves", "{last}"], REFUSED, "not your turn"),
    "no seat": ("cleo", ["play", "{last}", "event yusuf"], REFUSED, "sits in no seat of this game"),
    "join twice": ("ann", ["join", "{last}"], REFUSED, "you sit in this game already"),
    "join a full game": ("cleo", ["join", "{last}"], REFUSED, "every seat of this game is taken"),
    "message": (
        "ann",
        ["play", "{last}", "event swedish", "-m", "a\x1b[31m"],
        REFUSED,
        r"the message: line 1, character 2 is U\+001B \(a control character\)",
    ),
    "long message": (
        "ann",
        ["play", "{last}", "event swedish", "-m", "a" * 4001],
        REFUSED,
        "4000 are allowed",
    ),
    "no command": ("ann", ["dance"], USAGE, "No such command"),
    "no option": ("ann", ["show", "{last}", "--loud"], USAGE, "No such option"),
    "no argument": ("ann", ["show"], USAGE, "Missing argument"),
    "no file": ("ann", ["show", "nowhere.toml"], USAGE, "cannot read nowhere.toml"),
    "a folder": ("ann", ["show", "."], USAGE, r"cannot read \."),
    "no format": (
        "ann",
        ["show", "{last}", "--format", "pdf"],
        USAGE,
        "formats are text, md and json",
    ),
    "no game": ("ann", ["new", "chess"], USAGE, 'there is no game "chess"'),
    "no address": (
        "nobody",
        ["id", "--name", "Cleo", "--mail", "cleo@@example.org"],
        USAGE,
        "no plain mail address",
    ),
    "a match to nothing": (
        "ann",
        ["new", "backgammon", "--match", "0"],
        USAGE,
        "match is 1 to 99; without it",
    ),
    "no players": ("ann", ["new", "loot", "--players", "0"], USAGE, "2 to 5 can play"),
    "a switch is on or off": (
        "ann",
        ["new", "tripoli", "--option", "hidden-discard=5"],
        USAGE,
        "hidden-discard is 0 or 1",
    ),
    "no such seat": (
        "ann",
        ["new", "tripoli", "--seat", "swede"],
        USAGE,
        "seats are american, tripolitan",
    ),
    "no key": ("ann", ["new", "tripoli", "--opponent", "Bert"], USAGE, '"Bert" is no public key'),
    "no folder": ("ann", ["new", "tripoli", "--dir", "no/where"], USAGE, "there is no folder"),
    "no identity": ("nobody", ["new", "tripoli"], USAGE, "no identity yet.*pbem id --name"),
    "empty name": ("nobody", ["id", "--name", " "], USAGE, "the name is empty"),
    "export over a file": (
        "ann",
        ["id", "--export", "{last}"],
        CONFLICT,
        "exists and holds something else",
    ),
    "import over a key": (
        "ann",
        ["id", "--import", "{home}/identity.pem", "--name", "A"],
        CONFLICT,
        "has an identity",
    ),
    "torn": ("ann", ["show", "torn.toml"], INVALID, "incomplete"),
    "tampered": (
        "ann",
        ["play", "tampered.toml", "event swedish"],
        INVALID,
        r"turn 2, american: the signature",
    ),
    "no turn file": ("ann", ["verify", "words.toml"], INVALID, "there is no turn in it"),
    "tampered, verify": (
        "cleo",
        ["verify", "tampered.toml"],
        INVALID,
        r"turn 2, american: the signature",
    ),
    "tampered, dice": (
        "cleo",
        ["dice", "tampered.toml"],
        INVALID,
        r"turn 2, american: the signature",
    ),
    "stale": (
        "ann",
        ["play", "{first}", "event swedish"],
        CONFLICT,
        "the file is old: you have signed turn 2",
    ),
    "stale moves": (
        "ann",
        ["moves", "{files[1]}"],
        CONFLICT,
        "the file is old: you have signed turn 2",
    ),
    "other answers": (
        "ann",
        ["play", "{files[1]}", "event swedish"],
        CONFLICT,
        "signed turn 2 already",
    ),
    "forgotten": ("restored", ["show", "{last}"], CONFLICT, "your turn 0.*--i-have-no-newer-file"),
}


@pytest.fixture
def table(begun: BegunGame) -> BegunGame:
    """The game, some broken files beside it, and three more homes: a stranger's, an empty one, a
    restored one."""
    data = (begun.folder / begun.last).read_bytes()
    (begun.folder / "torn.toml").write_bytes(data[:-40])
    (begun.folder / "tampered.toml").write_bytes(data.replace(b"3 gibraltar >", b"2 gibraltar >"))
    (begun.folder / "words.toml").write_bytes(b"Dear Ann,\nI resign.\n")
    begun.stranger().does("id", "--name", "Cleo")
    restored = begun.stranger("restored").home
    restored.mkdir()
    for name in ("identity.pem", "player.toml"):
        shutil.copy(begun.ann.home / name, restored)
    return begun


@pytest.mark.dear("runs every command")
@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_is_one_line_and_writes_nothing(table: BegunGame, case: str) -> None:
    who, command, expected, words = FAILURES[case]
    player = {"ann": table.ann, "ben": table.ben}.get(who) or table.stranger(who)
    entered = [
        word.format(last=table.last, first=table.files[0], files=table.files, home=player.home)
        for word in command
    ]
    before = table.listing()
    code, out, err = player.types(*entered)
    assert (code, out) == (expected, "")
    assert err.startswith("pbem: ") and err.endswith("\n") and err.count("\n") == 1
    assert "Traceback" not in err and "\x1b" not in err
    assert re.search(words, err), err

    code, out, err = player.types(*entered, "--json")
    facts = json.loads(out)
    assert (code, err) == (expected, "")
    assert facts["exit"] == expected and facts["error"]
    assert out.count("\n") == 1
    after = table.listing()
    assert after == before, "only what was read may be remembered"


def test_the_same_in_a_process_of_its_own(table: BegunGame) -> None:
    code, out, err = starter.types(
        table.ann.home, table.folder, "play", "tampered.toml", "event swedish"
    )
    assert (code, out) == (INVALID, "")
    assert err.startswith("pbem: turn 2, american: ")
    assert err.count("\n") == 1
    code, out, err = starter.types(
        table.ann.home, table.folder, "play", table.last, "sail", "--json"
    )
    assert (code, err) == (REFUSED, "")
    assert json.loads(out)["exit"] == REFUSED


def test_a_conflict_keeps_both_versions(begun: BegunGame, tmp_path: Path) -> None:
    """Ben restores an old copy of their home and answers the same turn in another way; Ann has
    answered the first."""
    forgetful = tmp_path / "forgetful"
    copy_homes(begun.ben.home, forgetful)
    shutil.rmtree(forgetful / "games")
    away = tmp_path / "away"  # where the first answer does not lie beside it
    away.mkdir()
    shutil.copy(begun.folder / begun.files[2], away)
    ben = replace(begun.ben, home=forgetful, folder=away)
    file = begun.files[2]
    other = ben.does("play", file, "event yusuf; done", "--dir", ".", "--i-have-no-newer-file")
    begun.write("american", "play", begun.last, "event swedish")
    code, out, err = begun.ann.types("show", str(away / other["file"]))
    assert (code, out) == (CONFLICT, "")
    assert err.startswith("pbem: turn 3 ") and err.count("\n") == 1
    both = list((begun.ann.home / "games").rglob("read/0003-*.toml"))
    assert {path.read_bytes() for path in both} >= {
        (begun.folder / begun.files[3]).read_bytes(),
        (away / other["file"]).read_bytes(),
    }
    assert "pbem verify FILE FILE" in err
    code, out, _ = begun.ann.types("verify", *map(str, sorted(both)), "--json")
    (proof,) = [line for line in map(json.loads, out.splitlines()) if "evidence" in line]
    assert (code, proof["seat"], proof["number"]) == (CONFLICT, "tripolitan", 3)
    assert sorted(proof["files"]) == sorted(map(str, both))
