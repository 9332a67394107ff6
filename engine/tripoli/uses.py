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
    """Why frigates or gunboats cannot go as a text like "3 gibraltar > malta", "4 from malta" or
    "2 gunboats to derne" says; empty if it is no such text, or nothing in it is against it."""
    wanted = tokens(text)
    if len(wanted) < 3 or not wanted[0].isdecimal():
        return ""
    count = int(wanted[0][:3])
    if ask.rule == "gunboats":
        return _too_many(count, game.gunboats[places.MALTA], places.MALTA, "gunboat")
    if ask.rule == "join":
        sources = _places(wanted[2:] if wanted[1] == "from" else wanted[1:])
        return _not_there(game, count, sources) if sources else ""
    if ">" not in wanted[2:] and ask.rule != "move":
        return ""
    if "gunboats".startswith(wanted[1]):
        return ""
    if ask.rule != "move":
        how = ": first play an event that moves them, or spend a card, as in move with CARD"
        return (
            f"no frigates are moved now{how if ask.rule == 'play' and ask.seat == AMERICAN else ''}"
        )
    for at in (wanted.index(">", 2),) if ">" in wanted[2:] else range(2, len(wanted)):
        sources, rest = _places(wanted[1:at]), wanted[at + 1 if wanted[at] == ">" else at :]
        if sources and (">" in wanted or _places(rest)):
            return _against(game, count, sources, rest)
    return ""


def _against(game: Position, count: int, sources: list[Place], rest: tuple[str, ...]) -> str:
    """Why so many frigates cannot sail from one of these places to where the words say; empty if
    they can."""
    if reason := _not_there(game, count, sources):
        return reason
    if count > game.left:
        return f"only {game.left} {'move is' if game.left == 1 else 'moves are'} left"
    targets = _places(rest)
    if not targets and rest[-1:] == ("zone",) and len(harbors := _places(rest[:-1])) == 1:
        return f"{places.NAMES[harbors[0]]} has no patrol zone"
    if len(targets) != 1:
        return ""
    (target,) = targets
    if [target] == sources:
        return f"they are in {places.NAMES[target]} already"
    if target in places.CITIES and not game.has_defenders(target):
        return f"nothing Tripolitan is in {places.NAMES[target]}, so no frigate goes there"
    return ""


def _not_there(game: Position, count: int, sources: list[Place]) -> str:
    """A sentence that so many frigates are in none of these places; empty if they are in one of
    them."""
    manned = [place for place in sources if game.frigates[place]]
    if not manned:
        return f"no American frigate is in {places.NAMES[sources[0]]}"
    most = max(manned, key=lambda place: game.frigates[place])
    return _too_many(count, game.frigates[most], most)


def _too_many(count: int, there: int, place: Place, piece: str = "") -> str:
    """A sentence that `count` pieces cannot go, because fewer are in the place or because it is 0;
    empty if they can."""
    if not count:
        return f"at least one {piece or 'frigate'} goes"
    only = f"{there} {piece}{'s' if there != 1 else ''}" if piece else f"{there}"
    if count > there:
        return f"there {'is' if there == 1 else 'are'} only {only} in {places.NAMES[place]}"
    return ""


def _places(words: tuple[str, ...]) -> list[Place]:
    """The places that these words may mean, which may be cut short: the one that they spell whole,
    or all that they fit. "zone" is never left out."""
    try:
        return [places.WORDS.index(pick_sentence(" ".join(words), places.WORDS))]
    except Refusal:
        possible = []
        for place, word in enumerate(places.WORDS):
            spelled = tokens(word)
            if len(words) <= len(spelled) and all(
                spelled[at].startswith(token) for at, token in enumerate(words)
            ):
                possible.append(place)
        return possible if words else []
