"""The folder `inbox` of a home, into which mails are fetched: what of a mail is kept, and how much
of all.

Anybody can write to an address. So a turn is verified before its mail is kept, and one that does
not verify is noted by its digest and judged once. What does verify costs its sender's share alone;
strangers' games together have half of the room, and games that are here the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.ledger import gate
from pbem.mail.find_turns import TOO_MUCH

LONGEST = 1_000_000
"""Bytes of a mail that is kept whole; of a longer one its turns are."""
SHARES = 10
"""One sender's part of all room is one in so many."""
MOST_BAD = 10_000
"""Turns that do not verify of which the digest is remembered."""
_SENDERS = StateFile("senders.json", dict[str, str], 20_000_000)
"""Who sent each file of the folder, by its name."""
_BAD = StateFile("bad-turns.json", dict[str, str], 20_000_000)
"""Why a turn does not verify, by the beginning of its SHA-256."""


class JudgedTurn(NamedTuple):
    """A turn that was found in a mail: its bytes, why it does not verify (empty if it does), and
    whether its game is here already."""

    data: bytes
    problem: str
    is_here: bool


class FetchedMails:
    """What was fetched into a home. `most` bounds the bytes that are kept."""

    def __init__(self, home: Home, most: int) -> None:
        self._home = home
        self._most = most
        self.folder = home.make_folder("inbox")
        self._senders: dict[str, str] = _SENDERS.read_if_whole(self.folder) or {}
        self._bad: dict[str, str] = _BAD.read_if_whole(self.folder) or {}
        self._sizes = {
            path.name: _size(path) for path in files.listed(self.folder) if path.suffix != ".json"
        }
        self._senders = {
            name: sender for name, sender in self._senders.items() if name in self._sizes
        }
        self._is_changed = False

    def judged(self, data: bytes) -> JudgedTurn:
        """Verify a turn that was not judged before."""
        digest = hashlib.sha256(data).hexdigest()[:32]
        if digest in self._bad:
            return JudgedTurn(data, self._bad[digest], False)
        try:
            game = gate.replay(turnfile.read(data), self._home.checks.verifier)
        except (PbemError, MemoryError) as error:
            problem = str(error) if isinstance(error, PbemError) else TOO_MUCH
            self._bad = dict([*self._bad.items(), (digest, problem)][-MOST_BAD:])
            self._is_changed = True
            return JudgedTurn(data, problem, False)
        return JudgedTurn(
            data, "", files.is_folder(self._home.folder / "games" / game.game_id.hex()[:32])
        )

    def has_room(self, size: int, sender: str, *, is_here: bool) -> bool:
        """Whether so many bytes of a sender may be kept, in a game that is here or another one."""
        used = sum(self._sizes.values())
        theirs = sum(self._sizes[name] for name, other in self._senders.items() if other == sender)
        most = self._most if is_here else self._most // 2
        return used + size <= most and theirs + size <= self._most // SHARES

    def keep(self, name: str, mail: bytes, turns: Sequence[bytes], sender: str) -> list[Path]:
        """Write a mail, or the turns of one that is very long; the files. Raises `Usage`."""
        contents = {f"{name}.eml": mail}
        if len(mail) > LONGEST:
            contents = {f"{name}-{number}.toml": turn for number, turn in enumerate(turns)}
        for file, data in contents.items():
            files.replace(self.folder / file, data)
            self._sizes[file] = len(data)
            self._senders[file] = sender
        self._is_changed = True
        return [self.folder / file for file in contents]

    def write_down(self) -> None:
        """Remember who sent what, and what was judged. Only ever a help."""
        if self._is_changed:
            with suppress(Usage):
                _SENDERS.write(self.folder, self._senders)
                _BAD.write(self.folder, self._bad)
                self._is_changed = False


def refused_turns(home: Home) -> int:
    """How many turns came by mail that do not verify, as far as they are remembered."""
    return len(_BAD.read_if_whole(home.folder / "inbox") or {})


def size_kept(mail: bytes, turns: Sequence[bytes]) -> int:
    """Bytes that are kept of a mail with these turns."""
    return len(mail) if len(mail) <= LONGEST else sum(map(len, turns))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
