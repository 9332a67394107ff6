"""What happened, as names and numbers.

===========  =======================================================================================================
kind         keys
===========  =======================================================================================================
turn         number
step         ruling, text, section: what the player's hands do with its reason; the ruling on docs/paradise.md and the
             section of the printed rules
chit         number, expand, action, left, practice: a chit was drawn
tie          seat, why, die, among, chosen (`engine.automaton`)
corrected    text, before: a fact that was stated anew, and what it was
undone       text, after: a report was taken back; `after`: dice or chits had come under it
confirmed    text: a report that was taken back is given again
kept         why, dice: dice thrown before the undo are used again
over         winner, how
===========  =======================================================================================================
"""

from __future__ import annotations

from typing import Any, Final

from engine import automaton
from engine.paradise.tables import SEATS

_KEYS: Final = {
    "turn": ("number",),
    "step": ("ruling", "text", "section"),
    "corrected": ("text", "before"),
    "chit": ("number", "expand", "action", "left", "practice"),
    "tie": automaton.KEYS["tie"],
    "undone": ("text", "after"),
    "confirmed": ("text",),
    "kept": ("why", "dice"),
    "over": ("winner", "how"),
}


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    told = dict(zip(_KEYS[kind], values, strict=True))
    if kind == "tie":
        told["seat"] = SEATS[told["seat"]]
    for key in ("among", "dice"):
        if key in told:
            told[key] = list(told[key])
    return {"kind": kind, **told}
