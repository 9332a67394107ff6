"""The switches for entries that write themselves: for a home, and for single games.

`unlock` finds the passphrase of the key for a program that runs where nobody types: in the keyring,
or among systemd's credentials, but never in the clear in a unit file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Do, PbemError, Refused, Usage
from pbem.home import heartbeat, outside
from pbem.home.game_index import game_folders, short_name_in
from pbem.home.home import Home, ask_passphrase
from pbem.home.identity import is_encrypted
from pbem.home.outside import BY_HAND, ON, Outside
from pbem.home.shelf import shelf_of
from pbem.mail import settings
from pbem.turn import game_list, stopped


@dataclass(frozen=True)
class AutoGame:
    """A game and its switch: `mark` is "on", "by hand", or empty where the game follows the home;
    `why` says why the program has set it to "by hand"; `on` says whether entries are written by
    themselves, as far as the switches go."""

    short: str
    mark: str
    why: str
    on: bool


@dataclass(frozen=True)
class AutoFacts:
    """The switches of a home: `home` for all games without a mark, `notes` whether private notes
    may be revealed by themselves, `prepared` whether turns that the player has prepared are written
    by themselves, and `folder`, outside the home, where the switches are kept.
    `games` are those in which entries may still be written by themselves: neither proven nor played
    alone. `silence` says what should go on by itself and does not, a line each (empty: nothing is
    known to have stopped)."""

    home: bool
    notes: bool
    folder: str
    games: Sequence[AutoGame]
    silence: str
    prepared: bool = False


def facts(home: Home) -> AutoFacts:
    """The switches as they are."""
    public = home.identity().public
    kept = outside.read(public)
    game_lists = game_list.games(home, home.identity())
    done = {one.game_id[:32] for one in game_lists.games if not one.may_write_itself}
    done |= {one.game_id[:32] for one in game_lists.hidden if one.seat is None}
    games = [
        AutoGame(
            short,
            kept.games.get(folder.name, ""),
            kept.why.get(folder.name, ""),
            kept.is_on(folder.name),
        )
        for folder, short in _games(home)
        if folder.name not in done
    ]
    games.sort(key=lambda one: one.short)
    silence = game_list.silence(home, game_lists.games)
    folder = str(outside.folder_of(public))
    return AutoFacts(kept.home, kept.notes, folder, games, silence, kept.prepared)


def switch_on(home: Home, name: str | None, *, notes: bool, prepared: bool = False) -> None:
    """Switch it on for the home, or for one game; with `notes`, private notes may be revealed too,
    with `prepared`, turns that the player has prepared are written too. Raises `Usage`."""
    folder = None if name is None else _folder_named(home, name)

    def change(kept: Outside) -> Outside:
        kept = replace(kept, home=True) if folder is None else kept.with_mark(folder.name, ON)
        return replace(kept, notes=kept.notes or notes, prepared=kept.prepared or prepared)

    outside.change(home.identity().public, change)
    with suppress(PbemError):  # whoever lists the games says what is wrong in mail.toml
        ways = stopped.ways_in(settings.read(home))
        heartbeat.change(home, lambda beat: replace(beat, had=ways))


def switch_off(home: Home) -> None:
    """Switch it off for the home and every game. Games played by hand stay so."""

    def change(kept: Outside) -> Outside:
        games = {game: mark for game, mark in kept.games.items() if mark == BY_HAND}
        return replace(kept, home=False, notes=False, prepared=False, games=games)

    outside.change(home.identity().public, change)


def by_hand(home: Home, name: str) -> None:
    """Let one game be played by hand, whatever holds for the home. Raises `Usage`."""
    folder = _folder_named(home, name)
    outside.change(home.identity().public, lambda kept: kept.with_mark(folder.name, BY_HAND))


def _games(home: Home) -> list[tuple[Path, str]]:
    """The folder and the short name of every game of the home."""
    shelves = [(folder, shelf_of(folder)) for folder in game_folders(home)]
    return [
        (folder, short_name_in(shelf.file, folder.name))
        for folder, shelf in shelves
        if shelf is not None
    ]


def _folder_named(home: Home, name: str) -> Path:
    """The folder of the one game whose short name or id begins so. Raises `Usage`."""
    found = [
        folder
        for folder, short in _games(home)
        if short.startswith(name) or folder.name.startswith(name)
    ]
    if len(found) != 1:
        what = (
            f'{len(found)} games begin with "{name[:80]}"'
            if found
            else f'no game begins with "{name[:80]}"'
        )
        raise Usage(what, hint=Do("inbox", does="lists the games of this home"))
    return found[0]


SERVICE = "pbem passphrase"
"""The service under which the keyring keeps the passphrase; the user there is the folder of the
home."""
CREDENTIAL = "pbem-passphrase"
"""The name of systemd's credential (systemd.exec(5), LoadCredentialEncrypted)."""


def unlock(home: Home) -> None:
    """Open the key of a home once, for as long as it is watched. Raises `Usage` if there is no
    passphrase to be had, `Damaged` if it is wrong, and `Refused` if it stands in the environment of
    a program that was not started by hand."""
    if not home.has_identity() or not is_encrypted(home.key_pem()):
        home.identity()
        return
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    if "PBEM_PASSPHRASE" in os.environ and not is_terminal:
        raise Refused(
            "the passphrase stands in the environment, where others may read it",
            hint=(
                f'take it out of the unit file; keep it with: keyring set "{SERVICE}"'
                f" {files.printable(home.folder)}"
            ),
        )
    found = _from_credentials() or _from_keyring(home)
    if found is None and not is_terminal:
        hint = (
            f'keep it with: keyring set "{SERVICE}" {files.printable(home.folder)} (docs/mail.md'
            " has another way)"
        )
        raise Usage("the key needs its passphrase, and nobody is here to type it", hint=hint)
    home.unlock(ask_passphrase("Passphrase: ") if found is None else found)


def _from_credentials() -> str | None:
    """The passphrase among systemd's credentials; None if it is not there."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    path = Path(folder) / CREDENTIAL if folder else None
    if path is None or not path.is_file():
        return None
    return files.read_own(path, 10_000).decode("utf-8", "replace").rstrip("\r\n")


def _from_keyring(home: Home) -> str | None:
    """The passphrase in the system's keyring; None if it is not there."""
    try:
        keyring: Any = import_module("keyring")  # optional
        found = keyring.get_password(SERVICE, str(home.folder.absolute()))
    except Exception:  # a backend may be anybody's: each fails in its own way
        return None
    return None if found is None else str(found)
