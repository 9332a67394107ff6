"""An entry that is signed at a command line: drafted from what the player said, asked about where
they can be asked, signed, and its files written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import typer

from pbem.cli import prepare, written
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import warn_of
from pbem.cli.own_home import ask_about_clock, open_home
from pbem.cli.streams import tell, warn
from pbem.cli.writing import Said, Writing
from pbem.errors import DONE, REFUSED, Refused
from pbem.home import attached_files
from pbem.home.attached_files import ChosenFile
from pbem.home.home import Home
from pbem.report import standing
from pbem.turn import extras, leaving, named_file, open_game, signing, take_turn
from pbem.turn.draft_lines import Intent, answers_in
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.questions import seated


class _Asking(NamedTuple):
    """How a command asks before it signs: whether the entry is a turn, which is led, and not a
    resignation or a word about a draw alone; whether it is led line by line; and whether the
    same command signed the turn before it, of a game that its player plays alone."""

    is_turn: bool
    plain: bool = False
    goes_on: bool = False


def turn(file: Path, answers: str, said: Said, options: Writing) -> None:
    """A turn: tried alone, led through, or signed."""
    going = [attached_files.chosen(path) for path in said.files or []]
    intent = Intent(
        tuple(answers_in(answers)),
        tuple(said.order or ()),
        options.message,
        "offer" if said.offer_draw else "",
        note=said.note,
        leave=said.leave,
        grant=said.grant,
        files=tuple(one.file.line() for one in going),
        plans=tuple(said.plans or ()),
        joint_plans=tuple(said.joint_plans or ()),
        opens=tuple(said.opens or ()),
        prepared=tuple(said.prepared or ()),
    )
    newer, as_json = options.newer, options.as_json
    if said.drop_prepared:
        prepare.check_alone(answers, intent)
        prepare.take_back(file, said.drop_prepared, newer=newer, as_json=as_json)
        return
    is_alone = intent.prepared and intent == Intent(prepared=intent.prepared)
    if is_alone and prepare.is_left_alone(file, intent, newer=newer, as_json=as_json):
        return
    extras.check_files(intent.files)
    if said.dry_run:
        _try(file, intent, options)
    else:
        _write(file, intent, _Asking(is_turn=True, plain=said.plain), options, going)


def resignation(file: Path, options: Writing) -> None:
    """The end of the game for its player. Raises `Refused` where nobody agrees to it."""
    asking = _Asking(is_turn=False)
    if not options.yes and (options.as_json or not _is_terminal(asking)):
        raise Refused(
            "a resignation cannot be taken back, and nobody can be asked here: nothing was signed",
            hint="pbem resign FILE --yes signs it",
        )
    _write(file, Intent(message=options.message, resign=True), asking, options)


def word_on_draw(file: Path, draw: str, options: Writing) -> None:
    """What a player says of a draw (`Intent.draw`), and nothing else."""
    _write(file, Intent(message=options.message, draw=draw), _Asking(is_turn=False), options)


def _try(file: Path, intent: Intent, options: Writing) -> None:
    """Show what an entry would do; nothing is signed."""
    home = open_home()
    home.identity()
    data = named_file.find(file, home).turn
    opened = open_game.open_file(data, home, nothing_newer=options.newer)
    game = take_turn.tried_entry(opened, intent)
    _tell_extras(opened, intent)
    warn_of(opened.warnings)
    tried = written.DryRun(None, signing.public_summary(game, home), standing.to_act(game))
    say(options.as_json, tried, tried.summary)


def _write(
    file: Path,
    intent: Intent,
    asking: _Asking,
    options: Writing,
    going: Sequence[ChosenFile] = (),
) -> None:
    """Sign an entry, after a question at a terminal, and write its files; those that are `going`
    with it are kept in the home before."""
    home = open_home()
    named = named_file.find(file, home)
    data, target = named.turn, signing.check_folder(options.folder or named.folder)
    home.identity()
    asks = not options.yes and not options.as_json and _is_terminal(asking)
    may_ask = not options.as_json and _is_terminal(asking)
    while True:
        opened = open_game.open_file(data, home, nothing_newer=options.newer)
        if (
            opened.seat is not None
            and opened.ledger.seat_of(opened.file.entries[-1]) == opened.seat
        ):
            from pbem.turn import outgoing  # loads what makes a mail

            opened = outgoing.as_unwritten(home, opened, intent, target, mail=options.mail)
        own = [
            entry.date
            for entry in opened.file.entries
            if opened.ledger.seat_of(entry) == opened.seat
        ]
        ask_about_clock(
            home, own, is_right=options.clock_is_right, may_ask=may_ask and not opened.stale
        )
        signing.look_before_signing(opened, home, target, named.folder, mail=options.mail)
        if isinstance(opened, SeatedFile) and opened.to_play() is not None:
            for one in going:
                attached_files.keep(opened.memory.folder, len(opened.file.entries), *one)
        is_asked = (
            asks and not opened.stale and not (asking.is_turn and take_turn.asks_nothing(opened))
        )
        data = (
            _signed_after_asking(opened, home, intent, asking)
            if is_asked
            else _signed(opened, intent)
        )
        made, data = take_turn.write_turns(data, target, home, mail=options.mail)
        # the next entry is the player's own as well, as in a game that they play alone
        goes_on = made.game.to_act() == opened.seat and not made.game.is_over()
        if not asks or not goes_on or opened.stale:
            written.tell_written(options.as_json, made)
            return
        tell(f"Signed: {made.file}")
        intent, going, asking = Intent(), (), asking._replace(is_turn=True, goes_on=True)


def _tell_extras(opened: OpenFile, intent: Intent) -> None:
    """What becomes of a note, and of an absence, while the entry can still be left unsigned."""
    if opened.seat is not None and not opened.stale:
        warn_of(extras.consequences(intent, opened.ledger, opened.seat))


def _is_terminal(asking: _Asking) -> bool:
    """Whether somebody sits there to be asked. A turn is led, or shown, on standard output as
    well."""
    streams = [sys.stdin, sys.stderr, *([sys.stdout] if asking.is_turn else [])]
    return all(stream is not None and stream.isatty() for stream in streams)


def _signed(opened: OpenFile, intent: Intent) -> bytes:
    """The entry signed without a question."""
    if intent.resign and (words := leaving.consequences(opened)):
        warn(words)
    data = take_turn.signed_before(opened, intent)
    if data is None:
        draft = take_turn.answer(opened, take_turn.resolved(opened, intent))
        _tell_extras(opened, intent)  # once nothing keeps the entry from being signed
        data = take_turn.finish(seated(opened), draft)
    warn_of(opened.warnings)
    return data


def _signed_after_asking(opened: OpenFile, home: Home, intent: Intent, asking: _Asking) -> bytes:
    """The entry signed after its player has seen what it says. Raises `AlreadyPrinted` if they
    leave it unsigned."""
    if not asking.is_turn or opened.may_close():
        return _ended_after_asking(opened, intent)
    from pbem.cli.guided import guide  # loads what draws in a terminal

    _tell_extras(opened, intent)
    data = guide.lead(opened, home, intent, plain=asking.plain, goes_on=asking.goes_on)
    if data is None:
        raise AlreadyPrinted(REFUSED if intent.answers else DONE)
    return data


def _ended_after_asking(opened: OpenFile, intent: Intent) -> bytes:
    """Sign a resignation, a word about a draw, or that the end was seen, after the player has read
    what it costs and agreed."""
    said = take_turn.resolved_draw(opened, intent.draw)
    words = (
        leaving.consequences(opened)
        if intent.resign
        else leaving.consequences_of_draw(opened, said)
    )
    words = (
        leaving.SIGNS_THE_END
        if opened.may_close() and not (intent.resign or intent.draw)
        else words
    )
    warn_of(opened.warnings)
    opened.warnings.clear()
    if words:
        warn(words)
        if not typer.confirm("Sign it?", err=True):
            warn("nothing was signed")
            raise AlreadyPrinted(REFUSED)
    return take_turn.next_entry(opened, intent)
