"""Write the golden playthroughs anew: `./run golden`. Read the difference before you believe it.

Each is one whole game with a seed. At each season's start the position is printed as everybody sees
it, and what each seat sees beyond that; at each step what changed in each view, the legal answers
and the one taken, dice and draws.
"""

from __future__ import annotations

from pathlib import Path

from engine.rules import Settings
from engine.tripoli import RULES
from pbem.simulate import golden

HERE = Path(__file__).parent
GAMES: dict[str, tuple[Settings, int]] = {
    "tripoli-open": ({}, 1801),
    "tripoli-hidden": ({"hidden-discard": 1}, 1803),
    "tripoli-quick": ({"quick-hand-limit": 1, "hidden-discard": 1}, 1805),
}


def text(name: str) -> str:
    """The whole file."""
    settings, seed = GAMES[name]
    return golden.text(RULES, settings, seed)


if __name__ == "__main__":
    for game in GAMES:
        path = HERE / f"{game}.txt"
        path.write_text(text(game), encoding="utf-8", newline="\n")
        print(f"{path.name}: {path.stat().st_size} bytes")
