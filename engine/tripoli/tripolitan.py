"""The Tripolitan cards played as events. Each docstring is the card's effect."""

from __future__ import annotations

from engine.flow import Answer, Ask, Flow
from engine.tripoli import cards, needs, pieces, places
from engine.tripoli.battle_cards import die_of_card, throw
from engine.tripoli.combat import naval_battle
from engine.tripoli.movement import DONE, choose, place_options
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.raids import break_out, pirate_raid
from engine.tripoli.tables import TRIPOLITAN

# ---- core cards ----------------------------------------------------------------------------------


def raiding_harbors(game: Position) -> list[Place]:
    """Tripoli and the allies' harbors, where corsairs are."""
    ours = [places.TRIPOLI] if game.corsairs[places.TRIPOLI] else []
    return ours + [harbor for harbor in places.ALLIES if game.allied[harbor]]


@cards.event(cards.YUSUF_QARAMANLI, needs.has_raiders)
def yusuf_qaramanli(game: Position) -> Flow[None]:
    """Raid from Tripoli and from every active ally's harbor, in any order; one may stop early
    (ruling 11)."""
    harbors = raiding_harbors(game)
    while harbors:
        options = (*place_options("raid from", tuple(harbors)), DONE)
        answer: Answer = yield Ask(TRIPOLITAN, "harbor", options)
        if answer.option == DONE:
            break
        harbor: Place = answer.option[1]
        harbors.remove(harbor)
        yield from pirate_raid(game, harbor, others=bool(harbors))


@cards.event(cards.MURAD_REIS)
def murad_reis_breaks_out(game: Position) -> Flow[None]:
    """The corsairs in Gibraltar sail home to Tripoli past the American frigates in the zone; no
    raid."""
    return break_out(game)


@cards.event(cards.SENDS_AID, needs.is_derne_captured)
def constantinople_sends_aid(game: Position) -> None:
    """A frigate, two corsairs and two infantry for Tripoli."""
    game.place_new(pieces.ENEMY_FRIGATE, places.TRIPOLI, 1)
    game.place_new(pieces.CORSAIR, places.TRIPOLI, 2)
    game.place_new(pieces.INFANTRY, places.TRIPOLI, 2)


# ---- common cards --------------------------------------------------------------------------------


def patrolled_zones(game: Position) -> list[Place]:
    """Zones with American frigates."""
    return [zone for zone in places.ZONES if game.frigates[zone]]


@cards.event(cards.SUPPLIES_RUN_LOW, needs.has_patrol)
def us_supplies_run_low(game: Position) -> Flow[None]:
    """One American frigate leaves a zone of Tripolitania's choice for Malta."""
    zone = yield from choose(TRIPOLITAN, "zone", "zone", patrolled_zones(game))
    game.move(pieces.FRIGATE, zone, places.MALTA, 1)


@cards.event(cards.ALGERINE_RAID, needs.is_algiers_active)
def algerine_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Algiers."""
    return pirate_raid(game, places.ALGIERS)


@cards.event(cards.MOROCCAN_RAID, needs.is_morocco_active)
def moroccan_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Tangier."""
    return pirate_raid(game, places.TANGIER)


@cards.event(cards.TUNISIAN_RAID, needs.is_tunis_active)
def tunisian_corsairs_raid(game: Position) -> Flow[None]:
    """Raid from Tunis."""
    return pirate_raid(game, places.TUNIS)


@cards.event(cards.TROOPS_TO_DERNE, needs.is_derne_held)
def troops_to_derne(game: Position) -> None:
    """Two infantry for Derne."""
    game.place_new(pieces.INFANTRY, places.DERNE, 2)


@cards.event(cards.TROOPS_TO_BENGHAZI, needs.is_benghazi_held)
def troops_to_benghazi(game: Position) -> None:
    """Two infantry for Benghazi."""
    game.place_new(pieces.INFANTRY, places.BENGHAZI, 2)


@cards.event(cards.TROOPS_TO_TRIPOLI)
def troops_to_tripoli(game: Position) -> None:
    """Two infantry for Tripoli."""
    game.place_new(pieces.INFANTRY, places.TRIPOLI, 2)


@cards.event(cards.SECOND_STORMS, needs.has_patrol)
@cards.event(cards.STORMS, needs.has_patrol)
def storms(game: Position) -> Flow[None]:
    """One die for each American frigate in a zone: the first 6 sinks one, each further 6 damages
    one."""
    zone = yield from choose(TRIPOLITAN, "zone", "zone", patrolled_zones(game))
    game.end_last_play()
    hits = yield from throw(game, TRIPOLITAN, game.frigates[zone], "storms")
    if hits:
        game.sink(pieces.FRIGATE, zone)
        for _ in range(hits - 1):
            game.damage(pieces.FRIGATE, zone, game.next_year())
        game.check_sinkings()


@cards.event(cards.TRIPOLI_ATTACKS, needs.has_ship_in_tripoli, needs.has_frigate_before_tripoli)
def tripoli_attacks(game: Position) -> Flow[None]:
    """All ships in Tripoli fight the American frigates in the zone, without the Swedes, and return
    to the harbor."""
    sail_all(game, places.TRIPOLI, places.TRIPOLI_ZONE)
    yield from naval_battle(game, places.TRIPOLI_ZONE, TRIPOLITAN)
    sail_all(game, places.TRIPOLI_ZONE, places.TRIPOLI)


def sail_all(game: Position, source: Place, target: Place) -> None:
    """Tripolitania's own ships sail out, or those that are left come home."""
    game.move(pieces.ENEMY_FRIGATE, source, target, game.enemy_frigates[source])
    game.move(pieces.CORSAIR, source, target, game.corsairs[source])


# ---- unique cards --------------------------------------------------------------------------------


@cards.event(cards.SWEDEN_PAYS, needs.is_1803, needs.has_swedes)
def sweden_pays_tribute(game: Position) -> None:
    """The Swedish frigates leave, and Tripolitania gains two gold."""
    game.take_away(pieces.SWEDE, places.TRIPOLI_ZONE, game.swedes[places.TRIPOLI_ZONE])
    game.take_gold(2)


@cards.event(cards.ACQUIRES_CORSAIRS, needs.has_corsair_to_build)
def tripoli_acquires_corsairs(game: Position) -> None:
    """Two corsairs for Tripoli."""
    game.place_new(pieces.CORSAIR, places.TRIPOLI, 2)


@cards.event(cards.PHILADELPHIA_AGROUND, needs.has_frigate_before_tripoli)
def the_philadelphia_runs_aground(game: Position) -> Flow[None]:
    """One die for a frigate in the Tripoli zone: on 1 or 2 it limps to Malta, on 3 or more it is
    sunk, and on 5 or 6 Tripolitania gets a frigate in Tripoli as well. Uncharted Waters: the higher
    of two dice."""
    result = yield from die_of_card(game, TRIPOLITAN, "philadelphia-aground")
    if result <= 2:
        game.move(pieces.FRIGATE, places.TRIPOLI_ZONE, places.MALTA, 1)
        return
    game.sink(pieces.FRIGATE, places.TRIPOLI_ZONE)
    if result >= 5:
        game.place_new(pieces.ENEMY_FRIGATE, places.TRIPOLI, 1)
    game.check_sinkings()


def declare_war(game: Position, harbor: Place) -> Flow[None]:
    """Three allied corsairs for the harbor; American frigates that lie there fight at once, without
    gunboats."""
    game.place_new(pieces.ALLIED, harbor, 3)
    if game.frigates[harbor]:
        yield from naval_battle(game, harbor, TRIPOLITAN)


@cards.event(cards.ALGIERS_DECLARES)
def algiers_declares_war(game: Position) -> Flow[None]:
    """Algiers joins the war with three corsairs."""
    return declare_war(game, places.ALGIERS)


@cards.event(cards.MOROCCO_DECLARES)
def morocco_declares_war(game: Position) -> Flow[None]:
    """Morocco joins the war with three corsairs, in Tangier."""
    return declare_war(game, places.TANGIER)


@cards.event(cards.TUNIS_DECLARES)
def tunis_declares_war(game: Position) -> Flow[None]:
    """Tunis joins the war with three corsairs."""
    return declare_war(game, places.TUNIS)
