"""Which of several equal cards of a hand is used (docs/format.md, section 7, "Equal cards").

The others see backs. If the lowest were always played, each card played would tell them what the
lower ones are not. So the copies stand in an order that only their owner knows of, and that is the
same in every version of a turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle
from pbem.crypto.randomness import from_root


def equal_key(root: bytes, back: str) -> bytes:
    """The 32 bytes by which equal cards are ordered; `back` is a handle as it is written, `a14`."""
    return from_root(root, "equal", back)


class EqualCards:
    """The order of equal cards in one player's hand. `named` are the cards that the player's orders
    have ever named, `opened` those that everybody sees, `faces` the cards that the player knows."""

    def __init__(
        self,
        root: bytes,
        decks: Sequence[Deck],
        faces: Mapping[Handle, Card],
        named: Set[tuple[Handle, Card]],
        opened: Set[Handle],
    ) -> None:
        self._root, self._decks, self._faces = root, decks, faces
        self._named, self._opened = named, opened

    def arranged(self, hand: Sequence[Handle]) -> tuple[Handle, ...]:
        """The backs of a hand, those of equal cards among themselves in the order in which they are
        used: whoever takes the first one that holds a card takes the right one. All other cards
        keep their places."""
        copies: defaultdict[Card, list[Handle]] = defaultdict(list)
        for handle in hand:
            if handle in self._faces:
                copies[self._faces[handle]].append(handle)
        used: dict[Card, Iterator[Handle]] = {
            card: iter(sorted(equal, key=self._place))
            for card, equal in copies.items()
            if len(equal) > 1
        }
        return tuple(
            next(used.get(self._faces.get(handle, -1), iter((handle,)))) for handle in hand
        )

    def _place(self, handle: Handle) -> tuple[int, bytes]:
        """What everybody expects to be this card comes first: playing another copy would show that
        there are two."""
        is_named = (handle, self._faces[handle]) in self._named
        rank = 0 if is_named else 1 if handle in self._opened else 2
        return rank, equal_key(self._root, write_handle(self._decks, handle))
