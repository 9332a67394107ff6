"""What the program knows of games: the descriptor each of them offers, the registry, what shows the
built-in ones.

A built-in game is a folder here with a `descriptor`, loaded by name without a look at what else is
installed; all others are plug-ins (`pbem.games.plugins`).
"""

from __future__ import annotations

BUILT_IN = {
    "any": "pbem.games.any.descriptor:GAME",
    "backgammon": "pbem.games.backgammon.descriptor:GAME",
    "loot": "pbem.games.loot.descriptor:GAME",
    "paradise": "pbem.games.paradise.descriptor:GAME",
    "tripoli": "pbem.games.tripoli.descriptor:GAME",
    "tripoli-solitaire": "pbem.games.tripoli_solitaire.descriptor:GAME",
}
"""Name of each game that comes with the program, and where its descriptor is found."""
