"""The position, and what happened, as names and numbers.

=============  =====================================================================================
kind           keys
=============  =====================================================================================
game           number, crawford: a game begins
opening        dice: white's die and black's
throws         seat, dice
plays          seat, dice; play: chosen; hits; hit_on: where, by the points of whom it hits; steps:
               from and to by the seat's own points, the bar 25 and off 0; ways: the same as a
               picture names places; `must play`: the only one; `cannot move`: none, `play` is empty
doubles        seat, value: the cube is offered at this value; `beavers`: doubled back
takes          seat, value; `drops`: seat
resigns        seat, worth: a player offers to lose so much; `plays on`: seat, who does not take it
won            seat, points, worth: what a game was won as
=============  =====================================================================================
"""

from __future__ import annotations

from typing import Any

from engine.backgammon import gnu_ids, notation
from engine.backgammon.plays import MOVE, as_play, pips
from engine.backgammon.position import NOBODY, Position
from engine.backgammon.tables import BAR, OFF, SEATS, WHITE, WORTH, stakes_in_words
from engine.flow import Seat


def view(game: Position, viewer: Seat | None) -> dict[str, Any]:
    """The position. Each player's men are listed by that player's own points, from 1 to 24. `near`
    is the player on whose side of the board the picture is drawn: the viewer, or for everybody else
    the player whose turn it is."""
    near = viewer
    if near is None:
        near = WHITE if game.turn == NOBODY else game.turn
    sides = [
        {
            "seat": name,
            "points": list(game.men[seat][1:BAR]),
            "bar": game.men[seat][BAR],
            "off": game.men[seat][OFF],
            "pips": pips(game.men[seat]),
            "score": game.score[seat],
            "cube": game.owner == seat,
        }
        for seat, name in enumerate(SEATS)
    ]
    return {
        "when": game.when(),
        "stakes": stakes_in_words(game.stakes),
        "match": game.stakes.match,
        "game": game.game,
        "crawford": game.crawford,
        "near": SEATS[near],
        "turn": None if game.turn == NOBODY else SEATS[game.turn],
        "dice": list(game.dice),
        "cube": game.cube,
        "offered": game.doubled,
        "sides": sides,
        "race": game.is_race(),
        "position_id": gnu_ids.position_id(game),
        "match_id": gnu_ids.match_id(game),
    }


def _place(point: int) -> str:
    """A point as a picture of the board names it, with the numbers of the player who moves."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    match kind:
        case "game":
            return {"kind": kind, "number": values[0], "crawford": bool(values[1])}
        case "opening":
            return {"kind": kind, "dice": values}
        case "throws":
            return {"kind": kind, "seat": SEATS[values[0]], "dice": values[1:]}
        case "plays" | "must play" | "cannot move":
            seat, first, second, *numbers = values
            play = as_play((MOVE, *numbers))
            hit_on = [BAR - step.target for step in play if step.hits]
            steps = [[step.source, step.target] for step in play]
            ways = [[_place(source), _place(target)] for source, target in steps]
            line = {
                "kind": kind,
                "seat": SEATS[seat],
                "dice": [first, second],
                "play": notation.write(play),
                "hits": len(hit_on),
                "hit_on": hit_on,
                "steps": steps,
            }
            return {**line, "ways": ways}
        case "doubles" | "beavers" | "takes":
            return {"kind": kind, "seat": SEATS[values[0]], "value": values[1]}
        case "drops" | "plays on":
            return {"kind": kind, "seat": SEATS[values[0]]}
        case "resigns":
            return {"kind": kind, "seat": SEATS[values[0]], "worth": WORTH[values[1]]}
    seat, points, worth = values
    return {"kind": kind, "seat": SEATS[seat], "points": points, "worth": WORTH[worth]}
