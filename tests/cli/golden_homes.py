"""Scenes for the golden texts (golden_text.py): homes that are packed, copied, damaged or older
than their file, and libraries that cannot be made."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from examples.correspondence import Player
from pbem.home import home_pack
from pbem.home.written_by import LAYOUT
from pbem.library import schema
from pbem.lock import Lock
from tests.support.homes import make_home, seed_of

if TYPE_CHECKING:
    from tests.cli.golden_text import TextScript

TURN = "event thomas jefferson; 3 gibraltar > tripoli zone; done"
OTHER = "event thomas jefferson; 3 gibraltar > tunis zone; done"


def scenes(script: TextScript) -> None:
    for name in ("Eve", "Fay"):
        make_home(script.folder / name, name, seed=seed_of(name))
        _player(script, name, name)
    invitation = script.players["Eve"].does("new", "tripoli")["file"]
    joined = script.players["Fay"].does("join", invitation)["file"]
    _packs(script, joined)
    _signs_twice(script, joined)
    _is_damaged(script, joined)
    _libraries(script)


def _player(script: TextScript, called: str, folder: str) -> Path:
    """Whoever plays with the home in this folder, in the words of the script."""
    home = script.folder / folder
    script.players[called] = Player(called, home, script.folder / "mails", in_process=True)
    return home


def _packs(script: TextScript, joined: str) -> None:
    """A backup, which is opened elsewhere; a move; and a copy by hand."""
    script.players["Eve"].does("show", joined)
    game = joined.removesuffix("-0001.toml")
    _player(script, "Eve elsewhere", "elsewhere")
    shutil.copytree(script.folder / "Fay", _player(script, "Fay's copy", "copy"))
    script.says("Fay's copy", "show", game)
    with patch.object(home_pack, "MEMORY", 8192):
        script.says("Eve", "home", "backup", "eve.txt")
        with patch.dict(os.environ, {"PBEM_PASSPHRASE": "wind"}):
            script.says("Eve", "home", "backup", "eve.txt")
            for passphrase in ("tide", "wind"):
                with patch.dict(os.environ, {"PBEM_PASSPHRASE": passphrase}):
                    script.says("Eve elsewhere", "home", "open", "eve.txt")
        script.says("Eve elsewhere", "new", "tripoli")
        script.says("Eve elsewhere", "show", game)
        script.says("Eve elsewhere", "home", "keep")
        script.says("Eve elsewhere", "home", "keep", "--nowhere-else")
        with patch.dict(os.environ, {"PBEM_PASSPHRASE": "wind"}):
            script.says("Fay", "home", "move", "fay.home")
    script.says("Fay", "show", game)
    script.says("Fay", "new", "tripoli")
    script.says("Fay", "home", "keep", "--nowhere-else")


def _signs_twice(script: TextScript, joined: str) -> None:
    """Two versions of one turn, here and on another computer."""
    played = joined.replace("-0001", "-0002")
    (script.folder / "mails" / played).write_text("hello\n")
    script.says("Eve", "play", joined, TURN)
    (script.folder / "mails" / played).unlink()
    script.players["Eve"].does("play", joined, TURN)
    script.says("Eve", "play", joined, TURN)
    script.says("Eve", "play", joined, OTHER)
    script.says("Eve elsewhere", "play", joined, OTHER)
    script.says("Eve elsewhere", "play", joined, OTHER, "--i-have-no-newer-file")
    script.says("Eve", "remind", played)


def _is_damaged(script: TextScript, joined: str) -> None:
    """A home whose files others can read, that lost some, and that a newer program wrote."""
    home, game = script.folder / "Eve", joined.removesuffix("-0001.toml")
    (home / "identity.pem").chmod(0o644)
    script.says("Eve", "show", game)
    (home / "identity.pem").chmod(0o600)
    (home / "contacts.toml").write_bytes(b"")
    script.says("Eve", "contacts")
    for file in (*home.glob("games/*/signed/0002.toml"), *home.glob("games/*/read/0001-*.toml")):
        file.write_bytes(file.read_bytes()[:40])
    script.says("Eve", "inbox")
    script.says("Eve", "show", game)
    (home / "program.toml").write_text(f'program = "9.0.0"\nlayout = {LAYOUT + 1}\n')
    script.says("Eve", "inbox")


def _libraries(script: TextScript) -> None:
    """A folder of games beside what is none, with a database that is not ours or is being made."""
    folder = script.folder / "mails" / "odd games"
    folder.mkdir()
    os.mkfifo(folder / "pipe.toml")
    (folder / "null.toml").symlink_to(os.devnull)
    script.says("Cleo", "library", "odd games", "--jobs", "1")
    script.says("Cleo", "verify", "odd games", "--jobs", "1")
    lock = Lock(folder / f"{schema.FILE}-lock")
    lock.take()
    script.says("Cleo", "library", "odd games", "--jobs", "1")
    lock.release()
    (folder / schema.FILE).write_text("mine")
    script.says("Cleo", "library", "odd games", "--jobs", "1")
