"""The dice of Conquest of Paradise: what was thrown for the group that was discovered last, or for
ties of the chit that was drawn last, read out of the story."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from engine.automaton import TIE
from pbem.games.stage import StageThrow, StageThrown, View, sorted_throw

_EVEN: Final = (2, 4, 6)
_OCCUPIED: Final = re.compile(
    r"(?P<name>.+?) \(.* is Samoa's on (?P<faces>1 to (?P<most>\d)|(?P<word>.+))"
)
"""What a die for a group says: the group, and the faces that make it Samoa's."""
_FACES: Final = {"1": 1, "any face": 6}
_BY: Final = {"villages": "Green boxes", "warriors": "Villages"}
"""What throws dice of which each even one brings a piece."""
_PLACED: Final = re.compile(r"place (.+?) on ")


def thrown(view: View, places: Collection[str]) -> StageThrown | None:
    """The dice of what happened last, at one of these places if they were for one; None where
    nothing was thrown in it."""
    story: Sequence[View] = view.get("told", ())
    begins = [at for at, line in enumerate(story) if _is_begin(line)]
    event = story[begins[-1] :] if begins else ()
    throws = list(_throws(event))
    if not throws:
        return None
    lead, says = event[0], ", ".join(one.says for one in throws)
    if lead["kind"] == "thrown" and (found := _OCCUPIED.match(lead["why"])):
        name, is_one = found["name"], len(throws) == 1
        title = f"{name[:1].upper()}{name[1:]}{':' if is_one else ''}"
        place = name if name in places else ""
        return StageThrown(title, throws, says="" if is_one else says, place=place)
    title = f"Chit {lead['number']}: {lead['expand']}" if lead["kind"] == "chit" else "Off Course"
    return StageThrown(title if lead["kind"] != "turn" else "Ties", throws, says=says)


def _is_begin(line: View) -> bool:
    """Whether something new begins: a turn, a chit, a group, or an Off Course marker."""
    if line["kind"] != "thrown":
        return line["kind"] in ("turn", "chit")
    return line["reason"] == "occupation" or str(line["why"]).startswith("Off Course")


def _throws(event: Sequence[View]) -> Iterator[StageThrow]:
    """Each throw of an event; what it came to stands in the line after it."""
    for line, after in zip_longest(event, event[1:]):
        if line["kind"] != "thrown":
            continue
        if line["reason"] == TIE:
            chosen = after["chosen"] if after and after["kind"] == "tie" else ""
            dice: Sequence[int] = line["dice"]
            words, hits, says = "Tie", len(dice) if chosen else 0, chosen or "thrown again"
        elif line["reason"] == "occupation":
            dice, hits = sorted_throw(line["dice"], range(1, 1 + _most(line)))
            found = _OCCUPIED.match(line["why"])
            words = f"on {found['faces']}:" if found else "Whose it is"
            says = "Samoa's" if hits else "free"
        else:
            words = _BY[line["reason"]]
            dice, hits = sorted_throw(line["dice"], _EVEN)
            placed = _PLACED.match(after["text"]) if after and after["kind"] == "step" else None
            says = placed[1] if placed else ""
        yield StageThrow(words, dice, hits, says, "red")


def _most(line: View) -> int:
    """The highest face that makes the group Samoa's."""
    found = _OCCUPIED.match(line["why"])
    if found is None:
        return 0
    return int(found["most"]) if found["most"] else _FACES.get(found["word"], 0)
