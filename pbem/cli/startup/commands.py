"""The program and its commands, each loaded when it is called, the way Click documents for groups
that load lazily."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

import typer

from pbem.cli.startup.parameters import Command, CommandGroup


class CommandEntry(NamedTuple):
    """A command as the module that holds it offers it, in its table `COMMANDS`: what is called, the
    class that reads its words, and whether it is hidden from every list."""

    function: Callable[..., None]
    kind: type[Command] = Command
    hidden: bool = False

    def summary(self) -> str:
        """The first sentence of what it tells of itself."""
        return (inspect.getdoc(self.function) or "").split("\n\n")[0].replace("\n", " ")


class Program(CommandGroup):
    """All commands. `sections` says, for each heading of the page about them, which module of
    `pbem.cli` holds which command; `every_day` are those that `--help` lists."""

    sections: Mapping[str, Mapping[str, str]] = {}
    every_day: Sequence[str] = ()

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order in which their page lists them."""
        return [name for commands in self.sections.values() for name in commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The one command of this name, prepared; None if there is none."""
        found = self._registered(cmd_name)
        if found is None:
            return None
        alone = typer.Typer(
            add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
        )
        alone.command(cmd_name, cls=found.kind, hidden=found.hidden)(found.function)
        return typer.main.get_command(alone)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word calls. Raises a usage error that names similar
        commands."""
        name = args[0]
        if self._registered(name) is None:
            near = ", ".join(repr(one) for one in get_close_matches(name, self.list_commands(ctx)))
            ctx.fail(f"No such command {name!r}" + (f". Did you mean {near}?" if near else "."))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands of every day. Nothing of a command is prepared for it but its first sentence
        is read."""
        known = [(name, self._registered(name)) for name in self.every_day]
        with formatter.section("Every day"):
            formatter.write_dl([(name, one.summary()) for name, one in known if one is not None])
        with formatter.section("All the others"):
            formatter.write_text("pbem help commands lists them; pbem COMMAND --help tells of one.")

    def _registered(self, name: str) -> CommandEntry | None:
        module = next(
            (commands[name] for commands in self.sections.values() if name in commands), None
        )
        if module is None:
            return None
        table: Mapping[str, CommandEntry] = import_module(f"pbem.cli.{module}").COMMANDS
        return table[name]
