"""Homes with an identity, for players of every game."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.player.home import Home


def private_key(name: str) -> Ed25519PrivateKey:
    """The key of a player of this name, the same on every run."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def make_home(folder: Path, name: str = "Ann", mail: str | None = None, key: Ed25519PrivateKey | None = None) -> Home:
    """A home with an identity: this mail address, or one like the name; this key, or a new one."""
    home = Home(folder)
    mail = f"{name.lower()}@example.org" if mail is None else mail
    home.found(name, mail, key or Ed25519PrivateKey.generate(), "")
    return home
