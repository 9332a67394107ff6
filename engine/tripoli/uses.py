"""What a card can be used for now and what is missing for it, and why a move of frigates cannot be
made: for those who ask, and after each refusal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.flow import Ask, Card, Refusal, Seat
from engine.requirements import Requirement, Unmet, Use, unmet
from engine.tripoli import places
from engine.tripoli.battle_cards import MOMENTS
from engine.tripoli.cards import BATTLE, CORE, KIND, NEEDED, TABLE
from engine.tripoli.notation import prompt
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.sequence import ACTION_NEEDS
from engine.tripoli.tables import AMERICAN
from engine.words import pick_sentence, tokens

SIDES: Final = ("America", "Tripolitania")
_PLAY: Final = ("play",)
_PLAY_OR_INTEL: Final = ("play", "intel")


def uses(
    game: Position, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
) -> tuple[Use, ...]:
    """The uses of a card by the side whose deck it is in, by the verbs that are entered."""
    owner, kind = TABLE[card].owner, KIND[card]
    season = f"{SIDES[owner]}'s play of the season"
    if kind == BATTLE:
        moment = MOMENTS[card]
        found = [_use("play", game, ask, owner, (moment.rule,), moment.words, moment.needs)]
    else:
        rules = _PLAY if kind == CORE else _PLAY_OR_INTEL
        found = [_use("event", game, ask, owner, rules, season, NEEDED[card])]
    if kind != CORE:
        actions = ACTION_NEEDS[owner].items()
        found += [_use(verb, game, ask, owner, _PLAY, season, needs) for verb, needs in actions]
    away = _away(game, ask, seat, card, held)
    return tuple(Use(use.what, (*away, *use.unmet)) for use in found)


def _use(
    verb: str,
    game: Position,
    ask: Ask | None,
    owner: Seat,
    rules: tuple[str, ...],
    when: str,
    needs: tuple[Requirement, ...],
) -> Use:
    """One use of a card, about which its owner is asked by the questions in `rules`; `when` is that
    moment in words. What a battle card needs at its place is said only while the window is open."""
    if ask is not None and ask.seat == owner and ask.rule in rules:
        return Use(verb, unmet(needs, game))
    fact = (
        "no side is asked for an answer now"
        if ask is None
        else f"{SIDES[ask.seat]} is asked to {prompt(game, ask)}"
    )
    return Use(verb, (Unmet(when, fact), *(() if verb == "play" else unmet(needs, game))))


def _away(
    game: Position, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
) -> tuple[Unmet, ...]:
    """Why the reader has no use at all for the card: it is not of their side, has left the game, or
    is not in their hand."""
    owner = TABLE[card].owner
    if card in game.removed[owner]:
        return (Unmet("", "it has left the game"),)
    if seat is not None and seat != owner:
        return (Unmet("", f"it is one of {SIDES[owner]}'s cards"),)
    if held is None or KIND[card] == CORE:
        return ()
    if ask is not None and ask.seat == owner and ask.rule == "intel":
        lies_there = ("take", card) in ask.options or (bool(ask.hand) and card in held)
        return () if lies_there else (Unmet("", "it is not among the American discards"),)
    return () if card in held else (Unmet("", "it is not in your hand"),)


# ---- moves of frigates ---------------------------------------------------------------------------


def why_refused(game: Position, ask: Ask, text: str) -> str:
    """Why frigates cannot sail as a text like "3 gibraltar > malta" says; empty if the text is no
    such move, or if nothing in these words is against it."""
    wanted = tokens(text)
    if ">" not in wanted[2:] or not wanted[0].isdecimal() or "gunboats".startswith(wanted[1]):
        return ""
    if ask.rule != "move":
        how = ": first play an event that moves them, or spend a card, as in move with CARD"
        return (
            f"no frigates are moved now{how if ask.rule == 'play' and ask.seat == AMERICAN else ''}"
        )
    arrow = wanted.index(">")
    source, target = _place(wanted[1:arrow]), _place(wanted[arrow + 1 :])
    return "" if source is None else _against(game, int(wanted[0][:3]), source, target)


def _against(game: Position, count: int, source: Place, target: Place | None) -> str:
    """What keeps so many frigates from sailing there; empty if nothing does."""
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
    """The place that these words mean; None if they mean none or several."""
    try:
        return places.WORDS.index(pick_sentence(" ".join(words), places.WORDS))
    except Refusal:
        return None
