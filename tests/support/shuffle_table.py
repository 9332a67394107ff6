"""A table for tests: seats with keys, a pile, and what everybody at it would compute."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.crypto import decryption_shares, elgamal, group, shuffle_proof
from pbem.crypto.decryption_shares import Shares
from pbem.crypto.elgamal import Pair
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.shuffle_proof import ShuffleStep

SMALL = ("merchant 2", "blue 1", "blue 1", "admiral")


class Seats:
    """`count` seats and the pile of `names` before anybody joined. `start` is what the seat finds
    when it joins."""

    def __init__(self, count: int, names: Sequence[str] = SMALL) -> None:
        self.names = names
        self.derived = [DerivedRandom(bytes([seat + 1]) * 32, b"test") for seat in range(count)]
        self.secrets = [elgamal.seat_secret(derived) for derived in self.derived]
        self.keys = [elgamal.seat_key(x) for x in self.secrets]
        self.pile = elgamal.starting_pile(names)
        self.table = decryption_shares.card_table(sorted(set(names)))

    def ctx(
        self, seat: int, what: str = "shuffle", before: str = "digest", game: str = "game"
    ) -> bytes:
        return elgamal.context(
            b"pbem/1", game.encode(), before.encode(), str(seat).encode(), what.encode()
        )

    def joint(self, seats: int) -> bytes:
        """Y, the joint key of the first `seats` seats."""
        return group.total(self.keys[:seats])

    def step(self, seat: int, pile: Sequence[Pair]) -> ShuffleStep:
        """What this seat starts from with that pile, when all before it have joined."""
        return ShuffleStep(self.ctx(seat), self.keys[seat], self.joint(seat), pile)

    def shuffle(self, seat: int, pile: Sequence[Pair]) -> tuple[list[Pair], bytes]:
        return shuffle_proof.shuffle(self.step(seat, pile), self.secrets[seat], self.derived[seat])

    def joined(self, seats: int | None = None) -> list[Pair]:
        """The pile after the first `seats` seats have joined, by default all."""
        pile = list(self.pile)
        for seat in range(len(self.keys) if seats is None else seats):
            pile = self.shuffle(seat, pile)[0]
        return pile

    def shares(
        self, seat: int, pile: Sequence[Pair], positions: Sequence[int], what: str = "shares"
    ) -> Shares:
        return decryption_shares.make_shares(
            self.ctx(seat, what), self.secrets[seat], pile, positions, self.derived[seat]
        )

    def read(self, pile: Sequence[Pair], position: int) -> str:
        given = [self.shares(seat, pile, [position]).points[0] for seat in range(len(self.keys))]
        return sorted(set(self.names))[
            decryption_shares.read_card(pile[position], given, self.table)
        ]
