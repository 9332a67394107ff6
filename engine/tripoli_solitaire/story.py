"""What happened in a solitaire game, as names and numbers: the kinds of `engine.tripoli.story` and
`engine.automaton`, and two more.

===========  =======================================================================================================
kind         keys
===========  =======================================================================================================
turned over  seat, card: the bot drew it
lined up     seat, card: it joins the event card line
===========  =======================================================================================================

`spent` has the action "nothing" as well: the bot found neither a raid worth it nor a corsair to build.
"""

from __future__ import annotations

from typing import Any, Final

from engine import automaton
from engine.tripoli import story
from engine.tripoli.cards import NAMES
from engine.tripoli.tables import SEATS

_KEYS: Final = {**automaton.KEYS, "turned over": ("seat", "card"), "lined up": ("seat", "card")}


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    if kind not in _KEYS:
        return story.tell(event)
    told = dict(zip(_KEYS[kind], values, strict=True))
    told["seat"] = SEATS[told["seat"]]
    if "card" in told:
        told["card"] = NAMES[told["card"]]
    if "among" in told:
        told["among"] = list(told["among"])
    return {"kind": kind, **told}
