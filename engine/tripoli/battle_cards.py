"""Battle cards: the windows in which each is played, what it needs there, and how it is turned face
up (chapter "Battle cards").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from engine.flow import Answer, Ask, Card, Flow, Handle, Illegal, Open, Option, Roll, Seat
from engine.requirements import Predicate, Requirement, all_hold, requires
from engine.tripoli import cards, pieces, places
from engine.tripoli.cards import NAMES
from engine.tripoli.needs import (
    Fact,
    has_corsair_in_tripoli,
    has_corsair_to_build,
    has_marine_here,
    there,
)
from engine.tripoli.position import Position
from engine.tripoli.tables import CHANCE


def _here(what: str) -> Fact:
    return lambda game: f"{what} at {places.NAMES[game.place]}"


@requires(
    "an American frigate that intercepts",
    lambda game: there(pieces.FRIGATE, places.ZONE_OF[game.place])(game),
)
def has_interceptor(game: Position) -> bool:
    return game.frigates[places.ZONE_OF[game.place]] > 0


@requires("a raid from Tripoli", _here("the corsairs lie"))
def is_from_tripoli(game: Position) -> bool:
    return game.place == places.TRIPOLI


@requires("a naval battle in a harbor", _here("the battle is"))
def is_in_harbor(game: Position) -> bool:
    return game.place != places.TRIPOLI_ZONE


@requires("a naval battle in the harbor of Tripoli", _here("the battle is"))
def is_in_tripoli(game: Position) -> bool:
    return game.place == places.TRIPOLI


@requires("the landing of the Assault on Tripoli", _here("the ground combat is"))
def is_landing(game: Position) -> bool:
    """Only the Assault brings ground combat to Tripoli."""
    return game.place == places.TRIPOLI


@requires("a city that does not fall without them", lambda _game: "nobody is left to defend it")
def is_of_use(game: Position) -> bool:
    return game.infantry[game.place] > 0 or not game.army_at(game.place)


@requires("Tripolitan infantry to fight", lambda game: there(pieces.INFANTRY, game.place)(game))
def has_defenders(game: Position) -> bool:
    return game.infantry[game.place] > 0


@requires("Arab infantry in the ground combat", lambda game: there(pieces.ARAB, game.place)(game))
def has_arabs_here(game: Position) -> bool:
    return game.arabs[game.place] > 0


class CardWindow(NamedTuple):
    """The window (the rule of its question) in which a battle card is played, in words, and what
    the card needs."""

    rule: str
    words: str
    needs: tuple[Requirement, ...] = ()


_GROUND = "the start of a ground combat"
_RAID = "the moment before corsairs sail"
MOMENTS: Final[dict[Card, CardWindow]] = {
    cards.STERETT: CardWindow(
        "interception", "an interception by American frigates", (has_interceptor,)
    ),
    cards.PREBLES_BOYS: CardWindow(
        "naval battle", "the start of a naval battle in a harbor", (is_in_harbor,)
    ),
    cards.DECATUR: CardWindow("die", "the die of Burn the Philadelphia or Launch the Intrepid"),
    cards.SEND_IN_THE_MARINES: CardWindow(
        "land battle", "the landing of the Assault on Tripoli", (is_landing, is_of_use)
    ),
    cards.OBANNON: CardWindow(
        "land battle", f"{_GROUND} with a Marine", (has_defenders, has_marine_here)
    ),
    cards.SHARPSHOOTERS: CardWindow(
        "land battle", f"{_GROUND} with a Marine", (has_defenders, has_marine_here)
    ),
    cards.SIGNAL_BOOKS: CardWindow("raid", f"{_RAID} past American frigates", (has_interceptor,)),
    cards.UNCHARTED_WATERS: CardWindow("die", "the die of The Philadelphia Runs Aground"),
    cards.MERCHANT_CONVERTED: CardWindow(
        "after raid",
        "the moment after a raid from Tripoli that took gold",
        (is_from_tripoli, has_corsair_to_build),
    ),
    cards.HAPPY_HUNTING: CardWindow(
        "raid", f"{_RAID} from Tripoli to raid", (is_from_tripoli, has_corsair_in_tripoli)
    ),
    cards.GUNS_OF_TRIPOLI: CardWindow(
        "naval battle", "the start of a naval battle in the harbor of Tripoli", (is_in_tripoli,)
    ),
    cards.MERCENARIES_DESERT: CardWindow(
        "land battle", f"{_GROUND} against Arab infantry", (has_arabs_here,)
    ),
}


def _by_window() -> dict[tuple[Seat, str], list[tuple[Card, Predicate]]]:
    found: dict[tuple[Seat, str], list[tuple[Card, Predicate]]] = {}
    for card, moment in MOMENTS.items():
        found.setdefault((cards.TABLE[card].owner, moment.rule), []).append(
            (card, all_hold(moment.needs))
        )
    return found


_BY_WINDOW: Final = _by_window()


def usable(game: Position, seat: Seat, rule: str) -> tuple[Card, ...]:
    """The battle cards of a seat that may be played in this window in the present position."""
    return tuple([card for card, holds in _BY_WINDOW[seat, rule] if holds(game)])


# ---- turning cards face up, and playing them in windows ------------------------------------------

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
    """A card that left the hand goes to the discard: face up, or unseen if discards are hidden
    (ruling 18).

    Returns the card, or -1 if nobody saw it.
    """
    card = game.opened.get(handle, -1)
    if not game.hidden_discard:
        card = yield from reveal(game, handle)
    game.discards[seat].append(handle)
    return card


@cache
def _playing(cards: tuple[Card, ...]) -> Callable[[Card], tuple[Option, ...]]:
    """An `Ask.allows` for a window: each of these battle cards may be played."""
    table = {card: (("play", card),) for card in cards}

    def allows(card: Card) -> tuple[Option, ...]:
        return table.get(card, ())

    return allows


def may_open(game: Position, seat: Seat, rule: str) -> bool:
    """Whether this window would open for a player as things stand."""
    return game.is_asked(seat) and any(
        game.may_hold(seat, card) for card in usable(game, seat, rule)
    )


def window(game: Position, seat: Seat, rule: str, usable: Iterable[Card]) -> Flow[Card | None]:
    """Offer a seat to play one of these battle cards; the one that is played leaves the game.

    The question is asked whenever the hand may hold one of them, whether it does or not (ruling 5).
    Returns the card, or None if it is declined or not offered.
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
    """Roll dice for one group of pieces (a key of `tables.CHANCE`) and count the hits: `needed` or
    more."""
    if not number:
        return 0
    why = CHANCE[reason]
    dice: tuple[int, ...] = yield Roll(seat, number, why, hits=_HITS[needed], reason=reason)
    hits = sum([die >= needed for die in dice])
    game.note("rolled", seat, why, dice, hits, game.place)
    return hits


def die_of_card(game: Position, seat: Seat, reason: str) -> Flow[int]:
    """The one die of an event (a key of `tables.CHANCE`). With the battle card that helps it, two
    dice are thrown and the higher one counts (ruling 15)."""
    helped = yield from window(game, seat, "die", usable(game, seat, "die"))
    game.end_last_play()
    dice: tuple[int, ...] = yield Roll(
        seat, 1 if helped is None else 2, CHANCE[reason], reason=reason
    )
    result = max(dice)
    game.note("die", seat, CHANCE[reason], dice, result)
    return result
