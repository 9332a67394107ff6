"""Acts that are offered where a player chooses from a list: the usual ones, of the many that they
may write."""

from __future__ import annotations

from collections.abc import Iterator

from engine.any import card_acts
from engine.any.acts import NOBODY
from engine.any.dice import Dice
from engine.any.position import Position
from engine.flow import Option, Seat

REACT = "do you react?"
FEW = (1, 2, 3)
"""How many dice are offered of each kind."""


def listed(game: Position, seat: Seat) -> tuple[Option, ...]:
    """The acts that are offered to a player now: cards first, then dice, counters, and
    whose turn it is. Acts with a card of the hand are not among them: the game's question has
    them."""
    if game.claim is not None:
        return (("agree",), ("disagree",))
    answers: list[Option] = [("answer", "yes"), ("answer", "no"), ("decline",)]
    with_cards = card_acts.offered(
        game.setup, game.cards, seat, next(iter(game.others(seat)), seat)
    )
    usual = [*with_cards, *_rolls(game), *_counts(game)]
    found = [*answers, *usual] if game.question else [*usual, *_of_a_turn(game, seat)]
    return tuple(option for option in found if not game.why_not(seat, option))


def _of_a_turn(game: Position, seat: Seat) -> Iterator[Option]:
    others = game.others(seat)
    yield from (("turn", other) for other in others)
    yield from (("ask", other, REACT) for other in others)
    yield from (("end", (winner,), ()) for winner in sorted((seat, *others)))
    yield ("end", (), ())


def _rolls(game: Position) -> Iterator[Option]:
    setup = game.setup
    for named in setup.rolls:
        if named.dice is not None:
            yield ("roll", named.dice, named.name, NOBODY)
        else:
            yield from (
                ("roll", Dice(1, number, die), named.name, NOBODY)
                for die in list(setup.dice.values())[:2]
                for number in FEW
            )
    for die in setup.dice.values():
        yield from (("roll", Dice(1, number, die), "", NOBODY) for number in FEW)


def _counts(game: Position) -> Iterator[Option]:
    for counter, owner in game.setup.counted():
        yield ("count", counter, owner, 1)
        yield ("count", counter, owner, -1)
