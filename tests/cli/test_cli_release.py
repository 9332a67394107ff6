"""`./run release`: a table of what was made, what was not and why, and what failed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from release import everything


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(everything, "DIST", tmp_path / "dist")
    return tmp_path / "dist"


def table(monkeypatch: pytest.MonkeyPatch, *parts: str) -> int:
    monkeypatch.setattr(everything.sys, "argv", ["release", *parts])
    with pytest.raises(SystemExit) as end:
        everything.main()
    return int(end.value.code or 0)


def test_sums_are_of_every_file_that_lies_there(
    dist: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dist.mkdir()
    (dist / "pbem-1.whl").write_bytes(b"a wheel")
    assert table(monkeypatch, "sums") == 0
    assert " 2 files" in capsys.readouterr().out
    lines = (dist / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    assert f"{hashlib.sha256(b'a wheel').hexdigest()}  pbem-1.whl" in lines
    assert [line.partition("  ")[2] for line in lines] == ["pbem-1.whl", "pbem.cdx.json"]


def test_what_fails_and_what_cannot_be_made_is_a_line(
    dist: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> object:
        raise everything.Failed("the disk is full")

    monkeypatch.setattr(everything.shutil, "which", lambda _: None)
    monkeypatch.setitem(everything.PARTS, "pure", fails)
    assert table(monkeypatch, "page") == 0
    assert table(monkeypatch, "pure") == 1
    out = capsys.readouterr().out
    assert "npm" in out and "FAILED" in out and "the disk is full" in out
    with pytest.raises(everything.Failed, match="false"):
        everything.run(["false"])


def test_a_part_that_there_is_not_is_named(dist: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everything.sys, "argv", ["release", "cake"])
    with pytest.raises(SystemExit, match=r"\bcake\b"):
        everything.main()


@pytest.mark.skipif(os.name != "posix", reason="a program that does nothing is a script here")
def test_a_python_that_does_not_start_is_not_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that stands for versions of which none is chosen."""
    program = tmp_path / "python3.99"
    program.write_text("#!/bin/sh\nexit 127\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(everything.Skipped, match=r"python3\.99"):
        everything.of_python(program.name)


def test_a_long_name_leaves_its_figure_readable(
    dist: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(everything.PARTS, "pure", lambda: iter([("x" * 90, "7 bytes")]))
    assert table(monkeypatch, "pure") == 0
    assert "x" * 90 + "\n" + " " * 80 + "7 bytes\n" in capsys.readouterr().out
