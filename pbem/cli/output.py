"""Between the command line and a session: what a command that wrote a turn tells, and a position in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Card, Handle
from pbem.fileformat import turnfile
from pbem.ledger.ledger import Ledger, replay
from pbem.mail.reader import faces_now as faces_now
from pbem.mail.reader import facts_at as facts_at
from pbem.mail.reader import facts_for as facts_for
from pbem.mail.reader import notes_for as notes_for
from pbem.mail.reader import open_path as open_path
from pbem.mail.turn_files import Written as Written
from pbem.mail.turn_files import check_folder as check_folder
from pbem.mail.turn_files import look_before_signing as look_before_signing
from pbem.mail.turn_files import next_step as next_step
from pbem.mail.turn_files import public_summary as public_summary
from pbem.mail.turn_files import stem as stem
from pbem.mail.turn_files import write_turn as write_turn
from pbem.player.home import Home
from pbem.player.open_game import Opened
from pbem.report.model import Report
from pbem.report.standing import to_act as to_act


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


def replay_bytes(data: bytes) -> Ledger:
    """The game of these bytes."""
    return replay(turnfile.read(data))


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
