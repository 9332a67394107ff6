"""Naval bombardment and ground combat (chapters of these names; ruling 9)."""

from __future__ import annotations

from engine.flow import Answer, Ask, Flow, Option
from engine.tripoli import pieces, places
from engine.tripoli.cards import OBANNON, SEND_IN_THE_MARINES, SHARPSHOOTERS
from engine.tripoli.moments import usable
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from engine.tripoli.windows import throw, window

MARINES_SENT = 3
LOSSES: tuple[Option, ...] = (("lose", pieces.ARAB), ("lose", pieces.MARINE))


def bombardment(game: Position, city: Place) -> Flow[None]:
    """Two dice for each frigate, one for each gunboat, each 6 eliminates infantry; then the ships go to Malta.

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
    """Battle cards, then rounds until one force is gone; a city with nobody left to fight is captured at once."""
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
    """Send in the Marines: three Marines land in Tripoli, in the Assault.
    Lieutenant O'Bannon Leads the Charge: one Marine rolls three dice each round.
    Marine Sharpshooters: Marines hit on 5 or 6.

    Nobody to fight: no window but Send in the Marines, and that only while no unit is there to take the city. Returns
    whether O'Bannon leads and whether sharpshooters fire.
    """
    charge = sharp = False
    while True:
        card = yield from window(game, AMERICAN, "land battle", usable(game, AMERICAN, "land battle"))
        if card is None:
            return charge, sharp
        if card == SEND_IN_THE_MARINES:
            game.place_new(pieces.MARINE, places.TRIPOLI, MARINES_SENT)
        charge |= card == OBANNON
        sharp |= card == SHARPSHOOTERS


def mercenaries_desert(game: Position, city: Place) -> Flow[None]:
    """Mercenaries Desert: one die for each Arab infantry before the first round, each 6 removes one."""
    card = yield from window(game, TRIPOLITAN, "land battle", usable(game, TRIPOLITAN, "land battle"))
    if card is not None:
        end_by_dice(game, city)
        gone = yield from throw(game, TRIPOLITAN, game.arabs[city], "mercenaries-desert")
        game.take_away(pieces.ARAB, city, gone)
        check_army(game, city)


def fight_round(game: Position, city: Place, charge: bool, needed: int) -> Flow[None]:
    """One die for each unit, hits on 6 (Marines with sharpshooters on 5 or 6); both sides take their losses."""
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
    """In Tripoli, after the battle cards, with one kind of unit only: there is nothing to choose among the losses, and
    the dice end the game."""
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
    """Victory conditions: Hamet's Army eliminated, even if the last defenders fell on the same roll."""
    if not game.army_at(city):
        game.end((TRIPOLITAN,), "Hamet's Army has been destroyed")
