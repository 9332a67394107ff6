"""Which places and cards an answer in The Shores of Tripoli is about: found by their names in the
sentence of the answer."""

from __future__ import annotations

from collections.abc import Iterable

from engine.flow import Answer
from engine.rules import Rules
from engine.tripoli import places
from engine.tripoli.cards import CORE, NAMES, TABLE, UNIQUE
from engine.tripoli.notation import words
from pbem.games.descriptor import Concerned


def names_in(sentence: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these names that the sentence has as whole words, in its order. Of two that begin at
    one place the longer one counts, and none inside another."""
    text, found, start = f" {sentence.casefold()} ", [], 0
    spellings = sorted(
        {name.casefold(): name for name in names}.items(), key=lambda pair: -len(pair[0])
    )
    while start < len(text):
        for spelling, name in spellings:
            if text.startswith(f" {spelling} ", start):
                found.append(name)
                start += len(spelling)
                break
        start += 1
    return tuple(dict.fromkeys(found))


_PLACES = {word.casefold(): places.NAMES[place] for place, word in enumerate(places.WORDS)}
_ABOUT_A_CARD = {"event", "play", "take"}
_COUNTED = {"sail", "from", "gunboats"}


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """Places by the names that the view gives them: `2 gibraltar > tripoli zone` is about Gibraltar
    and the Tripoli Patrol Zone. A card that is spent is no name but the answer's handle."""
    if answer.option[0] in _ABOUT_A_CARD:
        return Concerned(cards=tuple(NAMES[card] for card in answer.option[1:]))
    found = names_in(words(answer.option), _PLACES)
    count = int(answer.option[1]) if answer.option[0] in _COUNTED else 0
    return Concerned(places=tuple(_PLACES[place.casefold()] for place in found), pieces=count)


def used_once(answer: Answer) -> bool:
    """Whether a card is played as an event that leaves the game by it."""
    verb, *about = answer.option
    return verb == "event" and TABLE[about[0]].kind in (CORE, UNIQUE)
