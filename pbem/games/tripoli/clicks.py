"""Which places and cards an answer in The Shores of Tripoli is about: found by their names in the
sentence of the answer."""

from __future__ import annotations

import re

from engine.flow import Answer
from engine.rules import Rules
from engine.tripoli import places
from engine.tripoli.cards import CORE, NAMES, TABLE, UNIQUE
from engine.tripoli.notation import words
from pbem.games.descriptor import Concerned

_PLACES = {word.casefold(): places.NAMES[place] for place, word in enumerate(places.WORDS)}
_NAMED = re.compile(
    f"(?<= )(?:{'|'.join(sorted(map(re.escape, _PLACES), key=len, reverse=True))})(?= )"
)
"""Whole names in a sentence; of two that begin at one place the longer one counts."""
_ABOUT_A_CARD = {"event", "play", "take"}
_COUNTED = {"sail", "from", "gunboats"}


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """Places by the names that the view gives them: `2 gibraltar > tripoli zone` is about Gibraltar
    and the Tripoli Patrol Zone. A card that is spent is no name but the answer's handle."""
    if answer.option[0] in _ABOUT_A_CARD:
        return Concerned(cards=tuple(NAMES[card] for card in answer.option[1:]))
    found = dict.fromkeys(_NAMED.findall(f" {words(answer.option).casefold()} "))
    count = int(answer.option[1]) if answer.option[0] in _COUNTED else 0
    return Concerned(places=tuple(_PLACES[place] for place in found), pieces=count)


def used_once(answer: Answer) -> bool:
    """Whether a card is played as an event that leaves the game by it."""
    verb, *about = answer.option
    return verb == "event" and TABLE[about[0]].kind in (CORE, UNIQUE)
