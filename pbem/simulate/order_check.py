"""Checks by pairs of games that the position is complete: two answers are given in either order,
and where both orders lead to one position both games have to continue alike.

Places are tried in every random game, and then in short games that are played only for this, until
there are `WANTED` pairs. Places where pairs were found before (`SwapPlace`) come first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from engine.flow import Ask
from engine.rules import Rules, Settings
from pbem.simulate.other_order import Bets, ByVerb, Kind, Swap, choose
from pbem.simulate.playthrough import Dealer, Playthrough, Step, in_words
from pbem.simulate.same_position import Run, compare

WANTED = 100
"""Pairs after which no more are searched for."""
TRIES = 1
"""Places tried in a whole game, since it takes long to reach one."""
SHORT = 70
"""Requests of a game that is played only for pairs."""
SHORT_TRIES = 12
MOST_TRIES = 150
"""Places tried in short games, for each whole game, unless there are enough pairs before; at least
`LEAST_TRIES`. Each short game counts for `ALONE` places besides those tried in it."""
LEAST_TRIES = 3000
ALONE = 2
POLICIES = (Dealer, ByVerb)


class SwapPlace(NamedTuple):
    """Where two answers of a short game led to one position in either order: the options and the
    policy by number, the seed of the game, the steps of both answers, the number of the later one
    among those that were legal at the earlier step, and the seed with which both games
    continued."""

    variant: int
    policy: int
    game: int
    first: int
    second: int
    late: int
    chance: int


class OrderCheck:
    """Counts `pairs`, the `places_tried`, and the games `swapped` in which both orders were legal.
    It collects the differences, and the places in short games at which pairs were found. It looks
    until `is_over` says that there is no more time."""

    def __init__(self, rules: Rules, is_over: Callable[[], bool] = lambda: False) -> None:
        self.found: list[SwapPlace] = []
        self.pairs = 0
        self.swapped = 0
        self.places_tried = 0
        self.problems: list[tuple[Settings, str]] = []
        self._rules = rules
        self._is_over = is_over
        self._places = Bets()

    def look(
        self, table: Playthrough, steps: Sequence[Step], rng: random.Random, tries: int = TRIES
    ) -> list[tuple[Swap, int]]:
        """Try so many places of one game; returns those where pairs were found, each with the seed
        with which both games continued."""
        found = []
        for kind, swap in choose(self._places, steps, tries, rng):
            seed = rng.randrange(2**32)
            met = self._try(table, steps, swap, seed)
            self._places.note(kind, met)
            found += [(swap, seed)] if met else []
        return found

    def _try(self, table: Playthrough, steps: Sequence[Step], swap: Swap, seed: int) -> bool:
        """Give two answers in the other order; returns whether both games met in one position."""
        met, differs = compare(self._rules, table.settings, steps, table.faces, swap, seed)
        self.places_tried += 1
        self.swapped += met is not None
        self.pairs += bool(met)
        if differs:
            there = Run(self._rules, table.settings)
            there.replay(steps[: swap.first], table.faces)
            words = " and ".join(in_words(there, answer) for answer in (swap.early, swap.late))
            self.problems.append((table.settings, f"{words} in either order, {differs}"))
        return bool(met)

    def look_again(self, variants: Sequence[Settings], places: Sequence[SwapPlace]) -> None:
        """Try places where pairs were found before, as far as the rules still reach them."""
        for place in places:
            if self.pairs >= WANTED or self._is_over():
                return
            table = self._short_game(
                variants[place.variant % len(variants)], place.policy, place.game
            )
            steps = list(islice(table.steps(), place.second + 1))
            if (swap := _swap_at(steps, place)) is not None:
                self._try(table, steps, swap, place.chance)

    def _short_game(self, settings: Settings, policy: int, seed: int) -> Playthrough:
        return Playthrough(self._rules, settings, POLICIES[policy](seed), with_story=False)

    def look_further(self, variants: Sequence[Settings], games: int, seed: str) -> None:
        """Try places in short games, most of them with the options and the policy that gave most
        pairs so far."""
        rng, bets = random.Random(f"{seed}/orders"), Bets()
        ways: list[Kind] = [
            (variant, policy) for variant in range(len(variants)) for policy in range(len(POLICIES))
        ]
        left = max(LEAST_TRIES, MOST_TRIES * games)
        while left > 0 and self.pairs < WANTED and not self._is_over():
            _, way = bets.best(ways, rng)
            variant, policy = way
            assert isinstance(variant, int) and isinstance(policy, int)
            game_seed = rng.randrange(2**32)
            table = self._short_game(variants[variant], policy, game_seed)
            steps = list(islice(table.steps(), SHORT))
            before = self.places_tried
            found = self.look(table, steps, rng, SHORT_TRIES)
            for swap, chance in found:
                late = list(steps[swap.first].legal).index(swap.late)
                self.found.append(
                    SwapPlace(variant, policy, game_seed, swap.first, swap.second, late, chance)
                )
            left -= ALONE + self.places_tried - before
            for number in range(SHORT_TRIES):
                bets.note(way, number < len(found))


def _swap_at(steps: Sequence[Step], place: SwapPlace) -> Swap | None:
    """The two answers at a place of a game; None if the game has no such place any more."""
    if not place.first < place.second < len(steps):
        return None
    first, second = steps[place.first], steps[place.second]
    if not (
        isinstance(first.request, Ask)
        and isinstance(second.request, Ask)
        and place.late < len(first.legal)
    ):
        return None
    late = first.legal[place.late]
    if (
        first.request.seat != second.request.seat
        or late == first.result
        or late not in second.legal
    ):
        return None
    return Swap(place.first, place.second, first.result, late)
