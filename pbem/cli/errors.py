"""From what is typed to what is printed and an exit code: errors are one line on standard error and a number
(`pbem.errors`); with `--json` one object on standard output.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer

from pbem.errors import DONE, USAGE, PbemError, Refused


def say(as_json: bool, facts: dict[str, Any], text: str) -> None:
    """Print the facts as JSON, or the text."""
    typer.echo(json.dumps(facts, ensure_ascii=False) if as_json else text)


class Told(Exception):
    """The failure was told on standard output already; only the exit code is left."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


_CommandLineError: type[Any] = typer.BadParameter.__mro__[2]
"""The command line library's own base of errors, whichever version of it there is."""


def run(app: typer.Typer, commands: Sequence[Any], arguments: list[str] | None) -> None:
    """The program with all its commands: parse, do, and turn every error into one line and an exit code."""
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    as_json = "--json" in given
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    try:
        _only(app, commands, given)(given, standalone_mode=False, prog_name="pbem")
        code = DONE
    except Told as told:
        code = told.exit_code
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        code = DONE  # how the command line library ends when nobody reads on: what there was to do is done
    except PbemError as error:
        code = error.exit_code
        _fail(as_json, str(error), code, getattr(error, "options", None))
    except _CommandLineError as error:
        code = USAGE
        _fail(as_json, f"{error.format_message()} (hint: {_usage_hint(error)})", code)
    except (typer.Abort, KeyboardInterrupt):
        code = Refused.exit_code
        if sys.stderr.isatty():
            typer.echo(err=True)  # the cursor stands behind a question or a ^C
        _fail(as_json, "interrupted; the same command again goes on where it stopped", code)
    except BrokenPipeError:
        sys.stderr.close()
        code = DONE
    except OSError as error:
        code = USAGE
        _fail(as_json, f"{error.strerror or error} (hint: check the folders and files that you named)", code)
    sys.exit(code)


def _open_streams() -> None:
    """A place for the output where whoever started us gave none."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open to the end


def _only(app: typer.Typer, commands: Sequence[Any], given: list[str]) -> typer.Typer:
    """The program with no command but the one that is called: each one prepared costs every start some time."""
    called = [command for command in commands if given and given[0] == (command.name or _name_of(command))]
    app.registered_commands = called or list(commands)
    return app


def _name_of(command: Any) -> str:
    return str(command.callback.__name__)


def _usage_hint(error: Any) -> str:
    """Where the command's usage stands; words too many are mostly answers that the shell has taken apart."""
    command = error.ctx.command_path if error.ctx is not None else "pbem"
    quotes = 'words that belong together stand in quotes, as in "A; B"; ' if "extra arg" in error.message else ""
    return f"{quotes}{command} --help"


def _fail(as_json: bool, text: str, code: int, options: list[str] | None = None) -> None:
    line = "".join(c if c.isprintable() else "?" for c in " ".join(text.split("\n")))
    if as_json:
        facts: dict[str, Any] = {"error": line, "exit": code}
        facts |= {"options": options} if options is not None else {}
        try:
            typer.echo(json.dumps(facts, ensure_ascii=False))
            return
        except OSError:  # standard output is what failed: then the line
            pass
    with contextlib.suppress(OSError):
        typer.echo(f"pbem: {line}", err=True)
