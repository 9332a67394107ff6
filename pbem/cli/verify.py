"""The command that checks games from their files alone: one game, or any number of files and
folders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem import files
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Dask, Jobs, Json, check_processes
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell
from pbem.errors import Usage
from pbem.report import verification
from pbem.turn import named_file

if TYPE_CHECKING:
    from pbem.report.verdict_card import VerdictCard

Many = Annotated[
    list[Path],
    typer.Argument(
        help=(
            "A turn file, a saved mail with one in it, or a game's short name; several of them, or"
            " folders."
        ),
        show_default=False,
    ),
]


def verify(
    file: Many,
    trace: Annotated[
        Path | None, typer.Option(help="Write what the rules asked, for a second verifier.")
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Every turn from the first on is checked anew, its signature, proofs and rules; the first one
    that does not hold is named. Of several files and folders each file that does not hold is a
    line, then a table sums up, and what two files prove of a key that signed two versions of a game
    is told; exit code 3 if any does not hold, 4 if there are two such versions, 2 if any could not
    be read."""
    check_processes(jobs, dask, "verify")
    if len(file) > 1 or dask is not None or files.is_folder(file[0]):
        if trace is not None:
            raise Usage("a trace is of one game", hint="name one FILE with --trace")
        from pbem.cli import verify_many  # loads what runs several processes

        verify_many.verify(file, jobs, dask, as_json=as_json)
    else:
        _one(file[0], trace, as_json=as_json)


def _one(file: Path, trace: Path | None, *, as_json: bool) -> None:
    turn, whole, *_ = named_file.find(file)
    if trace is None:
        facts, failure = verification.verify(turn, whole)
    else:
        from pbem.ledger import trace_file  # few ask for one

        traced = trace_file.trace(turn)
        files.write_new(trace, trace_file.write(traced.trace).encode())
        facts, failure = verification.facts_of(traced.game, traced.failure, whole), traced.failure
    if isinstance(facts, verification.VerifiedGame) and facts.attached:
        from pbem.cli import verify_attached  # few games have files beside their turns

        facts = verify_attached.found_beside(facts, named_file.named(file))
    if as_json or isinstance(facts, verification.VerifiedGame):
        say(
            as_json,
            facts,
            verification.in_words(facts) if isinstance(facts, verification.VerifiedGame) else "",
        )
    if not as_json and isinstance(facts, verification.VerifiedGame) and sys.stdout.isatty():
        _say_what_home_knows(facts.card)
    if failure is not None:
        raise AlreadyPrinted(failure.exit_code) if as_json else failure


def _say_what_home_knows(card: VerdictCard) -> None:
    """What this home adds to a card: on its own terminal, and never in what may be handed on."""
    from pbem.home import home, known_names  # no file needs a home to be checked

    known = known_names.known_keys(home.Home())
    lines = (
        [f"  {one.seat}: {known.of(one.fingerprint)}" for one in card.seats if one.fingerprint]
        if known
        else []
    )
    if lines:
        tell("\n".join(["What only this home knows of the keys:", *lines]))


COMMANDS = {
    "verify": CommandEntry(verify),
}
