"""The commands for the shell around the program: completion, and man pages.

Man pages are made from the same texts as `--help`, one for the program and one for each command
(roff, see man(7)). Both are put where the shell and `man` find them, for one user."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pbem import __date__, __version__
from pbem.cli.app import ABOUT, every_command
from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.startup.parameters import usage_word
from pbem.cli.streams import tell
from pbem.errors import Usage

ENDS = "Exit codes: 0 done; 1 refused; 2 wrong usage; 3 the file does not verify; 4 conflict."


def man_pages(commands: Mapping[str, Any]) -> dict[str, str]:
    """Every page by the name of its file: `pbem.1`, `pbem-play.1` …"""
    listed = {name: command for name, command in commands.items() if not command.hidden}
    pages = {"pbem.1": "\n".join(_program(listed)) + "\n"}
    for name, command in listed.items():
        pages[f"pbem-{name}.1"] = "\n".join(_command(name, command)) + "\n"
    return pages


def _program(commands: Mapping[str, Any]) -> Iterator[str]:
    yield from _head("pbem", ABOUT)
    yield r".B pbem"
    yield r"COMMAND [OPTIONS] [ARGUMENTS]"
    yield ".SH COMMANDS"
    for name, command in commands.items():
        yield ".TP"
        yield rf"\fBpbem {_escaped(name)}\fR(1)"
        yield _escaped(sentence(command.help))
    yield ".SH EXIT STATUS"
    yield _escaped(ENDS)
    yield ".SH FILES"
    yield _escaped(
        "pbem id shows the folder that holds your key and the memory of your games; PBEM_HOME names"
        " another one."
    )
    yield ".SH SEE ALSO"
    yield _escaped("pbem help lists the pages about games, mail, trust and the file format.")


def _command(name: str, command: Any) -> Iterator[str]:
    yield from _head(f"pbem-{name}", command.help)
    arguments = [
        parameter for parameter in command.params if parameter.param_type_name == "argument"
    ]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    yield rf".B pbem {_escaped(name)}"
    yield _escaped(" ".join(["[OPTIONS]", *(usage_word(argument) for argument in arguments)]))
    yield ".SH DESCRIPTION"
    for number, paragraph in enumerate((command.help or "").split("\n\n")):
        if number:
            yield ".PP"
        yield _escaped(" ".join(paragraph.split()))
    for heading, parameters in (("ARGUMENTS", arguments), ("OPTIONS", options)):
        with_help = [parameter for parameter in parameters if getattr(parameter, "help", None)]
        if with_help:
            yield f".SH {heading}"
        for parameter in with_help:
            yield ".TP"
            yield rf"\fB{_escaped(named(parameter))}\fR"
            yield _escaped(parameter.help)
    yield ".SH SEE ALSO"
    yield r"\fBpbem\fR(1)"


def _head(name: str, text: str | None) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "{__date__}" "pbem {__version__}" "pbem"'
    yield ".SH NAME"
    yield rf"{_escaped(name)} \- {_escaped(sentence(text))}"
    yield ".SH SYNOPSIS"


def named(parameter: Any) -> str:
    """An argument, or an option with the word for its value, as a page lists it."""
    if parameter.param_type_name == "argument":
        return usage_word(parameter)
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    return names if parameter.is_flag else f"{names} {parameter.metavar}"


def sentence(text: str | None) -> str:
    """The first sentence, without its full stop."""
    return " ".join((text or "").split("\n\n")[0].split()).rstrip(".")


def _escaped(text: str) -> str:
    """Somebody's words where roff would read a request or a font."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("\n", " ")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


_SCRIPTS = Path(__file__).parent / "completions"
_MARK = "# pbem completion"


@dataclass(frozen=True)
class InstalledFiles:
    """Files that were written or changed."""

    files: list[str]


@dataclass(frozen=True)
class CompletionScript:
    """What a shell reads to complete the commands of pbem."""

    shell: str
    script: str


class Shell(NamedTuple):
    """How a shell finds its completions: the script that comes with the program, where it is put
    below the user's data (or configuration) folder, and the line that has it read by the shell's
    own file, if one is needed."""

    script: str
    place: str
    line: str = ""


SHELLS: Mapping[str, Shell] = {
    "bash": Shell("pbem.bash", "bash-completion/completions/pbem"),
    "zsh": Shell(
        "_pbem",
        "zsh/site-functions/_pbem",
        "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit }}; source {path}",
    ),
    "fish": Shell("pbem.fish", "fish/completions/pbem.fish"),
    "powershell": Shell("pbem.ps1", "pbem/pbem.ps1", ". {path}"),
}


def script_of(shell: str) -> str:
    """What the shell reads to complete the commands of pbem."""
    return (_SCRIPTS / SHELLS[shell].script).read_text(encoding="utf-8")


def install_man_pages(pages: Mapping[str, str]) -> list[Path]:
    """Write every page, by the name of its file; where they are now."""
    return [_write(_data() / "man" / "man1" / name, text) for name, text in pages.items()]


def install_completion(shell: str) -> list[Path]:
    """Write the script, and the line that reads it where the shell needs one; the files that were
    changed."""
    found, script = SHELLS[shell], script_of(shell)
    above = _config() if shell == "fish" else _data()
    path = _write(above / found.place, script)
    if not found.line:
        return [path]
    own, line = _own_file(shell), f"{found.line.format(path=_quoted(path))} {_MARK}"
    text = own.read_text(encoding="utf-8") if own.exists() else ""
    if line in text.split("\n"):
        return [path]
    begun = text if not text or text.endswith("\n") else f"{text}\n"
    return [path, _write(own, f"{begun}{line}\n")]


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "'\\''" if os.name != "nt" else "''") + "'"


def _own_file(shell: str) -> Path:
    """The file that the shell reads when it starts."""
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc"
    folder = (
        Path.home() / "Documents" / "PowerShell" if os.name == "nt" else _config() / "powershell"
    )
    return folder / "Microsoft.PowerShell_profile.ps1"


def _data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _config() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def completion(
    shell: Annotated[
        str, typer.Argument(help="bash, zsh, fish or powershell.", show_default=False)
    ],
    install: Annotated[
        bool, typer.Option("--install", help="Put it where the shell finds it, for you alone.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Prints what the shell reads; with --install a new shell has it."""
    if shell not in SHELLS:
        raise Usage(
            f'there is no completion for "{shell[:40]}"',
            hint=f"the shells are {', '.join(SHELLS)}",
        )
    if not install:
        script = script_of(shell)
        say(as_json, CompletionScript(shell, script), script.rstrip("\n"))
        return
    changed = [str(path) for path in install_completion(shell)]
    say(as_json, InstalledFiles(changed), "\n".join([*changed, "Open a new shell."]))


def man(
    command: Annotated[str | None, typer.Argument(help="A command.", show_default=False)] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Put all pages where man finds them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """The same texts as --help; `pbem man play | man -l -` reads one without installing it."""
    pages = man_pages(every_command())
    if not install:
        name = "pbem.1" if command is None else f"pbem-{command}.1"
        if name not in pages:
            raise Usage(
                f'there is no command "{str(command)[:40]}"', hint="pbem --help lists the commands"
            )
        tell(pages[name], nl=False)
        return
    written = install_man_pages(pages)
    said = f"{len(written)} pages in {written[0].parent}: man pbem, man pbem-play"
    say(as_json, InstalledFiles([str(path) for path in written]), said)


COMMANDS = {
    "completion": CommandEntry(completion),
    "man": CommandEntry(man),
}
