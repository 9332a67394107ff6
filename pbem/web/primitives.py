"""The primitives where Python runs in a browser: libsodium, compiled to WebAssembly, and Python's
own hashes.

`release.web` puts this module in the place of `pbem.crypto.primitives`, whose names and promises it
has; its tests hold here too. Whoever starts Python hands libsodium over as the module
`pbem_sodium`. There is no OpenSSL, so a key file with a passphrase can neither be written nor read:
a home in a browser is protected as a whole (docs/format.md).
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from typing import Any

from pbem_sodium import sodium  # type: ignore[import-not-found]
from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

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

_PEM = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"
_BEFORE_SEED = bytes.fromhex("302e020100300506032b657004220420")
"""What PKCS#8 puts before the 32 secret bytes of an Ed25519 key (RFC 8410, section 7)."""
_OTHER_KEY = b"\x30"
"""How any other key in PKCS#8 begins."""


def _call(function: Any, *given: bytes) -> bytes:
    """The bytes that a function of libsodium makes of others. Raises `JsException` where it refuses
    them."""
    made: bytes = function(*map(to_js, given)).to_bytes()
    return made


def _of_points(function: Any, *given: bytes) -> bytes:
    try:
        return _call(function, *given)
    except JsException as error:
        raise InvalidPoint from error


# The group of edwards25519


def is_valid_point(data: bytes) -> bool:
    """Whether 32 bytes are the one spelling of a point of prime order: on the curve, in the
    subgroup, not neutral."""
    return bool(sodium.crypto_core_ed25519_is_valid_point(to_js(data)))


def add_points(left: bytes, right: bytes) -> bytes:
    """The sum of two points of the curve. Raises `InvalidPoint` if one is not on it."""
    return _of_points(sodium.crypto_core_ed25519_add, left, right)


def subtract_points(left: bytes, right: bytes) -> bytes:
    """The difference of two points of the curve. Raises `InvalidPoint` if one is not on it."""
    return _of_points(sodium.crypto_core_ed25519_sub, left, right)


def multiply_point(scalar: bytes, point: bytes) -> bytes:
    """A multiple of a point, by a scalar that is not clamped. Raises `InvalidPoint` if the point is
    not of the subgroup, or the result is the neutral point."""
    return _of_points(sodium.crypto_scalarmult_ed25519_noclamp, scalar, point)


def multiply_base(scalar: bytes) -> bytes:
    """A multiple of the generator, by a scalar that is neither clamped nor zero."""
    return _call(sodium.crypto_scalarmult_ed25519_base_noclamp, scalar)


# Ed25519 (RFC 8032)


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether libsodium takes 64 bytes for the key's signature of a message
    (`pbem.ledger.signatures` has the rule)."""
    return bool(sodium.crypto_sign_verify_detached(to_js(signature), to_js(message), to_js(key)))


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature, 64 bytes, the same each time."""
    return _call(sodium.crypto_sign_detached, message, _pair(seed).privateKey.to_bytes())


def public_key(seed: bytes) -> bytes:
    """The public key of a seed (RFC 8032, section 5.1.5)."""
    key: bytes = _pair(seed).publicKey.to_bytes()
    return key


def _pair(seed: bytes) -> Any:
    return sodium.crypto_sign_seed_keypair(to_js(seed))


def write_key_file(seed: bytes, passphrase: bytes) -> bytes:
    """A seed as a PKCS#8 PEM file (RFC 8410). Raises `UnreadableKeyFile` where a passphrase is
    given: nobody here could read the file again."""
    if passphrase:
        raise UnreadableKeyFile
    begin, end = _PEM
    return b"\n".join((begin, base64.b64encode(_BEFORE_SEED + seed), end, b""))


def read_key_file(pem: bytes, passphrase: bytes | None) -> bytes:
    """The seed in a PKCS#8 PEM file without a passphrase. Raises `UnreadableKeyFile`,
    `OtherKindOfKey`."""
    begin, end = _PEM
    text = pem.strip()
    if passphrase is not None or not (text.startswith(begin) and text.endswith(end)):
        raise UnreadableKeyFile
    try:
        key = base64.b64decode(b"".join(text[len(begin) : -len(end)].split()), validate=True)
    except ValueError as error:
        raise UnreadableKeyFile from error
    if len(key) == len(_BEFORE_SEED) + 32 and key.startswith(_BEFORE_SEED):
        return key[len(_BEFORE_SEED) :]
    raise OtherKindOfKey if key[:1] == _OTHER_KEY else UnreadableKeyFile


# HKDF (RFC 5869)


def hkdf_sha256(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """32 bytes from a secret: extracted with the salt, expanded with the info."""
    return hkdf_expand_sha256(hmac.digest(salt, secret, "sha256"), info)


def hkdf_expand_sha256(key: bytes, info: bytes) -> bytes:
    """32 bytes from a key that is random already: only expanded, which for one block is one
    step."""
    return hmac.digest(key, info + b"\x01", "sha256")


def hkdf_sha512(secret: bytes, info: bytes) -> bytes:
    """64 bytes from a secret: extracted without a salt (so with zeros), expanded with the info."""
    return hmac.digest(hmac.digest(bytes(64), secret, "sha512"), info + b"\x01", "sha512")


# X25519 (RFC 7748) and libsodium's boxes: X25519, XSalsa20-Poly1305


def x25519_public_key(secret: bytes) -> bytes:
    """The public key of a secret of 32 bytes."""
    return _call(sodium.crypto_scalarmult_base, secret)


def x25519(secret: bytes, public: bytes) -> bytes:
    """What two agree on, 32 bytes. Raises `InvalidPoint` if the other's key is of small order."""
    return _of_points(sodium.crypto_scalarmult, secret, public)


def box(contents: bytes, nonce: bytes, public: bytes, secret: bytes) -> bytes:
    """Contents encrypted for a public key and authenticated by a secret (`crypto_box_easy`)."""
    return _call(sodium.crypto_box_easy, contents, nonce, public, secret)


def open_sealed_box(sealed: bytes, secret: bytes) -> bytes | None:
    """What is in a box that begins with its public key (`crypto_box_seal_open`); None if it was not
    made for this secret, or was changed."""
    return _opened(
        lambda: _call(sodium.crypto_box_seal_open, sealed, x25519_public_key(secret), secret)
    )


# XChaCha20-Poly1305, and Argon2id (RFC 9106)


def encrypt(contents: bytes, header: bytes, nonce: bytes, key: bytes) -> bytes:
    """Contents encrypted and authenticated together with a header that stays readable."""
    made: bytes = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        to_js(contents), to_js(header), None, to_js(nonce), to_js(key)
    ).to_bytes()
    return made


def decrypt(sealed: bytes, header: bytes, nonce: bytes, key: bytes) -> bytes | None:
    """What `encrypt` was given; None if the key is another, or anything was changed."""
    open_it = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
    return _opened(
        lambda: open_it(None, to_js(sealed), to_js(header), to_js(nonce), to_js(key)).to_bytes()
    )


def _opened(opening: Callable[[], bytes]) -> bytes | None:
    try:
        return opening()
    except JsException:
        return None


def argon2id(passphrase: bytes, salt: bytes, passes: int, memory: int) -> bytes:
    """A key of 32 bytes from a passphrase, by so many passes over so many bytes of memory, on one
    lane."""
    made: bytes = sodium.crypto_pwhash(
        32, to_js(passphrase), to_js(salt), passes, memory, sodium.crypto_pwhash_ALG_ARGON2ID13
    ).to_bytes()
    return made


def check_library() -> None:
    """Raise `Unsafe` unless libsodium knows the points of the subgroup from others."""
    check_points(
        is_valid_point, "the libsodium library that comes along", "take a newer version of pbem"
    )


check_library()
