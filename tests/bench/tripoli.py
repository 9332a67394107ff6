"""The Shores of Tripoli in memory: what it costs by mail."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import OpenTable
from pbem.games import registry
from pbem.simulate import series
from pbem.simulate.figures import LEVELS
from pbem.simulate.policies import RandomPolicy

Figure = tuple[str, str, str]


def figures() -> list[Figure]:
    return [*on_a_server(), *by_mail()]


def on_a_server() -> list[Figure]:
    """What a server that everybody trusts would need: the turn passes when another seat is
    asked."""
    rules, passes, seasons = registry.newest("tripoli"), 0, 0
    for number in range(400):
        rng = random.Random(f"server {number}")
        policy, asked = RandomPolicy(rules, rng), [0]

        def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
            asked.append(ask.seat)  # noqa: B023
            return policy.choose(game, ask, answers)  # noqa: B023

        table = OpenTable(rules, {}, rng)
        table.play(choose)
        passes += sum(seat != before for before, seat in pairwise(asked))
        seasons += table.game.period()
    return [("a server would pass the turn, a season", f"{passes / seasons:.2f}", "")]


def by_mail() -> list[Figure]:
    facts = series.simulate("tripoli", 100, "bench", by_mail=True)
    goals = {
        "entries_per_season_with_orders": "2.55",
        "entries_per_season_declining": "2.1",
        "final_bytes": "100000",
    }
    names = (*LEVELS, "final_bytes", "write_ms", "verify_ms")
    return [
        (name.replace("_", " "), str(getattr(facts, name)), goals.get(name, "")) for name in names
    ]
