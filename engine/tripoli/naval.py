"""Naval combat: one round between the ships of both sides (chapter "Naval combat")."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.flow import Answer, Ask, Flow, Option, Seat
from engine.tripoli import pieces, places
from engine.tripoli.moments import usable
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from engine.tripoli.windows import throw, window

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
        TRIPOLITAN, pieces.ENEMY_FRIGATE, pieces.ALLIED if place in places.ALLIES else pieces.CORSAIR, place, dock
    )


def has_ships(game: Position, fleet: Fleet) -> bool:
    return game.pieces[fleet.frigate][fleet.place] > 0 or game.pieces[fleet.small][fleet.place] > 0


def undamaged(game: Position, fleet: Fleet) -> int:
    """Frigates not yet hit in this battle."""
    lying_here = game.damaged[fleet.seat] if fleet.dock == fleet.place else 0
    return game.pieces[fleet.frigate][fleet.place] - lying_here


def may_choose_hits(game: Position, fleet: Fleet) -> bool:
    """Whether dice may leave its owner a choice of what to hit: small ships beside frigates, or of two frigates the one
    hit before."""
    frigates, small = game.pieces[fleet.frigate][fleet.place], game.pieces[fleet.small][fleet.place]
    return frigates > 1 or (frigates > 0 and small > 0)


def naval_battle(game: Position, place: Place, active: Seat) -> Flow[None]:
    """Battle cards, both sides' dice, both sides' losses; what is left of the American ships gathers in Malta."""
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
    """Preble's Boys Take Aim: each American frigate rolls three dice in a battle in a harbor. The Guns of Tripoli:
    twelve more dice in the harbor of Tripoli. Americans announce first (ruling 5), also without frigates (ruling 20).

    Returns the dice of an American frigate and the dice of the guns.
    """
    preble = yield from window(game, AMERICAN, "naval battle", usable(game, AMERICAN, "naval battle"))
    guns = yield from window(game, TRIPOLITAN, "naval battle", usable(game, TRIPOLITAN, "naval battle"))
    return 2 if preble is None else 3, 0 if guns is None else GUNS_DICE


def american_broadside(game: Position, fleet: Fleet, dice: int) -> Flow[int]:
    """Two dice for each frigate (or more), one for each gunboat; hits on 6."""
    frigates, gunboats = game.frigates[fleet.place], game.gunboats[fleet.place]
    hits = yield from throw(game, AMERICAN, frigates * dice, "naval-frigates")
    return hits + (yield from throw(game, AMERICAN, gunboats, "naval-gunboats"))


def enemy_broadside(game: Position, fleet: Fleet, guns: int) -> Flow[int]:
    """Two dice for each frigate, one for each corsair, and the guns of the city; hits on 6."""
    frigates, small = game.enemy_frigates[fleet.place], game.pieces[fleet.small][fleet.place]
    corsairs = "naval-allied-corsairs" if fleet.small == pieces.ALLIED else "naval-tripolitan-corsairs"
    hits = yield from throw(game, TRIPOLITAN, guns, "naval-guns-of-tripoli")
    hits += yield from throw(game, TRIPOLITAN, frigates * 2, "naval-tripolitan-frigates")
    return hits + (yield from throw(game, TRIPOLITAN, small, corsairs))


def american_losses(game: Position, fleet: Fleet, hits: int) -> Flow[None]:
    """The American allocates all their hits before a fourth sunk frigate ends the game (ruling 6)."""
    yield from take_hits(game, fleet, hits)
    game.check_sinkings()


def take_hits(game: Position, fleet: Fleet, hits: int) -> Flow[None]:
    """The owner allocates hits one by one while a ship can take one; asked only where ways differ."""
    game.left = min(hits, _strength(game, fleet))
    while game.left:
        options = _hit_options(fleet.small, fleet.frigate, *_targets(game, fleet))
        option = options[0]
        if len(options) > 1 and game.left < _strength(game, fleet):
            answer: Answer = yield Ask(fleet.seat, "hits", options)
            option = answer.option
        _hit(game, fleet, option)
        game.left -= 1


def _targets(game: Position, fleet: Fleet) -> tuple[bool, bool, bool]:
    """Whether there are small ships, undamaged frigates, frigates hit once."""
    return game.pieces[fleet.small][fleet.place] > 0, undamaged(game, fleet) > 0, game.damaged[fleet.seat] > 0


def _strength(game: Position, fleet: Fleet) -> int:
    """How many hits this fleet can still take."""
    return game.pieces[fleet.small][fleet.place] + 2 * undamaged(game, fleet) + game.damaged[fleet.seat]


@cache
def _hit_options(small: Kind, frigate: Kind, sink: bool, damage: bool, finish: bool) -> tuple[Option, ...]:
    options: tuple[Option, ...] = (("sink", small), ("damage", frigate), ("sink damaged", frigate))
    return tuple(option for option, possible in zip(options, (sink, damage, finish), strict=True) if possible)


def _hit(game: Position, fleet: Fleet, option: Option) -> None:
    verb, kind = option
    if verb == "sink":
        game.sink(kind, fleet.place)
    elif verb == "damage":
        game.damaged[fleet.seat] += 1
        game.damage(kind, fleet.place, fleet.dock)
    else:
        game.damaged[fleet.seat] -= 1
        game.sink(kind, fleet.place, 1, fleet.dock)
