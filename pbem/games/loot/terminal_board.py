"""The table of Loot in a terminal: the same facts as the picture, in tables and colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem.english import counted
from pbem.games.loot.table_layout import each, name_of

_SHAPES = {"blue": "●", "green": "■", "purple": "◆", "gold": "▲"}
_PAINT = {
    "blue": "bold blue",
    "green": "bold green",
    "purple": "bold magenta",
    "gold": "bold yellow",
}


View = Mapping[str, Any]


def board(view: View, before: View | None) -> RenderableType:
    """The ships with who fights for them, and what each side has captured; what changed is
    marked."""
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else {}
    ships = _table("ship", "who fights for it", lines=True)
    for ship in view["ships"]:
        was = old.get(ship["number"])
        name = Text(f"{ship['number']}")
        name.append(" new" if before is not None and was is None else "", style="bold reverse")
        name.append(f"\nmerchant {ship['gold']}\nof {name_of(view, ship['owner'])}")
        ships.add_row(name, _fight(view, ship, was, before is not None))
    sides = _table("side", "cards", "captured", lines=True)
    hands = {
        hand["seat"]: f"{hand['count']}{' (left)' if hand['left'] else ''}"
        for hand in view["hands"]
    }
    for number, side in enumerate(view["captured"]):
        seats = side["side"].split(" and ")
        names = "\n".join(
            f"{'>' if seat == view['active'] else ' '} {name_of(view, seat)}" for seat in seats
        )
        cards = "\n".join(str(hands[seat]) for seat in seats)
        sides.add_row(
            names, cards, _captured(side, None if before is None else before["captured"][number])
        )
    return Panel(
        Group(*([ships] if view["ships"] else []), sides),
        title=view["when"].capitalize(),
        expand=False,
    )


def narrow_board(view: View, before: View | None) -> RenderableType:
    """Ships and hands in lines, for a terminal too narrow for tables."""
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else {}
    lines = [Text(view["when"].capitalize(), style="bold reverse")]
    for ship in view["ships"]:
        was, is_marking = old.get(ship["number"]), before is not None
        name = Text(
            f"Ship {ship['number']}: merchant {ship['gold']} of {name_of(view, ship['owner'])}",
            style="bold",
        )
        lines.append(
            name.append(" new" if is_marking and was is None else "", style="bold reverse")
        )
        lines.append(_fight(view, ship, was, is_marking))
    for number, side in enumerate(view["captured"]):
        captured = _captured(side, None if before is None else before["captured"][number])
        lines.append(Text(f"{each(view, side['side'])}: ", style="bold").append(captured))
    for hand in view["hands"]:
        mark = ">" if hand["seat"] == view["active"] else " "
        cards = f"{counted(hand['count'], 'card')}{' (left)' if hand['left'] else ''}"
        lines.append(Text(f"{mark} {name_of(view, hand['seat'])}: {cards}"))
    return Group(*lines)


def brief_board(view: View, before: View | None) -> RenderableType:
    """A line for each ship, and one for all hands and what was captured."""
    old = {ship["number"] for ship in before["ships"]} if before is not None else set()
    lines = []
    for ship in view["ships"]:
        name = f"Ship {ship['number']}: merchant {ship['gold']} of {name_of(view, ship['owner'])}"
        line = Text(name, style="bold")
        line.append(
            " new" if before is not None and ship["number"] not in old else "",
            style="bold reverse",
        )
        for side in ship["attackers"]:
            words = f"{each(view, side['side'])} {side['strength']} {side['colour']}{_gone(side)}"
            line.append(", ").append(words, style=_PAINT[side["colour"]])
        for trump in ship["trumps"]:
            line.append(f", {trump['card']} of {name_of(view, trump['seat'])}{_gone(trump)}")
        lines.append(line.append(f"; {_leads(view, ship)}"))
    hands = [
        f"{'> ' if hand['seat'] == view['active'] else ''}{name_of(view, hand['seat'])}"
        f" {counted(hand['count'], 'card')}{' (left)' if hand['left'] else ''}"
        for hand in view["hands"]
    ]
    taken = [f"{each(view, side['side'])} {side['gold']} gold" for side in view["captured"]]
    words = f"Hands: {', '.join(hands)}. Captured: {', '.join(taken)}."
    return Group(*(lines or [Text("No merchant ship is in play")]), Text(words))


def _table(*headings: str, lines: bool = False) -> Table:
    """A table that breaks words rather than leave out letters where the terminal is narrow."""
    table = Table(expand=False, show_lines=lines)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _fight(view: View, ship: View, was: View | None, marking: bool) -> Text:
    """Everybody in the fight for a ship, what is new in it, and who takes the ship when."""
    before = (
        {side["side"]: side["strength"] for side in was["attackers"]} if was is not None else {}
    )
    text = Text("" if ship["attackers"] or ship["trumps"] else "not attacked\n")
    for side in ship["attackers"]:
        colour = side["colour"]
        words = (
            f"{each(view, side['side'])} with {counted(side['strength'], 'skull')} in"
            f" {colour}{_gone(side)}"
        )
        text.append(f"{_SHAPES[colour]} {words}", style=_PAINT[colour])
        change = side["strength"] - before.get(side["side"], 0) if marking else 0
        text.append(f" ({change:+d})" if change else "", style="bold reverse").append("\n")
    known = len(was["trumps"]) if was is not None else 0
    for number, trump in enumerate(ship["trumps"]):
        text.append(
            f"{'then ' if number else ''}{trump['card']} of"
            f" {name_of(view, trump['seat'])}{_gone(trump)}"
        )
        text.append(" new" if marking and number >= known else "", style="bold reverse").append(
            "\n"
        )
    return text.append(_leads(view, ship), style="bold")


def _gone(fighter: View) -> str:
    return "" if fighter["counts"] else " (left, no longer counts)"


def _leads(view: View, ship: View) -> str:
    if ship["abandoned"]:
        return f"leads: nobody: discarded when {name_of(view, ship['discarded_by'])} would be next"
    if ship["leader"] is None:
        return "leads: nobody: a tie"
    return (
        f"leads: {each(view, ship['leader'])}, taken when {name_of(view, ship['taken_by'])} is next"
    )


def _captured(side: View, was: View | None) -> Text:
    """What a side has taken, once for a pair."""
    text = Text(f"{side['gold']} gold")
    gained = side["gold"] - was["gold"] if was is not None else 0
    text.append(f" ({gained:+d})" if gained else "", style="bold reverse")
    ships = len(side["ships"])
    return text.append(f"\n{ships} ship{'s' if ships > 1 else ''}" if ships else "")
