"""What the cards of Loot do, in our words, and what an answer is about."""

from __future__ import annotations

from engine.flow import Answer
from engine.loot.tables import COLOURS, FACES, NAMES, Face
from engine.rules import Rules
from pbem.english import counted
from pbem.games.descriptor import Concerned
from pbem.games.faces import CardFace

_TRUMP = "The last captain or admiral on a ship leads the fight for it, whatever the skulls."
_DISCARD = "Once the pile is empty it may be discarded."


def _text(face: Face) -> str:
    match face.kind:
        case "merchant":
            return (
                f"A merchant ship with {face.value} gold. Play it before you; at the start of your"
                " next turn you take it if nobody has attacked it, or if you lead the fight for"
                " it.\nIt cannot be discarded, and costs you its gold if you still hold it when"
                " the game ends."
            )
        case "pirate":
            skulls = counted(face.value, "skull")
            return (
                f"A pirate ship with {skulls}. Attack any merchant ship in play in"
                f" {COLOURS[face.colour]}, if no other side has that colour there, or strengthen"
                " your own attack.\nThe side with the most skulls at the start of its turn takes"
                f" the ship.\n{_DISCARD}"
            )
        case "captain":
            colour = COLOURS[face.colour]
            return (
                f"Play it on a ship that your side attacks with a {colour} pirate."
                f" {_TRUMP}\n{_DISCARD}"
            )
    return f"Play it on a merchant ship of your side, attacked or not. {_TRUMP}\n{_DISCARD}"


CARD_TEXTS = {name: _text(face) for name, face in zip(NAMES, FACES, strict=True)}
"""What each card does, by its name."""


def _face(face: Face) -> CardFace:
    if face.kind == "merchant":
        gold = f"Gold {face.value}: yours if nobody beats you to it"
        return CardFace("grey", (), str(face.value), scene=_scene("merchant"), gist=gold)
    colour = COLOURS[face.colour] if face.kind != "admiral" else ""
    match face.kind, colour:
        case "pirate", "blue" | "green" | "purple" | "gold":
            gist = f"Attacks with {counted(face.value, 'skull')}"
            return CardFace(colour, (), str(face.value), scene=_scene(colour), gist=gist)
        case "captain", "blue" | "green" | "purple" | "gold":
            captain = (*_scene(f"{colour}-captain"), "skull 60 52 0.7")
            return CardFace(colour, scene=captain, gist=f"Leads your attack in {colour}")
    return CardFace("grey", scene=_scene("admiral"), gist="Leads on your own ship")


def _scene(card: str) -> tuple[str, ...]:
    """The sea, and before it what that card shows on the board (templates/loot/backdrop.svg.j2)."""
    return ("sea", f"loot-{card} 31.6 3.7 1.42")


CARD_FACES = {name: _face(face) for name, face in zip(NAMES, FACES, strict=True)}
"""What each card looks like, by its name."""


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """The card, and the ship it is played at; a card is drawn from the pile."""
    match answer.option:
        case ("draw",):
            return Concerned(("pile",))
        case (_, card):
            return Concerned(cards=(NAMES[card],))
        case (_, card, ship):
            return Concerned((f"ship {ship}",), (NAMES[card],))
    return Concerned()
