"""Why a move of frigates cannot be made, as the position says it."""

from __future__ import annotations

from engine.flow import Ask, Refusal
from engine.tripoli import places
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN
from engine.words import pick_sentence, tokens


def why_refused(game: Position, ask: Ask, text: str) -> str:
    """The fact that stands against "3 gibraltar > malta"; nothing where the words are no such move, or no fact that
    these words name does."""
    wanted = tokens(text)
    if ">" not in wanted[2:] or not wanted[0].isdecimal() or "gunboats".startswith(wanted[1]):
        return ""
    if ask.rule != "move":
        how = ": first play an event that moves them, or spend a card, as in move with CARD"
        return f"no frigates are moved now{how if ask.rule == 'play' and ask.seat == AMERICAN else ''}"
    arrow = wanted.index(">")
    source, target = _place(wanted[1:arrow]), _place(wanted[arrow + 1 :])
    return "" if source is None else _against(game, int(wanted[0][:3]), source, target)


def _against(game: Position, count: int, source: Place, target: Place | None) -> str:
    """What keeps so many frigates from sailing."""
    there = game.frigates[source]
    if not there:
        return f"no American frigate is in {places.NAMES[source]}"
    if count > there:
        return f"there {'is' if there == 1 else 'are'} only {there} in {places.NAMES[source]}"
    if count > game.left:
        return f"only {game.left} {'move is' if game.left == 1 else 'moves are'} left"
    if source == target:
        return f"they are in {places.NAMES[source]} already"
    if target in places.CITIES and not game.has_defenders(target):
        return f"nothing Tripolitan is in {places.NAMES[target]}, so no frigate goes there"
    return ""


def _place(words: tuple[str, ...]) -> Place | None:
    """The place that these words mean; None where they mean none, or several."""
    try:
        return places.WORDS.index(pick_sentence(" ".join(words), places.WORDS))
    except Refusal:
        return None
