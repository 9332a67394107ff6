"""Checks at an open table whether the rules go on when a seat leaves (docs/format.md, section 8).

In a game of three sides or more in which no seat has a deck of its own, a player who resigns leaves
and the others play on. Such a game needs `engine.rules.Game.leave`.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence

from engine.flow import Answer, Ask, Seat
from engine.rules import Game, Rules, Settings
from engine.table import OpenTable
from pbem.games.settings import goes_on_without, players_of, variants

FIRST = 2
"""The number of the question, counted from 0, at which a seat always leaves."""
OFTEN = 0.05
"""The probability that a seat leaves at each later question."""


class _LeftAndWon(Exception):
    """Enough questions were asked, or the ledger would end the game here."""


def leavable(rules: Rules) -> Settings | None:
    """Settings with which seats may leave; None if there are none."""
    return next(
        (settings for settings in variants(rules) if goes_on_without(rules, settings)), None
    )


def problems_of_leaving(
    rules: Rules, settings: Settings, rng: random.Random, questions: int
) -> Iterator[str]:
    """Play at random with these settings, while seats leave, for so many questions at most. Yields
    what is wrong."""
    table = OpenTable(rules, settings, rng)
    if type(table.game).leave is Game.leave:
        names = len(players_of(rules, settings))
        yield (
            f"{names} players can play it without own decks, and its game has no leave(): one who"
            " resigns leaves"
        )
        return
    problems: list[str] = []
    left: list[Seat] = []
    count = 0

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer | None:
        nonlocal count
        count += 1
        if ask.seat in left:
            problems.append(
                f'the question "{ask.rule}" is put to {rules.seats(settings)[ask.seat]}, who has'
                " left"
            )
        if problems or count > questions:
            raise _LeftAndWon
        if count - 1 != FIRST and rng.random() > OFTEN:
            return answers[int(rng.random() * len(answers))]
        playing = [seat for seat in players_of(rules, settings) if seat not in left]
        # where dice are thrown a seat leaves only in place of its own answer (section 8, clause 3)
        gone = ask.seat if rules.dice else playing[int(rng.random() * len(playing))]
        left.append(gone)
        if len({rules.side(settings, seat) for seat in playing if seat != gone}) == 1:
            raise _LeftAndWon  # the side that is left has won
        game.leave(gone)
        return None

    with contextlib.suppress(_LeftAndWon):
        table.play(choose)
    yield from problems
