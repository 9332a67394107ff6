"""Samoa's realm in a terminal: the groups of islands, Samoa's pieces, the cup and the cards, in
tables and colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem.english import counted

View = Mapping[str, Any]

_PIECES = (
    ("villages", "village", "bold green"),
    ("warriors", "warrior", "bold red"),
    ("war_canoes", "War Canoe", "bold magenta"),
)


def board(view: View, before: View | None) -> RenderableType:
    """A row for each group; what changed since `before` is marked."""
    known = _known(before)
    table = Table(expand=False, show_lines=False)
    for heading in ("group", "Samoa has there", "boxes", "hexes from"):
        table.add_column(heading, overflow="fold")
    for group in _groups(view):
        table.add_row(
            _name(group, known), _pieces(group, known), Text(_boxes(group)), Text(_away(group))
        )
    return Panel(Group(table, *_status(view, before)), title=_when(view), expand=False)


def narrow_board(view: View, before: View | None) -> RenderableType:
    """The groups in lines, for a terminal too narrow for the table."""
    known = _known(before)
    lines = [Text(_when(view), style="bold reverse")]
    for group in _groups(view):
        away = _away(group)
        where = away if group["home"] else f"hexes from {away}"
        lines.append(
            _name(group, known)
            .append(": ")
            .append(_pieces(group, known))
            .append(f"; {_boxes(group)}; {where}")
        )
    return Group(*lines, *_status(view, before))


def _known(before: View | None) -> Mapping[str, View] | None:
    """The groups as they were, by name."""
    return (
        None
        if before is None
        else {group["name"]: group for group in [*before["realm"], *before["others"]]}
    )


def _groups(view: View) -> Iterator[View]:
    yield from view["realm"]
    yield from view["others"]


def _when(view: View) -> str:
    when = str(view["when"])
    return when[:1].upper() + when[1:] + (f", {view['step']}" if view["turn"] else "")


def _name(group: View, known: Mapping[str, View] | None) -> Text:
    text = Text(f"{group['name']}{' (home)' if group['home'] else ''}", style="bold")
    return text.append(
        " new" if known is not None and group["name"] not in known else "", style="bold reverse"
    )


def _pieces(group: View, known: Mapping[str, View] | None) -> Text:
    """Samoa's pieces in a group, each kind with what came or went."""
    was = None if known is None else known.get(group["name"])
    text = Text()
    for key, word, style in _PIECES:
        change = 0 if was is None else group[key] - was[key]
        if group[key] or change:
            text.append(", " if text else "").append(counted(group[key], word), style=style)
            text.append(f" ({change:+d})" if change else "", style="bold reverse")
    if group["canoe"] or (was is not None and was["canoe"]):
        change = 0 if was is None else int(group["canoe"]) - int(was["canoe"])
        joined = " (joined)" if group["linked"] and not group["home"] and group["canoe"] else ""
        text.append(", " if text else "").append(f"Transport Canoe{joined}", style="bold cyan")
        text.append({1: " (new)", -1: " (gone)"}.get(change, ""), style="bold reverse")
    return text if text else Text("nothing", style="dim")


def _boxes(group: View) -> str:
    if group["atoll"]:
        return "not told yet" if group["home"] else "atoll"
    green = f", {group['green']} green" if group["green"] else ""
    return f"{counted(group['boxes'], 'box', 'boxes')}{green}"


def _away(group: View) -> str:
    if group["home"] and not group["from_samoa"]:
        return "home"
    groups = [("Tonga", group["from_tonga"]), ("Samoa", group["from_samoa"])]
    return ", ".join(f"{where} {hexes}" for where, hexes in groups if hexes) or "not told"


def _status(view: View, before: View | None) -> list[Text]:
    """What stands beside the map: points and the cup; all else is told below the board."""
    cup = view["cup"]
    change = 0 if before is None else cup["left"] - before["cup"]["left"]
    left = Text(f"Cup: {counted(cup['left'], 'chit')}").append(
        f" ({change:+d})" if change else "", style="bold reverse"
    )
    left.append(f" {'●' * cup['left']}")
    points = "not told yet" if view["points"] is None else str(view["points"])
    return [left, Text(f"Points: {points}, {view['points_to_win']} win")]
