"""The Shores of Tripoli in memory: how fast it plays, and what it costs by mail."""

from __future__ import annotations

import random
from statistics import median
from time import process_time

from engine.table import Table
from pbem import games, simulate
from pbem.policies import RandomPolicy

Figure = tuple[str, str, str]


def figures() -> list[Figure]:
    return [*random_play(), *by_mail()]


def random_play() -> list[Figure]:
    rules, speeds, decisions = games.newest("tripoli"), [], 0
    for _ in range(5):
        start, decisions = process_time(), 0
        for number in range(150):
            rng = random.Random(f"{number}")
            table = Table(rules, {}, rng)
            table.play(RandomPolicy(rules, rng).choose)
            decisions += table.decisions
        speeds.append(150 / (process_time() - start))
    speed = median(speeds)
    return [
        ("random games a second, one process", f"{speed:.0f}", "about 500, of 90 decisions"),
        ("decisions a second (legal answers listed at each)", f"{speed * decisions / 150:.0f}", ""),
    ]


def by_mail() -> list[Figure]:
    facts = simulate.simulate("tripoli", 100, "bench", by_mail=True)
    goals = {"entries_per_season_with_orders": "2.55", "entries_per_season_declining": "2.1", "final_bytes": "100000"}
    names = (*simulate.LEVELS, "final_bytes", "write_ms", "verify_ms")
    return [(name.replace("_", " "), str(facts[name]), goals.get(name, "")) for name in names]
