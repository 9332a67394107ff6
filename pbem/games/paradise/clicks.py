"""What a report is about, for whoever clicks: groups, hexes of the map, distances."""

from __future__ import annotations

from typing import Final

from engine.flow import Answer
from engine.paradise.game import ParadiseRules
from engine.rules import Rules
from pbem.games.descriptor import Concerned

_OF_A_PLACE: Final = frozenset(
    {
        *("needs", "apart", "reach", "far", "retreat", "start at", "you occupy"),
        *("battle", "malaria", "take", "cut off", "canoe gone"),
        *("discover at", "ocean at"),
    }
)
_CORRECTIONS: Final = frozenset({"correct", "correct distance", "correct pieces"})


def distance(tonga: int, samoa: int) -> str:
    """The name of the part of the chart that is so far from both."""
    return f"{tonga} from Tonga, {samoa} from Samoa"


def concerns(answer: Answer, rules: Rules) -> Concerned:
    """The place that a report is about, by the name that the view gives it; a discovery without a
    map is about a distance. What is reported of any group begins with a word, so that not all of
    them are offered at once."""
    assert isinstance(rules, ParadiseRules)
    name = rules.data.name
    match answer.option:
        case ("undo",):
            return Concerned(amends="last")
        case ("correct points",):
            return Concerned(("correct",), amends="earlier")
        case (verb, place) if verb in _CORRECTIONS:
            return Concerned(("correct", name(place)), amends="earlier")
        case (verb, tonga, samoa, *_) if verb.split()[0] in ("discover", "found"):
            return Concerned((verb.split()[0], distance(tonga, samoa)))
        case ("call", place, _):
            return Concerned(("call", name(place)))
        case ("away", tonga, samoa):
            return Concerned((distance(tonga, samoa),))
        case (verb, place, *_) if verb in _OF_A_PLACE:
            return Concerned((name(place),))
    return Concerned()
