"""Golden tables: what happened, step by step, in files that change only when the game changes.

python -m tests.paradise.golden_paradise        writes tests/paradise/data/golden-*.txt anew
"""

from __future__ import annotations

from pathlib import Path

from engine.paradise import RULES
from engine.rules import Rules
from tests.support import table_transcript
from tests.support.paradise_kit import SMALL_MAP, by_verb

GAMES: dict[str, tuple[Rules, dict[str, int], int]] = {
    "practice": (RULES, {}, 18),
    "map": (RULES.with_data(SMALL_MAP), {"three-boxes": 1, "south-island": 1}, 12),
}
DATA = Path(__file__).resolve().parent / "data"


def transcript(name: str) -> list[str]:
    """One of the games, with the position's digest at every Victory Step."""
    return table_transcript.transcript(*GAMES[name], by_verb, "victory")


if __name__ == "__main__":
    for game in GAMES:
        table_transcript.write(DATA, game, transcript(game))
