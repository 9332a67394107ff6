"""Writes the archived game of Loot and its line in `SHA256SUMS`: four in pairs, every secret and choice from a seed.

    python -m tests.archive.make_loot

Only as long as the format may change; then the file is never made anew (`test_archive.py`).
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from tests.support.loot_match import Match, anything

HERE = Path(__file__).parent
NAME = "loot-1.toml"


def main() -> None:
    match = Match(4, seed=1992, partners=1)
    game = match.play(anything(random.Random(1992)))
    assert game.is_proven()
    (HERE / NAME).write_bytes(match.data)
    sums = HERE / "SHA256SUMS"
    lines = [line for line in sums.read_text(encoding="ascii").splitlines() if not line.endswith(f"  {NAME}")]
    lines = sorted([*lines, f"{hashlib.sha256(match.data).hexdigest()}  {NAME}"], key=lambda line: line.split("  ")[1])
    sums.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    print(f"{NAME}: {len(game.entries)} entries, {len(match.data)} bytes")


if __name__ == "__main__":
    main()
