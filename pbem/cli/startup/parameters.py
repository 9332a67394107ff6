"""What is entered to what a command takes, without the libraries that typer would load for it.

From version 0.29 on, typer asks pydantic to turn a word into a path or a number, and loading
pydantic takes longer than verifying a whole game. Commands here take words, paths, whole numbers
and lists of them: each of these types reads its own values. A typer that does not do so is left as
it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup


def takes(parameters: Mapping[str, tuple[Any, Any]], call: Callable[..., None]) -> Any:
    """A function that takes these parameters (each with its annotation and its default) and calls
    another one with them: its signature is what typer reads."""

    def taken(**given: Any) -> None:
        call(**given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    taken.__annotations__ = {name: kind for name, (kind, _) in parameters.items()}
    taken.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, keyword, default=default, annotation=kind)
            for name, (kind, default) in parameters.items()
        ]
    )
    return taken


def one_by_one(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters that are named tuples are taken one by one, each field an option:
    so what several commands take is declared in one place."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if hasattr(kind, "_fields")}
    if not groups:
        return function
    found: dict[str, tuple[Any, Any]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            kinds = get_type_hints(groups[name], include_extras=True)
            found |= {one: (kinds[one], groups[name]._field_defaults[one]) for one in kinds}
        else:
            found[name] = (hints[name], parameter.default)

    def call(**given: Any) -> None:
        whole = {
            name: kind(**{one: given.pop(one) for one in kind._fields})
            for name, kind in groups.items()
        }
        function(**given, **whole)

    return takes(found, call)  # type: ignore[no-any-return]


class Reader:
    """Reads the values of one parameter; typer asks it in place of its own."""

    def __init__(self, annotation: Any) -> None:
        self._kind = get_args(annotation)[0] if get_origin(annotation) is list else annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter as its command takes it. Raises `typer.BadParameter`."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        return (
            [self._read(one, param, ctx) for one in value]
            if several
            else self._read(value, param, ctx)
        )

    def _read(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return value if isinstance(value, self._kind) else self._kind(value)
        except ValueError as error:
            wanted = "whole number" if self._kind is int else self._kind.__name__
            raise typer.BadParameter(f'"{value}" is no {wanted}', ctx=ctx, param=param) from error


def plain(parameters: Sequence[Any]) -> list[Any]:
    """These parameters, each read as this module does, and named in help by a word for what it
    takes."""
    for parameter in parameters:
        if hasattr(parameter, "get_runtime_param"):
            reader = Reader(parameter.type_descriptor.annotation)
            parameter.get_runtime_param = lambda reader=reader: reader
            _name_value(parameter)
    return list(parameters)


def _name_value(parameter: Any) -> None:
    """Name the value of an option, and an argument, by one word in capitals, where typer shows a
    type of Python."""
    if parameter.param_type_name == "argument":
        parameter.metavar = parameter.metavar or parameter.name.upper()
        parameter.display_type_rich = lambda ctx: ""
        usage = usage_word(parameter)
        parameter._usage_display_name = lambda: usage
    elif not parameter.is_flag:
        word = parameter.metavar = parameter.metavar or _word(parameter.type_descriptor.annotation)
        parameter.display_type_rich = lambda ctx: word


def usage_word(argument: Any) -> str:
    """An argument as the usage of its command names it: in brackets where it may be left out."""
    name = argument.metavar or argument.name.upper()
    several = "..." if argument.nargs != 1 and not name.startswith("[") else ""
    return f"{name if argument.required else f'[{name}]'}{several}"


def _word(annotation: Any) -> str:
    """What a value of this type is called: a list takes one word after the other."""
    kinds = get_args(annotation) or (annotation,)
    return next((word for kind, word in ((int, "NUMBER"), (Path, "PATH")) if kind in kinds), "TEXT")


class Command(TyperCommand):
    """A command whose parameters are read as this module does."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, `--help` among them."""
        return plain(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises `typer.Abort` at Ctrl-C, which typer from 0.29 on takes for an
        exit in good order."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise typer.Abort from error


class CommandGroup(TyperGroup):
    """What is entered before the name of a command, read in the same way."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters of the program itself."""
        return plain(super().get_params(ctx))
