"""The mails that were fetched into a home and are not taken in yet: room for them, who sent them,
and which turns in them do not verify."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import PbemError, PluginFails, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.attached import AttachedFile
from pbem.home.attached_files import files_with
from pbem.home.home import Home
from pbem.home.shelf import holds_file
from pbem.home.store import StateFile
from pbem.home.taken_in import SENDERS, WANTED
from pbem.ledger import gate
from pbem.ledger.invitation import id_of_game
from pbem.mail.find_turns import TOO_MUCH

LONGEST = 1_000_000
"""Bytes of a mail that is kept whole; of a longer one only its turns are kept."""
SHARES = 10
"""One sender may take one part in so many of all room."""
MOST_BAD = 10_000
"""Turns that do not verify whose digests are remembered."""
_BAD = StateFile("bad-turns.json", dict[str, str], 20_000_000)
"""Why a turn does not verify, by the beginning of its SHA-256."""


class CheckedTurn(NamedTuple):
    """A turn that was found in a mail: its bytes, why it does not verify (empty if it does),
    whether its game is here already, and whether the home holds this very file. `lacks`: the files
    that go with its entries and are not here."""

    data: bytes
    problem: str
    is_here: bool
    is_known: bool = False
    lacks: Sequence[AttachedFile] = ()


class FetchedMails:
    """The mails that were fetched into a home and are not taken in yet. `most` bounds their
    bytes."""

    def __init__(self, home: Home, most: int) -> None:
        self._home = home
        self._most = most
        self.folder = home.make_folder("inbox")
        self._senders: dict[str, str] = SENDERS.read_if_whole(self.folder) or {}
        self._bad: dict[str, str] = _BAD.read_if_whole(self.folder) or {}
        self._is_changed = False
        self.count_anew()

    def count_anew(self) -> None:
        """Count what lies in the folder now."""
        self._sizes = {
            path.name: _size(path) for path in files.listed(self.folder) if path.suffix != ".json"
        }
        self._senders = {
            name: sender for name, sender in self._senders.items() if name in self._sizes
        }
        self._used = sum(self._sizes.values())
        self._of_sender: Counter[str] = Counter()
        for name, sender in self._senders.items():
            self._of_sender[sender] += self._sizes[name]

    def check(self, data: bytes) -> CheckedTurn:
        """Verify a turn, unless it is known not to verify."""
        digest = hashlib.sha256(data).hexdigest()[:32]
        if digest in self._bad:
            return CheckedTurn(data, self._bad[digest], False)
        try:
            file = turnfile.read(data)
            game = gate.replay(file, self._home.checks.verifier)
        except PluginFails:  # the file is to wait in the home until its plug-in is mended
            return CheckedTurn(
                data, "", files.is_folder(self._home.game_folder(id_of_game(file.entries[0])))
            )
        except (PbemError, MemoryError) as error:
            problem = str(error) if isinstance(error, PbemError) else TOO_MUCH
            self._bad = dict([*self._bad.items(), (digest, problem)][-MOST_BAD:])
            self._is_changed = True
            return CheckedTurn(data, problem, False)
        folder = self._home.game_folder(game.game_id)
        named = [kept for entry in file.entries for kept in files_with(folder, entry)]
        lacks = [kept.file for kept in named if kept.state != "here"]
        return CheckedTurn(data, "", files.is_folder(folder), holds_file(folder, file), lacks)

    def full(self, size: int, sender: str, *, is_here: bool) -> str:
        """What is full, in words, if so many bytes of a sender may not be kept, of a game that is
        here or of another one; else empty."""
        if self._of_sender[sender] + size > self._most // SHARES:
            return f"the share of {sender or 'senders without an address'}"
        if self._used + size > self._most:
            return "all the room"
        if not is_here and self._used + size > self._most // 2:
            return "the half for games that are new to you"
        return ""

    def keep(
        self,
        name: str,
        mail: bytes,
        turns: Sequence[bytes],
        sender: str,
        wanted: Sequence[bytes] = (),
    ) -> list[Path]:
        """Write a mail, or the turns alone of one that is very long (or empty), and the files that
        go with them; returns what was written. Raises `Usage`."""
        contents = {f"{name}.eml": mail}
        if not 0 < len(mail) <= LONGEST:
            contents = {f"{name}-{number}.toml": turn for number, turn in enumerate(turns)}
            contents |= {f"{name}-{number}{WANTED}": file for number, file in enumerate(wanted)}
        for file, data in contents.items():
            files.replace(self.folder / file, data)
            self._senders[file] = sender
        for file, data in contents.items():
            grown = len(data) - self._sizes.get(file, 0)
            self._sizes[file] = len(data)
            self._used += grown
            self._of_sender[sender] += grown
        self._is_changed = True
        return [self.folder / file for file in contents]

    def write_down(self) -> None:
        """Remember who sent what, and which turns do not verify. Where that cannot be written it is
        only forgotten."""
        if self._is_changed:
            with suppress(Usage):
                SENDERS.write(self.folder, self._senders)
                _BAD.write(self.folder, self._bad)
                self._is_changed = False


def refused_turns(home: Home) -> int:
    """How many turns that came by mail did not verify, as far as it is remembered."""
    return len(_BAD.read_if_whole(home.folder / "inbox") or {})


def size_kept(mail: bytes, turns: Sequence[bytes], wanted: Sequence[bytes] = ()) -> int:
    """Bytes that a mail with these turns and files takes when it is kept."""
    return len(mail) if 0 < len(mail) <= LONGEST else sum(map(len, (*turns, *wanted)))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
