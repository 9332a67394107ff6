"""What a card can be used for now, and what is missing for it: for those who ask, and after each refusal of a card."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.flow import Ask, Card, Seat
from engine.requirements import Requirement, Unmet, Use, unmet
from engine.tripoli.cards import BATTLE, CORE, KIND, NEEDED, TABLE
from engine.tripoli.moments import MOMENTS
from engine.tripoli.notation import prompt
from engine.tripoli.position import Position
from engine.tripoli.sequence import ACTION_NEEDS

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
    """A use that the owner is asked about by the questions of these rules, `when` in words. What a window asks of the
    place where it opens is told only while it is open."""
    if ask is not None and ask.seat == owner and ask.rule in rules:
        return Use(verb, unmet(needs, game))
    fact = "no side is asked for an answer now" if ask is None else f"{SIDES[ask.seat]} is asked to {prompt(game, ask)}"
    return Use(verb, (Unmet(when, fact), *(() if verb == "play" else unmet(needs, game))))


def _away(
    game: Position, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
) -> tuple[Unmet, ...]:
    """What keeps the reader from any use: the card is not theirs, not in the game any more, or elsewhere."""
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
