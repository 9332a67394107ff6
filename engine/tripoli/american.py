"""The American cards played as events, and Bainbridge Supplies Intel. Each docstring is the card's
effect."""

from __future__ import annotations

from functools import partial

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Seal
from engine.tripoli import cards, needs, pieces, places
from engine.tripoli.battle_cards import die_of_card, use
from engine.tripoli.cards import BAINBRIDGE, carry_out, event, events_of
from engine.tripoli.combat import assault, bombardment, ground_combat
from engine.tripoli.movement import choose, join_attack, move_frigates, send_frigates
from engine.tripoli.needs import has_discards
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN

# ---- core cards ----------------------------------------------------------------------------------


@cards.event(cards.THOMAS_JEFFERSON)
def thomas_jefferson(game: Position) -> Flow[None]:
    """Up to eight frigate moves, then the battles."""
    return move_frigates(game, 8)


@cards.event(cards.SWEDISH_FRIGATES_ARRIVE)
def swedish_frigates_arrive(game: Position) -> None:
    """Two Swedish frigates guard the Tripoli zone."""
    game.place_new(pieces.SWEDE, places.TRIPOLI_ZONE, 2)


@cards.event(cards.HAMETS_ARMY_CREATED, needs.is_1804, needs.has_frigate_in_alexandria)
def hamets_army_created(game: Position) -> None:
    """One Marine and five Arab infantry gather in Alexandria."""
    game.place_new(pieces.MARINE, places.ALEXANDRIA, 1)
    game.place_new(pieces.ARAB, places.ALEXANDRIA, 5)


# ---- victory cards -------------------------------------------------------------------------------


@cards.event(
    cards.TREATY_OF_PEACE,
    needs.is_late,
    needs.is_peace_with_allies,
    needs.is_derne_captured,
    needs.has_no_frigate_in_tripoli,
)
def treaty_of_peace(game: Position) -> None:
    """The Americans have won."""
    game.end((AMERICAN,), "Tripoli has signed the Treaty of Peace and Amity")


@cards.event(cards.ASSAULT_ON_TRIPOLI, needs.is_late)
def assault_on_tripoli(game: Position) -> Flow[None]:
    """All American ships and Hamet's Army from Benghazi attack Tripoli; the city or the army
    falls."""
    return assault(game)


# ---- common cards --------------------------------------------------------------------------------


@cards.event(cards.NAVAL_MOVEMENT)
def naval_movement(game: Position) -> Flow[None]:
    """Up to four frigate moves, then the battles."""
    return move_frigates(game, 4)


@cards.event(cards.EARLY_DEPLOYMENT, needs.is_before_last_year, needs.has_frigate_next_year)
def early_deployment(game: Position) -> Flow[None]:
    """One frigate of next year's goes to a patrol zone of the American's choice now."""
    zone = yield from choose(AMERICAN, "zone", "zone", places.ZONES)
    game.move(pieces.FRIGATE, game.next_year(), zone, 1)


@cards.event(cards.SHOW_OF_FORCE, needs.has_active_ally, needs.has_three_frigates)
def show_of_force(game: Position) -> Flow[None]:
    """Three frigates sail to an active ally's harbor; its corsairs give up without a battle."""
    yield from pacify(game, 3)


@cards.event(cards.TRIBUTE_PAID, needs.has_active_ally, needs.has_frigate_on_map)
def tribute_paid(game: Position) -> Flow[None]:
    """One frigate sails to an active ally's harbor; its corsairs give up, and Tripolitania gains
    two gold."""
    yield from pacify(game, 1)
    game.take_gold(2)


def pacify(game: Position, frigates: int) -> Flow[None]:
    """An ally makes peace with the frigates that come to its harbor, and they stay there (ruling
    2)."""
    active = [harbor for harbor in places.ALLIES if game.allied[harbor]]
    harbor = yield from choose(AMERICAN, "ally", "ally", active)
    yield from send_frigates(game, harbor, frigates)
    game.take_away(pieces.ALLIED, harbor, game.allied[harbor])


@cards.event(cards.DEMANDS_TRIBUTE, needs.has_gold)
def constantinople_demands_tribute(game: Position) -> None:
    """Tripolitania loses two gold."""
    game.lose_gold(2)


@cards.event(cards.RECRUITS_BEDOUINS, needs.has_army)
def hamet_recruits_bedouins(game: Position) -> None:
    """Two Arab infantry join Hamet's Army where it stands."""
    place = game.army_place()
    assert place is not None
    game.place_new(pieces.ARAB, place, 2)


# ---- unique cards --------------------------------------------------------------------------------


@cards.event(cards.CONGRESS_AUTHORIZES, needs.is_before_last_year)
def congress_authorizes_action(game: Position) -> None:
    """Two frigates from the Supply are built for next year, or those it has (ruling 21)."""
    game.place_new(pieces.FRIGATE, game.next_year(), 2)


@cards.event(cards.CORSAIRS_CONFISCATED, needs.has_corsairs_in_gibraltar)
def corsairs_confiscated(game: Position) -> None:
    """The Tripolitan corsairs in Gibraltar go to the Supply, and Murad Reis Breaks Out leaves the
    game."""
    game.take_away(pieces.CORSAIR, places.GIBRALTAR, game.corsairs[places.GIBRALTAR])
    if cards.MURAD_REIS in game.core[TRIPOLITAN]:
        game.core[TRIPOLITAN].remove(cards.MURAD_REIS)
        game.remove_card(TRIPOLITAN, cards.MURAD_REIS)


@cards.event(cards.BURN_THE_PHILADELPHIA, needs.has_frigate_in_tripoli)
def burn_the_philadelphia(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a Tripolitan frigate in Tripoli is damaged, on 5 or 6 it is sunk.
    The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, "burn-the-philadelphia")
    if result >= 5:
        game.sink(pieces.ENEMY_FRIGATE, places.TRIPOLI)
    elif result >= 3:
        game.damage(pieces.ENEMY_FRIGATE, places.TRIPOLI, game.next_year())


@cards.event(cards.LAUNCH_THE_INTREPID, needs.has_ship_in_tripoli)
def launch_the_intrepid(game: Position) -> Flow[None]:
    """One die: on 3 or 4 a corsair in Tripoli is sunk; on 5 or 6 a frigate there, or with none two
    corsairs. The Daring Stephen Decatur: the higher of two dice."""
    result = yield from die_of_card(game, AMERICAN, "launch-the-intrepid")
    if result >= 5 and game.enemy_frigates[places.TRIPOLI]:
        game.sink(pieces.ENEMY_FRIGATE, places.TRIPOLI)
    elif result >= 3:
        game.sink(pieces.CORSAIR, places.TRIPOLI, 2 if result >= 5 else 1)


@cards.event(cards.EATON_ATTACKS_DERNE, needs.is_army_in_alexandria)
def general_eaton_attacks_derne(game: Position) -> Flow[None]:
    """Hamet's Army marches from Alexandria against Derne; ships may join, bombard first and go to
    Malta."""
    return attack(game, places.ALEXANDRIA, places.DERNE)


@cards.event(cards.EATON_ATTACKS_BENGHAZI, needs.is_army_in_derne)
def general_eaton_attacks_benghazi(game: Position) -> Flow[None]:
    """Hamet's Army marches from Derne against Benghazi; ships may join, bombard first and go to
    Malta."""
    return attack(game, places.DERNE, places.BENGHAZI)


def attack(game: Position, source: Place, city: Place) -> Flow[None]:
    """Ground combat, from the march to the end."""
    yield from join_attack(game, city)
    game.march(source, city)
    yield from bombardment(game, city)
    yield from ground_combat(game, city)


# ---- Bainbridge Supplies Intel -------------------------------------------------------------------

TAKE: tuple[Option, ...] = (("take",),)


@event(BAINBRIDGE, has_discards)
def bainbridge_supplies_intel(game: Position) -> Flow[None]:
    """Take another card from the American discard, or play it at once as the season's event."""
    if game.hidden_discard:
        yield from look_in_secret(game)
    else:
        yield from look(game)


def look(game: Position) -> Flow[None]:
    """The discard is open: everybody knows which cards there are, and sees which one is chosen
    (ruling 19)."""
    lowest: dict[Card, Handle] = {}
    for handle in sorted(game.discards[AMERICAN][:-1], reverse=True):
        lowest[game.opened[handle]] = handle
    options: list[Option] = []
    for card in sorted(lowest):
        options += (("take", card), *events_of(game, card))
    answer = Answer(options[0])
    if len(options) > 1:
        answer = yield Ask(AMERICAN, "intel", tuple(options))
    verb, card = answer.option
    yield from pull_out(game, lowest[card], card, verb == "event")


def look_in_secret(game: Position) -> Flow[None]:
    """Hidden discard (ruling 18): the pile is shuffled first, so that nobody can follow the card
    they take; a card they play is shown."""
    own = game.discards[AMERICAN].pop()
    sources = tuple(game.discards[AMERICAN])
    handles = game.new_handles(AMERICAN, len(sources))
    yield Seal(AMERICAN, handles, sources)
    game.forget(sources)
    game.discards[AMERICAN] = [*handles, own]
    ask = Ask(AMERICAN, "intel", (), handles, TAKE, partial(events_of, game))
    answer: Answer = yield ask
    handle = answer.handle
    assert handle is not None
    if answer.option in TAKE:
        yield from pull_out(game, handle, -1, False)
    else:
        card = yield from use(game, ask, answer)
        yield from pull_out(game, handle, card, True)


def pull_out(game: Position, handle: Handle, card: Card, as_event: bool) -> Flow[None]:
    """The card leaves the discard, for the hand or for the event."""
    game.discards[AMERICAN].remove(handle)
    if as_event:
        yield from carry_out(game, AMERICAN, card, handle)
    else:
        game.hands[AMERICAN] = sorted((*game.hands[AMERICAN], handle))
        game.drawn[handle] = game.period()
        game.note("took", AMERICAN, card)
