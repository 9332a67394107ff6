"""What was sent from this home: `sent.json` in the folder of each game names the newest turn file that was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Usage


def remember(folder: Path, data: bytes, to: Sequence[str]) -> None:
    """Remember, in the folder of a game, that this file went to these addresses. Only ever a help: where it cannot be
    written, the turn is told as not sent."""
    with suppress(Usage):
        files.replace(folder / "sent.json", json.dumps({"file": _digest(data), "to": list(to)}).encode())


def is_sent(folder: Path, data: bytes) -> bool:
    """Whether this very file was sent."""
    try:
        known = json.loads(files.read_own(folder / "sent.json", 100_000))
        return bool(known["file"] == _digest(data))
    except (Usage, ValueError, TypeError, KeyError, RecursionError):
        return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
