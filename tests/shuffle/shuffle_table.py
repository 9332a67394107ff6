"""A table for tests: seats with keys, a pile, and what everybody at it would compute."""

from __future__ import annotations

from collections.abc import Sequence

from pbem import elgamal, shares, shuffleproof
from pbem.coins import Coins
from pbem.elgamal import Pair
from pbem.shares import Shares

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
        self.table = shares.card_table(sorted(set(names)))

    def ctx(self, seat: int, what: str = "shuffle", before: str = "digest", game: str = "game") -> bytes:
        return elgamal.context(b"pbem/1", game.encode(), before.encode(), str(seat).encode(), what.encode())

    def shuffle(self, seat: int, pile: Sequence[Pair]) -> tuple[list[Pair], bytes]:
        return shuffleproof.shuffle(self.ctx(seat), self.joint, pile, self.coins[seat])

    def shares(self, seat: int, pile: Sequence[Pair], positions: Sequence[int], what: str = "shares") -> Shares:
        return shares.make_shares(self.ctx(seat, what), self.secrets[seat], pile, positions, self.coins[seat])

    def read(self, pile: Sequence[Pair], position: int) -> str:
        given = [self.shares(seat, pile, [position]).points[0] for seat in range(len(self.keys))]
        return sorted(set(self.names))[shares.read_card(pile[position], given, self.table)]
