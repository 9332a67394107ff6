"""The newest play of a story."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

View = Mapping[str, Any]


def newest_play(lines: Iterable[View]) -> View | None:
    """The line of the story that tells of it; None where another game has begun since."""
    newest = None
    for line in lines:
        if line["kind"] in ("plays", "must play", "game"):
            newest = line if line["kind"] != "game" else None
    return newest


def newest_throw(lines: Iterable[View]) -> View | None:
    """The newest line of the story with dice that somebody has played, or could not; or by which a
    player gives up, unless the other one plays on. None where another game has begun since."""
    newest: View | None = None
    for line in lines:
        if line["kind"] in ("game", "plays on"):
            newest = None
        elif line["kind"] in ("plays", "must play", "cannot move", "resigns"):
            newest = line
    return newest
