"""The position in a terminal: the same facts as the picture, in tables and colours. Shapes and words carry everything;
colour only helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem import chart, tabletop
from pbem.chartmap import SPOTS

_PIECES = {
    "us_frigates": ("frigate", "bold blue"),
    "us_gunboats": ("gunboat", "bold blue"),
    "marines": ("Marine", "bold blue"),
    "arab_infantry": ("Arab infantry", "bold blue"),
    "swedish_frigates": ("Swedish frigate", "bold cyan"),
    "tr_frigates": ("Tripolitan frigate", "bold red"),
    "tr_corsairs": ("corsair", "bold red"),
    "tr_infantry": ("Tripolitan infantry", "bold red"),
    "allied_corsairs": ("allied corsair", "bold yellow"),
}
_HARBORS = ("Gibraltar", "Tangier", "Algiers", "Tunis", "Malta", "Tripoli", "Benghazi", "Derne", "Alexandria")
_AMERICAN = frozenset(("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates"))
_SHAPES = {"blue": "●", "green": "■", "purple": "◆", "gold": "▲"}
_PAINT = {"blue": "bold blue", "green": "bold green", "purple": "bold magenta", "gold": "bold yellow"}

Facts = Mapping[str, Any]


def board(game: str, view: Facts, before: Facts | None) -> RenderableType | None:
    """The position of a game, with what changed since `before`; None for a game that has no such picture."""
    if game in ("tripoli", "tripoli-solitaire"):
        return _tripoli(dict(view), None if before is None else dict(before))
    if game == "loot":
        return _loot(dict(view), None if before is None else dict(before))
    return None


def print_report(head: str, position: RenderableType, tail: str, console: Console | None = None) -> None:
    """A report: text that was rendered already, with the position between its halves."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(Text(head.rstrip("\n")))
    console.print(position)
    console.print(Text(tail.strip("\n")))


def _tripoli(view: dict[str, Any], before: dict[str, Any] | None) -> RenderableType:
    old = None if before is None else before["board"]

    def there(place: str, american: bool | None = None) -> Text:
        groups = chart.pieces(view["board"].get(place, {}), None if old is None else old.get(place, {}))
        return _pieces([g for g in groups if american is None or (g["kind"] in _AMERICAN) == american])

    places = Table(expand=False, show_lines=False)
    for heading in ("harbor", "American", "Tripolitan and allied", "patrol zone"):
        places.add_column(heading)
    for harbor in _HARBORS:
        zone = f"{harbor} Patrol Zone"
        sea = there(zone) if zone in SPOTS else Text("")
        places.add_row(Text(harbor, style="bold"), there(harbor, True), there(harbor, False), sea)
    track = Table(expand=False)
    for space in range(1801, 1807):
        track.add_column(f"> {space} <" if space == view["year"] else str(space))
    track.add_row(*(there(str(year)) for year in range(1801, 1807)))
    facts = chart.layout(view, before, ())
    tracks = Text()
    for name, what, full in (("Gold", facts["gold"], "●"), ("   Frigates sunk", facts["sunk"], "■")):
        change = f" ({what['change']:+d})" if what["change"] else ""
        empty = "○" if full == "●" else "□"
        tracks.append(f"{name} {what['held']}{change} {full * what['held']}{empty * (what['of'] - what['held'])}")
    lines = [_supply(side) for side in facts["sides"]]
    return Panel(Group(places, track, tracks, *lines), title=facts["season"], expand=False)


def _pieces(groups: Sequence[Facts]) -> Text:
    text = Text()
    for group in groups:
        word, style = _PIECES[group["kind"]]
        many = "" if group["count"] == 1 or word.endswith("infantry") else "s"
        text.append(("\n" if text else "") + f"{group['count']} {word}{many}", style=style)
        if group["change"]:
            text.append(f" ({group['change']:+d})", style="bold reverse")
    return text


def _supply(side: Facts) -> Text:
    text = Text(f"{side['name']}: {side['cards']}; in the Supply ")
    return text.append(", ".join(f"{group['count']} {group['words']}" for group in side["supply"] if group["count"]))


def _loot(view: dict[str, Any], before: dict[str, Any] | None) -> RenderableType:
    facts = tabletop.layout(view, before, ())
    seats = Table(expand=False)
    for heading in ("seat", "cards", "gold", "points"):
        seats.add_column(heading)
    for seat in facts["seats"]:
        mark = "> " if seat["active"] else "  "
        change = f" ({seat['change']:+d})" if seat["change"] else ""
        points = "" if seat["points"] is None else str(seat["points"])
        seats.add_row(mark + seat["seat"], str(seat["hand"]), f"{seat['gold']}{change}", points)
    ships = Table(expand=False, show_lines=True)
    for heading in ("ship", "gold", "of", "who attacks"):
        ships.add_column(heading)
    for ship in facts["ships"]:
        new = " new" if ship["fresh"] else ""
        ships.add_row(f"{ship['number']}{new}", str(ship["gold"]), ship["owner"], _fight(ship["rows"]))
    cards = Text(f"pile {facts['pile']}, discard {facts['discard']}")
    parts: list[RenderableType] = [seats, ships] if facts["ships"] else [seats]
    return Panel(Group(*parts, cards), title=facts["when"], expand=False)


def _fight(rows: Sequence[Facts]) -> Text:
    text = Text("nobody" if not rows else "")
    for row in rows:
        text.append("\n" if text else "")
        if row["colour"]:
            text.append(f"{_SHAPES[row['colour']]} {row['strength']} {row['colour']} ", style=_PAINT[row["colour"]])
        text.append(row["side"])
        if row["change"]:
            text.append(f" ({row['change']:+d})", style="bold reverse")
        if row["trumps"]:
            text.append(f" with {row['trumps'][-1]}")
        if row["leads"]:
            text.append(" leads", style="bold")
    return text
