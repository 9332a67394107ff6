"""The American cards played as events. Each docstring is the card's effect."""

from __future__ import annotations

from engine.flow import Flow
from engine.tripoli.assault import assault
from engine.tripoli.cards import (
    ASSAULT_ON_TRIPOLI,
    BURN_THE_PHILADELPHIA,
    CONGRESS_AUTHORIZES,
    CORSAIRS_CONFISCATED,
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
from engine.tripoli.needs import (
    has_active_ally,
    has_army,
    has_corsairs_in_gibraltar,
    has_frigate_in_alexandria,
    has_frigate_in_tripoli,
    has_frigate_next_year,
    has_frigate_on_map,
    has_gold,
    has_no_frigate_in_tripoli,
    has_ship_in_tripoli,
    has_three_frigates,
    is_1804,
    is_army_in_alexandria,
    is_army_in_derne,
    is_before_last_year,
    is_derne_captured,
    is_late,
    is_peace_with_allies,
)
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
    FRIGATE,
    GIBRALTAR,
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


@event(HAMETS_ARMY_CREATED, is_1804, has_frigate_in_alexandria)
def hamets_army_created(game: Position) -> None:
    """One Marine and five Arab infantry gather in Alexandria."""
    game.place_new(MARINE, ALEXANDRIA, 1)
    game.place_new(ARAB, ALEXANDRIA, 5)


# ---- victory cards ----------------------------------------------------------------------------------------------


@event(TREATY_OF_PEACE, is_late, is_peace_with_allies, is_derne_captured, has_no_frigate_in_tripoli)
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


@event(EARLY_DEPLOYMENT, is_before_last_year, has_frigate_next_year)
def early_deployment(game: Position) -> Flow[None]:
    """One frigate of next year's goes to a patrol zone of the American's choice now."""
    zone = yield from choose(AMERICAN, "zone", "zone", ZONES)
    game.move(FRIGATE, game.next_year(), zone, 1)


@event(SHOW_OF_FORCE, has_active_ally, has_three_frigates)
def show_of_force(game: Position) -> Flow[None]:
    """Three frigates sail to an active ally's harbor; its corsairs give up without a battle."""
    yield from pacify(game, 3)


@event(TRIBUTE_PAID, has_active_ally, has_frigate_on_map)
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


@event(DEMANDS_TRIBUTE, has_gold)
def constantinople_demands_tribute(game: Position) -> None:
    """Tripolitania loses two gold."""
    game.lose_gold(2)


@event(RECRUITS_BEDOUINS, has_army)
def hamet_recruits_bedouins(game: Position) -> None:
    """Two Arab infantry join Hamet's Army where it stands."""
    place = game.army_place()
    assert place is not None
    game.place_new(ARAB, place, 2)


# ---- unique cards -----------------------------------------------------------------------------------------------


@event(CONGRESS_AUTHORIZES, is_before_last_year)
def congress_authorizes_action(game: Position) -> None:
    """Two frigates from the Supply are built for next year, or those it has (ruling 21)."""
    game.place_new(FRIGATE, game.next_year(), 2)


@event(CORSAIRS_CONFISCATED, has_corsairs_in_gibraltar)
def corsairs_confiscated(game: Position) -> None:
    """The Tripolitan corsairs in Gibraltar go to the Supply, and Murad Reis Breaks Out leaves the game."""
    game.take_away(CORSAIR, GIBRALTAR, game.corsairs[GIBRALTAR])
    if MURAD_REIS in game.core[TRIPOLITAN]:
        game.core[TRIPOLITAN].remove(MURAD_REIS)
        game.remove_card(TRIPOLITAN, MURAD_REIS)


@event(BURN_THE_PHILADELPHIA, has_frigate_in_tripoli)
def burn_the_philadelphia(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a Tripolitan frigate in Tripoli is damaged, on 5 or 6 it is sunk.
    The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, BURN_THE_PHILADELPHIA)
    if result >= 5:
        game.sink(ENEMY_FRIGATE, TRIPOLI)
    elif result >= 3:
        game.damage(ENEMY_FRIGATE, TRIPOLI, game.next_year())


@event(LAUNCH_THE_INTREPID, has_ship_in_tripoli)
def launch_the_intrepid(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a corsair in Tripoli is sunk; on 5 or 6 a frigate there, or with none two corsairs.
    The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, LAUNCH_THE_INTREPID)
    if result >= 5 and game.enemy_frigates[TRIPOLI]:
        game.sink(ENEMY_FRIGATE, TRIPOLI)
    elif result >= 3:
        game.sink(CORSAIR, TRIPOLI, 2 if result >= 5 else 1)


@event(EATON_ATTACKS_DERNE, is_army_in_alexandria)
def general_eaton_attacks_derne(game: Position) -> Flow[None]:
    """Hamet's Army marches from Alexandria against Derne; ships may join, bombard first and go to Malta."""
    return attack(game, ALEXANDRIA, DERNE)


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
