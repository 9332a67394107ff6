"""Golden solitaire games: what happened, step by step, in files that change only when the game changes.

python -m tests.solitaire.golden_solitaire        writes tests/solitaire/data/golden-*.txt anew
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from engine.flow import Answer, Ask
from engine.notation import say
from engine.rules import Game
from engine.table import Table
from engine.tripoli_solitaire import RULES
from tests.support.solitaire_kit import careful

SEEDS = (6, 35)
DATA = Path(__file__).resolve().parent / "data"


def transcript(seed: int) -> list[str]:
    """Every answer, die and line of the story of one game, and the position's digest at every American play."""
    chance = random.Random(seed)
    table = Table(RULES, {}, chance)
    policy = careful(chance)
    story = table.game.story = []
    lines: list[str] = []

    def tell() -> None:
        for event in story:
            told = RULES.tell(event)
            lines.append(" | ".join([told.pop("kind"), *(f"{key} {value}" for key, value in told.items())]))
        story.clear()

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        tell()
        if ask.rule == "play":
            lines.append(f"position {hashlib.sha256(game.position().encode()).hexdigest()[:16]}")
        answer = policy(game, ask, answers)
        lines.append(f"> {say(RULES, answer, table.faces)}")
        return answer

    table.play(choose)
    tell()
    return lines


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for seed in SEEDS:
        (DATA / f"golden-{seed}.txt").write_text("\n".join(transcript(seed)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
