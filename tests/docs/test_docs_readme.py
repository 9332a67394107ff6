"""README.md is short and true, and docs/commands.md says what the program says of its commands."""

from __future__ import annotations

import re
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine.flow import Refusal
from examples.correspondence import Player
from pbem.cli.app import every_command
from pbem.games import registry
from release import doc_pages
from tests.support import starter

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")


def test_it_is_short() -> None:
    assert len(README.encode()) <= 4500


def test_the_games_are_those_there_are(tmp_path: Path) -> None:
    """How many play Loot is told as the rules have it, and each built-in game is named."""
    assert "Loot for two to five (or four, six, eight as pairs)" in README
    loot = registry.newest("loot")
    for players, partners in ((1, 0), (2, 0), (5, 0), (6, 0), (4, 1), (6, 1), (8, 1), (5, 1)):
        taken = (players, partners) in ((2, 0), (5, 0), (4, 1), (6, 1), (8, 1))
        with nullcontext() if taken else pytest.raises(Exception, match="play"):
            registry.completed(loot, {"players": players, "partners": partners})


@pytest.mark.parametrize("page", [README, START], ids=["README", "start"])
def test_every_command_and_option_on_the_page_exists(page: str) -> None:
    commands = every_command()
    entered = [line.split() for line in re.findall(r"\bpbem ([a-z][^`\n(]*)", page)]
    known = [words for words in entered if words[0] in commands]
    assert len(known) >= 10
    told = {name for words in entered if (name := words[0]) not in commands}
    assert told <= {"is"}, "words after the name of the program that are no command"
    for name, *words in known:
        options = {one for parameter in commands[name].params for one in parameter.opts}
        game = next((one for one in words if registry.find_installed(one) is not None), None)
        if game is not None:
            options |= {f"--{option.name}" for option in registry.descriptor(game).options}
        assert {word for word in words if word.startswith("--")} <= options, (name, words)


def test_the_page_of_commands_is_what_the_program_says() -> None:
    """`./run golden` writes it anew."""
    assert doc_pages.COMMANDS.read_text(encoding="utf-8") == doc_pages.commands_page()


def test_no_command_is_told_in_half_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = Player("Ann", tmp_path / "home", tmp_path, True).types("--help")
    listed = [line for line in out.partition("\nPlay:")[2].splitlines() if line.startswith("  ")]
    assert len(listed) >= 30
    assert not [line for line in listed if line.endswith("...")]
    assert all(line.endswith(".") and len(line) <= 80 for line in listed if line.strip())


def test_every_command_that_is_listed_is_on_the_page_in_this_order(tmp_path: Path) -> None:
    _, out, _ = Player("Ann", tmp_path / "home", tmp_path, True).types("--help")
    listed = re.findall(r"^  ([\w-]+) ", out.split("\nPlay:")[1], re.MULTILINE)
    assert len(listed) >= 30
    assert re.findall(r"^### `pbem ([\w-]+)", doc_pages.commands_page(), re.MULTILINE) == listed


def test_the_policy_on_the_page_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    (policy,) = re.findall(r"```python\n(class Eager.*?)```", page, re.DOTALL)
    (tmp_path / "mine.py").write_text(policy, encoding="utf-8")
    (command,) = re.findall(r"`pbem (simulate tripoli --policy mine:\w+)`", page)
    for games, more in (("2 games", []), ("1 game", ["--by-mail"])):
        entered = ["-m", "pbem", *command.split(), "--games", games[0], *more]
        done = starter.run(
            entered, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(
            f"{games} of tripoli"
        ), done.stdout


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
