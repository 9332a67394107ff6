"""A table for tests: seats with keys, a pile, and what everybody at it would compute."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.crypto import decryption_shares, elgamal, shuffle_proof
from pbem.crypto.decryption_shares import Shares
from pbem.crypto.derived_random import Coins
from pbem.crypto.elgamal import Pair

SMALL = ("merchant 2", "blue 1", "blue 1", "admiral")


class Seats:
    """`count` seats and the pile of `names` before anybody shuffled."""

    def __init__(self, count: int, names: Sequence[str] = SMALL) -> None:
        self.names = names
        self.coins = [Coins(bytes([seat + 1]) * 32, b"test") for seat in range(count)]
        self.secrets = [elgamal.secret_key(coins) for coins in self.coins]
        self.keys = [elgamal.public_key(x) for x in self.secrets]
        self.joint = elgamal.joint_key(self.keys)
        self.pile = elgamal.starting_pile(names, self.joint)
        self.table = decryption_shares.card_table(sorted(set(names)))

    def ctx(self, seat: int, what: str = "shuffle", before: str = "digest", game: str = "game") -> bytes:
        return elgamal.context(b"pbem/1", game.encode(), before.encode(), str(seat).encode(), what.encode())

    def shuffle(self, seat: int, pile: Sequence[Pair]) -> tuple[list[Pair], bytes]:
        return shuffle_proof.shuffle(self.ctx(seat), self.joint, pile, self.coins[seat])

    def shares(self, seat: int, pile: Sequence[Pair], positions: Sequence[int], what: str = "shares") -> Shares:
        return decryption_shares.make_shares(
            self.ctx(seat, what), self.secrets[seat], pile, positions, self.coins[seat]
        )

    def read(self, pile: Sequence[Pair], position: int) -> str:
        given = [self.shares(seat, pile, [position]).points[0] for seat in range(len(self.keys))]
        return sorted(set(self.names))[decryption_shares.read_card(pile[position], given, self.table)]
