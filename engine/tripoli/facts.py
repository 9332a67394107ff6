"""Facts of a position in words, which stand beside what a card needs: `it is Fall 1802`, `no ally is at war`."""

from __future__ import annotations

from collections.abc import Callable

from engine.tripoli import pieces, places
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.position import Position

Fact = Callable[[Position], str]


def where(place: Place) -> str:
    """A place as it stands in a sentence: `Malta`, `the Tripoli Patrol Zone`, `the space of 1804`."""
    if places.TRACK <= place < places.SUPPLY:
        return f"the space of {places.NAMES[place]}"
    return f"the {places.NAMES[place]}" if place in places.ZONES or place == places.SUPPLY else places.NAMES[place]


def counted_pieces(count: int, kind: Kind) -> str:
    """`2 American frigates`, `1 Marine`, `no Arab infantry`."""
    plural = "" if count == 1 or kind in (pieces.ARAB, pieces.INFANTRY) else "s"
    return f"{count or 'no'} {pieces.NAMES[kind]}{plural}"


def there(kind: Kind, place: Place) -> Fact:
    """How many of these pieces are at a place: `there are 2 American frigates in the Tripoli Patrol Zone`."""

    def fact(game: Position) -> str:
        count = game.pieces[kind][place]
        verb = "is" if count == 1 or (kind in (pieces.ARAB, pieces.INFANTRY) and not count) else "are"
        return f"there {verb} {counted_pieces(count, kind)} in {where(place)}"

    return fact


def year(game: Position) -> str:
    return f"it is {game.year}"


def season(game: Position) -> str:
    return f"it is {game.when()}"


def active_allies(game: Position) -> list[str]:
    """The harbors of allies with corsairs, by name."""
    return [places.NAMES[harbor] for harbor in places.ALLIES if game.allied[harbor]]


def allies_at_war(game: Position) -> str:
    active = active_allies(game)
    verb = "is" if len(active) < 2 else "are"
    return f"{' and '.join(active) or 'no ally'} {verb} at war"


def frigates_on_map(game: Position) -> str:
    return f"{counted_pieces(game.frigates_on_map(), pieces.FRIGATE)} on the map"


def army(game: Position) -> str:
    place = game.army_place()
    return "Hamet's Army is not on the map" if place is None else f"Hamet's Army stands in {places.NAMES[place]}"


def patrols(_game: Position) -> str:
    return "no American frigate is in any patrol zone"
