"""What the entry that a player is about to write holds for the common deck. docs/format.md, section
13.

It answers what `pbem.ledger.common_deck` asks exactly as the finished entry will
(`pbem.ledger.common_deck_fields`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.flow import Handle, Seat
from pbem.crypto.group import scalar_bytes
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.games.registry import common_index, partners
from pbem.ledger.common_deck_fields import write_rows
from pbem.ledger.ledger import Ledger

if TYPE_CHECKING:
    from pbem.crypto.shuffle_proof import ShuffleStep
    from pbem.ledger.common_deck import CommonDeck, DeckKeys


class DraftPart:
    """What the entry that a player is about to write holds for the common deck."""

    def __init__(self, ledger: Ledger, seat: Seat, root: bytes) -> None:
        self.before = ledger.before()
        self.fields: Fields = {}
        self._ledger = ledger
        self._seat = seat
        self._root = root

    def keys(self) -> DeckKeys | None:
        """The keys of a first entry, and their fields; None in a game without a common deck."""
        game = self._ledger
        if common_index(game.decks) is None:
            return None
        from pbem.ledger import common_deck  # only a game with a common deck needs it

        keys = common_deck.secrets_of(self._root).public
        self.fields["elgamal"] = b64(keys.key)
        if not partners(game.rules, game.settings, self._seat):
            return keys._replace(box=b"")
        self.fields["boxkey"] = b64(keys.box)
        return keys

    def layer(self, step: ShuffleStep) -> tuple[bytes, bytes]:
        """The pile under this seat's key too, in an order that only its player knows, and the
        proof."""
        from pbem.crypto import elgamal, shuffle_proof  # only a game with a common deck needs them
        from pbem.ledger import common_deck

        secret = common_deck.secrets_of(self._root)
        pile, proof = shuffle_proof.shuffle(step, secret.x, secret.derived)
        data = elgamal.write_pile(pile)
        self.fields.update(pile=write_rows(data), shuffle=write_rows(proof))
        return data, proof

    def shares(
        self, deck: CommonDeck, owed: Sequence[Handle], opened: Sequence[Handle]
    ) -> tuple[list[bytes], bytes]:
        """The shares that are owed, and the proof for these and for the cards opened."""
        from pbem.ledger import common_deck  # only a game with a common deck needs it

        ctx = deck.context(self.before, self._seat, b"shares")
        given = common_deck.own_shares(deck, ctx, [*owed, *opened], self._root)
        points = list(given.points[: len(owed)])
        self.fields["shares"] = b64(b"".join(points) + given.proof)
        return points, given.proof

    def decryption(self) -> bytes:
        """The player's own secret key, for everybody: with it they leave."""
        from pbem.ledger import common_deck  # only a game with a common deck needs it

        key = scalar_bytes(common_deck.secrets_of(self._root).x)
        self.fields["decryption"] = b64(key)
        return key

    def boxes(
        self, deck: CommonDeck, handles: Sequence[Handle], partners: Sequence[Seat]
    ) -> list[bytes]:
        """A box for each partner."""
        from pbem.ledger import common_deck  # only a game with a common deck needs it

        ctx = deck.context(self.before, self._seat, b"box")
        boxes = [
            common_deck.make_box(deck, ctx, tuple(handles), self._root, partner)
            for partner in partners
        ]
        self.fields["box"] = b64(b"".join(boxes))
        return boxes
