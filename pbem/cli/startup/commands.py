"""The program and its commands, each loaded when it is called, the way Click documents for groups
that load lazily."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer._click.shell_completion import CompletionItem

from pbem.cli.startup.parameters import Command, CommandGroup, one_by_one


class Listed(NamedTuple):
    """A command as the list of all names it: the module of `pbem.cli` that holds it, what it does,
    in one sentence, and whether it is hidden from whoever looks for one. So nothing of a command is
    imported for a list."""

    module: str
    text: str
    is_hidden: bool = False


class CommandEntry(NamedTuple):
    """A command as the module that holds it offers it, in its table `COMMANDS`: what is called, and
    the class that reads its words. What the function tells of itself follows the sentence of the
    list in the help of the command."""

    function: Callable[..., None]
    kind: type[Command] = Command


class Program(CommandGroup):
    """All commands. `sections` has those below each heading of the page about them; `every_day` are
    those that `--help` lists."""

    sections: Mapping[str, Mapping[str, Listed]] = {}
    every_day: Sequence[str] = ()

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order in which their page lists them."""
        return list(self._listed())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The one command of this name, prepared; None if there is none."""
        listed = self._listed().get(cmd_name)
        if listed is None:
            return None
        found: CommandEntry = import_module(f"pbem.cli.{listed.module}").COMMANDS[cmd_name]
        alone = typer.Typer(
            add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
        )
        text = f"{listed.text}\n\n{inspect.getdoc(found.function)}"
        alone.command(cmd_name, cls=found.kind, hidden=listed.is_hidden, help=text)(
            one_by_one(found.function)
        )
        return typer.main.get_command(alone)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word calls. Raises a usage error that names similar
        commands."""
        name = args[0]
        if name not in self._listed() and not ctx.resilient_parsing:
            near = ", ".join(repr(one) for one in get_close_matches(name, self._listed()))
            ctx.fail(f"No such command {name!r}" + (f". Did you mean {near}?" if near else "."))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The commands whose names begin so; none is imported for it."""
        found = [
            CompletionItem(name)
            for name, one in self._listed().items()
            if name.startswith(incomplete) and not one.is_hidden
        ]
        return found or super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands of every day. No module of a command is imported for it."""
        listed = self._listed()
        with formatter.section("Every day"):
            formatter.write_dl([(name, listed[name].text) for name in self.every_day])
        with formatter.section("All the others"):
            formatter.write_text("pbem help commands lists them; pbem COMMAND --help tells of one.")

    def _listed(self) -> Mapping[str, Listed]:
        """Every command by its name."""
        return {name: one for commands in self.sections.values() for name, one in commands.items()}
