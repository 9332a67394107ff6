"""Write the golden playthroughs anew: `./run golden`. Read the difference before you believe it.

Each is one whole game with a seed. At each season's start the position is printed as everybody sees
it, and what each seat sees beyond that; at each step what changed in each view, the legal answers
and the one taken, dice and draws.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from engine.rules import Settings
from pbem.simulate import golden
from tests.support.plugins import BOARDS

HERE = Path(__file__).parent
TRIPOLI = "engine.tripoli"
GAMES: dict[str, tuple[str, Settings, int]] = {
    "tripoli-open": (TRIPOLI, {}, 1801),
    "tripoli-hidden": (TRIPOLI, {"hidden-discard": 1}, 1803),
    "tripoli-quick": (TRIPOLI, {"quick-hand-limit": 1, "hidden-discard": 1}, 1805),
    "chess": ("pbem_chess.game", {"shuffled": 1}, 8),
    "einstein": ("pbem_einstein.game", {}, 4),
    "go": ("pbem_go.game", {"size": 9}, 9),
    "hex": ("pbem_hex.game", {"size": 4}, 3),
}
"""Where the rules of each are, the settings, and the seed."""


def text(name: str) -> str:
    """The whole file."""
    module, settings, seed = GAMES[name]
    sys.path.insert(0, str(BOARDS))
    try:
        return golden.text(import_module(module).RULES, settings, seed)
    finally:
        sys.path.remove(str(BOARDS))


if __name__ == "__main__":
    for game in GAMES:
        path = HERE / f"{game}.txt"
        path.write_text(text(game), encoding="utf-8", newline="\n")
        print(f"{path.name}: {path.stat().st_size} bytes")
