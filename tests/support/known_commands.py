"""The command line library prepares each command of pbem once in a process, where the program
prepares one a call.

What it prepares follows from the commands that the program has registered, and holds nothing of a
call: words, defaults, the options of games and the width of the terminal are looked at when a
command runs. A test that changes a command, or registers one, has it prepared anew.
"""

from __future__ import annotations

from typing import Any

import typer

from pbem.cli.app import app
from tests.support.effort import UNAIDED

KEPT = 256
"""Choices of commands that are remembered: one for each command, and one more for each `--help`."""

_prepare = typer.main.get_command
_prepared: dict[tuple[int, ...], tuple[Any, Any]] = {}


def _prepare_once(program: typer.Typer) -> Any:
    if program is not app:
        return _prepare(program)
    commands = list(program.registered_commands)
    parts = [part for command in commands for part in (command, *vars(command).values())]
    key = tuple(map(id, (program.registered_callback, *parts)))
    if key not in _prepared:
        if len(_prepared) == KEPT:
            del _prepared[next(iter(_prepared))]
        # kept, so that nothing else has their places in memory
        _prepared[key] = _prepare(program), parts
    return _prepared[key][0]


def install() -> None:
    """From now on, in this process, unless the run is unaided."""
    if UNAIDED:
        return
    typer.main.get_command = _prepare_once
