"""The verifiable random function against the examples of RFC 9381, appendix B.3, and against bad
proofs."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import group, primitives, vrf
from pbem.crypto.group import ProofError
from tests.support.effort import examples

EXAMPLES = [  # secret key, public key, message, proof, output
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f"
        "26f8a57ccaed74ee1b190bed1f479d9727d2d0f9b005a6e456a35d4fb0daab12"
        "68a1b0db10836d9826a528ca76567805",
        "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff"
        "66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed593"
        "3bf0864a62558b3ed7f2fea45c92a465301b3bbf5e3e54ddf2d935be3b67926d"
        "a3ef39226bbc355bdc9850112c8f4b02",
        "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb"
        "5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf80"
        "96bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a"
        "2d41b00b05081ed0f58ee5e31b3a970e",
        "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45"
        "2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f",
    ),
]


@pytest.mark.parametrize(("secret", "key", "message", "proof", "output"), EXAMPLES)
def test_examples_of_the_rfc(secret: str, key: str, message: str, proof: str, output: str) -> None:
    seed, alpha = bytes.fromhex(secret), bytes.fromhex(message)
    assert primitives.public_key(seed).hex() == key
    assert vrf.prove(seed, alpha).hex() == proof
    assert vrf.verify(bytes.fromhex(key), alpha, bytes.fromhex(proof)).hex() == output


@examples(25)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=64), st.integers(0, 639))
def test_a_proof_convinces_and_no_bit_of_it_can_change(seed: bytes, alpha: bytes, bit: int) -> None:
    key, proof = primitives.public_key(seed), vrf.prove(seed, alpha)
    assert vrf.verify(key, alpha, proof) == vrf.output(proof)
    bent = bytearray(proof)
    bent[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ProofError):
        vrf.verify(key, alpha, bytes(bent))
    with pytest.raises(ProofError):
        vrf.verify(key, alpha + b"!", proof)
    with pytest.raises(ProofError):
        vrf.verify(primitives.public_key(sha256(seed).digest()), alpha, proof)


def test_a_scalar_has_one_spelling() -> None:
    seed = bytes(range(32))
    proof = vrf.prove(seed, b"message")
    larger = int.from_bytes(proof[48:], "little") + group.ORDER
    with pytest.raises(ProofError, match="one spelling"):
        vrf.verify(
            primitives.public_key(seed), b"message", proof[:48] + larger.to_bytes(32, "little")
        )


@pytest.mark.parametrize(
    "point", ["01" + 31 * "00", "00" * 32, 31 * "ff" + "7f", "ec" + 30 * "ff" + "7f"]
)
def test_weak_points_are_refused(point: str) -> None:
    proof = bytes.fromhex(point) + vrf.prove(bytes(32), b"m")[32:]
    with pytest.raises(ProofError):
        vrf.verify(primitives.public_key(bytes(32)), b"m", proof)
    assert not group.is_point(bytes.fromhex(point))
