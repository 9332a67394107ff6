"""Why a move of frigates cannot be made, as the position says it."""

from __future__ import annotations

from engine.flow import Ask, Refusal
from engine.tripoli import places
from engine.tripoli.position import Position
from engine.words import pick_sentence, tokens


def why_refused(game: Position, ask: Ask, text: str) -> str:
    """The fact that stands against "3 gibraltar > malta"; nothing where the words are no such move, or no fact that
    these words name does."""
    wanted = tokens(text)
    if ask.rule != "move" or ">" not in wanted[2:] or not wanted[0].isdecimal():
        return ""
    try:
        place = places.WORDS.index(pick_sentence(" ".join(wanted[1 : wanted.index(">")]), places.WORDS))
    except Refusal:
        return ""
    count, there = int(wanted[0][:3]), game.frigates[place]
    if not there:
        return f"no American frigate is in {places.NAMES[place]}"
    if count > there:
        return f"there {'is' if there == 1 else 'are'} only {there} in {places.NAMES[place]}"
    return ""
