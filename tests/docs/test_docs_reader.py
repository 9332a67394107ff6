"""The reader on the first pages of docs/format.md: it reads every game of the archive, and no
changed one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.fileformat import turnfile

ROOT = Path(__file__).parents[2]
GAMES = sorted((ROOT / "tests/archive").glob("*.toml"))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that stands on the page, as a file."""
    first_pages = (
        (ROOT / "docs/format.md").read_text(encoding="utf-8").partition("## 1. Encodings")[0]
    )
    [program] = re.findall(r"```python\n(.*?)```", first_pages, re.DOTALL)
    made = tmp_path_factory.mktemp("reader") / "reader.py"
    made.write_text(program, encoding="utf-8")
    return made


def run(reader: Path, file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, reader, file],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={"PYTHONUTF8": "1"},
    )


@pytest.mark.dear("reads every archived game")
def test_it_reads_every_game_of_the_archive(reader: Path) -> None:
    assert len(GAMES) > 10
    for file in GAMES:
        done = run(reader, file)
        seats = [line.split("  ")[1] for line in done.stdout.splitlines()]
        assert done.returncode == 0, (file, done.stderr)
        assert seats == [entry.seat for entry in turnfile.read(file.read_bytes()).entries], file


def test_it_refuses_a_changed_byte(reader: Path, tmp_path: Path) -> None:
    data = GAMES[0].read_bytes()
    at = data.index(b'answers = [\n  "') + len(b'answers = [\n  "')
    changed = tmp_path / "changed.toml"
    changed.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    done = run(reader, changed)
    assert done.returncode == 1 and "BadSignature" in done.stderr
