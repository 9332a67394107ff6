"""Random games of this program and of others that know the same game, in one run, so that both
meet the same machine: backgammon against OpenSpiel (`pip install open_spiel`), The Shores of
Tripoli against the rules of Rally the Troops under node.

A peer that is not here is a line that says so. Rally the Troops is looked for where the variable
`RALLY_TRIPOLI` says: the folder of its module with `rules.js` and `data.js`. Seconds are the
processor's; each game is played to its end by a player who takes any legal answer.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from tests.bench import random_games
from tests.bench.random_games import GAMES, Figure, speed

ROUNDS = 5
PLAYER = Path(__file__).with_name("rally.mjs")


def figures() -> list[Figure]:
    return [open_spiel(), rally_the_troops()]


def open_spiel() -> Figure:
    """How many times as many random games of backgammon this program plays as OpenSpiel does."""
    what = "backgammon: random games, OpenSpiel's as 1"
    if find_spec("pyspiel") is None:
        return what, "skipped", "open_spiel is not installed"
    number, _ = GAMES["backgammon"]
    game = import_module("pyspiel").load_game("backgammon")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(speed("backgammon"))
        start = process_time()
        for seed in range(number):
            spiel_game(game, random.Random(f"{seed}"))
        theirs.append(number / (process_time() - start))
    return ratio(what, ours, theirs)


def spiel_game(game: Any, rng: random.Random) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            (action,) = rng.choices(actions, odds)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)


def rally_the_troops() -> Figure:
    """How many times as many random games of Tripoli this program plays as Rally the Troops."""
    what = "The Shores of Tripoli: random games, Rally the Troops' as 1"
    folder, node = os.environ.get("RALLY_TRIPOLI", ""), shutil.which("node")
    if not folder or not (Path(folder) / "rules.js").is_file():
        return what, "skipped", "RALLY_TRIPOLI names no folder with its rules.js"
    if node is None:
        return what, "skipped", "node is not installed"
    number, _ = GAMES["tripoli"]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(speed("tripoli"))
        ran = subprocess.run(
            [node, PLAYER, folder, str(number)], check=True, capture_output=True, encoding="utf-8"
        )
        theirs.append(float(ran.stdout))
    return ratio(what, ours, theirs)


def ratio(what: str, ours: list[float], theirs: list[float]) -> Figure:
    pairs = zip(ours, theirs, strict=True)
    times = median(our / their for our, their in pairs)
    return what, f"{times:.2f}", f"{median(ours):.0f} and {median(theirs):.0f} a second"


if __name__ == "__main__":
    for line in (*random_games.figures(), *figures()):
        print(f"{line[0]:62}{line[1]:>14}   {line[2]}")
