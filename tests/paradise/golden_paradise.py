"""Golden tables: what happened, step by step, in files that change only when the game changes.

python -m tests.paradise.golden_paradise        writes tests/paradise/data/golden-*.txt anew
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from engine.flow import Answer, Ask
from engine.notation import say
from engine.paradise import RULES
from engine.rules import Game, Rules
from engine.table import Table
from tests.support.paradise_kit import SMALL_MAP, by_verb

GAMES: dict[str, tuple[Rules, dict[str, int], int]] = {
    "practice": (RULES, {}, 18),
    "map": (RULES.with_data(SMALL_MAP), {"three-boxes": 1, "south-island": 1}, 12),
}
DATA = Path(__file__).resolve().parent / "data"


def transcript(name: str) -> list[str]:
    """Every answer and line of the story of one game, and the position's digest at every Victory Step."""
    rules, settings, seed = GAMES[name]
    chance = random.Random(seed)
    table = Table(rules, settings, chance)
    policy = by_verb(chance)
    story = table.game.story = []
    lines: list[str] = []

    def tell() -> None:
        for event in story:
            told = rules.tell(event)
            lines.append(" | ".join([told.pop("kind"), *(f"{key} {value}" for key, value in told.items())]))
        story.clear()

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        tell()
        if ask.rule == "victory":
            lines.append(f"position {hashlib.sha256(game.position().encode()).hexdigest()[:16]}")
        answer = policy(game, ask, answers)
        lines.append(f"> {say(rules, answer, table.faces)}")
        return answer

    table.play(choose)
    tell()
    return lines


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for name in GAMES:
        (DATA / f"golden-{name}.txt").write_text("\n".join(transcript(name)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
