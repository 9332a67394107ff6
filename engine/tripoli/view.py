"""The position as plain data, for somebody who knows some of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.flow import Card, Handle, Seat
from engine.tripoli import pieces, places
from engine.tripoli.cards import BACKS, NAMES
from engine.tripoli.position import Position, season_name
from engine.tripoli.tables import ACTIVE, SEASONS, SEATS


def view(game: Position, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """Tracks, board, and the cards of each seat by its name; `faces` are the cards the viewer knows."""
    seen = {**game.opened, **faces}
    return {
        "year": game.year,
        "season": SEASONS[game.season],
        "active": ACTIVE[game.active],
        "gold": game.gold,
        "us_frigates_sunk": game.frigates[places.SUNK],
        "damaged": dict(zip(SEATS, game.damaged, strict=True)),
        "board": board(game),
        **{name: cards_of(game, seat, seen) for seat, name in enumerate(SEATS)},
    }


def board(game: Position) -> dict[str, dict[str, int]]:
    """Pieces by place, without the Supplies."""
    held = list(zip(*game.pieces, strict=True))
    return {
        places.NAMES[place]: {key: count for key, count in zip(pieces.KEYS, held[place], strict=True) if count}
        for place in places.ON_BOARD
        if any(held[place])
    }


def cards_of(game: Position, seat: Seat, seen: Mapping[Handle, Card]) -> dict[str, Any]:
    """Core cards, hand, pile, discard and removed cards of one seat. Cards set aside for the hand limit still count
    as the hand's until both sides have chosen.

    Nobody may look through a face-down discard, not even their own: there every viewer is told the cards that everybody
    saw when they were played, and how many there are (ruling 18)."""
    hand = sorted((*game.hands[seat], *game.aside[seat]))
    in_discard = game.opened if game.hidden_discard else seen
    return {
        "core": _names(game.core[seat]),
        "hand": _names(seen[handle] for handle in hand if handle in seen),
        "hand_count": len(hand),
        "hand_backs": [_back(game, handle) for handle in hand],
        "draw": len(game.piles[seat]),
        "discard": _names(in_discard[handle] for handle in game.discards[seat] if handle in in_discard),
        "discard_count": len(game.discards[seat]),
        "removed": _names(game.removed[seat]),
    }


def _back(game: Position, handle: Handle) -> dict[str, str | None]:
    """What everybody can tell of a card in a hand."""
    card = game.opened.get(handle)
    return {
        "back": BACKS[handle],
        "drawn": season_name(game.drawn[handle]),
        "name": None if card is None else NAMES[card],
    }


def _names(cards: Iterable[Card]) -> list[str]:
    return sorted(NAMES[card] for card in cards)
