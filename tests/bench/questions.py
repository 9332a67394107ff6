"""Questions asked of a library of 10,000 Tripoli games: the rows of 250 random ones, each many
times over."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from pbem.library import explore, pages, stats
from pbem.library.asking import asked
from pbem.library.luck import luck
from pbem.library.schema import GameRows
from tests.support.made_library import key_of, make, rows_of

GAMES, DIFFERENT, PLAYERS, TIMES = 10_000, 250, 50, 5


def _games() -> Iterator[GameRows]:
    found = [
        rows_of("tripoli", n, (f"P{n % PLAYERS}", f"P{(n * 7 + 1) % PLAYERS}"))
        for n in range(DIFFERENT)
    ]
    for number in range(GAMES):
        rows = found[number % DIFFERENT]
        yield rows._replace(
            game=rows.game._replace(game_id=hashlib.sha256(str(number).encode()).hexdigest())
        )


def _seconds(do: Callable[[], object]) -> str:
    taken = []
    for _ in range(TIMES):
        start = perf_counter()
        do()
        taken.append(perf_counter() - start)
    return f"{median(taken):.2f} s"


def figures() -> list[tuple[str, str, str]]:
    """(what, figure, goal)."""
    with tempfile.TemporaryDirectory() as name, asked(make(Path(name), _games())) as library:
        start = explore.from_start(library, "tripoli", [])
        line = [explore.explore(library, "tripoli", start).moves[0].move]
        # it is in the library too
        position = rows_of("tripoli", 0, ("P0", "P1")).positions[4].position
        facts = luck(library)
        asks: dict[str, Callable[[], object]] = {
            "luck": lambda: luck(library),
            "the page of luck": lambda: pages.page("luck", facts),
            "explore from the start": lambda: explore.explore(library, "tripoli", start),
            "explore after an answer": lambda: explore.explore(
                library, "tripoli", explore.from_start(library, "tripoli", line)
            ),
            "explore from a position": lambda: explore.explore(
                library, "tripoli", explore.at_position(position)
            ),
            "explore in one's own games": lambda: explore.explore(
                library, "tripoli", start, own=key_of("P1")
            ),
            "stats": lambda: stats.stats(library),
        }
        return [
            (f"{GAMES:,} games of Tripoli: {what}", _seconds(do), "1 s")
            for what, do in asks.items()
        ]
