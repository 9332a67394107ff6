"""The port to libsodium and OpenSSL: its names and types, the examples of the standards, and errors
of our own alone.

What takes the place of `pbem.crypto.primitives` on another system has to pass these tests and those
of tests/vectors.
"""

from __future__ import annotations

import base64
import hmac
import inspect
from collections.abc import Callable
from hashlib import blake2b
from typing import get_type_hints

import pytest

from pbem.crypto import group, primitives
from pbem.crypto.primitives import InvalidPoint, OtherKindOfKey, UnreadableKeyFile
from tests.support.bad_points import BAD

x = bytes.fromhex
SEED = x("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")


def test_nothing_but_bytes_goes_in_and_comes_out() -> None:
    members = inspect.getmembers(primitives, inspect.isfunction)
    functions = [one for name, one in members if not name.startswith("_")]
    own = [one for one in functions if one.__module__ == primitives.__name__]
    assert len(own) > 15
    for one in own:
        hints = get_type_hints(one)
        assert set(hints.values()) <= {bytes, bytes | None, bool, int, type(None)}, one.__name__
        assert one.__doc__, one.__name__


def test_ed25519_is_that_of_rfc_8032() -> None:
    """Section 7.1, test 1."""
    key = primitives.public_key(SEED)
    assert key.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    signature = primitives.sign(SEED, b"")
    assert signature.hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b"
    )
    assert primitives.is_signature(key, b"", signature)
    assert not primitives.is_signature(key, b"x", signature)
    assert primitives.multiply_base(b"\x01" + bytes(31)) == group.BASE


def test_hkdf_is_that_of_rfc_5869() -> None:
    """Appendix A.1, of which 32 bytes are asked for; SHA-512 from its definition."""
    info = bytes(range(0xF0, 0xFA))
    found = primitives.hkdf_sha256(b"\x0b" * 22, bytes(range(13)), info)
    assert found.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
    extracted = x("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
    assert primitives.hkdf_expand_sha256(extracted, info) == found
    by_hand = hmac.digest(hmac.digest(bytes(64), b"secret", "sha512"), info + b"\x01", "sha512")
    assert primitives.hkdf_sha512(b"secret", info) == by_hand


def test_x25519_is_that_of_rfc_7748() -> None:
    """Section 6.1: Bob's key, and what he agrees on with Alice."""
    bob = x("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    alice = x("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    public = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    assert primitives.x25519_public_key(bob).hex() == public
    assert (
        primitives.x25519(bob, alice).hex()
        == "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    )


def test_a_box_opens_for_its_key_alone() -> None:
    once, partner, other = (bytes([number]) * 32 for number in (1, 2, 3))
    mine, theirs = primitives.x25519_public_key(once), primitives.x25519_public_key(partner)
    nonce = blake2b(mine + theirs, digest_size=primitives.BOX_NONCE).digest()
    sealed = mine + primitives.box(b"contents", nonce, theirs, once)
    assert len(sealed) == 32 + primitives.BOX_OVERHEAD + len(b"contents")
    assert primitives.open_sealed_box(sealed, partner) == b"contents"
    assert primitives.open_sealed_box(sealed, other) is None
    assert primitives.open_sealed_box(sealed[:-1] + b"?", partner) is None
    assert primitives.open_sealed_box(bytes(len(sealed)), partner) is None


def test_what_is_encrypted_opens_with_all_that_it_was_made_with() -> None:
    key = primitives.argon2id(b"passphrase", bytes(primitives.ARGON2_SALT), 3, 8192)
    nonce = bytes(primitives.AEAD_NONCE)
    sealed = primitives.encrypt(b"contents", b"header", nonce, key)
    assert len(sealed) == len(b"contents") + primitives.AEAD_OVERHEAD
    assert primitives.decrypt(sealed, b"header", nonce, key) == b"contents"
    assert primitives.decrypt(sealed, b"Header", nonce, key) is None
    assert primitives.decrypt(sealed, b"header", b"\x01" + nonce[1:], key) is None
    assert primitives.decrypt(sealed, b"header", nonce, bytes(32)) is None
    assert primitives.decrypt(sealed[:-1], b"header", nonce, key) is None


@pytest.mark.parametrize(
    "refused",
    [
        lambda: primitives.add_points(BAD["off the curve"], group.BASE),
        lambda: primitives.subtract_points(group.BASE, BAD["off the curve"]),
        lambda: primitives.multiply_point(b"\x02" + bytes(31), group.IDENTITY),
        lambda: primitives.multiply_point(group.ORDER.to_bytes(32, "little"), group.BASE),
        lambda: primitives.x25519(b"\x01" * 32, bytes(32)),
    ],
)
def test_what_is_no_point_is_an_error_of_ours(refused: Callable[[], bytes]) -> None:
    with pytest.raises(InvalidPoint):
        refused()


@pytest.mark.parametrize("passphrase", [b"", b"wind & tide"])
def test_a_key_file_gives_back_its_seed(passphrase: bytes) -> None:
    pem = primitives.write_key_file(SEED, passphrase)
    assert primitives.read_key_file(pem, passphrase or None) == SEED
    for given in (b"wrong", None if passphrase else b"needless"):
        with pytest.raises(UnreadableKeyFile):
            primitives.read_key_file(pem, given)
    with pytest.raises(UnreadableKeyFile):
        primitives.read_key_file(pem.replace(b"\nM", b"\nN"), passphrase or None)


def test_a_key_of_another_kind_is_no_identity() -> None:
    other = x("302e020100300506032b656e04220420") + bytes(range(32))  # X25519 (RFC 8410, section 7)
    pem = (
        b"-----BEGIN PRIVATE KEY-----\n"
        + base64.b64encode(other)
        + b"\n-----END PRIVATE KEY-----\n"
    )
    with pytest.raises(OtherKindOfKey):
        primitives.read_key_file(pem, None)
    with pytest.raises(UnreadableKeyFile):
        primitives.read_key_file(b"no key", None)
