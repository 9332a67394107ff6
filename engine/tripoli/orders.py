"""Standing orders in The Shores of Tripoli: `docs/tripoli.md` teaches them.

Topics are `hits`, `losses`, `battles`, `raids`, `draw`, and each battle card of the seat by its
name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.cards import read_handle
from engine.flow import Answer, Ask, Card, Illegal, NotUnderstood, Option, Seat
from engine.orders import ASK, HandleOf, Order, Orders, preferred, split_order
from engine.tripoli import cards, pieces, places
from engine.tripoli.battle_cards import DECLINE
from engine.tripoli.cards import BATTLE, DECKS, KIND, NAMES, TABLE
from engine.tripoli.movement import HOSTILE, place_options
from engine.tripoli.notation import words
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from engine.words import pick_sentence

BATTLE_CARDS = tuple(
    tuple(card for card, entry in enumerate(TABLE) if entry.owner == seat and KIND[card] == BATTLE)
    for seat in (AMERICAN, TRIPOLITAN)
)
EAGER = ((), (cards.MERCHANT_CONVERTED,))
"""Cards that cost nothing to play whenever their window opens."""
_PREFERENCES = (("hits", "losses", "battles"), ("hits", "raids"))
RAIDERS = (places.TRIPOLI, *places.ALLIES)
_SMALL = (pieces.GUNBOAT, pieces.CORSAIR)
_HITS: tuple[tuple[Option, ...], ...] = tuple(
    (("damage", pieces.FRIGATE), ("sink", small), ("sink damaged", pieces.FRIGATE))
    for small in _SMALL
)
_LOSSES: tuple[Option, ...] = (("lose", pieces.ARAB), ("lose", pieces.MARINE))
_FIRST_SPREAD = "spread damage before sinking"
_ACCEPT = "accept"

Count = Callable[[Position], int]


def _interceptors(game: Position) -> int:
    return game.frigates[places.ZONE_OF[game.place]]


def _raiders(game: Position) -> int:
    """Corsairs that set out: to raid, or from Gibraltar to Tripoli when Murad Reis breaks out."""
    return game.pieces[pieces.ALLIED if game.place in places.ALLIES else pieces.CORSAIR][game.place]


def _attackers(game: Position) -> int:
    return game.frigates[game.place]


_CONDITIONS: dict[str, Count] = {
    "frigates intercept": _interceptors,
    "corsairs raid": _raiders,
    "frigates attack": _attackers,
}
_MOST = {
    "frigates intercept": pieces.LIMITS[pieces.FRIGATE],
    "corsairs raid": pieces.LIMITS[pieces.CORSAIR],
    "frigates attack": pieces.LIMITS[pieces.FRIGATE],
}
"""How many pieces there are: an order that waits for more could never apply."""
_ASSAULT = "when it is the assault"
_WHEN: dict[Card, tuple[str, ...]] = {
    cards.STERETT: ("frigates intercept", "corsairs raid"),
    cards.SIGNAL_BOOKS: ("frigates intercept", "corsairs raid"),
    cards.HAPPY_HUNTING: ("corsairs raid",),
    cards.MERCHANT_CONVERTED: ("corsairs raid",),
    cards.PREBLES_BOYS: ("frigates attack",),
    cards.GUNS_OF_TRIPOLI: ("frigates attack",),
}
_AT_LEAST = re.compile(r"(.*?)\bat\s+least\s+([1-9][0-9]?)\b(.*)\Z", re.DOTALL)


def topics(seat: Seat) -> tuple[str, ...]:
    """What a seat may give orders about."""
    return (*_PREFERENCES[seat], "draw", *(NAMES[card] for card in BATTLE_CARDS[seat]))


def read_order(seat: Seat, text: str, handle_of: HandleOf) -> Order:
    """An order in words. Raises a `Refusal`."""
    topic, rest = split_order(text, topics(seat))
    if rest.casefold() == ASK:
        return Order(topic, f"{topic}: {ASK}")
    if topic == "draw":
        return Order(topic, f"draw: {pick_sentence(rest, [_ACCEPT])}", (_ACCEPT,))
    if topic in NAMES:
        return _card_order(topic, NAMES.index(topic), rest, handle_of)
    sentences = _preferences(seat, topic)
    spread = (
        topic == "hits"
        and "," not in rest
        and pick_sentence(rest, [*sentences, _FIRST_SPREAD]) == _FIRST_SPREAD
    )
    found = tuple(sentences) if spread else preferred(rest, sentences)
    return Order(
        topic, f"{topic}: {', '.join(found)}", tuple(sentences[sentence] for sentence in found)
    )


def preference_topics(seat: Seat) -> dict[str, tuple[str, ...]]:
    """Topics that are lists of preferences, and what can stand in them."""
    return {topic: tuple(_preferences(seat, topic)) for topic in _PREFERENCES[seat]}


def _preferences(seat: Seat, topic: str) -> dict[str, Option]:
    options: tuple[Option, ...]
    if topic == "hits":
        options = _HITS[seat]
    elif topic == "losses":
        options = _LOSSES
    else:
        options = place_options("zone", tuple(HOSTILE) if topic == "battles" else RAIDERS)
    return {words(option).removeprefix("lose "): option for option in options}


def _card_order(topic: str, card: Card, rest: str, handle_of: HandleOf) -> Order:
    """`decline`, `play`, `play when at least 3 frigates intercept`, `play when it is the
    assault`."""
    backs = [word for word in rest.split() if read_handle(DECKS, word) is not None]
    rest = " ".join(word for word in rest.split() if word not in backs)
    least = 0
    if match := _AT_LEAST.match(rest):
        rest, least = f"{match[1]}at least n{match[3]}", int(match[2])
    counted = {f"play when at least n {what}": what for what in _WHEN.get(card, ())}
    plays = {"play": "", **counted}
    if card in (cards.PREBLES_BOYS, cards.GUNS_OF_TRIPOLI):
        plays[f"play {_ASSAULT}"] = _ASSAULT
    found = pick_sentence(rest, ["decline", *plays])
    if found in counted and not least:
        raise NotUnderstood(f'how many? "{found.replace("at least n", "at least 3")}", for example')
    if found in counted and least > _MOST[counted[found]]:
        raise Illegal(
            f"there are never {least} {counted[found].split()[0]}, only {_MOST[counted[found]]}"
        )
    if found == "decline":
        if backs:
            raise NotUnderstood(f'"{topic}: decline" names no card')
        return Order(topic, f"{topic}: decline", ("decline",))
    handle = handle_of(card)
    if any(read_handle(DECKS, back) != handle for back in backs):
        raise Illegal(f"{', '.join(backs)} is not the back of {topic}")
    sentence = found.replace("play", "play {}", 1).replace("at least n", f"at least {least}")
    return Order(topic, f"{topic}: {sentence}", ("play", plays[found], least), handle, card)


def obey(game: Position, ask: Ask, orders: Orders) -> Answer | None:
    """The answer that a seat's orders give, or None if they leave the question open."""
    if ask.options == DECLINE:
        return _in_window(game, ask, orders)
    topic = {"hits": "hits", "losses": "losses", "battle": "battles", "harbor": "raids"}.get(
        ask.rule
    )
    order = orders.get(topic) if topic else None
    if order is None:
        return None
    if topic in ("battles", "raids"):
        by_place = {option[1]: option for option in ask.options if len(option) > 1}
        return next(
            (Answer(by_place[place]) for _, place in order.value if place in by_place), None
        )
    return next((Answer(option) for option in order.value if option in ask.options), None)


def _in_window(game: Position, ask: Ask, orders: Orders) -> Answer | None:
    """The answer to a window. An order that plays one of its cards now is obeyed. The window is
    declined if there is an order about each card that may be played in it; otherwise the question
    stays open."""
    given = {card: orders.get(NAMES[card]) for card in BATTLE_CARDS[ask.seat] if ask.allows(card)}
    for card, order in given.items():
        if order is not None and order.handle in ask.hand and _is_met(game, order):
            return Answer(("play", card), order.handle)
    settled = all(
        order is not None and (order.handle is None or order.handle in ask.hand)
        for order in given.values()
    )
    return Answer(DECLINE[0]) if settled else None


def _is_met(game: Position, order: Order) -> bool:
    _, what, least = order.value
    if what == _ASSAULT:
        return game.in_assault
    return not what or _CONDITIONS[what](game) >= least


def accepts_draw(orders: Orders) -> bool:
    """Whether a draw that is offered is accepted."""
    return "draw" in orders
