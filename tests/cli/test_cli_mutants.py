"""Each command that reads a file is given the mutants of the corpus (tests/vectors/mutants), and
each that reads leagues, joins or seeks changed ones of these: it says in one line what is wrong, or
does what it does with a whole file, and never ends in a traceback."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from tests.support.homes import make_home
from tests.vectors.make_seeks import SMALL, changed, made
from tests.vectors.test_corpus import HERE, MUTANTS, bytes_of

COMMANDS = {
    "show": ["show", "FILE"],
    "show as Markdown": ["show", "FILE", "--format", "md"],
    "moves": ["moves", "FILE"],
    "play": ["play", "FILE", "pass", "--no-mail"],
    "play on trial": ["play", "FILE", "--dry-run"],
    "resign": ["resign", "FILE", "--yes", "--no-mail"],
    "draw": ["draw", "FILE", "--no-mail"],
    "card": ["card", "FILE", "Swedish"],
    "log": ["log", "FILE"],
    "join": ["join", "FILE", "--no-mail"],
    "rematch": ["rematch", "FILE", "--no-mail"],
    "series": ["series", "FILE"],
    "name": ["name", "FILE", "Winter league"],
    "inbox": ["inbox", "FILE"],
    "ignore": ["ignore", "FILE"],
    "send": ["send", "FILE", "--to", "ben@example.org"],
    "sent": ["sent", "FILE"],
    "remind": ["remind", "FILE"],
    "auto": ["auto", "on", "FILE"],
    "verify": ["verify", "FILE"],
    "dice": ["dice", "FILE"],
    "luck": ["luck", "FILE"],
    "explore": ["explore", "FILE", "--games", "1"],
    "replay": ["replay", "FILE"],
    "replay to a page": ["replay", "FILE", "--html", "OUT"],
    "export": ["export", "FILE"],
    "export as Markdown": ["export", "FILE", "--format", "md"],
    "export as a page": ["export", "FILE", "--format", "html"],
    "export as JSON": ["export", "FILE", "--json"],
    "archive": ["archive", "FILE", "OUT"],
    "analyse": ["analyse", "FILE"],
    "simulate": ["simulate", "FILE", "--games", "1"],
    "stats": ["stats", "FILE"],
}
"""Every command that takes a turn file, by what it does with it."""
LEAGUE_COMMANDS = {
    "league table": ["league", "table", "FILE"],
    "league verify": ["league", "verify", "FILE", "."],
    "league join": ["league", "join", "FILE"],
    "league begin": ["league", "begin", "FILE"],
    "league round": ["league", "round", "FILE"],
    "inbox": ["inbox", "FILE"],
    "seeks": ["seeks", "FILE"],
}
"""Every command that takes a league, a join to one or a seek."""

_KEPT = json.loads((HERE / "leagues.json").read_text(encoding="utf-8"))
LEAGUES, JOINS = ([case["file"].encode() for case in _KEPT[kind]] for kind in ("read", "joins"))


def first_of_each_kind() -> Iterator[tuple[str, int]]:
    """Of each game the mutants in which nothing holds, two at most, and one of each other layer."""
    for name, changes in MUTANTS.items():
        seen: dict[object, int] = {}
        for number, one in enumerate(changes):
            kind = "nothing holds" if one["entry"] == 0 else one["layer"]
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= (2 if kind == "nothing holds" else name in ("tripoli", "backgammon")):
                yield name, number


@pytest.fixture
def cleo(tmp_path: Path) -> Player:
    (tmp_path / "mails").mkdir()
    make_home(tmp_path / "home", "Cleo")
    return Player("Cleo", tmp_path / "home", tmp_path / "mails", in_process=True)


def check(cleo: Player, command: list[str], data: bytes, about: str) -> None:
    """Let the command have these bytes as its file."""
    (cleo.folder / "given.toml").write_bytes(data)
    given = {"FILE": "given.toml", "OUT": "out"}
    words = [given.get(word, word) for word in command]
    code, out, err = cleo.types(*words)
    what = f"{' '.join(words)}: {about}: {code}\n{out[-2000:]}\n{err[-2000:]}"
    assert code in range(5) and "Traceback" not in out + err, what
    lines = err.splitlines()
    assert all(line.startswith("pbem: ") for line in lines) and len(lines) <= 4, what
    assert len(set(lines)) == len(lines), what
    assert code == 0 or len(lines) == 1 or out, what
    if (cleo.folder / "out").is_file():
        (cleo.folder / "out").unlink()


def ids(command: str) -> str:
    return command.replace(" ", "-")


@pytest.mark.dear("gives some dozens of files to each command")
@pytest.mark.parametrize("command", COMMANDS, ids=ids)
def test_a_command_says_of_a_mutant_what_is_wrong(cleo: Player, command: str) -> None:
    for name, number in first_of_each_kind():
        data, one = bytes_of(name)[number], MUTANTS[name][number]
        check(cleo, COMMANDS[command], data, f"{name}, {one['change']}")


@pytest.mark.parametrize("command", LEAGUE_COMMANDS, ids=ids)
def test_a_command_says_of_a_changed_league_or_seek_what_is_wrong(
    cleo: Player, command: str
) -> None:
    rng = random.Random(f"leagues and seeks {command}")
    for whole in (*LEAGUES, *JOINS, made(SMALL, "small").data):
        for _ in range(4):
            what, data = changed(whole, rng)
            check(cleo, LEAGUE_COMMANDS[command], data, what)


def test_a_part_of_a_file_begins_no_line_of_its_own(cleo: Player) -> None:
    """Else a file could say of itself what it likes."""
    [number] = [
        number
        for number, one in enumerate(MUTANTS["witnessed"])
        if one["change"] == "entry 4: openings changed"
    ]
    data = bytes_of("witnessed")[number]
    assert b"Congress Authorizes Acti\\nn" in data
    for command in ("show", "verify", "inbox", "replay to a page"):
        check(cleo, COMMANDS[command], data, command)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=ids)
def test_a_command_says_of_every_mutant_what_is_wrong(cleo: Player, command: str) -> None:
    for name, changes in MUTANTS.items():
        for data, one in zip(bytes_of(name), changes, strict=True):
            check(cleo, COMMANDS[command], data, f"{name}, {one['change']}")
