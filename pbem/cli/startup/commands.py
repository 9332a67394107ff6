"""The command that is called, and no other one."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from importlib import import_module
from typing import Any

import typer


class Commands:
    """All commands of a program, each loaded and prepared when it is called.

    `places` says which module of `pbem.cli` adds which commands with its `register`, in the order in which `--help`
    lists them; `app` stands for those that the program has already. A command that it does not name is found all the
    same, but only by loading every module.
    """

    def __init__(self, app: typer.Typer, places: Sequence[tuple[str, Sequence[str]]]) -> None:
        self._app = app
        self._places = places
        self._found: dict[str, list[Any]] = {"app": list(app.registered_commands)}

    def prepare(self, given: Sequence[str]) -> None:
        """Give the program the command that these words call. Where they call none, as `--help` does, it gets every
        command by its name and summary only, for nothing else of it is told."""
        name = given[0] if given else ""
        module = next((module for module, names in self._places if name in names), None)
        known = self.all() if module is None else self._commands(module)
        called = [command for command in known if name_of(command) == name]
        self._app.registered_commands = called or [summary(one) for one in self.all()]

    def all(self) -> list[Any]:
        """Every command, as the command line library keeps it before it prepares it."""
        found = {name_of(one): one for module in dict(self._places) for one in self._commands(module)}
        listed = [found.pop(name) for _, names in self._places for name in names if name in found]
        return [*listed, *found.values()]

    def _commands(self, module: str) -> list[Any]:
        if module not in self._found:
            kept, self._app.registered_commands = self._app.registered_commands, []
            import_module(f"pbem.cli.{module}").register(self._app)
            self._found[module], self._app.registered_commands = self._app.registered_commands, kept
        return self._found[module]


def name_of(command: Any) -> str:
    """What is written to call a command."""
    return command.name or str(command.callback.__name__).replace("_", "-")


def summary(command: Any) -> Any:
    """The command without its parameters."""

    def shown() -> None:
        """Never called: its name and what it tells are looked at."""

    short = copy(command)
    short.name, short.callback = name_of(command), shown
    shown.__doc__ = command.callback.__doc__
    return short
