"""The commands for the shell around the program: completion and man pages."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.startup.commands import Registered
from pbem.cli.streams import tell
from pbem.errors import PbemError, Usage


def completion(
    shell: Annotated[
        str, typer.Argument(help="bash, zsh, fish or powershell.", show_default=False)
    ],
    install: Annotated[
        bool, typer.Option("--install", help="Put it where the shell finds it, for you alone.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Complete commands, games and answers in your shell.

    Prints what the shell reads; with --install a new shell has it.
    """
    from pbem.cli import install as files

    if shell not in files.SHELLS:
        raise Usage(
            f'there is no completion for "{shell[:40]}"',
            hint=f"the shells are {', '.join(files.SHELLS)}",
        )
    if not install:
        script = files.script_of(shell)
        say(as_json, files.CompletionScript(shell, script), script.rstrip("\n"))
        return
    changed = [str(path) for path in files.install_completion(shell)]
    say(as_json, files.InstalledFiles(changed), "\n".join([*changed, "Open a new shell."]))


def man(
    command: Annotated[str | None, typer.Argument(help="A command.", show_default=False)] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Put all pages where man finds them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print a man page, or install them all.

    The same texts as --help; `pbem man play | man -l -` reads one without installing it.
    """
    from pbem.cli import install as files
    from pbem.cli.app import every_command
    from pbem.cli.man import man_pages

    pages = man_pages(every_command())
    if not install:
        name = "pbem.1" if command is None else f"pbem-{command}.1"
        if name not in pages:
            raise Usage(
                f'there is no command "{str(command)[:40]}"', hint="pbem --help lists the commands"
            )
        tell(pages[name], nl=False)
        return
    written = files.install_man_pages(pages)
    said = f"{len(written)} pages in {written[0].parent}: man pbem, man pbem-play"
    say(as_json, files.InstalledFiles([str(path) for path in written]), said)


def complete(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Print what the last word may become, one candidate a line: the completions of the shells ask
    for it."""
    from pbem.cli.app import every_command
    from pbem.cli.complete import candidates

    try:
        found = candidates(words or [], every_command())
    except (PbemError, OSError):
        return  # a shell that completes has no place for an error
    if found:
        tell("\n".join(found))


COMMANDS = {
    "completion": Registered(completion),
    "man": Registered(man),
    "complete": Registered(complete, hidden=True),
}
