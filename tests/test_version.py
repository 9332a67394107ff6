"""Builds between two releases are told apart by their commit, and name the addresses they were
given."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from pbem import __version__, version
from tests.support.starter import types

ROOT = Path(__file__).parents[1]


def git(folder: Path, *arguments: str) -> str:
    made_up = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")}  # fmt: skip
    command = ["git", "-C", str(folder), "-c", "commit.gpgsign=false", *arguments]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **made_up}
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "file").write_text("one", encoding="utf-8")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    return tmp_path


def test_a_release_has_its_number_and_what_lies_between_has_its_commit(checkout: Path) -> None:
    first = git(checkout, "rev-parse", "--short=10", "HEAD")
    assert version._of_checkout(checkout) == f"{__version__}.dev0+g{first}"
    git(checkout, "tag", "v0.0.0")  # the release before
    assert version._of_checkout(checkout) == f"{__version__}.dev0+g{first}"
    git(checkout, "tag", f"v{__version__}")
    assert version._of_checkout(checkout) == __version__
    (checkout / "file").write_text("two", encoding="utf-8")
    assert version._of_checkout(checkout) == f"{__version__}.dev0+g{first}.changed"
    git(checkout, "commit", "--quiet", "-a", "-m", "two")
    second = git(checkout, "rev-parse", "--short=10", "HEAD")
    assert version._of_checkout(checkout) == f"{__version__}.dev0+g{second}"


def test_a_folder_that_is_no_checkout_says_so_much(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense", encoding="utf-8")
    assert version._of_checkout(tmp_path) == f"{__version__}.dev0"


def test_an_installed_program_says_what_it_was_built_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(version.pkgutil, "get_data", lambda *_: b"7.0.dev0+g123\n")
    assert version.exact.__wrapped__() == "7.0.dev0+g123"


def test_the_program_prints_it(tmp_path: Path) -> None:
    code, out, _ = types(tmp_path / "home", tmp_path, "--version")
    assert code == 0 and out == f"pbem {version.exact()}\n"


@pytest.mark.parametrize(
    ("page", "program", "urls"),
    [
        ("", "", {}),
        (
            "https://games.example.org/play/",
            "https://example.org/releases",
            {
                "Homepage": "https://games.example.org/",
                "Documentation": "https://games.example.org/start.html",
                "Changelog": "https://games.example.org/changes.html",
                "Play in a browser": "https://games.example.org/play/",
                "Download": "https://example.org/releases",
            },
        ),
    ],
)
def test_a_wheel_names_the_addresses_that_its_build_was_given(
    tmp_path: Path, page: str, program: str, urls: dict[str, str]
) -> None:
    for name in ("pyproject.toml", "README.md", "release/hatch_hook.py", "pbem/version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    text = (ROOT / "pbem" / "__init__.py").read_text(encoding="utf-8")
    assert "PROGRAM_ADDRESS = " in text and "PAGE_ADDRESS = " in text
    given = f"{text}\nPROGRAM_ADDRESS = {program!r}\nPAGE_ADDRESS = {page!r}\n"
    (tmp_path / "pbem" / "__init__.py").write_text(given, encoding="utf-8")
    assert ProjectMetadata(str(tmp_path), PluginManager()).core.urls == urls


def test_a_wheel_says_what_it_is_for_whom_and_by_whom() -> None:
    """An author that is the project; each Python that it takes and that it is tried with; and what
    an index knows (hatchling refuses any other classifier)."""
    core = ProjectMetadata(str(ROOT), PluginManager()).core
    assert core.authors_data == {"name": ["The pbem project"], "email": []}
    assert {"board games", "play by mail"} <= set(core.keywords)
    pythons = {re.sub(r".*:: ", "", one) for one in core.classifiers if "Python :: 3." in one}
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert pythons == set(re.findall(r'"(3\.\d+)"', workflow))
    assert {"Topic :: Games/Entertainment :: Board Games", "Typing :: Typed"} < {*core.classifiers}
