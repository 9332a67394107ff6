"""The Assault on Tripoli: a naval battle to the end, then the landing (chapter of this name; ruling 8)."""

from __future__ import annotations

from engine.flow import Flow
from engine.tripoli import pieces, places
from engine.tripoli.ground import bombardment, ground_combat
from engine.tripoli.naval import (
    american_broadside,
    american_fleet,
    american_losses,
    announce,
    enemy_broadside,
    enemy_fleet,
    has_ships,
    take_hits,
)
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN


def assault(game: Position) -> Flow[None]:
    """Every ship to Tripoli, the battle if ships await them, and all that can land takes the city or is lost."""
    game.in_assault = True
    game.gather_fleet()
    if game.has_enemy_ships(places.TRIPOLI):
        yield from battle_to_the_end(game)
    game.march(places.BENGHAZI, places.TRIPOLI)
    yield from bombardment(game, places.TRIPOLI)
    yield from ground_combat(game, places.TRIPOLI)


def battle_to_the_end(game: Position) -> Flow[None]:
    """Rounds until a fleet is gone. Frigates hit once fight on and sink on their second hit; battle cards count in
    the first round only. Afterwards damaged American frigates go to the Supply."""
    us, them = american_fleet(places.TRIPOLI, places.TRIPOLI), enemy_fleet(places.TRIPOLI, places.TRIPOLI)
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
    """No American ship against a Tripolitan one: the assault has failed."""
    if not has_ships(game, american_fleet(places.TRIPOLI, places.TRIPOLI)):
        game.end((TRIPOLITAN,), "the assault failed: no American ship was left before Tripoli")
