"""Games played at random in one process, of each built-in game: the rules alone, with no file and no key.

Seconds are the processor's.
"""

from __future__ import annotations

import random
from statistics import median
from time import process_time

from engine.table import Table
from pbem.games import registry
from pbem.simulate.policies import RandomPolicy

Figure = tuple[str, str, str]
ROUNDS = 5
GAMES = {"tripoli": (150, 944), "tripoli-solitaire": (300, 1729), "loot": (60, 395), "paradise": (20, 21)}
"""For each game, how many are played in a round; and how many a second there were when every question listed its
answers, on a machine on which there are 940, 1750, 400 and 58 a second now."""


def figures() -> list[Figure]:
    return [of_game(name) for name in GAMES]


def of_game(name: str) -> Figure:
    rules = registry.newest(name)
    settings = registry.chosen_settings(rules, {})
    number, before = GAMES[name]
    speeds = []
    for _ in range(ROUNDS):
        start = process_time()
        for seed in range(number):
            rng = random.Random(f"{seed}")
            Table(rules, settings, rng).play(RandomPolicy(rules, rng).choose)
        speeds.append(number / (process_time() - start))
    return f"random games of {name} a second, one process", f"{median(speeds):.0f}", f"{before} with lists"


if __name__ == "__main__":
    for what, figure, note in figures():
        print(f"{what:62}{figure:>14}   {note}")
