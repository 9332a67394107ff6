"""Homes with an identity, for players of every game."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.player import open_game, place
from pbem.player.home import Home
from pbem.player.open_game import Opened
from tests.support.same_chance import new_key


def private_key(name: str) -> Ed25519PrivateKey:
    """The key of a player of this name, the same on every run."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def copy_homes(source: Path, to: Path) -> None:
    """Copy a home, or a folder with some; each is used where it lies now, as far as it knows."""
    shutil.copytree(source, to)
    settle_homes(to)


def settle_homes(folder: Path) -> None:
    """The homes in a folder that were copied there are used there, and nowhere else."""
    for known in folder.rglob(place.NAME):
        place.settle(Home(known.parent))


def complete_answers(opened: Opened, choose: Callable[[Sequence[str]], str]) -> list[str]:
    """Answers that make an entry, each chosen among what `pbem moves` lists; none where nothing is asked."""
    given: list[str] = []
    while not (facts := open_game.moves(opened, given)).complete:
        given.append(choose(facts.options))
    return given


def make_home(folder: Path, name: str = "Ann", mail: str | None = None, key: Ed25519PrivateKey | None = None) -> Home:
    """A home with an identity: this mail address, or one like the name; this key, or a new one."""
    home = Home(folder)
    mail = f"{name.lower()}@example.org" if mail is None else mail
    home.found(name, mail, key or new_key(), "")
    return home
