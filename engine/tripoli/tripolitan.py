"""The Tripolitan cards played as events. Each docstring is the card's effect."""

from __future__ import annotations

from engine.flow import Answer, Ask, Flow
from engine.tripoli.cards import (
    ACQUIRES_CORSAIRS,
    ALGERINE_RAID,
    ALGIERS_DECLARES,
    MOROCCAN_RAID,
    MOROCCO_DECLARES,
    MURAD_REIS,
    NAMES,
    PHILADELPHIA_AGROUND,
    SECOND_STORMS,
    SENDS_AID,
    STORMS,
    SUPPLIES_RUN_LOW,
    SWEDEN_PAYS,
    TRIPOLI_ATTACKS,
    TROOPS_TO_BENGHAZI,
    TROOPS_TO_DERNE,
    TROOPS_TO_TRIPOLI,
    TUNIS_DECLARES,
    TUNISIAN_RAID,
    YUSUF_QARAMANLI,
    event,
)
from engine.tripoli.movement import DONE, choose, place_options
from engine.tripoli.naval import naval_battle
from engine.tripoli.needs import (
    has_corsair_to_build,
    has_frigate_before_tripoli,
    has_patrol,
    has_raiders,
    has_ship_in_tripoli,
    has_swedes,
    is_1803,
    is_algiers_active,
    is_benghazi_held,
    is_derne_captured,
    is_derne_held,
    is_morocco_active,
    is_tunis_active,
)
from engine.tripoli.position import Position
from engine.tripoli.raids import break_out, pirate_raid
from engine.tripoli.tables import (
    ALGIERS,
    ALLIED,
    ALLIES,
    BENGHAZI,
    CORSAIR,
    DERNE,
    ENEMY_FRIGATE,
    FRIGATE,
    INFANTRY,
    MALTA,
    SWEDE,
    TANGIER,
    TRIPOLI,
    TRIPOLI_ZONE,
    TRIPOLITAN,
    TUNIS,
    ZONES,
    Place,
)
from engine.tripoli.windows import die_of_card, throw

# ---- core cards -------------------------------------------------------------------------------------------------


def raiding_harbors(game: Position) -> list[Place]:
    """Tripoli and the allies' harbors, where corsairs are."""
    ours = [TRIPOLI] if game.corsairs[TRIPOLI] else []
    return ours + [harbor for harbor in ALLIES if game.allied[harbor]]


@event(YUSUF_QARAMANLI, has_raiders)
def yusuf_qaramanli(game: Position) -> Flow[None]:
    """Raid from Tripoli and from every active ally's harbor, in any order; one may stop early (ruling 11)."""
    harbors = raiding_harbors(game)
    while harbors:
        options = (*place_options("raid from", tuple(harbors)), DONE)
        answer: Answer = yield Ask(TRIPOLITAN, "harbor", options)
        if answer.option == DONE:
            break
        harbor: Place = answer.option[1]
        harbors.remove(harbor)
        yield from pirate_raid(game, harbor, others=bool(harbors))


@event(MURAD_REIS)
def murad_reis_breaks_out(game: Position) -> Flow[None]:
    """The corsairs in Gibraltar sail home to Tripoli past the American frigates in the zone; no raid."""
    return break_out(game)


@event(SENDS_AID, is_derne_captured)
def constantinople_sends_aid(game: Position) -> None:
    """A frigate, two corsairs and two infantry for Tripoli."""
    game.place_new(ENEMY_FRIGATE, TRIPOLI, 1)
    game.place_new(CORSAIR, TRIPOLI, 2)
    game.place_new(INFANTRY, TRIPOLI, 2)


# ---- common cards -----------------------------------------------------------------------------------------------


def patrolled_zones(game: Position) -> list[Place]:
    """Zones with American frigates."""
    return [zone for zone in ZONES if game.frigates[zone]]


@event(SUPPLIES_RUN_LOW, has_patrol)
def us_supplies_run_low(game: Position) -> Flow[None]:
    """One American frigate leaves a zone of Tripolitania's choice for Malta."""
    zone = yield from choose(TRIPOLITAN, "zone", "zone", patrolled_zones(game))
    game.move(FRIGATE, zone, MALTA, 1)


@event(ALGERINE_RAID, is_algiers_active)
def algerine_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Algiers."""
    return pirate_raid(game, ALGIERS)


@event(MOROCCAN_RAID, is_morocco_active)
def moroccan_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Tangier."""
    return pirate_raid(game, TANGIER)


@event(TUNISIAN_RAID, is_tunis_active)
def tunisian_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Tunis."""
    return pirate_raid(game, TUNIS)


@event(TROOPS_TO_DERNE, is_derne_held)
def troops_to_derne(game: Position) -> None:
    """Two infantry for Derne."""
    game.place_new(INFANTRY, DERNE, 2)


@event(TROOPS_TO_BENGHAZI, is_benghazi_held)
def troops_to_benghazi(game: Position) -> None:
    """Two infantry for Benghazi."""
    game.place_new(INFANTRY, BENGHAZI, 2)


@event(TROOPS_TO_TRIPOLI)
def troops_to_tripoli(game: Position) -> None:
    """Two infantry for Tripoli."""
    game.place_new(INFANTRY, TRIPOLI, 2)


@event(SECOND_STORMS, has_patrol)
@event(STORMS, has_patrol)
def storms(game: Position) -> Flow[None]:
    """One die for each American frigate in a zone: the first 6 sinks one, each further 6 damages one."""
    zone = yield from choose(TRIPOLITAN, "zone", "zone", patrolled_zones(game))
    game.end_last_play()
    hits = yield from throw(game, TRIPOLITAN, game.frigates[zone], NAMES[STORMS])
    if hits:
        game.sink(FRIGATE, zone)
        for _ in range(hits - 1):
            game.damage(FRIGATE, zone, game.next_year())
        game.check_sinkings()


@event(TRIPOLI_ATTACKS, has_ship_in_tripoli, has_frigate_before_tripoli)
def tripoli_attacks(game: Position) -> Flow[None]:
    """All ships in Tripoli fight the American frigates in the zone, without the Swedes, and return to the harbor."""
    sail_all(game, TRIPOLI, TRIPOLI_ZONE)
    yield from naval_battle(game, TRIPOLI_ZONE, TRIPOLITAN)
    sail_all(game, TRIPOLI_ZONE, TRIPOLI)


def sail_all(game: Position, source: Place, target: Place) -> None:
    """Tripolitania's own ships go out, or what is left of them comes home."""
    game.move(ENEMY_FRIGATE, source, target, game.enemy_frigates[source])
    game.move(CORSAIR, source, target, game.corsairs[source])


# ---- unique cards -----------------------------------------------------------------------------------------------


@event(SWEDEN_PAYS, is_1803, has_swedes)
def sweden_pays_tribute(game: Position) -> None:
    """The Swedish frigates leave, and Tripolitania gains two gold."""
    game.take_away(SWEDE, TRIPOLI_ZONE, game.swedes[TRIPOLI_ZONE])
    game.take_gold(2)


@event(ACQUIRES_CORSAIRS, has_corsair_to_build)
def tripoli_acquires_corsairs(game: Position) -> None:
    """Two corsairs for Tripoli."""
    game.place_new(CORSAIR, TRIPOLI, 2)


@event(PHILADELPHIA_AGROUND, has_frigate_before_tripoli)
def the_philadelphia_runs_aground(game: Position) -> Flow[None]:
    """One die for a frigate in the Tripoli zone: on 1 or 2 it limps to Malta, on 3 or more it is sunk, and on 5 or 6
    Tripolitania gets a frigate in Tripoli as well. Uncharted Waters: the higher of two dice."""
    result = yield from die_of_card(game, TRIPOLITAN, PHILADELPHIA_AGROUND)
    if result <= 2:
        game.move(FRIGATE, TRIPOLI_ZONE, MALTA, 1)
        return
    game.sink(FRIGATE, TRIPOLI_ZONE)
    if result >= 5:
        game.place_new(ENEMY_FRIGATE, TRIPOLI, 1)
    game.check_sinkings()


def declare_war(game: Position, harbor: Place) -> Flow[None]:
    """Three allied corsairs for the harbor; American frigates that lie there fight at once, without gunboats."""
    game.place_new(ALLIED, harbor, 3)
    if game.frigates[harbor]:
        yield from naval_battle(game, harbor, TRIPOLITAN)


@event(ALGIERS_DECLARES)
def algiers_declares_war(game: Position) -> Flow[None]:
    """Algiers joins the war with three corsairs."""
    return declare_war(game, ALGIERS)


@event(MOROCCO_DECLARES)
def morocco_declares_war(game: Position) -> Flow[None]:
    """Morocco joins the war with three corsairs, in Tangier."""
    return declare_war(game, TANGIER)


@event(TUNIS_DECLARES)
def tunis_declares_war(game: Position) -> Flow[None]:
    """Tunis joins the war with three corsairs."""
    return declare_war(game, TUNIS)
