"""The cards of whoever is about to write: which of several equal cards of a hand is used
(docs/format.md, section 7, "Equal cards"), and what an entry holds for the common deck (section
13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle, Seat
from pbem.crypto.group import scalar_bytes
from pbem.crypto.randomness import from_root
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.games.registry import common_index, partners
from pbem.ledger.common_deck_fields import write_rows
from pbem.ledger.ledger import Ledger

if TYPE_CHECKING:
    from pbem.crypto.shuffle_proof import ShuffleStep
    from pbem.ledger.common_deck import CommonDeck, DeckKeys, DeckSecrets

# Imported late: the common deck, which few games have.


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
        self._root = root
        self._decks = decks
        self._faces = faces
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
        rank = 1 if handle in self._opened else 2
        if (handle, self._faces[handle]) in self._named:
            rank = 0
        return rank, equal_key(self._root, write_handle(self._decks, handle))


class DraftPart:
    """What the entry that a player is about to write holds for the common deck."""

    def __init__(self, ledger: Ledger, seat: Seat, root: bytes) -> None:
        self.before = ledger.before()
        self.fields: Fields = {}
        self._ledger = ledger
        self._seat = seat
        self._root = root

    def _secrets(self) -> DeckSecrets:
        from pbem.ledger import common_deck

        return common_deck.secrets_of(self._root)

    def keys(self) -> DeckKeys | None:
        """The keys of a first entry, and their fields; None in a game without a common deck."""
        game = self._ledger
        if common_index(game.decks) is None:
            return None
        keys = self._secrets().public
        self.fields["elgamal"] = b64(keys.key)
        if not partners(game.rules, game.settings, self._seat):
            return keys._replace(box=b"")
        self.fields["boxkey"] = b64(keys.box)
        return keys

    def layer(self, step: ShuffleStep) -> tuple[bytes, bytes]:
        """The pile under this seat's key too, in an order that only its player knows, and the
        proof."""
        from pbem.crypto import elgamal, shuffle_proof

        secret = self._secrets()
        pile, proof = shuffle_proof.shuffle(step, secret.x, secret.randomness)
        data = elgamal.write_pile(pile)
        self.fields.update(pile=write_rows(data), shuffle=write_rows(proof))
        return data, proof

    def shares(
        self, deck: CommonDeck, owed: Sequence[Handle], opened: Sequence[Handle]
    ) -> tuple[list[bytes], bytes]:
        """The shares that are owed, and the proof for these and for the cards opened."""
        from pbem.ledger import common_deck

        ctx = deck.context(self.before, self._seat, b"shares")
        given = common_deck.own_shares(deck, ctx, [*owed, *opened], self._root)
        points = list(given.points[: len(owed)])
        self.fields["shares"] = b64(b"".join(points) + given.proof)
        return points, given.proof

    def decryption(self) -> bytes:
        """The player's own secret key, for everybody: with it they leave."""
        key = scalar_bytes(self._secrets().x)
        self.fields["decryption"] = b64(key)
        return key

    def boxes(
        self, deck: CommonDeck, handles: Sequence[Handle], partners: Sequence[Seat]
    ) -> list[bytes]:
        """A box for each partner."""
        from pbem.ledger import common_deck

        ctx = deck.context(self.before, self._seat, b"box")
        boxes = [
            common_deck.make_box(deck, ctx, tuple(handles), self._root, partner)
            for partner in partners
        ]
        self.fields["box"] = b64(b"".join(boxes))
        return boxes
