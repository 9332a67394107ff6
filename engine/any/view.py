"""The position, and what happened, as names and numbers.

===============  ===================================================================================
kind             keys
===============  ===================================================================================
turn             turn, seat: whose turn it is now
rolled           seat; name: what for, or nothing; written: the dice; sides; dice: what they show;
                 faces: their names, or nothing; says: what they come to
counts           counter: with whose it is; before, value
shuffles         seat, count, deck, source: the discard went back into the deck, or what lay on it
looks            seat, count, deck: at the top cards of their own deck
puts             seat, where, deck: a card of the hand on the deck, or under it
moves top        seat, place, where, deck: a card that lay on the deck
turns up         seat, cards, deck: from a deck that is face up to the table
play             seat, cards: from the hand to the table; so `discard`, `remove`, `show`
discards unseen  seat, deck
reveals          seat, cards: the whole hand
moves            seat, card, verb, area: where it lay
asks             seat, asked, text; `answers`: seat, text; `declines`: seat
says end         seat, how; `agrees`, `disagrees`: seat
left             seat
===============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.any import acts, dice
from engine.any.cards import LaidDeck
from engine.any.position import Position, Throw
from engine.flow import Card, Handle, Seat

_KEYS = {
    "turn": ("turn", "seat"),
    "rolled": ("seat", "name", "written", "sides", "dice", "faces", "says"),
    "counts": ("counter", "before", "value"),
    "asks": ("seat", "asked", "text"),
    "answers": ("seat", "text"),
    "declines": ("seat",),
    "says end": ("seat", "how"),
    "agrees": ("seat",),
    "disagrees": ("seat",),
    "left": ("seat",),
    "shuffles": ("seat", "count", "deck", "source"),
    "looks": ("seat", "count", "deck"),
    "puts": ("seat", "where", "deck"),
    "moves top": ("seat", "place", "where", "deck"),
    "turns up": ("seat", "cards", "deck"),
    **dict.fromkeys(("play", "discard", "remove", "show", "reveals"), ("seat", "cards")),
    "discards unseen": ("seat", "deck"),
    "moves": ("seat", "card", "verb", "area"),
}


def view(game: Position, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """The position for somebody; `faces` are the cards they know."""
    setup = game.setup
    return {
        "title": setup.title,
        "when": game.when(),
        "turn": None if game.outcome else setup.seats[game.turn],
        "viewer": None if viewer is None else setup.seats[viewer],
        "seats": list(setup.seats),
        "left": [setup.seats[seat] for seat in game.left],
        "counters": [
            {
                "name": setup.counters[number].name,
                "seat": None if owner < 0 else setup.seats[owner],
                "value": value,
                "least": setup.counters[number].least,
                "most": setup.counters[number].most,
            }
            for (number, owner), value in game.values.items()
        ],
        "decks": [_deck(game, deck, faces) for deck in game.cards.decks],
        "thrown": None if game.throw is None else thrown(setup.seats[game.throw.seat], game.throw),
        "question": None
        if game.question is None
        else {
            "seat": setup.seats[game.question.asker],
            "asked": setup.seats[game.question.asked],
            "text": game.question.text,
        },
        "claim": None
        if game.claim is None
        else {
            "seat": setup.seats[game.claim.by],
            "how": acts.claim_words(setup, game.claim.winners, game.claim.points),
            "waits": [setup.seats[seat] for seat in game.claim.waits],
        },
    }


def _deck(game: Position, deck: LaidDeck, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """A deck: how many cards can be drawn, and how many of them lie under it; by name those on it
    and in each hand that the viewer knows, and those in each area that everybody has seen; None for
    any other. What lies face down in an area is listed for nobody, its owner neither: a picture of
    it would tell the others."""
    kind, names = game.setup.decks[deck.deck], game.setup.card_names
    known, face = {**faces, **game.cards.opened}, game.cards.face
    return {
        "name": kind.name,
        "seat": None if kind.is_shared else game.setup.seats[deck.owner],
        "pile": deck.left,
        "top": [names[known[one]] if one in known else None for one in deck.top],
        "under": len(deck.under),
        "limit": kind.limit,
        "hands": {
            game.setup.seats[seat]: [names[known[one]] if one in known else None for one in hand]
            for seat, hand in deck.hands.items()
        },
        **{
            area: [None if (card := face(one)) is None else names[card] for one in handles]
            for area, handles in deck.areas.items()
        },
    }


def thrown(seat: str, throw: Throw) -> dict[str, Any]:
    """Dice on the table."""
    return dict(zip(_KEYS["rolled"], event_of(seat, throw)[1:], strict=True))


def event_of(seat: str, throw: Throw) -> tuple[Any, ...]:
    """The line of the story that tells a throw."""
    faces = (
        [throw.dice.die.faces[face - 1] for face in throw.thrown] if throw.dice.die.faces else []
    )
    return (
        "rolled",
        seat,
        throw.name,
        dice.words(throw.dice),
        throw.dice.die.sides,
        list(throw.thrown),
        faces,
        dice.said(throw.dice, throw.thrown),
    )


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    return {"kind": kind, **dict(zip(_KEYS[kind], values, strict=True))}
