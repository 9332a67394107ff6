"""The board of The Shores of Tripoli in a terminal: the same facts as the picture, in tables and
colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
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
_HARBORS = (
    "Gibraltar",
    "Tangier",
    "Algiers",
    "Tunis",
    "Malta",
    "Tripoli",
    "Benghazi",
    "Derne",
    "Alexandria",
)
_AMERICAN = frozenset(
    ("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates")
)

View = Mapping[str, Any]


def board(view: View, before: View | None) -> RenderableType:
    """Harbors with their zones, the year track, gold and sunk frigates, and the Supply; what
    changed is marked."""
    old = None if before is None else before["board"]

    def there(place: str, american: bool | None = None) -> Text:
        groups = chart.pieces(
            view["board"].get(place, {}), None if old is None else old.get(place, {})
        )
        return _pieces(
            [g for g in groups if american is None or (g["kind"] in _AMERICAN) == american]
        )

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
    facts = chart.layout(dict(view), None if before is None else dict(before), ())
    gold, sunk = _tracks(facts)
    lines = [_supply(side) for side in facts["sides"]]
    return Panel(
        Group(places, track, gold.append("   ").append(sunk), *lines),
        title=facts["season"],
        expand=False,
    )


def narrow_board(view: View, before: View | None) -> RenderableType:
    """The board in lines, one place after the other, for a terminal too narrow for the table."""
    old = None if before is None else before["board"]
    lines, empty = [], []
    places = [
        place
        for harbor in _HARBORS
        for place in (harbor, f"{harbor} Patrol Zone")
        if place in SPOTS
    ]
    for place in [*places, *map(str, range(1801, 1807))]:
        groups = chart.pieces(
            view["board"].get(place, {}), None if old is None else old.get(place, {})
        )
        if groups:
            name = f"Year {place}" if place.isdecimal() else place
            lines.append(Text(f"{name}: ", style="bold").append(_pieces(groups, ", ")))
        elif not place.isdecimal():
            empty.append(place)
    facts = chart.layout(dict(view), None if before is None else dict(before), ())
    head = Text(facts["season"], style="bold reverse")
    nobody = [Text(f"Nobody in {', '.join(empty)}")] if empty else []
    return Group(
        head, *lines, *nobody, *_tracks(facts), *(_supply(side) for side in facts["sides"])
    )


def brief_board(view: View, before: View | None) -> RenderableType:
    """A line for each harbor with its zone, and two for the rest, without the Supply: as few rows
    as a question leaves room for."""
    old = None if before is None else before["board"]

    def there(place: str, american: bool | None = None) -> Text:
        groups = chart.pieces(
            view["board"].get(place, {}), None if old is None else old.get(place, {})
        )
        return _pieces(
            [g for g in groups if american is None or (g["kind"] in _AMERICAN) == american],
            ", ",
            american is False,
        )

    places = Table.grid(padding=(0, 2))
    for _ in range(4):
        places.add_column()
    places.add_row(
        *(Text(word, style="dim") for word in ("harbor", "American", "Tripolitan", "patrol zone"))
    )
    for harbor in _HARBORS:
        zone = f"{harbor} Patrol Zone"
        sea = there(zone) if zone in SPOTS else Text("")
        places.add_row(Text(harbor, style="bold"), there(harbor, True), there(harbor, False), sea)
    facts = chart.layout(dict(view), None if before is None else dict(before), ())
    gold, sunk = _tracks(facts)
    due = Text("Due in")
    for year in map(str, range(view["year"] + 1, 1807)):
        if pieces := there(year):
            due.append(f" {year}: ").append(pieces).append(";")
    due.rstrip()
    head = Text(f"{facts['season']}  ", style="bold").append(gold).append("  ").append(sunk)
    return Group(head, places, *([due[:-1]] if due.plain.endswith(";") else []))


def _tracks(facts: View) -> tuple[Text, Text]:
    """The gold that Tripolitania has, and the frigates that it has sunk."""
    return _track("Gold", facts["gold"], "●", "○"), _track("Frigates sunk", facts["sunk"], "■", "□")


def _track(name: str, what: View, full: str, empty: str) -> Text:
    change = f" ({what['change']:+d})" if what["change"] else ""
    return Text(
        f"{name} {what['held']}{change} {full * what['held']}{empty * (what['of'] - what['held'])}"
    )


def _pieces(groups: Sequence[View], between: str = "\n", is_brief: bool = False) -> Text:
    """Pieces of each kind; `is_brief` where it is clear whose they are."""
    text = Text()
    for group in groups:
        words = _counted(group)
        text.append(between if text else "").append(
            words.replace("Tripolitan ", "") if is_brief else words,
            style=_PIECES[group["kind"]][1],
        )
        if group["change"]:
            text.append(f" ({group['change']:+d})", style="bold reverse")
    return text


def _counted(group: View) -> str:
    word = _PIECES[group["kind"]][0]
    return counted(group["count"], word, word if word.endswith("infantry") else "")


def _supply(side: View) -> Text:
    groups = [_counted(group) for group in side["supply"] if group["count"]]
    return Text(f"{side['name']} has in the Supply: {', '.join(groups) or 'nothing'}")
