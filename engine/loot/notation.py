"""The words of the game: answers as they are entered, the question, and why a card cannot be used
now."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from engine.flow import Ask, Card, Handle, Option, Seat
from engine.loot.battle import OBSTACLES
from engine.loot.position import LootPosition
from engine.loot.tables import COLOURS, FACES, MOST_SHIPS, NAMES, SEATS, Face
from engine.requirements import Unmet, Use
from engine.words import cards_in, tokens


def words(option: Option) -> str:
    """`draw`, `merchant 5`, `blue 3 at ship 2`, `captain blue at ship 2`, `admiral at ship 1`,
    `discard blue 2`."""
    match option:
        case ("draw",):
            return "draw"
        case ("merchant", card):
            return NAMES[card]
        case ("discard", card):
            return f"discard {NAMES[card]}"
        case (_, card, ship):
            return f"{NAMES[card]} at ship {ship}"
    raise ValueError(f"no option of Loot: {option}")


@cache
def vocabulary() -> frozenset[str]:
    """Every word of an answer."""
    from_cards = {word for name in NAMES for word in name.split()}
    ships = {str(number) for number in range(1, MOST_SHIPS + 1)}
    return frozenset({"draw", "discard", "at", "ship"} | from_cards | ships)


def prompt(game: LootPosition, ask: Ask) -> str:
    """The question in words."""
    if not ask.options:
        return "the pile is empty: play or discard one card"
    left = len(game.pile)
    return f"play one card or draw, {left} {'card' if left == 1 else 'cards'} left in the pile"


def opening(game: LootPosition, handle: Handle) -> str:
    """What a seat opens when the score is counted; a card that is played its owner opens with that
    same turn."""
    hand = next((hand for hand in game.hands if handle in hand), [])
    left = sum(card not in game.open for card in hand)
    return "the last card of its hand" if left == 1 else f"the last {left} cards of its hand"


# ---- why a card cannot be used -------------------------------------------------------------------

_SHIP: Final = re.compile(r"\bship (\d{1,3})")
PLAY = "play"
DISCARD = "discard"


def uses(
    game: LootPosition,
    ask: Ask | None,
    seat: Seat | None,
    card: Card,
    held: Collection[Card] | None,
) -> tuple[Use, ...]:
    """Playing the card, and discarding it where that is an action. `held` are the cards of the
    seat's hand; an onlooker is told of the seat that is asked."""
    if seat is None:
        seat = 0 if ask is None else ask.seat
    face = FACES[card]
    here = () if held is None or card in held else (Unmet("", "it is not in your hand"),)
    when: tuple[Unmet, ...] = ()
    if ask is None or ask.seat != seat:
        whose = (
            "nobody is asked for an answer"
            if ask is None
            else f"it is the turn of the {SEATS[ask.seat]} player"
        )
        when = (Unmet(f"the turn of the {SEATS[seat]} player", whose),)
    play = Use(PLAY, (*here, *when, *_ships_missing(game, seat, face)))
    if face.kind == "merchant":
        return (play,)
    left = len(game.pile)
    to_draw = f"{left} {'card is' if left == 1 else 'cards are'} left to draw"
    pile = (Unmet("an empty pile to be discarded", to_draw),) if left else ()
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
    cards = cards_in(text[: text.casefold().rfind("ship")], NAMES)
    if len(cards) != 1 or (face := FACES[cards[0]]).kind not in OBSTACLES:
        return ""
    obstacle = OBSTACLES[face.kind](game.setup, ask.seat, ship, face.colour, game.gone)
    return f"at ship {number}: {obstacle}" if obstacle else ""


def _ships_missing(game: LootPosition, seat: Seat, face: Face) -> tuple[Unmet, ...]:
    """What is missing while no ship in play takes the card: what keeps it from each, in the order
    they were played."""
    if face.kind == "merchant":
        return ()
    obstacles = [
        (ship.number, OBSTACLES[face.kind](game.setup, seat, ship, face.colour, game.gone))
        for ship in game.ships
    ]
    if any(not what for _, what in obstacles):
        return ()
    facts = ", ".join(f"ship {number}: {what}" for number, what in obstacles)
    return (Unmet(_wanted(face), facts or "no merchant ship is in play"),)


def _wanted(face: Face) -> str:
    match face.kind:
        case "pirate":
            return (
                f"a ship that your side attacks in {COLOURS[face.colour]}, or where that colour is"
                " free"
            )
        case "captain":
            return f"a ship with a {COLOURS[face.colour]} pirate of your side"
    return "a merchant ship of your side"
