"""The test vectors: written by the script, computed by a second implementation, accepted by the
program."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from pbem.crypto import decryption_shares, elgamal, group, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.shuffle_proof import ShuffleStep
from tests.crypto.shuffle import make_vectors
from tests.crypto.shuffle.make_vectors import CTX, NAMES, POSITIONS, SECRETS
from tests.support import slow_ed25519


class SlowCoins:
    """`pbem.crypto.randomness` once more: HKDF and HMAC written out after RFC 5869."""

    def __init__(self, secret: bytes, *purpose: bytes) -> None:
        extracted = hmac.new(bytes(64), secret, hashlib.sha512).digest()
        self.key = hmac.new(
            extracted, self.framed(b"pbem/1 coins", *purpose) + b"\x01", hashlib.sha512
        ).digest()

    @staticmethod
    def framed(*parts: bytes) -> bytes:
        return b"".join(len(part).to_bytes(8, "big") + part for part in parts)

    def bind(self, *statement: bytes) -> SlowCoins:
        return SlowCoins(self.key, *statement)

    def scalar(self, label: bytes, index: int = 0) -> int:
        block = hmac.new(
            self.key, self.framed(label, index.to_bytes(8, "big")), hashlib.sha512
        ).digest()
        return int.from_bytes(block, "little") % (slow_ed25519.ORDER - 1) + 1

    def scalars(self, label: bytes, count: int) -> list[int]:
        return [self.scalar(label, i) for i in range(count)]

    def permutation(self, size: int) -> list[int]:
        left, order = list(range(size)), []
        for i in range(size - 1):
            j = self.scalar(b"permutation", i) % len(left)
            order.append(left[j])
            left[j] = left[0]
            left = left[1:]
        return order + left


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(make_vectors.PATH.read_text(encoding="utf-8"))
    return loaded


def test_the_script_writes_the_committed_file() -> None:
    assert make_vectors.text() == make_vectors.PATH.read_text(encoding="utf-8")


def test_a_second_implementation_gives_every_value(vectors: dict[str, Any]) -> None:
    assert make_vectors.plain(make_vectors.case(slow_ed25519, SlowCoins)) == vectors


def test_the_program_makes_the_same_proofs(vectors: dict[str, Any]) -> None:
    ctx = elgamal.context(*(part.encode() for part in CTX))
    assert ctx.hex() == vectors["ctx"]
    derived = [DerivedRandom(secret, b"deck") for secret in SECRETS]
    pile, joint = elgamal.starting_pile(NAMES), group.IDENTITY
    for stream, expected in zip(derived, vectors["joins"], strict=True):
        x = elgamal.seat_secret(stream)
        step = ShuffleStep(ctx, elgamal.seat_key(x), joint, pile)
        pile, proof = shuffle_proof.shuffle(step, x, stream)
        joint = step.joint
        assert (step.key.hex(), step.before.hex(), joint.hex()) == (
            expected["X"],
            expected["Y"],
            expected["proof"]["Y'"],
        )
        assert [[pair.a.hex(), pair.b.hex()] for pair in pile] == expected["new"]
        assert proof.hex() == expected["proof"]["proof"]
    for stream, expected in zip(derived, vectors["shares"], strict=True):
        made = decryption_shares.make_shares(
            ctx, elgamal.seat_secret(stream), pile, POSITIONS, stream
        )
        assert [point.hex() for point in made.points] == expected["d"]
        assert made.proof.hex() == expected["proof"]


def test_the_program_accepts_and_reads_them(vectors: dict[str, Any]) -> None:
    def read(pairs: list[list[str]]) -> list[Pair]:
        return elgamal.read_pile(bytes.fromhex("".join(a + b for a, b in pairs)), len(NAMES))

    ctx, pile = bytes.fromhex(vectors["ctx"]), read(vectors["pile"])
    assert pile == elgamal.starting_pile(NAMES)
    names = list(NAMES)
    for join in vectors["joins"]:
        step, new = (
            ShuffleStep(ctx, bytes.fromhex(join["X"]), bytes.fromhex(join["Y"]), pile),
            read(join["new"]),
        )
        shuffle_proof.verify(step, new, bytes.fromhex(join["proof"]["proof"]))
        pile, names = new, [names[place] for place in join["order"]]
    given = [
        decryption_shares.Shares(
            tuple(map(bytes.fromhex, share["d"])), bytes.fromhex(share["proof"])
        )
        for share in vectors["shares"]
    ]
    for join, share in zip(vectors["joins"], given, strict=True):
        decryption_shares.check_shares(ctx, bytes.fromhex(join["X"]), pile, POSITIONS, share)
    table = decryption_shares.card_table(NAMES)
    for i, position in enumerate(POSITIONS):
        card = decryption_shares.read_card(
            pile[position], [share.points[i] for share in given], table
        )
        assert NAMES[card] == names[position]
        assert vectors["opened"][i] == vectors["cards"][NAMES[card]]


def test_both_groups_have_the_same_constants() -> None:
    assert (group.ORDER, group.BASE, group.IDENTITY) == (
        slow_ed25519.ORDER,
        slow_ed25519.BASE,
        slow_ed25519.IDENTITY,
    )
