"""Between the command line and a session: reads what a player names, writes what they send, shows what they ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from engine.flow import Card, Handle, Refusal
from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.ledger.ledger import Ledger, replay
from pbem.ledger.replay import Seen
from pbem.mail import load
from pbem.player import open_game
from pbem.player.draft_entry import Draft
from pbem.player.game_index import short_name
from pbem.player.home import Home
from pbem.player.open_game import Opened
from pbem.report.facts import report, report_to_player
from pbem.report.facts import to_act as to_act
from pbem.report.model import PlayerFacts, Report


@dataclass(frozen=True)
class WrittenFacts:
    """What a command that wrote a turn tells: the files, and who writes next (nobody: an empty list)."""

    file: str
    summary: str
    mail: str | None
    to_act: str | Sequence[str]


@dataclass(frozen=True)
class Tried:
    """What a turn that was not written would say in its summary."""

    file: None
    summary: str
    to_act: str | Sequence[str]


class Written(NamedTuple):
    """What a command wrote: the next turn file, its summary, and who writes next."""

    file: Path
    summary: Path
    game: Ledger
    mail: Path | None = None
    note: str = ""
    """Why there is no mail, if something went wrong with it."""


def open_path(path: Path, home: Home | None, *, nothing_newer: bool = False) -> Opened:
    """A verified file before the player of this home."""
    return open_game.open_file(load.load(path, home), home, nothing_newer=nothing_newer)


def check_folder(folder: Path) -> Path:
    """A folder to write to, looked at before anything is signed. Raises `Usage`."""
    if not files.is_folder(folder):
        raise Usage(f"there is no folder {files.shown(folder)}", hint="make it first, or leave --dir out")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Usage(
            f"nothing can be written to {files.shown(folder)}", hint="nothing was signed; --dir names another one"
        )
    return folder


def look_before_signing(opened: Opened, home: Home, target: Path, *folders: Path) -> None:
    """Whether the entry that is asked for was signed already by a home that has forgotten it since, and whether it can
    be written. Raises `Conflict`."""
    from pbem.mail import own_entries
    from pbem.player import place

    place.check_open(home)
    own_entries.take_back(opened, home, [target, *folders])
    own_entries.check_name(opened, target / f"{stem(opened.ledger, len(opened.file.entries))}.toml")


def write_turn(data: bytes, folder: Path, home: Home, *, mail: bool = True) -> Written:
    """Write a turn file, its public summary and the mail that brings it to the others; nothing that exists is
    overwritten. Raises `Conflict` or `Usage`."""
    game, seen = home.checks.follow(data)
    file, summary = folder / f"{stem(game)}.toml", folder / f"{stem(game)}.md"
    files.write_new(file, data)
    text = public_summary(game, home)
    files.write_new(summary, text.encode())
    written, note = _write_mail(data, game, seen, file, home) if mail else (None, "")
    return Written(file, summary, game, written, note)


def _write_mail(data: bytes, game: Ledger, seen: Seen, file: Path, home: Home) -> tuple[Path | None, str]:
    """The mail beside its turn file. The file is what counts: what is wrong with a mail is only told."""
    from pbem.mail import compose

    path = file.with_suffix(".eml")
    if path.exists():
        return path, ""
    try:
        message = compose.compose(data, game, seen, file.name, home.folder / "templates")
        if message is None:
            return None, ""
        files.write_new(path, message)
    except PbemError as error:
        return None, f"no mail was written: {error}"
    return path, ""


def next_step(game: Ledger, *, mailed: bool = False) -> str:
    """What to do with a file that was just written, and whether a mail lies beside it."""
    turn, what = game.to_act(), "turn file or the mail" if mailed else "file"
    if not game.is_witnessed():
        if turn is None:
            return "The game is over and proven; it is unwitnessed."
        return "Nobody else is needed, so there is no mail: go on with this file. The game is unwitnessed."
    if turn is None:
        return f"Send the {what} to the others; the game is over and proven."
    seat, free = game.seats[turn], game.free_seats()
    if turn not in free:
        return f"Send the {what} to the others; the game waits for {seat}."
    if game.seat_of(game.entries[-1]) != game.host:
        inviter = game.seated(game.host)
        return (
            f"Send the {what} to {inviter.name} ({game.seats[game.host]}), who passes it on to whoever joins as {seat}."
        )
    if len(free) > 1:
        return f"Send the {what} to one player, who joins as {seat}; the next one joins on that player's file."
    return f"Send the {what} to the player who is to join as {seat}."


def stem(game: Ledger, number: int | None = None) -> str:
    """What the names of the files of an entry begin with; of the newest, if no number is given."""
    return f"{short_name(game)}-{len(game.entries) - 1 if number is None else number:04}"


def replay_bytes(data: bytes) -> Ledger:
    """The game of these bytes."""
    return replay(turnfile.read(data))


def public_summary(game: Ledger, home: Home) -> str:
    """The Markdown summary of the newest entry, as everybody may see it."""
    faces = game.referee.faces() if game.referee else {}
    facts = report(game, None, faces, len(game.entries) - 1)
    from pbem.report import render

    return render.render("report.md.j2", facts, home.folder / "templates")


def print_position(opened: Opened, facts: Report, home: Home) -> bool:
    """Show a report in a terminal, in colour; False if nothing is to be drawn, or for a report of the player's own."""
    own = home.folder / "templates"
    if not facts.view or (own / "report.txt.j2").exists():
        return False
    from pbem.report import render, terminal

    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    board = terminal.board(facts.game, facts.view, before, terminal.width())
    if board is None:
        return False
    terminal.print_report(render.render("head.txt.j2", facts, own), board, render.render("asked.txt.j2", facts, own))
    return True


def public_faces(game: Ledger) -> Mapping[Handle, Card]:
    """Every card that was opened for everybody."""
    return game.referee.game.faces() if game.referee else {}


def faces_now(opened: Opened, draft: Draft | None) -> Mapping[Handle, Card]:
    """Every card that the player of this home knows, after what the draft brings."""
    return open_game.own_faces(opened, draft)


def _compared(players: Sequence[PlayerFacts], opened: Opened) -> list[PlayerFacts]:
    """The players with the days on which the player of this home compared their fingerprints."""
    known = opened.compared
    return [replace(player, compared=known.get(player.key or "")) for player in players]


def facts_for(opened: Opened, *, public: bool, typed: Sequence[str] = ()) -> tuple[Report, Draft | None]:
    """The report for the player of this home: the position after what their own seat owes (and after these answers),
    and what happened since their last entry. Raises `Refused` at an answer that is not taken."""
    try:
        draft = None if public or opened.seat is None else opened.draft(typed)
    except Refusal as error:
        raise open_game.refused(error) from error
    return facts_at(opened, draft, public=public), draft


def facts_at(opened: Opened, draft: Draft | None, *, public: bool = False) -> Report:
    """The report for the player of this home at the position of a draft of theirs, or of the file where there is none;
    `public`: as anybody may read it."""
    game = opened.ledger if draft is None else draft.ledger
    opened_for_all = game.referee.faces() if game.referee else {}
    faces = opened_for_all if public else open_game.own_faces(opened, draft)
    moves = list(open_game.options(draft)) if draft is not None else []
    facts = report_to_player(opened.ledger, game, None if public else opened.seat, faces, moves)
    warnings = [] if public else opened.warnings  # they tell what this home remembers and this key can read
    players = facts.players if public else _compared(facts.players, opened)
    return replace(facts, players=players, warnings=warnings, stale=not public and opened.stale)
