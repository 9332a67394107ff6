"""What an act is about, for a reader who clicks."""

from __future__ import annotations

import re

from engine.flow import Answer
from engine.rules import Rules
from pbem.games.descriptor import Concerned

_COUNTED = re.compile(r"([a-z'0-9 -]+) ([+-][0-9]+)\Z")
TITLES = {
    "turn": "whose turn",
    "ask": "ask",
    "answer": "answer",
    "decline": "answer",
    "end": "how it ended",
    "agree": "how it ended",
    "disagree": "how it ended",
}
"""What each act is about that is neither dice nor a counter."""


def joined(last: str, new: str) -> str | None:
    """A counter that is counted twice in a row is counted once, by both numbers."""
    counted, again = _COUNTED.match(last), _COUNTED.match(new)
    if counted is None or again is None or counted[1] != again[1]:
        return None
    by = int(counted[2]) + int(again[2])
    return f"{counted[1]} {by:+d}" if by else ""


def concerns(answer: Answer, rules: Rules) -> Concerned:
    """Dice by what they are thrown for, a counter and a card by its name, everything else by what
    it does."""
    option = answer.option
    match option:
        case ("roll", _, name, _):
            return Concerned((name or "dice",))
        case ("count" | "set", *_):
            return Concerned((rules.words(option).rpartition(" ")[0].removesuffix(" ="),))
        case ("draw" | "shuffle" | "reveal" | "look" | "top", *_):
            return Concerned(("cards",))
        case ("face down",) | ("put", _):
            return Concerned()
        case ("move", _, card, _) | (("play" | "discard" | "remove" | "show"), card):
            return Concerned(cards=(rules.cards[card],))
    return Concerned((TITLES[option[0]],), ends=option[0] == "end")
