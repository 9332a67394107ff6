"""Naval combat, naval bombardment, ground combat, and the Assault on Tripoli (chapters of these
names; rulings 8 and 9).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.flow import Answer, Ask, Flow, Option, Seat
from engine.tripoli import pieces, places
from engine.tripoli.battle_cards import throw, usable, window
from engine.tripoli.cards import OBANNON, SEND_IN_THE_MARINES, SHARPSHOOTERS
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN

GUNS_DICE = 12


class Fleet(NamedTuple):
    """The ships of one side in a battle."""

    seat: Seat
    frigate: Kind
    small: Kind
    place: Place
    dock: Place
    """Where frigates that were hit once lie: next year's space, or here in the Assault."""


def american_fleet(place: Place, dock: Place) -> Fleet:
    return Fleet(AMERICAN, pieces.FRIGATE, pieces.GUNBOAT, place, dock)


def enemy_fleet(place: Place, dock: Place) -> Fleet:
    return Fleet(
        TRIPOLITAN,
        pieces.ENEMY_FRIGATE,
        pieces.ALLIED if place in places.ALLIES else pieces.CORSAIR,
        place,
        dock,
    )


def has_ships(game: Position, fleet: Fleet) -> bool:
    return game.pieces[fleet.frigate][fleet.place] > 0 or game.pieces[fleet.small][fleet.place] > 0


def undamaged(game: Position, fleet: Fleet) -> int:
    """How many frigates were not hit yet in this battle."""
    lying_here = game.damaged[fleet.seat] if fleet.dock == fleet.place else 0
    return game.pieces[fleet.frigate][fleet.place] - lying_here


def may_choose_hits(game: Position, fleet: Fleet) -> bool:
    """Whether the owner may have to choose which ship takes a hit: there are small ships beside a
    frigate, or there are two frigates and one can be hit twice."""
    frigates, small = game.pieces[fleet.frigate][fleet.place], game.pieces[fleet.small][fleet.place]
    return frigates > 1 or (frigates > 0 and small > 0)


def naval_battle(game: Position, place: Place, active: Seat) -> Flow[None]:
    """One round: battle cards, the dice of both sides, the losses of both sides. The American ships
    that are left go to Malta."""
    game.note("battle", place)
    game.place = place
    dock = game.next_year()
    us, them = american_fleet(place, dock), enemy_fleet(place, dock)
    game.damaged = [0, 0]
    dice, guns = yield from announce(game)
    if not any(game.is_asked(fleet.seat) and may_choose_hits(game, fleet) for fleet in (us, them)):
        game.end_last_play()
    if active == AMERICAN:
        ours = yield from american_broadside(game, us, dice)
        theirs = yield from enemy_broadside(game, them, guns)
        yield from american_losses(game, us, theirs)
        yield from take_hits(game, them, ours)
    else:
        theirs = yield from enemy_broadside(game, them, guns)
        ours = yield from american_broadside(game, us, dice)
        yield from take_hits(game, them, ours)
        yield from american_losses(game, us, theirs)
    game.damaged = [0, 0]
    game.sail_to_malta(place)


def announce(game: Position) -> Flow[tuple[int, int]]:
    """Preble's Boys Take Aim: each American frigate rolls three dice in a battle in a harbor. The
    Guns of Tripoli: twelve more dice in the harbor of Tripoli. Americans announce first (ruling 5),
    also without frigates (ruling 20).

    Returns the dice of an American frigate and the dice of the guns.
    """
    preble = yield from window(
        game, AMERICAN, "naval battle", usable(game, AMERICAN, "naval battle")
    )
    guns = yield from window(
        game, TRIPOLITAN, "naval battle", usable(game, TRIPOLITAN, "naval battle")
    )
    return 2 if preble is None else 3, 0 if guns is None else GUNS_DICE


def american_broadside(game: Position, fleet: Fleet, dice: int) -> Flow[int]:
    """Two dice for each frigate (three with Preble's Boys), one for each gunboat. Hits on 6."""
    frigates, gunboats = game.frigates[fleet.place], game.gunboats[fleet.place]
    hits = yield from throw(game, AMERICAN, frigates * dice, "naval-frigates")
    return hits + (yield from throw(game, AMERICAN, gunboats, "naval-gunboats"))


def enemy_broadside(game: Position, fleet: Fleet, guns: int) -> Flow[int]:
    """Two dice for each frigate, one for each corsair, and the guns of the city; hits on 6."""
    frigates, small = game.enemy_frigates[fleet.place], game.pieces[fleet.small][fleet.place]
    corsairs = (
        "naval-allied-corsairs" if fleet.small == pieces.ALLIED else "naval-tripolitan-corsairs"
    )
    hits = yield from throw(game, TRIPOLITAN, guns, "naval-guns-of-tripoli")
    hits += yield from throw(game, TRIPOLITAN, frigates * 2, "naval-tripolitan-frigates")
    return hits + (yield from throw(game, TRIPOLITAN, small, corsairs))


def american_losses(game: Position, fleet: Fleet, hits: int) -> Flow[None]:
    """The American takes all hits before a fourth sunk frigate ends the game (ruling 6)."""
    yield from take_hits(game, fleet, hits)
    game.check_sinkings()


def take_hits(game: Position, fleet: Fleet, hits: int) -> Flow[None]:
    """The owner takes the hits one by one, as long as a ship can take one. Asked only if there is a
    choice."""
    game.left = min(hits, _strength(game, fleet))
    while game.left:
        small, whole, damaged = (
            game.pieces[fleet.small][fleet.place],
            undamaged(game, fleet),
            game.damaged[fleet.seat],
        )
        options = _hit_options(fleet.small, fleet.frigate, small > 0, whole > 0, damaged > 0)
        option = options[0]
        if len(options) > 1 and game.left < _strength(game, fleet):
            answer: Answer = yield Ask(fleet.seat, "hits", options)
            option = answer.option
        verb, kind = option
        if verb == "sink":
            game.sink(kind, fleet.place)
        elif verb == "damage":
            game.damaged[fleet.seat] += 1
            game.damage(kind, fleet.place, fleet.dock)
        else:
            game.damaged[fleet.seat] -= 1
            game.sink(kind, fleet.place, 1, fleet.dock)
        game.left -= 1


def _strength(game: Position, fleet: Fleet) -> int:
    """How many hits this fleet can still take."""
    return (
        game.pieces[fleet.small][fleet.place]
        + 2 * undamaged(game, fleet)
        + game.damaged[fleet.seat]
    )


@cache
def _hit_options(
    small: Kind, frigate: Kind, sink: bool, damage: bool, finish: bool
) -> tuple[Option, ...]:
    options: tuple[Option, ...] = (("sink", small), ("damage", frigate), ("sink damaged", frigate))
    return tuple(
        option for option, possible in zip(options, (sink, damage, finish), strict=True) if possible
    )


# ---- naval bombardment and ground combat ---------------------------------------------------------

MARINES_SENT = 3
LOSSES: tuple[Option, ...] = (("lose", pieces.ARAB), ("lose", pieces.MARINE))


def bombardment(game: Position, city: Place) -> Flow[None]:
    """Two dice for each frigate, one for each gunboat, each 6 eliminates infantry; then the ships
    go to Malta.

    Where nothing is left to bombard nobody rolls (ruling 4).
    """
    game.place = city
    if game.infantry[city]:
        game.note("bombardment", city)
        hits = yield from throw(game, AMERICAN, game.frigates[city] * 2, "bombardment-frigates")
        hits += yield from throw(game, AMERICAN, game.gunboats[city], "bombardment-gunboats")
        game.kill(pieces.INFANTRY, city, hits)
    game.sail_to_malta(city)


def ground_combat(game: Position, city: Place) -> Flow[None]:
    """Battle cards, then rounds until one force is gone; a city with nobody left to fight is
    captured at once."""
    game.place = city
    charge, sharp = yield from american_cards(game)
    if not game.army_at(city):
        game.end((TRIPOLITAN,), "the assault found no army to land at Tripoli")
    if game.infantry[city]:
        game.note("ground combat", city)
        yield from mercenaries_desert(game, city)
        while game.infantry[city]:
            yield from fight_round(game, city, charge, 5 if sharp else 6)
    game.note("captured", city)
    if city == places.TRIPOLI:
        game.end((AMERICAN,), "the Americans have captured Tripoli")


def american_cards(game: Position) -> Flow[tuple[bool, bool]]:
    """Send in the Marines: three Marines land in Tripoli, in the Assault. Lieutenant O'Bannon Leads
    the Charge: one Marine rolls three dice each round. Marine Sharpshooters: Marines hit on 5 or 6.

    If the city has no defenders, only Send in the Marines can be played, and only if no unit is
    there to take the city. Returns whether O'Bannon leads and whether sharpshooters fire.
    """
    charge = sharp = False
    while True:
        card = yield from window(
            game, AMERICAN, "land battle", usable(game, AMERICAN, "land battle")
        )
        if card is None:
            return charge, sharp
        if card == SEND_IN_THE_MARINES:
            game.place_new(pieces.MARINE, places.TRIPOLI, MARINES_SENT)
        charge |= card == OBANNON
        sharp |= card == SHARPSHOOTERS


def mercenaries_desert(game: Position, city: Place) -> Flow[None]:
    """Mercenaries Desert: one die for each Arab infantry before the first round, each 6 removes
    one."""
    card = yield from window(
        game, TRIPOLITAN, "land battle", usable(game, TRIPOLITAN, "land battle")
    )
    if card is not None:
        end_by_dice(game, city)
        gone = yield from throw(game, TRIPOLITAN, game.arabs[city], "mercenaries-desert")
        game.take_away(pieces.ARAB, city, gone)
        check_army(game, city)


def fight_round(game: Position, city: Place, charge: bool, needed: int) -> Flow[None]:
    """One die for each unit, hits on 6 (Marines with sharpshooters on 5 or 6); both sides take
    their losses."""
    end_by_dice(game, city)
    marines = game.marines[city]
    hits = 0
    if charge and marines:
        hits += yield from throw(game, AMERICAN, 3, "ground-obannon", needed)
        marines -= 1
    hits += yield from throw(game, AMERICAN, marines, "ground-marines", needed)
    hits += yield from throw(game, AMERICAN, game.arabs[city], "ground-arab-infantry")
    lost = yield from throw(game, TRIPOLITAN, game.infantry[city], "ground-tripolitan-infantry")
    yield from army_losses(game, city, lost)
    game.kill(pieces.INFANTRY, city, hits)
    check_army(game, city)


def end_by_dice(game: Position, city: Place) -> None:
    """Nobody is asked any more if the fight is for Tripoli and the army has one kind of unit only:
    there is no choice of losses, and the dice end the game."""
    if city == places.TRIPOLI and not (game.marines[city] and game.arabs[city]):
        game.end_questions()


def army_losses(game: Position, city: Place, hits: int) -> Flow[None]:
    """The American picks Arab or Marine for each hit."""
    game.left = min(hits, game.army_at(city))
    while game.left:
        if game.left == game.army_at(city) or not game.arabs[city] or not game.marines[city]:
            kind = pieces.ARAB if game.arabs[city] else pieces.MARINE
        else:
            answer: Answer = yield Ask(AMERICAN, "losses", LOSSES)
            kind = answer.option[1]
        game.kill(kind, city, 1)
        game.left -= 1


def check_army(game: Position, city: Place) -> None:
    """Tripolitania wins if Hamet's Army is gone, even if the last defenders fell on the same
    roll."""
    if not game.army_at(city):
        game.end((TRIPOLITAN,), "Hamet's Army has been destroyed")


# ---- the Assault on Tripoli ----------------------------------------------------------------------


def assault(game: Position) -> Flow[None]:
    """All ships sail to Tripoli, fight if there are Tripolitan ships, and then the army lands: it
    takes the city, or is destroyed."""
    game.in_assault = True
    game.gather_fleet()
    if game.has_enemy_ships(places.TRIPOLI):
        yield from battle_to_the_end(game)
    game.march(places.BENGHAZI, places.TRIPOLI)
    yield from bombardment(game, places.TRIPOLI)
    yield from ground_combat(game, places.TRIPOLI)


def battle_to_the_end(game: Position) -> Flow[None]:
    """Rounds until a fleet is gone. Frigates hit once fight on and sink on their second hit; battle
    cards count in the first round only. Afterwards damaged American frigates go to the Supply."""
    us, them = (
        american_fleet(places.TRIPOLI, places.TRIPOLI),
        enemy_fleet(places.TRIPOLI, places.TRIPOLI),
    )
    game.note("battle", places.TRIPOLI)
    game.place = places.TRIPOLI
    game.damaged = [0, 0]
    check_fleet(game)
    dice, guns = yield from announce(game)
    while has_ships(game, them):
        check_fleet(game)
        ours = yield from american_broadside(game, us, dice)
        theirs = yield from enemy_broadside(game, them, guns)
        yield from american_losses(game, us, theirs)
        yield from take_hits(game, them, ours)
        dice, guns = 2, 0
    game.take_away(pieces.FRIGATE, places.TRIPOLI, game.damaged[AMERICAN])
    game.damaged = [0, 0]


def check_fleet(game: Position) -> None:
    """Tripolitania wins if no American ship is left before Tripoli: the Assault has failed."""
    if not has_ships(game, american_fleet(places.TRIPOLI, places.TRIPOLI)):
        game.end((TRIPOLITAN,), "the assault failed: no American ship was left before Tripoli")
