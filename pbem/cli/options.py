"""What several commands take, in the same words, and what they tell of the files they wrote."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from pbem.cli.streams import warn

if TYPE_CHECKING:
    from pbem.home.home import Home

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
File = Annotated[
    Path, typer.Argument(help="A turn file, a saved mail with one in it, or a game's short name.", show_default=False)
]
Folder = Annotated[Path | None, typer.Option("--dir", help="Folder to write to; by default beside FILE.")]
Message = Annotated[str, typer.Option("--message", "-m", help="A message to the others.")]
Mail = Annotated[bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the file.")]
Newer = Annotated[
    bool,
    typer.Option("--i-have-no-newer-file", help="After restoring a home: nothing newer was signed elsewhere."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Sign without asking at a terminal.")]

Options = TypeVar("Options")


@dataclass(frozen=True, kw_only=True)
class Writing:
    """How an entry is written: what every command that signs one takes."""

    message: Message = ""
    yes: Yes = False
    folder: Folder = None
    mail: Mail = True
    newer: Newer = False
    as_json: Json = False


def taking(options: type[Options], command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of a dataclass as its last options; it gets them as one object, named `options`."""
    shared = get_type_hints(options, include_extras=True)
    own = get_type_hints(command, include_extras=True)

    def takes(**given: Any) -> None:
        command(options=options(**{name: given.pop(name) for name in shared}), **given)

    kept = [one for name, one in inspect.signature(command).parameters.items() if name != "options"]
    added = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default)
        for field in fields(options)  # type: ignore[arg-type]
    ]
    takes.__name__, takes.__doc__ = command.__name__, command.__doc__
    takes.__annotations__ = {
        name: kind for name, kind in {**own, **shared}.items() if name not in ("options", "return")
    }
    takes.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [one.replace(annotation=takes.__annotations__[one.name]) for one in (*kept, *added)]
    )
    return takes


def open_home() -> Home:
    """The player's home; a key that others can read, and a home that was moved or copied, are told once a command, on
    standard error. Raises `Damaged`."""
    from pbem.home import place
    from pbem.home.home import Home

    home = Home()
    home.check()
    for warning in (home.key_warning(), place.warning(home.folder)):
        if warning:
            warn(warning)
    return home


def closed_home() -> Home:
    """The player's home, for the commands that are about where it is used."""
    from pbem.home.home import Home

    return Home()


def split_answers(text: str) -> list[str]:
    """The answers of one argument: "A; B; C"."""
    return [answer.strip() for answer in text.split(";") if answer.strip()]


def warn_of(warnings: Iterable[str]) -> None:
    """What the player of this home alone should know, beside what a command prints for others too."""
    for warning in warnings:
        warn(warning)
