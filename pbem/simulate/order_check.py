"""Pairs of games in which two answers come in either order: where both lead to one position, both go on alike.

Every random game is looked at, and then short games that are played for this alone, until there are `WANTED` pairs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

from engine.rules import Rules, Settings
from pbem.simulate.other_order import Bets, ByVerb, Kind, choose
from pbem.simulate.playthrough import Dealer, Playthrough, Step
from pbem.simulate.same_position import compare

WANTED = 100
"""Pairs that are looked for on purpose."""
TRIES = 1
"""Places looked at in a whole game, which takes long to come to."""
SHORT = 70
"""Requests of a game that is played for pairs."""
SHORT_TRIES = 12
MOST_TRIES = 150
"""Places in short games for each whole one, unless there are pairs enough earlier; `LEAST_TRIES` for a few whole games.
A short game counts as `ALONE` more."""
LEAST_TRIES = 3000
ALONE = 2
POLICIES = (Dealer, ByVerb)


class OrderCheck:
    """Counts `pairs`, the places `tried` and the games `swapped` in which both orders were legal, and collects what
    differs."""

    def __init__(self, rules: Rules) -> None:
        self.pairs = 0
        self.swapped = 0
        self.tried = 0
        self.problems: list[tuple[Settings, str]] = []
        self._rules = rules
        self._places = Bets()

    def look(self, table: Playthrough, steps: Sequence[Step], rng: random.Random, tries: int = TRIES) -> int:
        """Try so many places of one game, and return how many pairs were found."""
        found = 0
        for kind, swap in choose(self._places, steps, tries, rng):
            seed = rng.randrange(2**32)
            met, differs = compare(self._rules, table.settings, steps, table.faces, swap, seed)
            self._places.note(kind, bool(met))
            self.tried += 1
            self.swapped += met is not None
            found += bool(met)
            if differs:
                told = " and ".join(table.in_words(steps[swap.first], answer) for answer in (swap.early, swap.late))
                self.problems.append((table.settings, f"{told} in either order, {differs}"))
        self.pairs += found
        return found

    def look_further(self, variants: Sequence[Settings], games: int, seed: str) -> None:
        """Short games, most of them with the options and the policy that gave most pairs before."""
        rng, bets = random.Random(f"{seed}/orders"), Bets()
        ways: list[Kind] = [(variant, policy) for variant in range(len(variants)) for policy in range(len(POLICIES))]
        left = max(LEAST_TRIES, MOST_TRIES * games)
        while left > 0 and self.pairs < WANTED:
            _, way = bets.best(ways, rng)
            variant, policy = way
            assert isinstance(variant, int) and isinstance(policy, int)
            dealer = POLICIES[policy](rng.randrange(2**32))
            table = Playthrough(self._rules, variants[variant], dealer, tells=False)
            steps = list(islice(table.steps(), SHORT))
            before = self.tried
            found = self.look(table, steps, rng, SHORT_TRIES)
            left -= ALONE + self.tried - before
            for number in range(SHORT_TRIES):
                bets.note(way, number < found)
