"""Games played at random in one process, of each built-in game: the rules alone, with no file and
no key.

The figures of the pure Python wheel and of the compiled one (`./run wheel --compiled`) are made by
running this with the one or the other installed; the first line says which. Seconds are the
processor's.
"""

from __future__ import annotations

import random
from statistics import median
from time import process_time

import engine.flow
from engine.table import OpenTable
from pbem.games import registry
from pbem.simulate.policies import RandomPolicy

Figure = tuple[str, str, str]
ROUNDS = 5
GAMES = {
    "tripoli": (150, 944),
    "tripoli-solitaire": (300, 1729),
    "loot": (60, 395),
    "paradise": (20, 21),
    "backgammon": (20, 39),
}
"""For each game, how many are played in a round; and how many a second there were when every
question listed its answers, in pure Python, on the machine of the figures in docs/release.md."""


def figures() -> list[Figure]:
    compiled = not str(engine.flow.__file__).endswith(".py")
    return [
        ("engine/", "compiled" if compiled else "pure Python", ""),
        *(of_game(name) for name in GAMES),
    ]


def of_game(name: str) -> Figure:
    _, before = GAMES[name]
    return (
        f"random games of {name} a second, one process",
        f"{median(speed(name) for _ in range(ROUNDS)):.0f}",
        f"{before} with lists, pure",
    )


def speed(name: str) -> float:
    """Random games of this kind a second of processor time."""
    rules = registry.newest(name)
    # without a cube, which chance would drop at once
    settings = registry.chosen_settings(rules, {"match": 1} if name == "backgammon" else {})
    number, _ = GAMES[name]
    start = process_time()
    for seed in range(number):
        rng = random.Random(f"{seed}")
        OpenTable(rules, settings, rng).play(RandomPolicy(rules, rng).choose)
    return number / (process_time() - start)


if __name__ == "__main__":
    for what, figure, note in figures():
        print(f"{what:62}{figure:>14}   {note}")
