"""What only one player can compute: everything secret in a game follows from the identity key
(docs/format.md, 5).

So a player who saves one key file can open every hand again. What the key does not bring back is
the memory of what was already signed: that is `pbem.home.memory`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem import FORMAT
from pbem.crypto import primitives
from pbem.fileformat.encoding import framed


@dataclass(frozen=True, slots=True, repr=False)
class SeatSecrets:
    """A seat's committed seed for chance, and the root of its decks, which it reveals when the game
    is over."""

    vrf_seed: bytes
    root: bytes


def derive(identity_seed: bytes, game_id: bytes, seat: str, nonce: bytes) -> SeatSecrets:
    """The secrets of one seat in one game (HKDF-SHA256, RFC 5869). `nonce` is that of the player's
    own first entry, `identity_seed` the 32 bytes of the Ed25519 private key."""

    def secret(name: str) -> bytes:
        info = framed(f"{FORMAT} {name}".encode(), seat.encode(), nonce)
        return primitives.hkdf_sha256(identity_seed, game_id, info)

    return SeatSecrets(vrf_seed=secret("vrf"), root=secret("root"))


def from_root(root: bytes, name: str, *parts: str) -> bytes:
    """A secret of a deck: the key of its order, the salt of one card, or what orders equal
    cards."""
    info = framed(f"{FORMAT} {name}".encode(), *(part.encode() for part in parts))
    return primitives.hkdf_expand_sha256(root, info)
