"""A game at an open table as lines of text: golden tables are compared with it, and change when the
game changes."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path

from engine.flow import Answer, Ask
from engine.notation import say
from engine.rules import Game, Rules, Settings
from engine.table import Choose, OpenTable


def transcript(
    rules: Rules,
    settings: Settings,
    seed: int,
    policy: Callable[[random.Random], Choose],
    looked_at: str,
) -> list[str]:
    """Every answer, die and line of the story of one game, and the position's digest at every
    question of the rule `looked_at`."""
    chance = random.Random(seed)
    table, choose_by = OpenTable(rules, settings, chance), policy(chance)
    story = table.game.story = []
    lines: list[str] = []

    def tell() -> None:
        for event in story:
            told = rules.tell(event)
            lines.append(
                " | ".join([told.pop("kind"), *(f"{key} {value}" for key, value in told.items())])
            )
        story.clear()

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        tell()
        if ask.rule == looked_at:
            lines.append(f"position {hashlib.sha256(game.position().encode()).hexdigest()[:16]}")
        answer = choose_by(game, ask, answers)
        assert answer is not None
        lines.append(f"> {say(rules, game, answer, table.faces)}")
        return answer

    table.play(choose)
    tell()
    return lines


def write(data: Path, name: object, lines: list[str]) -> None:
    """Write a golden table anew."""
    data.mkdir(exist_ok=True)
    (data / f"golden-{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
