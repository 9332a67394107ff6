"""Cards and their backs: decks, handles and how handles are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.flow import Card, Handle, Seat

_SPAN = 1000
_HANDLE = re.compile(r"([a-z])([1-9][0-9]{0,2})\Z")


class Deck(NamedTuple):
    """One deck of a game. `owner` is the only seat that draws from it, or None for a deck common to
    all seats."""

    letter: str
    owner: Seat | None
    contents: tuple[Card, ...]


def handles_of(deck: int, first: int, count: int) -> tuple[Handle, ...]:
    """The backs numbered `first` to `first + count - 1` of a deck (numbers start at 1)."""
    start = deck * _SPAN + first
    return tuple(range(start, start + count))


def deck_of(handle: Handle) -> int:
    """Index of the deck that this card belongs to."""
    return handle // _SPAN


def number_of(handle: Handle) -> int:
    """The card's number within its deck, from 1."""
    return handle % _SPAN


def write_handle(decks: Sequence[Deck], handle: Handle) -> str:
    """`a14`: the deck's letter and the card's number."""
    deck, number = divmod(handle, _SPAN)
    return f"{decks[deck].letter}{number}"


class Backs(dict[Handle, str]):
    """What `write_handle` gives for each handle of these decks, written once: a position names them
    all, and is asked for after every request."""

    def __init__(self, decks: Sequence[Deck]) -> None:
        super().__init__()
        self._decks = decks

    def __missing__(self, handle: Handle) -> str:
        written = self[handle] = write_handle(self._decks, handle)
        return written


def read_handle(decks: Sequence[Deck], text: str) -> Handle | None:
    """The handle written as `text`, or None if that is not the one spelling of a handle of these
    decks."""
    match = _HANDLE.match(text)
    if match is None:
        return None
    for index, deck in enumerate(decks):
        if deck.letter == match[1]:
            return index * _SPAN + int(match[2])
    return None
