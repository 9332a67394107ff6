"""Tests of the desktop that run in the Python of the page: `run` starts pytest there.

What these tests take of PyNaCl, to compute a second time what pbem does, comes from libsodium here.
Modules that the page does not hold come from the checkout, mounted at `/repo`; pytest from the
environment of the tests, at `/packages`.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from pbem_sodium import sodium  # type: ignore[import-not-found]
from pyodide.ffi import to_js  # type: ignore[import-not-found]

SITE = Path("/lib/python3.14/site-packages")
PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py")
OPTIONS = (
    "-q",
    "-rfE",
    "--tb=short",
    "--noconftest",
    "-c",
    "/dev/null",
    "--rootdir=/repo",
    "--import-mode=importlib",
)


def _bytes(function: Any, *given: bytes | None) -> bytes:
    made: bytes = function(*(None if one is None else to_js(one) for one in given)).to_bytes()
    return made


class VerifyKey:
    """As in `nacl.signing`."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __bytes__(self) -> bytes:
        return self._key

    def verify(self, message: bytes, signature: bytes) -> None:
        assert sodium.crypto_sign_verify_detached(
            to_js(signature), to_js(message), to_js(self._key)
        )


class SigningKey:
    """As in `nacl.signing`."""

    def __init__(self, seed: bytes) -> None:
        pair = sodium.crypto_sign_seed_keypair(to_js(seed))
        self._secret, self.verify_key = (
            pair.privateKey.to_bytes(),
            VerifyKey(pair.publicKey.to_bytes()),
        )

    def sign(self, message: bytes) -> SimpleNamespace:
        return SimpleNamespace(signature=_bytes(sodium.crypto_sign_detached, message, self._secret))


def _decrypt(sealed: bytes, header: bytes, nonce: bytes, key: bytes) -> bytes:
    return _bytes(
        sodium.crypto_aead_xchacha20poly1305_ietf_decrypt, None, sealed, header, nonce, key
    )


def _pwhash(
    size: int, passphrase: bytes, salt: bytes, passes: int, memory: int, kind: int
) -> bytes:
    made: bytes = sodium.crypto_pwhash(
        size, to_js(passphrase), to_js(salt), passes, memory, kind
    ).to_bytes()
    return made


def _install() -> None:
    names = {
        "nacl": {},
        "nacl.bindings": {
            "crypto_aead_xchacha20poly1305_ietf_decrypt": _decrypt,
            "crypto_pwhash_alg": _pwhash,
            "crypto_pwhash_ALG_ARGON2ID13": sodium.crypto_pwhash_ALG_ARGON2ID13,
        },
        "nacl.signing": {"SigningKey": SigningKey, "VerifyKey": VerifyKey},
    }
    for name, held in names.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(held)
    for path in sorted([*SITE.glob("pbem/**/__init__.pyc"), *SITE.glob("engine/**/__init__.pyc")]):
        inside = path.parent.relative_to(SITE)
        importlib.import_module(".".join(inside.parts)).__path__.append(f"/repo/{inside}")
    for name in PYTEST:
        copy = shutil.copy if name.endswith(".py") else shutil.copytree
        copy(f"/packages/{name}", f"/pytest/{name}")
    os.chdir("/repo")
    sys.path += ["/pytest", "/repo"]


def run(*chosen: str) -> str:
    """pytest with these files and options: what it gives back, and what it says."""
    Path("/pytest").mkdir()
    _install()
    import pytest

    with redirect_stdout(StringIO()) as said:
        code = int(
            pytest.main([*OPTIONS, "-p", "no:cacheprovider", "-p", "no:faulthandler", *chosen])
        )
    return f"{code} {said.getvalue()}"
