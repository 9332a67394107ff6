"""What reading a mail of 25 MB costs that was made to cost much: memory and seconds, each in a
process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.hostile_mails import MAILS

ROOT = Path(__file__).parents[2]


def figures() -> list[tuple[str, str, str]]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in MAILS.items():
            path = Path(folder) / "mail.eml"
            path.write_bytes(make())
            command = [sys.executable, "-m", "tests.support.read_a_mail", str(path)]
            done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, text=True)
            _, memory, seconds = done.stdout.split()
            found.append((name, f"{int(memory) // 1000} MB, {seconds} s", "at most 150 MB, 2 s"))
    return found
