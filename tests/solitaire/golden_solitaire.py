"""Golden solitaire games: what happened, step by step, in files that change only when the game
changes.

python -m tests.solitaire.golden_solitaire        writes tests/solitaire/data/golden-*.txt anew
"""

from __future__ import annotations

from pathlib import Path

from engine.tripoli_solitaire import RULES
from tests.support import table_transcript
from tests.support.solitaire_kit import careful

SEEDS = (6, 35)
DATA = Path(__file__).resolve().parent / "data"


def transcript(seed: int) -> list[str]:
    """The game of this seed, with the position's digest at every American play."""
    return table_transcript.transcript(RULES, {}, seed, careful, "play")


if __name__ == "__main__":
    for number in SEEDS:
        table_transcript.write(DATA, number, transcript(number))
