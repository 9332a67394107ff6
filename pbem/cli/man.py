"""Man pages from the same texts as `--help`: one for the program, one for each command (roff, see
man(7))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.cli.app import ABOUT
from pbem.cli.startup.parameters import usage_word

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
        told = [parameter for parameter in parameters if getattr(parameter, "help", None)]
        if told:
            yield f".SH {heading}"
        for parameter in told:
            yield ".TP"
            yield rf"\fB{_escaped(named(parameter))}\fR"
            yield _escaped(parameter.help)
    yield ".SH SEE ALSO"
    yield r"\fBpbem\fR(1)"


def _head(name: str, told: str | None) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "" "pbem" "pbem"'
    yield ".SH NAME"
    yield rf"{_escaped(name)} \- {_escaped(sentence(told))}"
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
