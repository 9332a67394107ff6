"""The American cards played as events. Each docstring is the card's effect."""

from __future__ import annotations

from engine.flow import Flow
from engine.tripoli.assault import assault
from engine.tripoli.cards import (
    ASSAULT_ON_TRIPOLI,
    BURN_THE_PHILADELPHIA,
    CONGRESS_AUTHORIZES,
    CORSAIRS_CONFISCATED,
    DECATUR,
    DEMANDS_TRIBUTE,
    EARLY_DEPLOYMENT,
    EATON_ATTACKS_BENGHAZI,
    EATON_ATTACKS_DERNE,
    HAMETS_ARMY_CREATED,
    LAUNCH_THE_INTREPID,
    MURAD_REIS,
    NAVAL_MOVEMENT,
    RECRUITS_BEDOUINS,
    SHOW_OF_FORCE,
    SWEDISH_FRIGATES_ARRIVE,
    THOMAS_JEFFERSON,
    TREATY_OF_PEACE,
    TRIBUTE_PAID,
    event,
)
from engine.tripoli.ground import bombardment, ground_combat
from engine.tripoli.movement import choose, join_attack, move_frigates, send_frigates
from engine.tripoli.position import Position
from engine.tripoli.tables import (
    ALEXANDRIA,
    ALLIED,
    ALLIES,
    AMERICAN,
    ARAB,
    BENGHAZI,
    CORSAIR,
    DERNE,
    ENEMY_FRIGATE,
    FALL,
    FRIGATE,
    GIBRALTAR,
    LAST_YEAR,
    MARINE,
    SWEDE,
    TRIPOLI,
    TRIPOLI_ZONE,
    TRIPOLITAN,
    ZONES,
    Place,
)
from engine.tripoli.windows import die_of_card

# ---- core cards -------------------------------------------------------------------------------------------------


@event(THOMAS_JEFFERSON)
def thomas_jefferson(game: Position) -> Flow[None]:
    """Up to eight frigate moves, then the battles."""
    return move_frigates(game, 8)


@event(SWEDISH_FRIGATES_ARRIVE)
def swedish_frigates_arrive(game: Position) -> None:
    """Two Swedish frigates guard the Tripoli zone."""
    game.place_new(SWEDE, TRIPOLI_ZONE, 2)


def may_create_army(game: Position) -> bool:
    """1804 or later, and an American frigate in Alexandria."""
    return game.year >= 1804 and game.frigates[ALEXANDRIA] > 0


@event(HAMETS_ARMY_CREATED, may_create_army)
def hamets_army_created(game: Position) -> None:
    """One Marine and five Arab infantry gather in Alexandria."""
    game.place_new(MARINE, ALEXANDRIA, 1)
    game.place_new(ARAB, ALEXANDRIA, 5)


# ---- victory cards ----------------------------------------------------------------------------------------------


def is_late(game: Position) -> bool:
    """Fall of 1805 or later."""
    return game.year == LAST_YEAR or (game.year == LAST_YEAR - 1 and game.season >= FALL)


def may_make_peace(game: Position) -> bool:
    """Late, every ally at peace, Derne captured, no Tripolitan frigate in Tripoli."""
    return (
        is_late(game) and not game.has_active_ally() and game.is_derne_captured() and not game.enemy_frigates[TRIPOLI]
    )


@event(TREATY_OF_PEACE, may_make_peace)
def treaty_of_peace(game: Position) -> None:
    """The Americans have won."""
    game.end((AMERICAN,), "Tripoli has signed the Treaty of Peace and Amity")


@event(ASSAULT_ON_TRIPOLI, is_late)
def assault_on_tripoli(game: Position) -> Flow[None]:
    """All American ships and Hamet's Army from Benghazi attack Tripoli; the city or the army falls."""
    return assault(game)


# ---- common cards -----------------------------------------------------------------------------------------------


@event(NAVAL_MOVEMENT)
def naval_movement(game: Position) -> Flow[None]:
    """Up to four frigate moves, then the battles."""
    return move_frigates(game, 4)


def may_deploy_early(game: Position) -> bool:
    """Before 1806, with an American frigate on next year's space."""
    return game.year < LAST_YEAR and game.frigates[game.next_year()] > 0


@event(EARLY_DEPLOYMENT, may_deploy_early)
def early_deployment(game: Position) -> Flow[None]:
    """One frigate of next year's goes to a patrol zone of the American's choice now."""
    zone = yield from choose(AMERICAN, "zone", "zone", ZONES)
    game.move(FRIGATE, game.next_year(), zone, 1)


def may_show_force(game: Position) -> bool:
    """An active ally, and three frigates on the map."""
    return game.has_active_ally() and game.frigates_on_map() >= 3


@event(SHOW_OF_FORCE, may_show_force)
def show_of_force(game: Position) -> Flow[None]:
    """Three frigates sail to an active ally's harbor; its corsairs give up without a battle."""
    yield from pacify(game, 3)


def may_pay_tribute(game: Position) -> bool:
    """An active ally, and a frigate on the map to carry the money."""
    return game.has_active_ally() and game.frigates_on_map() >= 1


@event(TRIBUTE_PAID, may_pay_tribute)
def tribute_paid(game: Position) -> Flow[None]:
    """One frigate sails to an active ally's harbor; its corsairs give up, and Tripolitania gains two gold."""
    yield from pacify(game, 1)
    game.take_gold(2)


def pacify(game: Position, frigates: int) -> Flow[None]:
    """An ally makes peace with the frigates that come to its harbor, and they stay there (ruling 2)."""
    active = [harbor for harbor in ALLIES if game.allied[harbor]]
    harbor = yield from choose(AMERICAN, "ally", "ally", active)
    yield from send_frigates(game, harbor, frigates)
    game.take_away(ALLIED, harbor, game.allied[harbor])


def has_gold(game: Position) -> bool:
    """Tripolitania has gold to give."""
    return game.gold > 0


@event(DEMANDS_TRIBUTE, has_gold)
def constantinople_demands_tribute(game: Position) -> None:
    """Tripolitania loses two gold."""
    game.lose_gold(2)


def has_army(game: Position) -> bool:
    """Hamet's Army is on the map."""
    return game.army_place() is not None


@event(RECRUITS_BEDOUINS, has_army)
def hamet_recruits_bedouins(game: Position) -> None:
    """Two Arab infantry join Hamet's Army where it stands."""
    place = game.army_place()
    assert place is not None
    game.place_new(ARAB, place, 2)


# ---- unique cards -----------------------------------------------------------------------------------------------


def is_before_last_year(game: Position) -> bool:
    """There is a next year."""
    return game.year < LAST_YEAR


@event(CONGRESS_AUTHORIZES, is_before_last_year)
def congress_authorizes_action(game: Position) -> None:
    """Two frigates from the Supply are built for next year, or those it has (ruling 21)."""
    game.place_new(FRIGATE, game.next_year(), 2)


def has_corsairs_in_gibraltar(game: Position) -> bool:
    return game.corsairs[GIBRALTAR] > 0


@event(CORSAIRS_CONFISCATED, has_corsairs_in_gibraltar)
def corsairs_confiscated(game: Position) -> None:
    """The Tripolitan corsairs in Gibraltar go to the Supply, and Murad Reis Breaks Out leaves the game."""
    game.take_away(CORSAIR, GIBRALTAR, game.corsairs[GIBRALTAR])
    if MURAD_REIS in game.core[TRIPOLITAN]:
        game.core[TRIPOLITAN].remove(MURAD_REIS)
        game.remove_card(TRIPOLITAN, MURAD_REIS)


def has_frigate_in_tripoli(game: Position) -> bool:
    return game.enemy_frigates[TRIPOLI] > 0


@event(BURN_THE_PHILADELPHIA, has_frigate_in_tripoli)
def burn_the_philadelphia(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a Tripolitan frigate in Tripoli is damaged, on 5 or 6 it is sunk.
    The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, BURN_THE_PHILADELPHIA, DECATUR)
    if result >= 5:
        game.sink(ENEMY_FRIGATE, TRIPOLI)
    elif result >= 3:
        game.damage(ENEMY_FRIGATE, TRIPOLI, game.next_year())


def has_ship_in_tripoli(game: Position) -> bool:
    return game.has_enemy_ships(TRIPOLI)


@event(LAUNCH_THE_INTREPID, has_ship_in_tripoli)
def launch_the_intrepid(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a corsair in Tripoli is sunk; on 5 or 6 a frigate there, or with none two corsairs.
    The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, LAUNCH_THE_INTREPID, DECATUR)
    if result >= 5 and game.enemy_frigates[TRIPOLI]:
        game.sink(ENEMY_FRIGATE, TRIPOLI)
    elif result >= 3:
        game.sink(CORSAIR, TRIPOLI, 2 if result >= 5 else 1)


def is_army_in_alexandria(game: Position) -> bool:
    return game.army_at(ALEXANDRIA) > 0


@event(EATON_ATTACKS_DERNE, is_army_in_alexandria)
def general_eaton_attacks_derne(game: Position) -> Flow[None]:
    """Hamet's Army marches from Alexandria against Derne; ships may join, bombard first and go to Malta."""
    return attack(game, ALEXANDRIA, DERNE)


def is_army_in_derne(game: Position) -> bool:
    return game.army_at(DERNE) > 0


@event(EATON_ATTACKS_BENGHAZI, is_army_in_derne)
def general_eaton_attacks_benghazi(game: Position) -> Flow[None]:
    """Hamet's Army marches from Derne against Benghazi; ships may join, bombard first and go to Malta."""
    return attack(game, DERNE, BENGHAZI)


def attack(game: Position, source: Place, city: Place) -> Flow[None]:
    """Ground combat, from the march to the end."""
    yield from join_attack(game, city)
    game.march(source, city)
    yield from bombardment(game, city)
    yield from ground_combat(game, city)
