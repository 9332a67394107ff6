"""Where answers in another order meet in games in which few do, so that `./run test` need not
search for them anew.

`python -m tests.games.pairs` writes the places (tests/games/places) after a change of the rules:
where they no longer hold, the bench searches for others, which takes longer.
"""

from __future__ import annotations

import json
from pathlib import Path

from pbem.games import registry
from pbem.simulate.order_check import OrderCheck, SwapPlace

HERE = Path(__file__).parent / "places"
RARE = ("backgammon", "loot", "paradise")


def known(game: str) -> list[SwapPlace]:
    """The places that are kept of a game."""
    path = HERE / f"{game}.json"
    return (
        [SwapPlace(*numbers) for numbers in json.loads(path.read_text(encoding="utf-8"))]
        if path.exists()
        else []
    )


def main() -> None:
    for game in RARE:
        rules = registry.newest(game)
        orders = OrderCheck(rules)
        orders.look_further(registry.variants(rules), 100, "1")
        lines = ",\n".join(json.dumps(place) for place in orders.found)
        (HERE / f"{game}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
