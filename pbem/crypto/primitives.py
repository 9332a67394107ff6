"""The cryptographic primitives, and the one module that knows which library they come from.

Everything the program takes from PyNaCl (libsodium) and from cryptography (OpenSSL) is a function
of bytes here; no object and no exception of a library leaves this module, and no other module of
pbem imports one. Where these libraries are missing, as in a browser, a module with the same names
takes the place of this one. So only what one library call does belongs here: what the constructions
of docs/format.md make of it are the other modules of `pbem.crypto`.

Points, keys, seeds and scalars are 32 bytes, scalars little-endian. Callers check the length of
what comes from outside before they call; a wrong length here is a mistake in the program.
`pbem.crypto.contract` has what is common to both modules of primitives.

OpenSSL is loaded by the functions that use it: checking an unfinished game needs libsodium alone.
libsodium is checked when this module is imported (`check_library`), and the program does not run
with one that accepts wrong points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nacl import bindings, exceptions

from pbem.crypto.contract import (
    AEAD_NONCE,
    AEAD_OVERHEAD,
    ARGON2_SALT,
    BOX_NONCE,
    BOX_OVERHEAD,
    OUTSIDE,
    InvalidPoint,
    OtherKindOfKey,
    UnreadableKeyFile,
    check_points,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# Imported late: OpenSSL, which takes long to load, and checks no turn file.

__all__ = [
    "AEAD_NONCE",
    "AEAD_OVERHEAD",
    "ARGON2_SALT",
    "BOX_NONCE",
    "BOX_OVERHEAD",
    "OUTSIDE",
    "InvalidPoint",
    "OtherKindOfKey",
    "UnreadableKeyFile",
]
"""What this module exports of `pbem.crypto.contract`; the functions are below."""


# The group of edwards25519


def is_valid_point(data: bytes) -> bool:
    """Whether 32 bytes are the one spelling of a point of prime order: on the curve, in the
    subgroup, not neutral."""
    return bindings.crypto_core_ed25519_is_valid_point(data)


def add_points(left: bytes, right: bytes) -> bytes:
    """The sum of two points of the curve, which may be the neutral point; neither need be of the
    subgroup. Raises `InvalidPoint` if one is not on the curve."""
    try:
        return bindings.crypto_core_ed25519_add(left, right)
    except exceptions.CryptoError as error:
        raise InvalidPoint from error


def subtract_points(left: bytes, right: bytes) -> bytes:
    """The difference of two points of the curve, under the conditions of `add_points`."""
    try:
        return bindings.crypto_core_ed25519_sub(left, right)
    except exceptions.CryptoError as error:
        raise InvalidPoint from error


def multiply_point(scalar: bytes, point: bytes) -> bytes:
    """A multiple of a point, by a scalar that is not clamped. Raises `InvalidPoint` if the point is
    not of the subgroup, or the result is the neutral point."""
    try:
        return bindings.crypto_scalarmult_ed25519_noclamp(scalar, point)
    except exceptions.CryptoError as error:
        raise InvalidPoint from error


def multiply_base(scalar: bytes) -> bytes:
    """A multiple of the generator, by a scalar that is neither clamped nor zero."""
    return bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)


# Ed25519 (RFC 8032)


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether libsodium takes 64 bytes for the key's signature of a message. It refuses some that
    satisfy the equation: `pbem.ledger.signatures` has the rule of turn files."""
    try:
        bindings.crypto_sign_open(signature + message, key)
    except exceptions.BadSignatureError:
        return False
    return True


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature, 64 bytes, the same each time. `seed` is what RFC 8032 names the private
    key."""
    return _private_key(seed).sign(message)


def public_key(seed: bytes) -> bytes:
    """The public key of a seed (RFC 8032, section 5.1.5)."""
    return _private_key(seed).public_key().public_bytes_raw()


def _private_key(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


def write_key_file(seed: bytes, passphrase: bytes) -> bytes:
    """A seed as a PKCS#8 PEM file (RFC 8410), encrypted unless the passphrase is empty."""
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    protection = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return _private_key(seed).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)


def read_key_file(pem: bytes, passphrase: bytes | None) -> bytes:
    """The seed in a PKCS#8 PEM file; `passphrase` is None for one that is not encrypted. Raises
    `UnreadableKeyFile`, `OtherKindOfKey`."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        private = load_pem_private_key(pem, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnreadableKeyFile from error
    if not isinstance(private, Ed25519PrivateKey):
        raise OtherKindOfKey
    return private.private_bytes_raw()


# HKDF (RFC 5869)


def hkdf_sha256(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """32 bytes from a secret: extracted with the salt, expanded with the info."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 32, salt=salt, info=info).derive(secret)


def hkdf_expand_sha256(key: bytes, info: bytes) -> bytes:
    """32 bytes from a key that is random already: only expanded."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

    return HKDFExpand(SHA256(), 32, info=info).derive(key)


def hkdf_sha512(secret: bytes, info: bytes) -> bytes:
    """64 bytes from a secret: extracted without a salt, expanded with the info."""
    from cryptography.hazmat.primitives.hashes import SHA512
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA512(), 64, salt=None, info=info).derive(secret)


# X25519 (RFC 7748) and libsodium's boxes: X25519, XSalsa20-Poly1305


def x25519_public_key(secret: bytes) -> bytes:
    """The public key of a secret of 32 bytes."""
    return bindings.crypto_scalarmult_base(secret)


def x25519(secret: bytes, public: bytes) -> bytes:
    """The secret, 32 bytes, that two keys share. Raises `InvalidPoint` if the public key is of
    small order."""
    try:
        return bindings.crypto_scalarmult(secret, public)
    except exceptions.RuntimeError as error:
        raise InvalidPoint from error


def box(contents: bytes, nonce: bytes, public: bytes, secret: bytes) -> bytes:
    """Contents encrypted for a public key and authenticated by a secret (`crypto_box_easy`)."""
    return bindings.crypto_box_easy(contents, nonce, public, secret)


def open_sealed_box(box_bytes: bytes, secret: bytes) -> bytes | None:
    """What is in a box that begins with its public key, its nonce being the BLAKE2b of both public
    keys (`crypto_box_seal_open`); None if it was not made for this secret, or was changed."""
    try:
        return bindings.crypto_box_seal_open(box_bytes, x25519_public_key(secret), secret)
    except exceptions.CryptoError:
        return None


# XChaCha20-Poly1305, and Argon2id (RFC 9106)


def encrypt(contents: bytes, header: bytes, nonce: bytes, key: bytes) -> bytes:
    """Contents encrypted and authenticated together with a header that stays readable."""
    return bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(contents, header, nonce, key)


def decrypt(ciphertext: bytes, header: bytes, nonce: bytes, key: bytes) -> bytes | None:
    """What `encrypt` was given; None if the key is another, or anything was changed."""
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(ciphertext, header, nonce, key)
    except exceptions.CryptoError:
        return None


def argon2id(passphrase: bytes, salt: bytes, passes: int, memory: int) -> bytes:
    """A key of 32 bytes from a passphrase, by so many passes over so many bytes of memory, on one
    lane."""
    return bindings.crypto_pwhash_alg(
        32, passphrase, salt, passes, memory, bindings.crypto_pwhash_ALG_ARGON2ID13
    )


def check_library() -> None:
    """Raise `Unsafe` unless libsodium knows the points of the subgroup from others."""
    check_points(
        is_valid_point,
        "the libsodium library that PyNaCl uses here",
        "install PyNaCl 1.6.2 or later with its own libsodium: python -m pip install"
        " --force-reinstall PyNaCl",
    )


check_library()
