"""Builds between two releases are told apart by their commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pbem import __version__, version
from tests.support.starter import types


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
