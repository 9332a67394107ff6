"""What the cards of Loot do, in our words, and what an answer is about."""

from __future__ import annotations

from engine.flow import Answer
from engine.loot.tables import COLOURS, FACES, NAMES, Face
from pbem.english import counted
from pbem.games.descriptor import Concerned


def _text(face: Face) -> str:
    match face.kind:
        case "merchant":
            return f"A merchant ship with {face.value} gold: send it out, and take it back if nobody attacks it."
        case "pirate":
            skulls = counted(face.value, "skull")
            return f"A pirate ship with {skulls}: attack a ship in {COLOURS[face.colour]}, or add to your own attack."
        case "captain":
            colour = COLOURS[face.colour]
            return f"Lay it on your own attack in {colour}: the last captain or admiral on a ship wins it."
    return "Lay it on your own merchant ship: the last captain or admiral on a ship wins it."


CARD_TEXTS = {name: _text(face) for name, face in zip(NAMES, FACES, strict=True)}
"""What each card does, by its name."""


def concerns(answer: Answer) -> Concerned:
    """The card, and the ship it is played at."""
    match answer.option:
        case (_, card):
            return Concerned(cards=(NAMES[card],))
        case (_, card, ship):
            return Concerned((f"ship {ship}",), (NAMES[card],))
    return Concerned()
