"""The board of The Shores of Tripoli in a terminal: the same facts as the picture, in tables and colours."""

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
_HARBORS = ("Gibraltar", "Tangier", "Algiers", "Tunis", "Malta", "Tripoli", "Benghazi", "Derne", "Alexandria")
_AMERICAN = frozenset(("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates"))

View = Mapping[str, Any]


def board(view: View, before: View | None) -> RenderableType:
    """Harbors with their zones, the year track, gold and sunk frigates, and the Supply; what changed is marked."""
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
    facts = chart.layout(dict(view), None if before is None else dict(before), ())
    tracks = Text()
    for name, what, full in (("Gold", facts["gold"], "●"), ("   Frigates sunk", facts["sunk"], "■")):
        change = f" ({what['change']:+d})" if what["change"] else ""
        empty = "○" if full == "●" else "□"
        tracks.append(f"{name} {what['held']}{change} {full * what['held']}{empty * (what['of'] - what['held'])}")
    lines = [_supply(side) for side in facts["sides"]]
    return Panel(Group(places, track, tracks, *lines), title=facts["season"], expand=False)


def _pieces(groups: Sequence[View]) -> Text:
    text = Text()
    for group in groups:
        text.append(("\n" if text else "") + _counted(group), style=_PIECES[group["kind"]][1])
        if group["change"]:
            text.append(f" ({group['change']:+d})", style="bold reverse")
    return text


def _counted(group: View) -> str:
    word = _PIECES[group["kind"]][0]
    return counted(group["count"], word, word if word.endswith("infantry") else "")


def _supply(side: View) -> Text:
    groups = [_counted(group) for group in side["supply"] if group["count"]]
    return Text(f"{side['name']} has in the Supply: {', '.join(groups) or 'nothing'}")
