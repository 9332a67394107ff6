"""American naval movement: frigates, gunboats, and the order of battles (chapter of this name;
rulings 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from engine.flow import Answer, Ask, Flow, Option, Seat
from engine.options import Chain, Product
from engine.tripoli import pieces, places
from engine.tripoli.combat import bombardment, naval_battle
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN

DONE: Final[Option] = ("done",)
HOSTILE: Final = range(places.TRIPOLI, places.TUNIS + 1)
"""Harbors where battles can happen."""
_UP_TO: Final = tuple(range(1, most + 1) for most in range(pieces.LIMITS[pieces.FRIGATE] + 1))
_FROM: Final = tuple((place,) for place in places.ON_MAP)
_STOP: Final = (DONE,)
_MEMORY: Final = 4096
"""How many lists of options are kept to be shared."""


def move_frigates(game: Position, limit: int) -> Flow[None]:
    """Up to `limit` moves from anywhere to anywhere, each frigate as often as they like; then the
    battles."""
    game.left = limit
    while game.left and game.frigates_on_map():
        # No frigate goes by itself to one of Tripoli, Benghazi and Derne where nothing Tripolitan
        # is.
        pointless = tuple([city for city in places.CITIES if not game.has_defenders(city)])
        answer: Answer = yield Ask(AMERICAN, "move", _sailing(_available(game), pointless))
        if answer.option == DONE:
            break
        _, count, source, target = answer.option
        game.move(pieces.FRIGATE, source, target, count)
        game.left -= count
    yield from battles(game)


def _available(game: Position) -> tuple[int, ...]:
    """How many frigates may leave each place on the map with the moves that are left."""
    left = game.left
    return tuple([count if count < left else left for count in game.frigates[: places.TRACK]])


@lru_cache(_MEMORY)
def _sailing(available: tuple[int, ...], pointless: tuple[Place, ...]) -> Chain:
    """The options of a move: any number of the frigates of one place to another place, or to
    stop."""
    targets = _targets(pointless)
    moves = [
        Product("sail", _UP_TO[most], _FROM[source], targets[source])
        for source, most in enumerate(available)
        if most
    ]
    return Chain(*moves, _STOP)


@cache
def _targets(pointless: tuple[Place, ...]) -> tuple[tuple[Place, ...], ...]:
    """Where the frigates of each place can sail."""
    return tuple(
        tuple(target for target in places.ON_MAP if target != source and target not in pointless)
        for source in places.ON_MAP
    )


def battles(game: Position) -> Flow[None]:
    """One harbor after the other, in the order that the American chooses. Gunboats are sent before
    the first battle."""
    contested = [place for place in HOSTILE if game.frigates[place] and game.has_defenders(place)]
    if not contested:
        return
    yield from send_gunboats(game, contested)
    while contested:
        place = yield from choose(AMERICAN, "battle", "fight", contested)
        contested.remove(place)
        if game.has_enemy_ships(place):
            yield from naval_battle(game, place, AMERICAN)
        else:
            yield from bombardment(game, place)


def send_gunboats(game: Position, contested: Sequence[Place]) -> Flow[None]:
    """Gunboats of Malta join the fight. Each place is named at most once, and this costs no
    moves."""
    unnamed = list(contested)
    game.left = game.gunboats[places.MALTA]
    while game.left and unnamed:
        answer: Answer = yield Ask(AMERICAN, "gunboats", _gunboats(game.left, tuple(unnamed)))
        if answer.option == DONE:
            break
        _, count, place = answer.option
        game.move(pieces.GUNBOAT, places.MALTA, place, count)
        unnamed.remove(place)
        game.left -= count


@cache
def _gunboats(most: int, contested: tuple[Place, ...]) -> tuple[Option, ...]:
    return (
        *[("gunboats", count, place) for place in contested for count in range(1, most + 1)],
        DONE,
    )


def join_attack(game: Position, city: Place) -> Flow[None]:
    """Up to three frigates join Hamet's Army, from anywhere; and gunboats of Malta, if there is
    something to bombard."""
    game.place = city
    game.left = 3
    while game.left and (available := _others(game, city)):
        answer: Answer = yield Ask(AMERICAN, "join", _sending(available, True))
        if answer.option == DONE:
            break
        _send(game, answer.option, city)
    if game.infantry[city]:
        yield from send_gunboats(game, (city,))


def send_frigates(game: Position, harbor: Place, number: int) -> Flow[None]:
    """Exactly so many frigates sail to a harbor, from anywhere."""
    game.place = harbor
    game.left = number
    while game.left:
        available = _others(game, harbor)
        options = _sending(available, False)
        if (
            len(available) == 1
            or sum(game.frigates[: places.TRACK]) - game.frigates[harbor] == game.left
        ):
            place, count = available[0]
            option: Option = ("from", count, place)
        else:
            answer: Answer = yield Ask(AMERICAN, "send", options)
            option = answer.option
        _send(game, option, harbor)


def _others(game: Position, target: Place) -> tuple[tuple[Place, int], ...]:
    """The places from which frigates can come, each with how many of those still needed."""
    return tuple(
        [(place, most) for place, most in enumerate(_available(game)) if most and place != target]
    )


@lru_cache(_MEMORY)
def _sending(available: tuple[tuple[Place, int], ...], may_stop: bool) -> tuple[Option, ...]:
    options: list[Option] = [
        ("from", count, place) for place, most in available for count in range(1, most + 1)
    ]
    return (*options, DONE) if may_stop else tuple(options)


def _send(game: Position, option: Option, target: Place) -> None:
    _, count, place = option
    game.move(pieces.FRIGATE, place, target, count)
    game.left -= count


def choose(seat: Seat, rule: str, verb: str, among: Sequence[Place]) -> Flow[Place]:
    """One of these places. Not asked if there is only one."""
    if len(among) == 1:
        return among[0]
    answer: Answer = yield Ask(seat, rule, place_options(verb, tuple(among)))
    place: Place = answer.option[1]
    return place


@cache
def place_options(verb: str, among: tuple[Place, ...]) -> tuple[Option, ...]:
    """One option for each of these places, with this verb."""
    return tuple((verb, place) for place in among)
