"""docs/write-a-game.md: its game is that of `examples/boards`, and what it says to type plays it,
from an empty folder to a page that checks the game."""

from __future__ import annotations

import email
import email.policy
import os
import re
import shlex
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from engine.notation import strange_word
from engine.rules import Game, Rules, Settings
from examples.correspondence import Player
from tests.support.built import PARTS, ROOT, copy_parts, run
from tests.support.plugins import BOARDS, Site

PAGE = (ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8")
GUIDE, _, REFERENCE = PAGE.partition("\n## 2. ")
NAMED = "hex-1a2b3c4d"
FORMER = 35_000
"""Bytes of the page before it was written along Hex: the first game was played at its end."""


@dataclass(frozen=True)
class Typed:
    """A command of the page, and who types it; nobody in particular where the maker does."""

    who: str
    words: list[str]


def files_of(page: str) -> dict[str, str]:
    """The files that a page has whole, each below a line with its name."""
    pattern = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return dict(pattern.findall(page))


def commands_of(page: str) -> Iterator[Typed]:
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            who, dollar, words = line.partition("$ ")
            assert dollar, line
            yield Typed(who, shlex.split(words))


def written_to(folder: Path) -> None:
    for name, text in files_of(GUIDE).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_its_game_is_the_hex_that_comes_with_pbem() -> None:
    files = files_of(GUIDE)
    project = tomllib.loads(files.pop("pyproject.toml"))["project"]
    shipped = tomllib.loads((BOARDS / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    group = "pbem.games"
    assert project["entry-points"][group].items() <= shipped["entry-points"][group].items()
    folder = BOARDS / "pbem_hex"
    there = {path for path in folder.rglob("*") if path.suffix in (".py", ".txt", ".j2")}
    assert files == {
        path.relative_to(BOARDS).as_posix(): path.read_text(encoding="utf-8") for path in there
    }


def test_a_game_is_played_by_two_in_a_third_of_what_there_was_to_read() -> None:
    played = GUIDE.index("Ann$ pbem show")
    assert len(GUIDE[:played].encode()) <= FORMER / 3
    assert not files_of(REFERENCE), "what comes after is looked up"


def test_every_request_is_in_the_reference() -> None:
    for request in ("Ask", "Roll", "Pick", "Draw", "Open", "Seal", "Reveal"):
        assert re.search(rf"^\| `{request}` \|.*`{request}\(", REFERENCE, re.MULTILINE), request


def test_two_play_it_as_the_page_types_it(tmp_path: Path, site: Site) -> None:
    """The plug-in lies where it would be installed; what is typed to install it is not."""
    written_to(site.folder)
    site.register("hex", "pbem_hex:GAME")
    players = {who: Player(who, tmp_path / who, tmp_path, True) for who in ("Ann", "Ben")}
    game = NAMED
    for typed in commands_of(GUIDE):
        if typed.who:
            program, *words = (word.replace(NAMED, game) for word in typed.words)
            assert program == "pbem"
            code, _, told = players[typed.who].types(*words)
            assert code == 0, (words, told)
            if words[0] == "new":
                game = next(tmp_path.glob("hex-*-0000.toml")).stem.removesuffix("-0000")
    check_played(tmp_path, game)


def check_played(folder: Path, game: str) -> None:
    """Each turn has its mail with a picture, and the page of the game is there."""
    for number in range(4):
        mail = email.message_from_bytes(
            (folder / f"{game}-000{number}.eml").read_bytes(), policy=email.policy.default
        )
        assert "image/png" in {part.get_content_type() for part in mail.walk()}, number
    page = (folder / "hex.html").read_text(encoding="utf-8")
    assert "<title>Hex</title>" in page


@pytest.mark.dear("makes an environment and installs into it")
@pytest.mark.parametrize("packages", ["lent", pytest.param("fetched", marks=pytest.mark.slow)])
def test_every_line_of_it_works_to_the_letter(tmp_path: Path, packages: str) -> None:
    """From the empty folder to the wheel. What the packages need is lent by the environment of the
    tests, which cannot install a folder so that it may change, or fetched by pip; the page itself
    is built in `tests/web/test_web_build.py`."""
    copy_parts(ROOT, tmp_path / "pbem", *PARTS)
    here, game = tmp_path, NAMED
    environment = {**os.environ, "PBEM_STATE": str(tmp_path / "state"), "PYTHONUTF8": "1"}
    if packages == "lent":
        environment |= {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
        environment |= {"PIP_NO_COMPILE": "1"}
    for typed in commands_of(GUIDE):
        words = [word.replace(NAMED, game) for word in typed.words]
        if packages == "lent" and "--editable" in words:
            words.remove("--editable")
        match words:
            case ["cd", folder]:
                here = here / folder
            case [".", activate]:
                scripts = (here / activate).parent
                environment["PATH"] = f"{scripts}{os.pathsep}{environment['PATH']}"
                if packages == "lent":
                    (site,) = scripts.parent.glob("lib/*/site-packages")
                    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
                written_to(here)
            case ["./run", "web", "--with", wheel, "--serve"]:
                assert (here / wheel).is_file()
            case [program, *rest]:
                home = {"PBEM_HOME": str(tmp_path / typed.who)} if typed.who else {}
                run([program.replace("python3", sys.executable), *rest], here, environment | home)
                if rest[:1] == ["new"]:
                    game = next(here.glob("hex-*-0000.toml")).stem.removesuffix("-0000")
                if rest[:1] == ["replay"]:
                    check_played(here, game)


class Least(Rules):
    """As little as a game's rules have to say."""

    name = "least"
    title = "Least"
    seat_names = ("first", "second")
    settings: ClassVar = {"size": "of the board", "quick": "1: at once"}
    limits: ClassVar = {"size": (3, 19)}

    def begin(self, settings: Settings) -> Game:
        raise NotImplementedError


def test_what_is_not_said_is_as_most_games_have_it() -> None:
    rules = Least()
    assert rules.seats({"size": 3, "quick": 1}) == ("first", "second")
    for settings in ({"size": 2}, {"size": 20}, {"quick": 2}, {"slow": 1}):
        with pytest.raises(ValueError, match=next(iter(settings))):
            rules.seats(settings)
    assert (rules.version, rules.decks({}), rules.cards) == (1, (), ())
    assert rules.words(("d1", "d7")) == "d1 d7" and strange_word(rules, "hello") is None
    told = {"kind": "moves", "seat": "second", "objects": ["from d1 to d7"], "ways": [["d1", "d7"]]}
    assert rules.tell(("moves", 1, ("d1", "d7"))) == told
