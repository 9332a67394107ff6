"""README.md: its first game can be entered as it is printed, and its table names every command there is."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine.flow import Refusal
from examples.correspondence import Player
from pbem.games import registry
from tests.support import starter

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_game_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    entered = re.findall(r"^(Ann|Ben)\$ pbem (.*)$", PAGE, re.MULTILINE)
    assert len(entered) == 10
    names: dict[str, str] = {}
    players = {name: Player(name, tmp_path / f"home-of-{name}", tmp_path, True) for name in ("Ann", "Ben")}
    for who, line in entered:
        if line.startswith("play") and who == "Ann":
            (shortened,) = re.findall(r'`"(ev jeff; .*?)"`', PAGE)
            assert players[who].does("moves", names["tripoli-0001.toml"], "--after", shortened)["complete"] is True
        command = [names.get(word, word) for word in shlex.split(line)]
        code, out, err = players[who].types(*command)
        assert (code, err) == (0, ""), f"{who}: {line}"
        if out.startswith("tripoli-"):
            names[re.sub(r"-[0-9a-f]{8}-", "-", out.splitlines()[0])] = out.splitlines()[0]
    assert sorted(names) == [f"tripoli-{number:04}.toml" for number in range(4)]


@pytest.fixture(scope="module")
def helped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What `--help` says of each command."""
    folder = tmp_path_factory.mktemp("help")
    player = Player("Ann", folder / "home", folder, True)
    _, out, _ = player.types("--help")
    names = re.findall(r"^  ([\w-]+) ", out.split("\nPlay:")[1], re.MULTILINE)
    return {name: player.types(name, "--help")[1] for name in names}


def test_no_command_is_told_in_half_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = Player("Ann", tmp_path / "home", tmp_path, True).types("--help")
    listed = [line for line in out.partition("\nPlay:")[2].splitlines() if line.startswith("  ")]
    assert len(listed) >= 30
    assert not [line for line in listed if line.endswith("...")]
    assert all(line.endswith(".") and len(line) <= 80 for line in listed if line.strip())


def test_the_table_names_every_command(helped: dict[str, str]) -> None:
    assert len(helped) >= 10
    assert re.findall(r"^\| `pbem ([\w-]+)", PAGE, re.MULTILINE) == list(helped)


def test_every_option_in_the_table_exists(helped: dict[str, str]) -> None:
    rows = re.findall(r"^\| `pbem .*$", PAGE, re.MULTILINE)
    for row in rows:
        for option in re.findall(r"`(--[a-z-]+)", row):
            assert option in helped[row.split()[2].strip("`")], row
    assert len(rows) >= 10


def test_the_policy_on_the_page_plays(tmp_path: Path) -> None:
    (policy,) = re.findall(r"```python\n(class Eager.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mine.py").write_text(policy, encoding="utf-8")
    (command,) = re.findall(r"`pbem (simulate tripoli --policy mine:\w+)`", PAGE)
    for games, more in (("2 games", []), ("1 game", ["--by-mail"])):
        entered = ["-m", "pbem", *command.split(), "--games", games[0], *more]
        done = starter.run(entered, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(f"{games} of tripoli"), done.stdout


def test_each_condition_on_the_page_belongs_to_its_cards() -> None:
    page = (ROOT / "docs" / "tripoli.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(play when [^`]*)` \| (.*) \|$", page, re.MULTILINE)
    found = {(card, condition) for condition, listed in rows for card in listed.split(", ")}
    assert len(found) == 10
    rules = registry.newest("tripoli")
    for seat in (0, 1):
        for card in (rules.cards[topic] for topic in rules.card_topics(seat)):
            for condition, _ in rows:
                taken = (card, condition) in found
                with nullcontext() if taken else pytest.raises(Refusal):
                    rules.read_order(seat, f"{card}: {condition}", lambda _card: 0)
