"""What commands print at a terminal goes on between two words, at any width; what is asked there is
asked again where it cannot be."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pbem.games.introduction import introduction
from pbem.home.home import Home
from tests.support.begun_game import BegunGame
from tests.support.golden_words import Golden
from tests.support.terminal import at_a_terminal

ROOT = Path(__file__).parents[2]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.dear("starts a program for each command")
@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("command", [["inbox", "."], ["log"], ["games"], ["dice"], ["moves"]])
def test_lines_are_folded_between_words(
    looked_at: BegunGame, command: list[str], columns: int
) -> None:
    """Each word is there as it is where nothing is folded."""
    if command[0] in ("log", "moves", "dice"):
        command = [*command, looked_at.last]
    looked_at.ann.types(*command)  # what came in is new once
    plain = looked_at.ann.types(*command)[1].split()
    shown = at_a_terminal(looked_at.ann.home, looked_at.folder, command, columns=columns)
    assert shown.split() == plain
    assert max(map(len, shown.splitlines())) <= max(columns, *map(len, plain))


@pytest.mark.dear("reports every turn of whole games")
@pytest.mark.parametrize("columns", [60, 80])
def test_a_report_and_its_dice_fit(looked_at: BegunGame, tmp_path: Path, columns: int) -> None:
    file = ROOT / "tests" / "archive" / "backgammon-2-asked.toml"
    shutil.copy(file, tmp_path / "game.toml")
    home = looked_at.ann.home
    shown = at_a_terminal(home, tmp_path, ["show", "game.toml"], columns=columns)
    assert max(map(len, COLOURS.sub("", shown).splitlines())) <= columns
    shown = at_a_terminal(home, tmp_path, ["dice", "game.toml"], columns=columns)
    totals = shown.partition("\n\n")[0]
    assert max(map(len, totals.splitlines())) <= columns and len(totals.splitlines()) == 4
    assert shown.split()[:6] == ["1", "2", "3", "4", "5", "6"], "it begins with the totals"
    assert "turn 0" not in shown and "proof" not in shown.replace("--proofs", "")
    shown = at_a_terminal(home, tmp_path, ["dice", "game.toml", "--proofs"], columns=columns)
    assert " white" in shown and ", file 1" in shown and ", turn 1\n" not in shown


def test_new_asks_which_game_and_an_address_again(tmp_path: Path, golden: Golden) -> None:
    entered = ["chess", "6", "Ann", "ann at home", "ann@example.org"]
    shown = at_a_terminal(tmp_path / "home", tmp_path, ["new"], entered)
    assert shown.count("Your name") == 1 and introduction("loot").aim in " ".join(shown.split())
    golden(*(line for line in shown.splitlines() if "once more" in line))
    identity = Home(tmp_path / "home").identity()
    assert (identity.name, identity.mail) == ("Ann", "ann@example.org")
    assert [*tmp_path.glob("tripoli-solitaire-*.toml")]


def test_the_list_of_games_tells_the_season_that_is_asked_about(begun: BegunGame) -> None:
    """Ben's play has ended the season, and the rules ask Ann about the next one."""
    listed = " ".join(begun.ann.types("inbox", ".")[1].split())
    asked = begun.ann.types("show", begun.last)[1]
    assert "Summer 1801" in asked and ", Summer 1801, turn" in listed


@pytest.mark.parametrize("then", ["ann@example", "ann@example.org"])
def test_an_address_without_a_dot_is_taken_if_it_is_said_twice(
    tmp_path: Path, then: str, golden: Golden
) -> None:
    entered = ["Ann", "ann@example", then]
    shown = at_a_terminal(tmp_path / "home", tmp_path, ["new", "solitaire"], entered)
    assert shown.count("Your name") == 1
    golden(*(line for line in shown.splitlines() if "no dot" in line))
    assert Home(tmp_path / "home").identity().mail == then
