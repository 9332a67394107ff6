"""The windows of battle cards: in which of them each card is played, and what it needs there (chapter "Battle
cards")."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.flow import Card, Seat
from engine.requirements import Predicate, Requirement, all_hold, requires
from engine.tripoli import cards, pieces, places
from engine.tripoli.facts import Fact, there
from engine.tripoli.needs import has_corsair_in_tripoli, has_corsair_to_build, has_marine_here
from engine.tripoli.position import Position


def _here(what: str) -> Fact:
    return lambda game: f"{what} at {places.NAMES[game.place]}"


@requires("an American frigate that intercepts", lambda game: there(pieces.FRIGATE, places.ZONE_OF[game.place])(game))
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
    """The window (the rule of its question) in which a battle card is played, in words, and what the card needs."""

    rule: str
    words: str
    needs: tuple[Requirement, ...] = ()


_GROUND = "the start of a ground combat"
_RAID = "the moment before corsairs sail"
MOMENTS: Final[dict[Card, CardWindow]] = {
    cards.STERETT: CardWindow("interception", "an interception by American frigates", (has_interceptor,)),
    cards.PREBLES_BOYS: CardWindow("naval battle", "the start of a naval battle in a harbor", (is_in_harbor,)),
    cards.DECATUR: CardWindow("die", "the die of Burn the Philadelphia or Launch the Intrepid"),
    cards.SEND_IN_THE_MARINES: CardWindow(
        "land battle", "the landing of the Assault on Tripoli", (is_landing, is_of_use)
    ),
    cards.OBANNON: CardWindow("land battle", f"{_GROUND} with a Marine", (has_defenders, has_marine_here)),
    cards.SHARPSHOOTERS: CardWindow("land battle", f"{_GROUND} with a Marine", (has_defenders, has_marine_here)),
    cards.SIGNAL_BOOKS: CardWindow("raid", f"{_RAID} past American frigates", (has_interceptor,)),
    cards.UNCHARTED_WATERS: CardWindow("die", "the die of The Philadelphia Runs Aground"),
    cards.MERCHANT_CONVERTED: CardWindow(
        "after raid", "the moment after a raid from Tripoli that took gold", (is_from_tripoli, has_corsair_to_build)
    ),
    cards.HAPPY_HUNTING: CardWindow("raid", f"{_RAID} from Tripoli to raid", (is_from_tripoli, has_corsair_in_tripoli)),
    cards.GUNS_OF_TRIPOLI: CardWindow(
        "naval battle", "the start of a naval battle in the harbor of Tripoli", (is_in_tripoli,)
    ),
    cards.MERCENARIES_DESERT: CardWindow("land battle", f"{_GROUND} against Arab infantry", (has_arabs_here,)),
}


def _by_window() -> dict[tuple[Seat, str], list[tuple[Card, Predicate]]]:
    found: dict[tuple[Seat, str], list[tuple[Card, Predicate]]] = {}
    for card, moment in MOMENTS.items():
        found.setdefault((cards.TABLE[card].owner, moment.rule), []).append((card, all_hold(moment.needs)))
    return found


_BY_WINDOW: Final = _by_window()


def usable(game: Position, seat: Seat, rule: str) -> tuple[Card, ...]:
    """The battle cards of a seat that may be played in this window as things stand."""
    return tuple([card for card, holds in _BY_WINDOW[seat, rule] if holds(game)])
