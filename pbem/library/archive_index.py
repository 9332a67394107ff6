"""The index of an archive: a line for each game, as a page for browsers and as Markdown.

`index.json` keeps the lines, each with the SHA-256 of its turn file, so that only files it does not
know are verified. It holds nothing else: without it, or with one that cannot be read, the lines are
made from the turn files again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from pbem import files
from pbem.errors import Conflict, PbemError, Usage
from pbem.fileformat.turnfile import MAX_FILE
from pbem.library import pages
from pbem.replay.scenes import Replayed, Shown
from pbem.report import standing

PAGES: Final = ("index.html", "index.md")
KEPT: Final = "index.json"
MARK: Final = "made by pbem archive"
"""Stands near the beginning of each of the three files: what has no such mark is somebody else's
and is not touched."""
_NEAR: Final = 1000
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*-[0-9a-f]{8}\.toml")
_LARGEST: Final = 100_000_000


@dataclass(frozen=True)
class Line:
    """What the index says of a game. `name` is what its files are called without their endings;
    `players` are names, each with the seat; dates are those that the players claim."""

    name: str
    sha256: str
    title: str
    made_with: str
    players: str
    began: str
    ended: str
    entries: int
    ending: str
    proven: bool
    witnessed: bool


def line_of(data: bytes, replayed: Replayed) -> Line:
    """The line of a game that holds and is over."""
    shown, game = replayed.shown(), replayed.game
    ending = standing.over(game)
    assert ending is not None
    return Line(
        name=f"{shown.game}-{shown.game_id[:8]}",
        sha256=hashlib.sha256(data).hexdigest(),
        title=shown.title,
        made_with=", ".join(shown.made_with),
        players=_players(shown),
        began=shown.scenes[0].date[:10],
        ended=shown.scenes[-1].date[:10],
        entries=len(shown.scenes),
        ending=(shown.ending or ending.how).removesuffix("."),
        proven=ending.proven,
        witnessed=game.invitation.is_witnessed(),
    )


def _players(shown: Shown) -> str:
    return ", ".join(f"{seat.name or 'the bot'} ({seat.seat})" for seat in shown.seats)


def check_own(folder: Path) -> None:
    """Whether the index can be written over what lies there. Raises `Conflict` if it is somebody
    else's."""
    for name in (*PAGES, KEPT):
        path = folder / name
        if os.path.lexists(path) and MARK not in _text(path)[:_NEAR]:
            what = f"{files.printable(path)} was not made by pbem archive"
            raise Conflict(
                what, hint="nothing was overwritten; move it away or choose another folder"
            )


def renew(folder: Path, line: Line) -> tuple[list[Line], dict[str, str]]:
    """Write the index anew, with this line; the lines of games whose files are gone leave it. The
    lines, the newest game first, and the turn files that have none with the reason. Raises `Usage`
    if it cannot be written."""
    known = {one.sha256: one for one in (*_kept(folder), line)}
    lines: list[Line] = []
    left_out: dict[str, str] = {}
    for path in files.listed(folder):
        if _NAME.fullmatch(path.name):
            try:
                lines.append(_line_at(path, known))
            except PbemError as error:
                left_out[files.printable(path)] = error.what
    lines.sort(key=lambda one: one.name)
    lines.sort(key=lambda one: one.ended, reverse=True)
    for name, text in _texts(lines).items():
        if not files.holds(folder / name, text.encode()):
            files.replace(folder / name, text.encode(), mode=0o644)
    return lines, left_out


def _line_at(path: Path, known: Mapping[str, Line]) -> Line:
    """The line of a turn file: the one that is known of these bytes, or a new one. Raises kinds of
    `PbemError`."""
    data = files.read_own(path, MAX_FILE)
    line = known.get(hashlib.sha256(data).hexdigest())
    if line is None:
        replayed = Replayed(data)
        if replayed.failure is not None:
            raise replayed.failure
        if standing.over(replayed.game) is None:
            raise Usage("the game is not over")
        line = line_of(data, replayed)
    if line.name != path.stem:
        raise Usage(f"it is {line.name}")
    return line


def _texts(lines: Iterable[Line]) -> dict[str, str]:
    """The files of the index by name; the page last, for it is what readers look at."""
    kept = {"format": f"1, {MARK}", "games": [asdict(line) for line in lines]}
    facts = {"lines": list(lines), "mark": MARK}
    return {
        KEPT: json.dumps(kept, indent=1, ensure_ascii=False) + "\n",
        "index.md": pages.markdown("index", facts),
        "index.html": pages.html("index", facts, "index.css"),
    }


def _kept(folder: Path) -> list[Line]:
    """The lines that `index.json` holds; none that is not whole."""
    try:
        games = json.loads(_text(folder / KEPT))["games"]
        return [line for one in games if (line := _line(one)) is not None]
    except (ValueError, LookupError, TypeError, RecursionError, Usage):
        return []


def _line(said: Any) -> Line | None:
    kinds = {"entries": int, "proven": bool, "witnessed": bool}
    names = [field.name for field in fields(Line)]
    if not isinstance(said, dict) or set(said) != set(names):
        return None
    if not all(type(said[name]) is kinds.get(name, str) for name in names):
        return None
    return Line(**said)


def _text(path: Path) -> str:
    """Raises `Usage`."""
    return files.read_own(path, _LARGEST).decode("utf-8", "replace")
