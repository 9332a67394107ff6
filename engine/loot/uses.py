"""What a card of Loot can be used for now, and what is missing for it: for those who ask, and after each refusal."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engine.flow import Ask, Card, Seat
from engine.loot.legal import OBSTACLES
from engine.loot.position import LootPosition
from engine.loot.tables import COLOURS, FACES, NAMES, SEATS, Face
from engine.requirements import Unmet, Use
from engine.words import meant_cards, tokens

_SHIP: Final = re.compile(r"\bship (\d{1,3})")
PLAY = "play"
DISCARD = "discard"


def uses(
    game: LootPosition, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
) -> tuple[Use, ...]:
    """Playing the card, and discarding it where that is an action. `held` are the cards of the seat's hand; an onlooker
    is told of the seat that is asked."""
    if seat is None:
        seat = 0 if ask is None else ask.seat
    face = FACES[card]
    here = () if held is None or card in held else (Unmet("", "it is not in your hand"),)
    when = _moment(ask, seat)
    play = Use(PLAY, (*here, *when, *_ships_missing(game, seat, face)))
    if face.kind == "merchant":
        return (play,)
    pile = (Unmet("an empty pile to be discarded", f"{_left(len(game.pile))} left to draw"),) if game.pile else ()
    return play, Use(DISCARD, (*here, *when, *pile))


def why_refused(game: LootPosition, ask: Ask, text: str) -> str:
    """What keeps a card from the ship that these words name; nothing where they name none."""
    match = _SHIP.search(" ".join(tokens(text)))
    if match is None:
        return ""
    number = int(match[1])
    ship = next((ship for ship in game.ships if ship.number == number), None)
    if ship is None:
        return f"no ship {number} is in play"
    meant = meant_cards(text[: text.casefold().rfind("ship")], NAMES)
    if len(meant) != 1 or (face := FACES[meant[0]]).kind not in OBSTACLES:
        return ""
    obstacle = OBSTACLES[face.kind](game.setup, ask.seat, ship, face.colour, game.gone)
    return f"at ship {number}: {obstacle}" if obstacle else ""


def _moment(ask: Ask | None, seat: Seat) -> tuple[Unmet, ...]:
    if ask is not None and ask.seat == seat:
        return ()
    whose = "nobody is asked for an answer" if ask is None else f"it is the turn of the {SEATS[ask.seat]} player"
    return (Unmet(f"the turn of the {SEATS[seat]} player", whose),)


def _ships_missing(game: LootPosition, seat: Seat, face: Face) -> tuple[Unmet, ...]:
    """What is missing while no ship in play takes the card: what keeps it from each, in the order they were played."""
    if face.kind == "merchant":
        return ()
    obstacles = [
        (ship.number, OBSTACLES[face.kind](game.setup, seat, ship, face.colour, game.gone)) for ship in game.ships
    ]
    if any(not what for _, what in obstacles):
        return ()
    told = ", ".join(f"ship {number}: {what}" for number, what in obstacles)
    return (Unmet(_wanted(face), told or "no merchant ship is in play"),)


def _wanted(face: Face) -> str:
    match face.kind:
        case "pirate":
            return f"a ship that your side attacks in {COLOURS[face.colour]}, or where that colour is free"
        case "captain":
            return f"a ship with a {COLOURS[face.colour]} pirate of your side"
    return "a merchant ship of your side"


def _left(count: int) -> str:
    return "1 card is" if count == 1 else f"{count} cards are"
