"""What cards need: each predicate with its words and with the fact that answers it (chapter "Card
decks"): `it is Fall 1802`, `no ally is at war`.

Events name theirs when they are registered (`engine.tripoli.cards.event`); those of battle cards
stand in `engine.tripoli.battle_cards`. The rules of the solitaire game use them too.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.requirements import Requirement, requires
from engine.tripoli import pieces, places
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, FALL, LAST_YEAR

Fact = Callable[[Position], str]


def where(place: Place) -> str:
    """A place as it stands in a sentence: `Malta`, `the Tripoli Patrol Zone`, `the space of
    1804`."""
    if places.TRACK <= place < places.SUPPLY:
        return f"the space of {places.NAMES[place]}"
    return (
        f"the {places.NAMES[place]}"
        if place in places.ZONES or place == places.SUPPLY
        else places.NAMES[place]
    )


def counted_pieces(count: int, kind: Kind) -> str:
    """`2 American frigates`, `1 Marine`, `no Arab infantry`."""
    plural = "" if count == 1 or kind in (pieces.ARAB, pieces.INFANTRY) else "s"
    return f"{count or 'no'} {pieces.NAMES[kind]}{plural}"


def there(kind: Kind, place: Place) -> Fact:
    """How many of these pieces are at a place: `there are 2 American frigates in the Tripoli Patrol
    Zone`."""

    def fact(game: Position) -> str:
        count = game.pieces[kind][place]
        verb = (
            "is" if count == 1 or (kind in (pieces.ARAB, pieces.INFANTRY) and not count) else "are"
        )
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
    return (
        "Hamet's Army is not on the map"
        if place is None
        else f"Hamet's Army stands in {places.NAMES[place]}"
    )


def patrols(_game: Position) -> str:
    return "no American frigate is in any patrol zone"


# ---- time ----------------------------------------------------------------------------------------


@requires("1803 or later", year)
def is_1803(game: Position) -> bool:
    return game.year >= 1803


@requires("1804 or later", year)
def is_1804(game: Position) -> bool:
    return game.year >= 1804


@requires("Fall 1805 or later", season)
def is_late(game: Position) -> bool:
    return game.year == LAST_YEAR or (game.year == LAST_YEAR - 1 and game.season >= FALL)


@requires("1805 or earlier", year)
def is_before_last_year(game: Position) -> bool:
    """There is a next year."""
    return game.year < LAST_YEAR


# ---- allies and the army -------------------------------------------------------------------------


def _is_active(harbor: Place, whose: str) -> Requirement:
    name = places.NAMES[harbor]

    @requires(f"{whose} corsairs in {name}", lambda _game: f"there are none in {name}")
    def is_active(game: Position) -> bool:
        return game.allied[harbor] > 0

    return is_active


is_algiers_active = _is_active(places.ALGIERS, "Algerine")
is_morocco_active = _is_active(places.TANGIER, "Moroccan")
is_tunis_active = _is_active(places.TUNIS, "Tunisian")


@requires("an ally of Tripolitania at war", allies_at_war)
def has_active_ally(game: Position) -> bool:
    return game.has_active_ally()


@requires("Algiers, Morocco and Tunis at peace", allies_at_war)
def is_peace_with_allies(game: Position) -> bool:
    return not game.has_active_ally()


@requires("Hamet's Army on the map", army)
def has_army(game: Position) -> bool:
    return game.army_place() is not None


@requires("Hamet's Army in Alexandria", army)
def is_army_in_alexandria(game: Position) -> bool:
    return game.army_at(places.ALEXANDRIA) > 0


@requires("Hamet's Army in Derne", army)
def is_army_in_derne(game: Position) -> bool:
    return game.army_at(places.DERNE) > 0


@requires("Derne captured by Hamet's Army", army)
def is_derne_captured(game: Position) -> bool:
    return game.is_derne_captured()


@requires("Derne in Tripolitan hands", army)
def is_derne_held(game: Position) -> bool:
    return not game.is_derne_captured()


@requires("Benghazi in Tripolitan hands", army)
def is_benghazi_held(game: Position) -> bool:
    return not game.army_at(places.BENGHAZI)


# ---- ships ---------------------------------------------------------------------------------------


@requires("an American frigate in Alexandria", there(pieces.FRIGATE, places.ALEXANDRIA))
def has_frigate_in_alexandria(game: Position) -> bool:
    return game.frigates[places.ALEXANDRIA] > 0


@requires(
    "an American frigate on next year's space",
    lambda game: there(pieces.FRIGATE, game.next_year())(game),
)
def has_frigate_next_year(game: Position) -> bool:
    return game.frigates[game.next_year()] > 0


@requires("an American frigate on the map", frigates_on_map)
def has_frigate_on_map(game: Position) -> bool:
    return game.frigates_on_map() >= 1


@requires("three American frigates on the map", frigates_on_map)
def has_three_frigates(game: Position) -> bool:
    return game.frigates_on_map() >= 3


@requires("an American frigate in a patrol zone", patrols)
def has_patrol(game: Position) -> bool:
    return max(game.frigates[places.GIBRALTAR_ZONE : places.TUNIS_ZONE + 1]) > 0


@requires(
    "an American frigate in the Tripoli Patrol Zone", there(pieces.FRIGATE, places.TRIPOLI_ZONE)
)
def has_frigate_before_tripoli(game: Position) -> bool:
    return game.frigates[places.TRIPOLI_ZONE] > 0


@requires("Swedish frigates in the Tripoli Patrol Zone", there(pieces.SWEDE, places.TRIPOLI_ZONE))
def has_swedes(game: Position) -> bool:
    return game.swedes[places.TRIPOLI_ZONE] > 0


@requires("a Tripolitan frigate in Tripoli", there(pieces.ENEMY_FRIGATE, places.TRIPOLI))
def has_frigate_in_tripoli(game: Position) -> bool:
    return game.enemy_frigates[places.TRIPOLI] > 0


@requires("no Tripolitan frigate in Tripoli", there(pieces.ENEMY_FRIGATE, places.TRIPOLI))
def has_no_frigate_in_tripoli(game: Position) -> bool:
    return not game.enemy_frigates[places.TRIPOLI]


@requires("a Tripolitan ship in Tripoli", lambda _game: "there is no Tripolitan ship in Tripoli")
def has_ship_in_tripoli(game: Position) -> bool:
    return game.has_enemy_ships(places.TRIPOLI)


@requires("Tripolitan corsairs in Gibraltar", there(pieces.CORSAIR, places.GIBRALTAR))
def has_corsairs_in_gibraltar(game: Position) -> bool:
    return game.corsairs[places.GIBRALTAR] > 0


@requires("a Tripolitan corsair in Tripoli", there(pieces.CORSAIR, places.TRIPOLI))
def has_corsair_in_tripoli(game: Position) -> bool:
    return game.corsairs[places.TRIPOLI] > 0


@requires("an American gunboat in the Supply", there(pieces.GUNBOAT, places.SUPPLY))
def has_gunboat_to_build(game: Position) -> bool:
    return game.gunboats[places.SUPPLY] > 0


@requires("a Tripolitan corsair in the Supply", there(pieces.CORSAIR, places.SUPPLY))
def has_corsair_to_build(game: Position) -> bool:
    return game.corsairs[places.SUPPLY] > 0


@requires(
    "a corsair in Tripoli or in an ally's harbor",
    lambda _game: "there is none in Tripoli, Algiers, Tangier or Tunis",
)
def has_raiders(game: Position) -> bool:
    return game.corsairs[places.TRIPOLI] > 0 or game.has_active_ally()


# ---- gold and cards ------------------------------------------------------------------------------


@requires("gold to take from Tripolitania", lambda _game: "it has none")
def has_gold(game: Position) -> bool:
    return game.gold > 0


@requires("another card in the American discard", lambda _game: "that discard is empty")
def has_discards(game: Position) -> bool:
    """A card lies in the American discard; the one that asks is still in the hand."""
    return bool(game.discards[AMERICAN])


@requires("a Marine in the ground combat", lambda game: there(pieces.MARINE, game.place)(game))
def has_marine_here(game: Position) -> bool:
    return game.marines[game.place] > 0
