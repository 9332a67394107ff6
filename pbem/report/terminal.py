"""The position in a terminal: the same facts as the picture, in tables and colours. Shapes and words carry everything;
colour only helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem.english import counted
from pbem.games.tripoli import chart
from pbem.games.tripoli.chart_map import SPOTS

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


def board(game: str, view: Facts, before: Facts | None, width: int = 80) -> RenderableType | None:
    """The position of a game, with what changed since `before`; None for a game that has no such picture, or whose
    picture does not fit into a terminal of that width."""
    drawn = _BOARDS.get(game)
    if drawn is None or width < drawn[1]:
        return None
    return drawn[0](dict(view), None if before is None else dict(before))


def width() -> int:
    """The width of the terminal in columns."""
    return Console().width


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
        text.append(("\n" if text else "") + _counted(group), style=_PIECES[group["kind"]][1])
        if group["change"]:
            text.append(f" ({group['change']:+d})", style="bold reverse")
    return text


def _counted(group: Facts) -> str:
    word = _PIECES[group["kind"]][0]
    return counted(group["count"], word, word if word.endswith("infantry") else "")


def _supply(side: Facts) -> Text:
    groups = [_counted(group) for group in side["supply"] if group["count"]]
    return Text(f"{side['name']} has in the Supply: {', '.join(groups) or 'nothing'}")


def _loot(view: Facts, before: Facts | None) -> RenderableType:
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else {}
    ships = _table("ship", "who fights for it", lines=True)
    for ship in view["ships"]:
        was = old.get(ship["number"])
        name = Text(f"{ship['number']}")
        name.append(" new" if before is not None and was is None else "", style="bold reverse")
        name.append(f"\nmerchant {ship['gold']}\nof {ship['owner']}")
        ships.add_row(name, _fight(ship, was, before is not None))
    sides = _table("side", "cards", "captured", lines=True)
    hands = {hand["seat"]: hand["count"] for hand in view["hands"]}
    for number, side in enumerate(view["captured"]):
        seats = side["side"].split(" and ")
        names = "\n".join(f"{'>' if seat == view['active'] else ' '} {seat}" for seat in seats)
        cards = "\n".join(str(hands[seat]) for seat in seats)
        sides.add_row(names, cards, _captured(side, None if before is None else before["captured"][number]))
    return Panel(Group(*([ships] if view["ships"] else []), sides), title=view["when"].capitalize(), expand=False)


def _table(*headings: str, lines: bool = False) -> Table:
    """A table that breaks words rather than leave out letters where the terminal is narrow."""
    table = Table(expand=False, show_lines=lines)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _fight(ship: Facts, was: Facts | None, marking: bool) -> Text:
    """Everybody in the fight for a ship, what is new in it, and who takes the ship when."""
    before = {side["side"]: side["strength"] for side in was["attackers"]} if was is not None else {}
    text = Text("" if ship["attackers"] or ship["trumps"] else "not attacked\n")
    for side in ship["attackers"]:
        colour = side["colour"]
        words = f"{side['side']} with {counted(side['strength'], 'skull')} in {colour}"
        text.append(f"{_SHAPES[colour]} {words}", style=_PAINT[colour])
        change = side["strength"] - before.get(side["side"], 0) if marking else 0
        text.append(f" ({change:+d})" if change else "", style="bold reverse").append("\n")
    known = len(was["trumps"]) if was is not None else 0
    for number, trump in enumerate(ship["trumps"]):
        text.append(f"{'then ' if number else ''}{trump['card']} of {trump['seat']}")
        text.append(" new" if marking and number >= known else "", style="bold reverse").append("\n")
    return text.append(_leads(ship), style="bold")


def _leads(ship: Facts) -> str:
    if ship["leader"] is None:
        return "leads: nobody: a tie"
    return f"leads: {ship['leader']}, taken when {ship['taken_by']} is next"


def _captured(side: Facts, was: Facts | None) -> Text:
    """What a side has taken, once for a pair."""
    text = Text(f"{side['gold']} gold")
    gained = side["gold"] - was["gold"] if was is not None else 0
    text.append(f" ({gained:+d})" if gained else "", style="bold reverse")
    numbers = ", ".join(str(ship["number"]) for ship in side["ships"])
    return text.append(f"\nship{'s' if len(side['ships']) > 1 else ''} {numbers}" if numbers else "")


_BOARDS: Mapping[str, tuple[Callable[[dict[str, Any], dict[str, Any] | None], RenderableType], int]] = {
    "tripoli": (_tripoli, 72),
    "tripoli-solitaire": (_tripoli, 72),
    "loot": (_loot, 40),
}
"""Who draws the board of a game, and the columns that takes: in less, the text is easier to read."""
