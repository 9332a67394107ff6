"""What `--order` and `--option` can be about, game by game, in the help of the commands that take
them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.cli.startup.parameters import Command

if TYPE_CHECKING:
    from engine.rules import Rules


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
                [(name, told) for name, told in rules.settings.items()] or [("none", "")]
            )


def _installed_rules() -> Iterator[Rules]:
    from pbem.games import registry

    for found in registry.installed():
        if found.descriptor is not None:
            yield registry.newest(found.name)


def _order_topics(rules: Rules) -> Iterator[tuple[str, list[str]]]:
    """What each seat may give orders about; the short forms for many cards at once stand last."""
    from engine.orders import ALL, OTHERS

    for number, seat in enumerate(rules.seats(dict(rules.defaults))):
        topics = list(rules.order_topics(number))
        if topics:
            yield seat, topics + ([ALL, OTHERS] if rules.card_topics(number) else [])
