"""Options of games on the command line: those that a game adds to `pbem new`, and, in the help of
the commands that take `--order` and `--option`, what these can be about in each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import typer

from engine.orders import ALL, OTHERS
from engine.rules import Rules
from pbem.cli.startup.parameters import Command, plain, takes
from pbem.errors import Usage
from pbem.games import BUILT_IN, registry
from pbem.games.descriptor import (
    CommandOption,
    GameDescriptor,
    Question,
    chosen_options,
    settled,
)


class OrderCommand(Command):
    """A command with `--order`: its help lists the topics of each installed game."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The command's own options, then the topics of orders by seat."""
        super().format_options(ctx, formatter)
        for rules in _installed_rules():
            rows = [(seat, "; ".join(topics)) for seat, topics in _order_topics(rules)]
            if rows:
                with formatter.section(f'--order "TOPIC: WHAT" in {rules.name}'):
                    formatter.write_dl(rows)


class OptionCommand(Command):
    """A command with `--option`: its help lists the options of each installed game."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The command's own options, then what `--option` takes."""
        super().format_options(ctx, formatter)
        write_settings(formatter)


def write_settings(formatter: Any) -> None:
    """The settings of each installed game, as `--option NAME` or `--option NAME=NUMBER` takes
    them."""
    for rules in _installed_rules():
        with formatter.section(f"--option NAME in {rules.name}"):
            formatter.write_dl(
                [(name, text) for name, text in rules.settings.items()] or [("none", "")]
            )


def _installed_rules() -> Iterator[Rules]:
    for found in registry.installed():
        if found.descriptor is not None:
            yield registry.newest(found.name)


def _order_topics(rules: Rules) -> Iterator[tuple[str, list[str]]]:
    """What each seat may give orders about; the short forms for many cards at once stand last."""
    for number, seat in enumerate(rules.seats(dict(rules.defaults))):
        topics = list(rules.order_topics(number))
        if topics:
            yield seat, topics + ([ALL, OTHERS] if rules.card_topics(number) else [])


_CHOSEN = "pbem.chosen"
_PARAMETERS = "pbem.parameters"
_OFFERED = "pbem.offered"
_TYPES = {"nothing": bool, "number": int | None, "key": str | None}
_METAVARS = {"nothing": "", "number": " NUMBER", "key": " KEY"}


class Chosen(NamedTuple):
    """What the options of a game say: the game that is meant, its settings, and the public keys
    that are invited, and the names of all options that were given."""

    game: str
    settings: dict[str, int]
    keys: tuple[str, ...]
    said: frozenset[str] = frozenset()


def chosen(context: typer.Context, game: str) -> Chosen:
    """What was chosen with the options of this game. Raises `Usage` for an option of the game's
    other form only."""
    given: dict[str, Any] = context.meta.get(_CHOSEN, {})
    offered: list[GameDescriptor] = context.meta.get(_OFFERED, [])
    plays = [
        option.plays for option in _all_options(offered) if option.plays and given.get(option.name)
    ]
    setting_for = plays[0] if plays else game
    settings, keys = chosen_options(_all_options(offered), given)
    for option in _all_options(offered):
        if option.name in settings and not any(
            option in found.options for found in offered if found.name == setting_for
        ):
            _refuse_other_form(offered, setting_for, option)
    said = frozenset(name for name, value in given.items() if value not in (None, False))
    return Chosen(setting_for, settings, tuple(keys), said)


def settings_of(
    chosen: Chosen, more: Mapping[str, int], asks: Callable[[Question], str]
) -> dict[str, int]:
    """The settings of a new game: those chosen by its own options and `more` of them, and the
    answer to its question, which `asks` gives. Raises `Usage`."""
    found = registry.descriptor(chosen.game)
    return settled(found.question, found.options, {**chosen.settings, **more}, chosen.said, asks)


def _refuse_other_form(
    offered: Sequence[GameDescriptor], setting_for: str, option: CommandOption
) -> None:
    """Raise `Usage` for an option of a form of the game that was not chosen, with the command that
    chooses it."""
    other = next(found.name for found in offered if option in found.options)
    switch = next((way.name for way in _all_options(offered) if way.plays == other), None)
    hint = f"pbem new {offered[0].name} --{switch} --{option.name}{_METAVARS[option.takes]}"
    if switch is None or setting_for == other:
        hint = f"pbem new {other} --help"
    raise Usage(f"{setting_for} has no option --{option.name}: it is one of {other}", hint=hint)


def _all_options(offered: Iterable[GameDescriptor]) -> list[CommandOption]:
    """The options of a game and of its other forms, each name once."""
    return list(
        {
            option.name: option for found in reversed(list(offered)) for option in found.options
        }.values()
    )


class NewCommand(Command):
    """A command whose argument is a game, and which takes that game's options beside its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line with the options of the game that it names."""
        offered = self._offered(args)
        ctx.meta[_OFFERED] = offered
        ctx.meta[_PARAMETERS] = _parameters(_all_options(offered))
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's own parameters, then those of the game."""
        return [*super().get_params(ctx), *ctx.meta.get(_PARAMETERS, [])]

    def invoke(self, ctx: Any) -> Any:
        """Run the command; it finds the game's options through `chosen`."""
        names = {parameter.name for parameter in ctx.meta[_PARAMETERS]}
        ctx.meta[_CHOSEN] = {name.replace("_", "-"): ctx.params.pop(name) for name in names}
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The command's own options, then those of the game that was named, or of each game that is
        installed."""
        super().format_options(ctx, formatter)
        every = (one.descriptor for one in registry.installed() if one.descriptor is not None)
        for found in ctx.meta.get(_OFFERED) or every:
            rows = [
                (f"--{option.name}{_METAVARS[option.takes]}", option.help)
                for option in found.options
            ]
            with formatter.section(f"Options of {found.name}"):
                formatter.write_dl(rows or [("none", "")])
        if not ctx.meta.get(_OFFERED):
            write_settings(formatter)

    def _offered(self, args: Sequence[str]) -> list[GameDescriptor]:
        """The game that these words name, and the games that its options play; nothing if they name
        none."""
        words = list(self._words(args))
        game = next((word for word in words if word in BUILT_IN), words[0] if words else None)
        if game is None:
            return []
        found = registry.find_installed(game)
        if found is None or found.descriptor is None:
            return []
        others = {
            option.plays for option in found.descriptor.options if option.plays not in ("", game)
        }
        return [found.descriptor, *(registry.descriptor(other) for other in sorted(others))]

    def _words(self, args: Sequence[str]) -> Iterator[str]:
        """The words that may be the game: no options, no values of the command's own ones, no
        numbers."""
        takes_value = {
            name for p in self.params if not getattr(p, "is_flag", True) for name in p.opts
        }
        rest = iter(args)
        for word in rest:
            if word in takes_value:
                next(rest, None)
            elif not word.startswith("-") and not word.isdigit():
                yield word


def _parameters(options: Sequence[CommandOption]) -> list[Any]:
    """The command line library's own objects for these options, made the way it makes those of
    every command. They are hidden because `format_options` lists them by game."""
    if not options:
        return []

    names = [option.name.replace("-", "_") for option in options]
    parameters = {
        name: (
            Annotated[
                _TYPES[option.takes],
                typer.Option(f"--{option.name}", help=option.help, hidden=True),
            ],
            False if option.takes == "nothing" else None,
        )
        for name, option in zip(names, options, strict=True)
    }
    program = typer.Typer(add_completion=False)
    program.command(cls=Command)(takes(parameters, lambda **_given: None))  # never called
    return plain(typer.main.get_command(program).params)
