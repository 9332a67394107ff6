"""From the words of a command to what is printed and an exit code: errors are one line on standard
error and a number (`pbem.errors`); with `--json` one object on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from typer.exceptions import TyperException

from pbem.cli.streams import NotPrinted, drop, fitted, flush, one_line, open_streams, tell, warn
from pbem.errors import DONE, USAGE, PbemError, Refused
from pbem.report.parts import flat

LOST = "nothing that was done is lost; the same command with its output to another place prints it"


def say(as_json: bool, facts: object, text: str) -> None:
    """Print the facts, a dataclass or plain data, as one JSON object, or the text, which a terminal
    folds between words."""
    tell(as_one_line(facts) if as_json else fitted(text, sys.stdout))


def as_one_line(facts: object) -> str:
    """Facts as one line of JSON. Where standard output is not UTF-8, other characters than those of
    ASCII are escaped, so that it is the same JSON whatever the system's encoding is."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").replace("-", "").lower()
    return json.dumps(plain(facts), ensure_ascii=encoding != "utf8")


def plain(facts: object) -> object:
    """Facts as JSON has them: a dataclass becomes an object whose keys are its fields, those of its
    parts among them, or those of them that its `KEYS` name."""
    if isinstance(facts, Mapping):
        return {key: plain(value) for key, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [plain(value) for value in facts]
    if not hasattr(facts, "__dataclass_fields__"):
        return facts
    names = flat(facts)
    return {name: plain(names[name]) for name in getattr(facts, "KEYS", names)}


@dataclass(frozen=True)
class ErrorFacts:
    """What went wrong, in one line with a hint, and the exit code."""

    error: str
    exit: int


@dataclass(frozen=True)
class UnfinishedTurn(ErrorFacts):
    """A turn that needs more answers; `options` are the legal next ones."""

    options: Sequence[str]


class AlreadyPrinted(Exception):
    """The failure was told on standard output already; only the exit code is left."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


def run(app: typer.Typer, given: list[str]) -> None:
    """The program with the command that these words call: parse, do, and turn every error into one
    line and an exit code."""
    can_be_read = open_streams()
    try:
        code = _run(app, given)
        flush()
        if not can_be_read:
            warn("standard output is closed: nothing was printed")
    except NotPrinted as reason:
        code = USAGE
        _fail(False, f"cannot write to standard output: {reason} (hint: {LOST})", code)
    sys.exit(code)


def _run(app: typer.Typer, given: list[str]) -> int:
    """Run one command and return its exit code; whatever is wrong is printed. Raises
    `NotPrinted`."""
    as_json = "--json" in given
    try:
        app(given, standalone_mode=False, prog_name="pbem")
        return DONE
    except AlreadyPrinted as failure:
        return failure.exit_code
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        drop(sys.stdout)
        # how the command line library ends when nobody reads on: what there was to do is done
        return DONE
    except PbemError as error:
        return _fail(as_json, str(error), error.exit_code, getattr(error, "options", None))
    except TyperException as error:
        return _fail(as_json, f"{error.format_message()} (hint: {_usage_hint(error)})", USAGE)
    except (typer.Abort, KeyboardInterrupt):
        if sys.stderr.isatty():
            typer.echo(err=True)  # the cursor stands behind a question or a ^C
        line = "interrupted; the same command again goes on where it stopped"
        return _fail(as_json, line, Refused.exit_code)
    except BrokenPipeError:
        drop(sys.stdout)
        return DONE
    except OSError as error:
        flush()  # raises if it is the output that takes nothing
        place = (
            f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        )
        line = (
            f"{place}{error.strerror or error} (hint: check the folders and files that you named,"
            " and the output)"
        )
        return _fail(as_json, line, USAGE)
    except Exception as error:
        if (known := _of_a_plug_in(error)) is None:
            raise
        return _fail(as_json, str(known), known.exit_code)


def _of_a_plug_in(error: Exception) -> PbemError | None:
    """What there is to say of an error that somebody else's game raised."""
    from pbem.games import plugins  # no command that does its work pays for it

    return plugins.failure(error)


def _usage_hint(error: Any) -> str:
    """Where the command's usage stands; words too many are mostly answers that the shell has taken
    apart."""
    command = error.ctx.command_path if error.ctx is not None else "pbem"
    quotes = (
        'words that belong together stand in quotes, as in "A; B"; '
        if "extra arg" in error.message
        else ""
    )
    return f"{quotes}{command} --help"


def _fail(as_json: bool, text: str, code: int, options: list[str] | None = None) -> int:
    """One line that says what is wrong, or its object where the caller wants JSON and standard
    output takes it."""
    line = one_line(text)
    if as_json:
        facts = ErrorFacts(line, code) if options is None else UnfinishedTurn(line, code, options)
        try:
            tell(as_one_line(facts))
            return code
        except (NotPrinted, BrokenPipeError):
            drop(sys.stdout)
    warn(line)
    return code
