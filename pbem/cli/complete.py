"""The command that tells a shell what the word may become that is being entered: commands, options,
and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer
from typer._click.core import Parameter
from typer._click.shell_completion import _resolve_context, _resolve_incomplete

from pbem.cli.app import program
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell
from pbem.errors import PbemError

_QUOTES = ("'", '"')


def candidates(words: Sequence[str]) -> list[str]:
    """What the last of these words (after `pbem`) may become, whole: every candidate begins with
    what was entered. The command line library finds out what is asked for there."""
    *before, last = [unquoted(word) for word in words] or [""]
    context = _resolve_context(program(), {}, "pbem", before)
    if before and context.parent is None:  # no command is called so
        return []
    asked, begun = _resolve_incomplete(context, before, last)
    if not isinstance(asked, Parameter):
        return [str(item.value) for item in asked.shell_complete(context, begun)]
    if asked.param_type_name == "option":  # whose missing value kept the words from being read
        context = _resolve_context(program(), {}, "pbem", before[:-1])
    from pbem.cli.offered import offered  # the name of a command needs no game

    return offered(context, asked, begun)


def unquoted(word: str) -> str:
    """A word as the shell will pass it on; some shells give it as it stands on the line, its quote
    perhaps open."""
    if word[:1] in _QUOTES:
        return word[1:].removesuffix(word[0])
    return re.sub(r"\\(.)", r"\1", word)


def complete(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """The completions of the shells ask for it."""
    try:
        found = candidates(words or [])
    except (PbemError, OSError):
        return  # a shell that completes has no place for an error
    if found:
        tell("\n".join(found))


COMMANDS = {
    "complete": CommandEntry(complete),
}
