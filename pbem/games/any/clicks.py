"""What an act is about, for a reader who clicks."""

from __future__ import annotations

from engine.flow import Answer
from engine.rules import Rules
from pbem.games.descriptor import Concerned

_TITLES = {
    "turn": "whose turn",
    "ask": "ask",
    "answer": "answer",
    "decline": "answer",
    "end": "how it ended",
    "agree": "how it ended",
    "disagree": "how it ended",
}


def concerns(answer: Answer, rules: Rules) -> Concerned:
    """Dice by what they are thrown for, a counter by its name, everything else by what it does."""
    option = answer.option
    match option:
        case ("roll", _, name, _):
            return Concerned((name or "dice",))
        case ("count" | "set", *_):
            return Concerned((rules.words(option).rpartition(" ")[0].removesuffix(" ="),))
    return Concerned((_TITLES[option[0]],), ends=option[0] == "end")
