"""Rolls of whole games played in memory, from `engine/` alone: fair ones, and those of a player
with a helper."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from typing import Any

from engine.flow import Flow, Outcome, Roll, Seat
from engine.rules import Rules
from engine.table import OpenTable
from pbem.games import registry
from pbem.library.luck_figures import Counts, Tally
from pbem.simulate.policies import find_policy

Noted = tuple[Roll, tuple[int, ...]]


def rolls_of(
    rules: Rules, seed: str, helped: Seat | None = None, share: float = 1.0
) -> list[Noted]:
    """Every roll of one random game. The helped seat keeps the better of two throws wherever hits
    count, as it could if the only witness of its rolls were in league with it, with this share of
    its rolls."""
    chance, help_comes = random.Random(seed), random.Random(f"help {seed}")
    table, noted = OpenTable(rules, {}, chance), list[Noted]()
    played = table.game.flow

    def throws(roll: Roll) -> tuple[int, ...]:
        return tuple(int(chance.random() * roll.sides) + 1 for _ in range(roll.number))

    def flow() -> Flow[Outcome]:
        game: Generator[Any, Any, Outcome] = played()
        try:
            request = next(game)
            while True:
                answer = yield request
                if isinstance(request, Roll):
                    if request.seat == helped and help_comes.random() < share:
                        answer = max(
                            answer,
                            throws(request),
                            key=lambda dice: sum(die in request.hits for die in dice),
                        )
                    noted.append((request, answer))
                request = game.send(answer)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    table.game.flow = flow  # type: ignore[method-assign]
    table.play(find_policy("random")(rules, chance).choose)
    return noted


def library(
    seed: str, games: int, *, helped: str | None = None, share: float = 1.0, game: str = "tripoli"
) -> Counts:
    """The dice of two players who play so many games with each other and change seats after
    each."""
    rules, counts = registry.newest(game), Counts()
    for number in range(games):
        players = ("ann", "ben") if number % 2 == 0 else ("ben", "ann")
        seat = players.index(helped) if helped else None
        for roll, dice in rolls_of(rules, f"{seed}/{number}", seat, share):
            kind = roll.why.partition(":")[0]
            faces = [dice.count(face) for face in range(1, roll.sides + 1)]
            counts.add(Tally(players[roll.seat], game, kind, roll.sides, roll.hits, faces))
    return counts


def rows(players: Any) -> Iterator[Any]:
    """Every row that was tested."""
    for player in players:
        yield from (row for row in (player.hits, *player.kinds, *player.faces) if row is not None)
