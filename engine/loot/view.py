"""The position and the story for a reader, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import number_of
from engine.flow import Card, Handle, Seat
from engine.loot.battle import Ship, colour_of, is_abandoned, leader, strengths
from engine.loot.position import LootPosition, side_name
from engine.loot.tables import COLOURS, NAMES, SEATS


def view(game: LootPosition, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """The position for somebody who knows `faces` and looks at the hands of their own side."""
    setup = game.setup
    sees = () if viewer is None else setup.members(setup.side(viewer))

    def hand(seat: Seat) -> dict[str, Any]:
        known = faces if seat in sees or seat in game.left else game.open
        cards: list[tuple[str | None, Handle]] = []
        cards += sorted(
            [(NAMES[known[handle]], handle) for handle in game.hands[seat] if handle in known]
        )
        read = len(cards)
        cards += [(None, handle) for handle in sorted(game.hands[seat]) if handle not in known]
        return {
            "seat": SEATS[seat],
            "count": len(cards),
            "cards": [{"handle": f"c{number_of(handle)}", "card": name} for name, handle in cards],
            "unread": len(cards) - read,
            "shown": seat in sees or seat in game.left or ended,
            "left": seat in game.left,
        }

    ended = game.active is None and game.turn > 0  # the final score opens every hand
    return {
        "game": "loot",
        "when": game.when(),
        "turn": game.turn,
        "active": None if game.active is None else SEATS[game.active],
        "viewer": None if viewer is None else SEATS[viewer],
        "seats": list(SEATS[: setup.players]),
        "partners": setup.partners,
        "pile": len(game.pile),
        "ships": [_ship(game, ship) for ship in game.ships],
        "captured": [_captured(game, side) for side in range(setup.sides)],
        "hands": [hand(seat) for seat in range(setup.players)],
        "discard": [NAMES[game.open[handle]] for handle in game.discard],
        "points": list(game.points) or None,
        "scores": [_score(game, side) for side in range(setup.sides)] if game.points else [],
    }


def _ship(game: LootPosition, ship: Ship) -> dict[str, Any]:
    """One ship: who fights for it, and who takes it at their next check if nothing is added."""
    setup = game.setup
    leads = leader(ship, setup, game.gone)
    return {
        "number": ship.number,
        "owner": SEATS[ship.owner],
        "gold": ship.gold,
        "attackers": [
            _attacker(game, ship, side, skulls) for side, skulls in strengths(ship, setup).items()
        ],
        "trumps": [
            {
                "seat": SEATS[trump.seat],
                "card": NAMES[game.open[trump.handle]],
                "counts": setup.side(trump.seat) not in game.gone,
            }
            for trump in ship.trumps
        ],
        "leader": None if leads is None else side_name(setup, leads),
        "taken_by": None if leads is None else SEATS[setup.members(leads)[0]],
        "abandoned": is_abandoned(ship, setup, game.gone),
        "discarded_by": SEATS[setup.members(setup.side(ship.owner))[0]],
    }


def _attacker(game: LootPosition, ship: Ship, side: int, skulls: int) -> dict[str, Any]:
    setup = game.setup
    colour = colour_of(ship, side, setup)
    assert colour is not None
    pirates = [pirate for pirate in ship.pirates if setup.side(pirate.seat) == side]
    return {
        "side": side_name(setup, side),
        "colour": COLOURS[colour],
        "strength": skulls,
        "pirates": [
            {"seat": SEATS[pirate.seat], "card": NAMES[game.open[pirate.handle]]}
            for pirate in pirates
        ],
        "counts": side not in game.gone,
    }


def _captured(game: LootPosition, side: int) -> dict[str, Any]:
    """The ships a side has captured, which everybody sees [24]; no number, as the position names
    none any more."""
    ships = game.captured[side]
    return {
        "side": side_name(game.setup, side),
        "ships": [{"gold": ship.gold} for ship in ships],
        "gold": sum(ship.gold for ship in ships),
    }


def _score(game: LootPosition, side: int) -> dict[str, Any]:
    """How a side's result came about: what it captured, less the gold still in its hands."""
    taken, points = _captured(game, side), game.points[game.setup.members(side)[0]]
    return {
        "side": taken["side"],
        "captured": taken["gold"],
        "in_hand": taken["gold"] - points,
        "points": points,
    }


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story. A side stands in it as its first and its last seat."""
    kind, *rest = event
    line: dict[str, Any] = {"kind": kind}
    match kind, rest:
        case "dealt" | "drawn", (seat, handle):
            line |= {"seat": SEATS[seat], "card": f"c{number_of(handle)}"}
        case "deal", (count,):
            line |= {"count": count}
        case "turn", (turn, seat):
            line |= {"turn": turn, "seat": SEATS[seat]}
        case "sits out" | "left", (seat,):
            line |= {"seat": SEATS[seat]}
        case "merchant", (seat, card, ship):
            line |= {"seat": SEATS[seat], "card": NAMES[card], "ship": ship}
        case "discard" | "shown", (seat, card):
            line |= {"seat": SEATS[seat], "card": NAMES[card]}
        case "attack" | "captain" | "admiral", (seat, card, ship, first, last):
            line |= {
                "seat": SEATS[seat],
                "card": NAMES[card],
                "ship": ship,
                "leader": _side(first, last),
            }
        case "capture", (first, last, ship, gold):
            line |= {"side": _side(first, last), "ship": ship, "gold": gold}
        case "lost" | "abandoned", (ship, gold):
            line |= {"ship": ship, "gold": gold}
        case "score", (first, last, captured, left):
            line |= {
                "side": _side(first, last),
                "captured": captured,
                "in_hand": left,
                "points": captured - left,
            }
        case "over", (turn,):
            line |= {"turn": turn}
        case _:
            raise ValueError(f"no event of Loot: {event}")
    return line


def _side(first: Seat, last: Seat) -> str | None:
    if first < 0:
        return None
    return SEATS[first] if first == last else f"{SEATS[first]} and {SEATS[last]}"
