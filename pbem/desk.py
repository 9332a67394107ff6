"""Between the command line and a session: reads what a player names, writes what he sends, shows what he asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import armor, files, session
from pbem.draft import Draft
from pbem.errors import Usage
from pbem.home import Home
from pbem.ledger import Ledger
from pbem.report import board, report
from pbem.session import Opened

_SAFE = re.compile(r"[^a-z0-9-]")


@dataclass(frozen=True)
class Written:
    """What a command wrote: the next turn file, its summary, and who writes next."""

    file: Path
    summary: Path
    game: Ledger


def open_path(path: Path, home: Home | None, *, nothing_newer: bool = False) -> Opened:
    """A verified file before the player of this home."""
    return session.open_file(armor.load(path), home, nothing_newer=nothing_newer)


def check_folder(folder: Path) -> Path:
    """A folder to write to, looked at before anything is signed. Raises `Usage`."""
    if not folder.is_dir():
        raise Usage(f"there is no folder {files.shown(folder)}", hint="make it first, or leave --dir out")
    return folder


def write_turn(data: bytes, folder: Path, home: Home) -> Written:
    """Write a turn file and its public summary; nothing that exists is overwritten. Raises `Conflict` or `Usage`."""
    game = replay_bytes(data)
    stem = f"{_SAFE.sub('', game.rules.name)}-{game.game_id.hex()[:8]}-{len(game.entries) - 1:03}"
    file, summary = folder / f"{stem}.toml", folder / f"{stem}.md"
    files.write_new(file, data)
    text = public_summary(game, home)
    if not summary.exists():
        files.write_new(summary, text.encode())
    return Written(file, summary, game)


def replay_bytes(data: bytes) -> Ledger:
    """The game of these bytes."""
    return session.verified(data)


def public_summary(game: Ledger, home: Home) -> str:
    """The Markdown summary of the newest entry, as everybody may see it."""
    faces = game.referee.game.faces() if game.referee else {}
    facts = report(game, None, faces, len(game.entries) - 1)
    facts |= {"hand": None, "to_act": to_act(game), "warnings": []}
    from pbem import render

    return render.render("report.md.j2", facts, home.folder / "templates")


def to_act(game: Ledger) -> str | list[str]:
    """The seat that may write next, or an empty list."""
    seat = game.to_act()
    return [] if seat is None else game.seats[seat]


def facts_for(opened: Opened, *, public: bool) -> tuple[dict[str, Any], Draft | None]:
    """The report for the player of this home: the position after what his own seat owes, and since his last entry."""
    game = opened.ledger
    turn = to_act(game)
    draft = None if public or opened.seat is None else opened.draft()
    viewer = None if public else opened.seat
    faces = dict(game.referee.game.faces()) if game.referee else {}
    if viewer is not None:
        faces = dict(session.own_faces(opened, draft))
    own = [entry.number for entry in game.entries if game.seat_of(entry) == viewer]
    since = own[-1] + 1 if own else (0 if viewer is not None else len(game.entries) - 1)
    facts = report(game, viewer, faces, since)
    return {**facts, **board(game, viewer, faces), "to_act": turn, "warnings": opened.warnings}, draft
