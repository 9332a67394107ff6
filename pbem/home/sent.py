"""What was sent from this home: `sent.json` in the folder of each game names the newest turn file that was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Usage
from pbem.home.store import StateFile


@dataclass(frozen=True)
class Sent:
    """The SHA-256 of a turn file, and the addresses it went to."""

    file: str
    to: Sequence[str]


_SENT = StateFile("sent.json", Sent, 100_000)


def remember(folder: Path, data: bytes, to: Sequence[str]) -> None:
    """Remember, in the folder of a game, that this file went to these addresses. Only ever a help: where it cannot be
    written, the turn is told as not sent."""
    with suppress(Usage):
        _SENT.write(folder, Sent(_digest(data), to))


def is_sent(folder: Path, data: bytes) -> bool:
    """Whether this very file was sent."""
    known = _SENT.read_if_whole(folder)
    return known is not None and known.file == _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
