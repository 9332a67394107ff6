"""Turning cards face up, and the windows in which battle cards are played (chapter "Battle cards")."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from engine.flow import Answer, Ask, Card, Flow, Handle, Illegal, Open, Option, Roll, Seat
from engine.tripoli.cards import NAMES
from engine.tripoli.moments import usable
from engine.tripoli.position import Position
from engine.tripoli.tables import CHANCE

DECLINE: tuple[Option, ...] = (("decline",),)


def reveal(game: Position, handle: Handle) -> Flow[Card]:
    """The card is face up for everybody from now on."""
    card = game.opened.get(handle)
    if card is None:
        card = yield Open(handle)
        game.learn(handle, card)
    return card


def use(game: Position, ask: Ask, answer: Answer) -> Flow[Card]:
    """Open the card of the hand that an answer uses, and check that this card allows the answer."""
    assert answer.handle is not None
    card = yield from reveal(game, answer.handle)
    if answer.option not in ask.allows(card):
        raise Illegal(f"{NAMES[card]} does not allow this now")
    return card


def throw_away(game: Position, seat: Seat, handle: Handle) -> Flow[Card]:
    """A card that left the hand goes to the discard: face up, or unseen if discards are hidden (ruling 18).

    Returns the card, or -1 if nobody saw it.
    """
    card = game.opened.get(handle, -1)
    if not game.hidden_discard:
        card = yield from reveal(game, handle)
    game.discards[seat].append(handle)
    return card


@cache
def _playing(cards: tuple[Card, ...]) -> Callable[[Card], tuple[Option, ...]]:
    """What a card allows in a window for these battle cards."""
    table = {card: (("play", card),) for card in cards}

    def allows(card: Card) -> tuple[Option, ...]:
        return table.get(card, ())

    return allows


def may_open(game: Position, seat: Seat, rule: str) -> bool:
    """Whether this window would open for a player as things stand."""
    return game.is_asked(seat) and any(game.may_hold(seat, card) for card in usable(game, seat, rule))


def window(game: Position, seat: Seat, rule: str, usable: Iterable[Card]) -> Flow[Card | None]:
    """A chance to play one of these battle cards, which is then removed from the game.

    Offered whenever the hand may hold one of them, whether it does or not (ruling 5); None if declined or not offered.
    """
    possible = tuple([card for card in usable if game.may_hold(seat, card)])
    if not possible:
        return None
    ask = Ask(seat, rule, DECLINE, tuple(game.hands[seat]), (), _playing(possible))
    answer = yield ask
    if answer.handle is None:
        return None
    card = yield from use(game, ask, answer)
    game.hands[seat].remove(answer.handle)
    game.note("battle card", seat, card)
    game.remove_card(seat, card)
    return card


_HITS = {needed: tuple(range(needed, 7)) for needed in range(1, 7)}
"""Faces that hit, by the lowest of them."""


def throw(game: Position, seat: Seat, number: int, reason: str, needed: int = 6) -> Flow[int]:
    """Roll dice for one group of pieces (`tables.CHANCE`) and count the hits: `needed` or more."""
    if not number:
        return 0
    why = CHANCE[reason]
    dice: tuple[int, ...] = yield Roll(seat, number, why, hits=_HITS[needed], reason=reason)
    hits = sum([die >= needed for die in dice])
    game.note("rolled", seat, why, dice, hits, game.place)
    return hits


def die_of_card(game: Position, seat: Seat, reason: str) -> Flow[int]:
    """The one die of an event (`tables.CHANCE`); with the battle card that helps it two, and the higher counts (ruling
    15)."""
    helped = yield from window(game, seat, "die", usable(game, seat, "die"))
    game.end_last_play()
    dice: tuple[int, ...] = yield Roll(seat, 1 if helped is None else 2, CHANCE[reason], reason=reason)
    result = max(dice)
    game.note("die", seat, CHANCE[reason], dice, result)
    return result
