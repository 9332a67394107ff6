"""Words for answers and questions, as `docs/tripoli.md` teaches them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from engine.flow import Ask, Option, Pick, Roll
from engine.tripoli import pieces, places
from engine.tripoli.cards import HAPPY_HUNTING, NAMES, NAMES_FOR_TWO, SIGNAL_BOOKS
from engine.tripoli.position import Position
from engine.words import tokens

_SMALL_SHIPS = {pieces.GUNBOAT: "gunboat", pieces.CORSAIR: "corsair"}
_UNITS = {pieces.ARAB: "arab infantry", pieces.MARINE: "marine"}
_PLAIN = {
    "decline": "decline",
    "done": "done",
    "pass": "pass",
    "move": "move with {}",
    "build": "build with {}",
    "raid": "raid with {}",
    "discard": "discard {}",
}


def _card(verb: str) -> Callable[..., str]:
    return lambda card: f"{verb} {NAMES[card]}"


def _place(verb: str) -> Callable[..., str]:
    return lambda place: f"{verb}{places.WORDS[place]}"


def _take(*card: int) -> str:
    return f"take {NAMES[card[0]]}" if card else "take {}"


def _sail(count: int, source: int, target: int) -> str:
    return f"{count} {places.WORDS[source]} > {places.WORDS[target]}"


def _gunboats(count: int, place: int) -> str:
    return f"{count} gunboat{'s' if count > 1 else ''} to {places.WORDS[place]}"


_WORDS: dict[str, Callable[..., str]] = {
    "event": _card("event"),
    "play": _card("play"),
    "take": _take,
    "sail": _sail,
    "gunboats": _gunboats,
    "from": lambda count, place: f"{count} from {places.WORDS[place]}",
    "fight": _place("fight at "),
    "raid from": _place("raid from "),
    "zone": _place(""),
    "ally": _place(""),
    "sink": lambda kind: f"sink {_SMALL_SHIPS[kind]}",
    "damage": lambda _kind: "damage frigate",
    "sink damaged": lambda _kind: "sink damaged frigate",
    "lose": lambda kind: f"lose {_UNITS[kind]}",
}


@cache
def words(option: Option) -> str:
    """An option as players type it."""
    verb = option[0]
    if len(option) == 1 and verb in _PLAIN:
        return _PLAIN[verb]
    return _WORDS[verb](*option[1:])


@cache
def vocabulary() -> frozenset[str]:
    """Every word of every answer."""
    return frozenset(word for option in _every_option() for word in tokens(words(option)))


def _every_option() -> Iterator[Option]:
    """Options that together use every word."""
    for verb in (*_PLAIN, "take"):
        yield (verb,)
    for card in range(len(NAMES_FOR_TWO)):
        yield from (("event", card), ("play", card), ("take", card))
    yield from (("zone", place) for place in places.ON_MAP)
    yield from (
        ("sail", 1, places.TRIPOLI, places.TUNIS),
        ("from", 1, places.TRIPOLI),
        ("gunboats", 1, places.TRIPOLI),
        ("gunboats", 2, places.TRIPOLI),
    )
    yield from (("fight", places.TRIPOLI), ("raid from", places.TRIPOLI))
    yield from (
        ("sink", pieces.GUNBOAT),
        ("sink", pieces.CORSAIR),
        ("damage", pieces.FRIGATE),
        ("sink damaged", pieces.FRIGATE),
    )
    yield from (("lose", pieces.ARAB), ("lose", pieces.MARINE))


# ---- questions -----------------------------------------------------------------------------------


def _left(game: Position, thing: str) -> str:
    return f"{game.left} {thing}{'' if game.left == 1 else 's'} left"


_PROMPTS: dict[str, Callable[[Position], str]] = {
    "play": lambda game: f"play an event or spend a card, {game.when()}",
    "hand limit": lambda game: f"discard down to eight cards, {game.left} to go",
    "move": lambda game: f"move frigates, {_left(game, 'move')}",
    "gunboats": lambda game: f"send gunboats from Malta to the fight, {_left(game, 'gunboat')}",
    "battle": lambda _game: "choose the next battle",
    "join": lambda game: (
        f"send frigates along to {places.NAMES[game.place]}, up to {game.left} more"
    ),
    "send": lambda game: f"send frigates to {places.NAMES[game.place]}, {game.left} more",
    "ally": lambda _game: "choose an ally of Tripolitania",
    "zone": lambda _game: "choose a patrol zone",
    "harbor": lambda _game: "choose the harbor that raids next, or stop",
    "hits": lambda game: f"take the hits at {places.NAMES[game.place]}, {_left(game, 'hit')}",
    "losses": lambda game: f"take the losses at {places.NAMES[game.place]}, {game.left} to lose",
    "intel": lambda _game: "take a card from the American discard, or play it as the event",
    "interception": lambda game: (
        f"play a battle card for the interception at {places.NAMES[game.place]}, or decline"
    ),
    "raid": lambda game: (
        f"play a battle card before the corsairs sail from {places.NAMES[game.place]}, or decline"
    ),
    "after raid": lambda _game: "play a battle card after the raid that took gold, or decline",
    "naval battle": lambda game: (
        f"play a battle card for the naval battle at {places.NAMES[game.place]}, or decline"
    ),
    "land battle": lambda game: (
        f"play a battle card for the ground combat at {places.NAMES[game.place]}, or decline"
    ),
    "die": lambda _game: "play a battle card for the die of this event, or decline",
}


def prompt(game: Position, ask: Ask) -> str:
    """The question in words."""
    return _PROMPTS[ask.rule](game)


_OCCASIONS = (
    ("naval battle: ", "naval battle", "at"),
    ("bombardment: ", "bombardment", "of"),
    ("ground combat: ", "ground combat", "in"),
)
_OF_RAIDS = (NAMES[HAPPY_HUNTING], NAMES[SIGNAL_BOOKS])


def occasion(game: Position, request: Roll | Pick) -> str:
    """What dice or cards are thrown for, with the place."""
    place = places.NAMES[game.place]
    for start, fight, at in _OCCASIONS:
        if request.why.startswith(start):
            where = f"{at} {place}" if not place.endswith(" Zone") else f"in the {place}"
            return f"{fight} {where}, {request.why.removeprefix(start)}"
    if request.why.endswith(" intercept"):
        return f"interception at {place}, {request.why.removesuffix(' intercept')}"
    if request.why == "Corsairs raid":
        return f"raid from {place}"
    return f"raid from {place}, {request.why}" if request.why in _OF_RAIDS else request.why
