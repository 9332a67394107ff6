"""README.md is short and true, and docs/commands.md says what the program says of its commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine.flow import Refusal
from examples.correspondence import Player
from pbem import PAGE_ADDRESS, PROGRAM_ADDRESS
from pbem.cli.app import every_command
from pbem.games import BUILT_IN, registry
from pbem.games.introduction import introduction
from release import doc_pages, site
from tests.support import starter
from tests.support.plugins import BOARD_GAMES, Site

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")


def test_it_is_short() -> None:
    assert len(README.encode()) < 6000


def test_the_games_are_those_there_are() -> None:
    """Each built-in game in a line, and who plays it as its descriptor says, and how many play
    Loot as its rules have it; `./run golden` writes the lines anew."""
    assert doc_pages.with_games(README) == README
    listed = README.partition("\n## The games\n")[2].partition("\n## ")[0]
    lines = [line for line in listed.splitlines() if line.startswith("- [")]
    assert len(lines) == len(BUILT_IN) and "`pbem games`" in listed
    for game in BUILT_IN:
        (line,) = [one for one in lines if f"- [{registry.newest(game).title}](" in one]
        assert line.endswith(introduction(game).sides)
    assert "Two to five, each alone; or four, six or eight as pairs" in README
    loot = registry.newest("loot")
    for players, partners in ((1, 0), (2, 0), (5, 0), (6, 0), (4, 1), (6, 1), (8, 1), (5, 1)):
        taken = (players, partners) in ((2, 0), (5, 0), (4, 1), (6, 1), (8, 1))
        with nullcontext() if taken else pytest.raises(Exception, match="play"):
            registry.completed(loot, {"players": players, "partners": partners})


def test_the_games_beside_the_program_are_named_with_where_they_are(tmp_path: Path) -> None:
    """Also on the first page of the site, which is made of README."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        installed = Site(tmp_path, monkeypatch)
        installed.install_boards()
        titles = {registry.newest(game).title for game in BOARD_GAMES}
        installed.remove()
    for page in (README, site.pages(False)["index.md"]):
        (line,) = [one for one in page.splitlines() if "examples/boards" in one or "Hex" in one]
        assert all(re.search(rf"\b{title}\b", line) for title in titles), titles


def test_it_names_the_addresses_of_the_build_and_none_that_there_is_not() -> None:
    assert doc_pages.with_addresses(README, PAGE_ADDRESS, PROGRAM_ADDRESS) == README
    none = doc_pages.with_addresses(README, "", "")
    page, program = "https://games.example.org/play/", "https://example.org/releases"
    named = doc_pages.with_addresses(none, page, program)
    assert page in named and program in named and page not in none and program not in none
    assert doc_pages.with_addresses(named, "", "") == none


def test_it_opens_with_three_commands_and_comes_to_installing_last() -> None:
    """Two that show and check it, each with its time, and the table; then four pictures that there
    are, and the games."""
    _, trying, *sections = re.split(r"^## ", README, flags=re.MULTILINE)
    pictures = re.findall(r"!\[([^]]+)\]\((docs/pictures/[\w-]+\.png)\)", README)
    assert len(pictures) == 4 == trying.count("![")
    assert all(words and (ROOT / path).is_file() for words, path in pictures)
    assert [part.split("\n")[0] for part in sections[:2]] == ["The games", "Install"]
    demo, test, table = re.findall(r"^\$ (.+)$", trying, re.MULTILINE)
    for line, command in ((demo, "./run demo"), (test, "./run test")):
        assert re.match(rf"{command} +# [\w ]+ (seconds|minutes?): ", line)
    assert table == "./run pbem table"


def test_the_line_to_try_opens_the_table(tmp_path: Path) -> None:
    """It is typed as it stands there, but for the browser; what opens shows the games, and names
    commands that there are."""
    trying = README.partition("\n## Try it\n")[2].partition("\n## ")[0]
    (line,) = re.findall(r"^\$ (.+ table)$", trying, re.MULTILINE)
    door, *words = line.split()
    assert door == "./run" and os.access(ROOT / "run", os.X_OK)
    assert re.search(rf"^    {words[0]}\) exec .* -m pbem", (ROOT / "run").read_text(), re.M)
    environment = {**os.environ, "PBEM_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", *words, "--no-browser", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE) as ran:
        try:
            assert ran.stdout is not None
            address = json.loads(ran.stdout.readline())["url"]
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            page = opener.open(address).read().decode()
        finally:
            ran.terminate()
    assert page.count('class="box"') == 5
    named = re.findall(r"^(?:<pre>)?pbem (\S+)|<code>pbem (\S+?)[ <]", page, re.MULTILINE)
    assert {one or other for one, other in named} == {"home", "id"} < {*every_command()}


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


def test_help_lists_ten_commands_and_the_page_that_it_names_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each in one whole sentence, at 80 columns in one line."""
    monkeypatch.setenv("COLUMNS", "80")
    ann = Player("Ann", tmp_path / "home", tmp_path, True)
    _, out, _ = ann.types("--help")
    listed = out.partition("\nEvery day:\n")[2].partition("\n\n")[0].splitlines()
    assert len(listed) == 10
    assert all(line.endswith(".") and not line.endswith("..") for line in listed)
    assert all(line.startswith("  ") and len(line) <= 80 for line in listed)
    assert "pbem help commands" in out and max(map(len, out.splitlines())) <= 80
    code, page, _ = ann.types("help", "commands")
    in_one_line = re.findall(r"^\| `([\w-]+)` \| (\S.*) \|$", page.partition("\n## ")[0], re.M)
    names = [name for name, _ in in_one_line]
    assert code == 0 and len(names) >= 30
    assert {line.split()[0] for line in listed} < {*names}
    assert all(words.endswith(".") and not words.endswith("..") for _, words in in_one_line)
    assert re.findall(r"^### `pbem ([\w-]+)", page, re.MULTILINE) == names


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
