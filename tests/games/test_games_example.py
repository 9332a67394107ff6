"""The example plug-in (`examples/plugin`): played to its end through the commands, here and in an empty environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.simulate import figures, series
from tests.support.leaks import count_secrets_kept
from tests.support.plugin_play import Match, check
from tests.support.plugins import EXAMPLE, PACKAGE, Site

ROOT = EXAMPLE.parents[1]
PAGE = ROOT / "docs" / "write-a-game.md"


def test_two_people_play_it_to_a_proven_end(site: Site, tmp_path: Path) -> None:
    site.install()
    mails = tmp_path / "mails"
    mails.mkdir()
    match = Match(Player("Ann", tmp_path / "Ann", mails, True), Player("Ben", tmp_path / "Ben", mails, True))
    match.begin(5)
    match.finish()
    check(match)
    assert count_secrets_kept((mails / match.files[-1]).read_bytes()) > 10


def test_it_is_simulated(site: Site) -> None:
    site.install()
    facts = series.simulate("goofspiel", 20, "1")
    assert "rounds" in figures.in_words(facts)
    assert series.simulate("goofspiel", 1, "1", by_mail=True)


# The page


def blocks() -> dict[str, list[str]]:
    """The code on the page, by file: each block stands below a line that names its file."""
    found: dict[str, list[str]] = {}
    pattern = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for name, block in pattern.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(name, []).append(block)
    return found


def test_the_code_of_the_page_is_the_code_of_the_example() -> None:
    found = blocks()
    files = [path for path in EXAMPLE.rglob("*") if path.is_file() and path.suffix in (".py", ".j2", ".toml", ".txt")]
    assert set(found) == {path.relative_to(EXAMPLE).as_posix() for path in files}
    for name, parts in found.items():
        text = (EXAMPLE / name).read_text(encoding="utf-8")
        assert "".join(parts).replace("\n", "") == text.replace("\n", ""), f"{name}: the page tells it in its order"
        assert all(part in text for part in parts), name


def test_it_is_a_small_game() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLE.rglob("*.py")) < 250


def test_every_request_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for request in ("Ask", "Roll", "Pick", "Draw", "Open", "Seal"):
        assert re.search(rf"^\| `{request}` \|.*`{request}\(", page, re.MULTILINE), request


# In an environment of its own


@dataclass(frozen=True)
class InstalledPlayer(Player):
    """Somebody whose pbem is that of an environment of its own."""

    python: str = sys.executable

    def types(self, *arguments: str) -> tuple[int, str, str]:
        command = [self.python, "-m", "pbem", *arguments]
        environment = {"PATH": os.environ.get("PATH", ""), "PBEM_HOME": str(self.home), "PYTHONUTF8": "1"}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
        return done.returncode, done.stdout, done.stderr


def wheel_of(folder: Path, source: Path, out: Path, *parts: str) -> Path:
    """Build a wheel of a copy of these parts, without a network."""
    copy = folder / source.name
    copy.mkdir()
    for part in parts:
        if (source / part).is_dir():
            shutil.copytree(source / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source / part, copy)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out / source.name)]
    subprocess.run(build, cwd=copy, check=True, capture_output=True)
    (wheel,) = (out / source.name).glob("*.whl")
    return wheel


@pytest.mark.parametrize("fetched", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_it_installs_into_an_empty_environment(tmp_path: Path, fetched: bool) -> None:
    """With what pbem needs fetched by pip, or lent by the environment of the tests, without its pbem."""
    out = tmp_path / "dist"
    parts = ("pbem", "engine", "templates", "docs", "share", "pyproject.toml", "README.md", "LICENSE")
    program = wheel_of(tmp_path, ROOT, out, *parts)
    plugin = wheel_of(tmp_path, EXAMPLE, out, PACKAGE, "pyproject.toml")
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]  # ours, for that one
    install = [*pip, "install", "--quiet", "--no-compile", str(program), str(plugin)]
    if not fetched:
        install.append("--no-deps")
        (lent,) = (tmp_path / "venv").glob("[Ll]ib/**/site-packages")
        (lent / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    for package in ("pbem", "engine"):  # authors of games run mypy over what they write
        assert f"{package}/py.typed" in zipfile.ZipFile(program).namelist()
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot fetch what pbem needs, there may be no network: {done.stderr[-300:]}")
    where = [str(python), "-c", "import pbem, pbem_goofspiel; print(pbem.__file__, pbem_goofspiel.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert found.count(str(tmp_path)) == 2, "it is what was installed there that plays"
    mails = tmp_path / "mails"
    mails.mkdir()
    ann = InstalledPlayer("Ann", tmp_path / "Ann", mails, python=str(python))
    ben = InstalledPlayer("Ben", tmp_path / "Ben", mails, python=str(python))
    assert "goofspiel: Goofspiel with dice, rules version 1, from pbem-goofspiel 1.0" in ann.types("games")[1]
    assert "--cards NUMBER" in ann.types("new", "--help")[1]
    match = Match(ann, ben)
    match.begin(5)
    if fetched:  # to its end it is played above, without an environment of its own
        match.finish()
        check(match)
    else:
        for _ in range(2):
            match.play()
        facts = ann.does("verify", match.files[-1])
        assert facts["ok"] and (facts["game"], facts["entries"]) == ("goofspiel", 4)
    assert ann.does("simulate", "goofspiel", "--games", "20", "--jobs", "2")["games"] == 20
