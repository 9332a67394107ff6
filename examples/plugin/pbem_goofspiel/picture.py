"""The position for the eye: where things go in the picture (`templates/picture.svg.j2`), and a
table for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Facts = Mapping[str, Any]


def layout(view: Facts, before: Facts | None, _lines: Iterable[Facts]) -> Facts:
    """A panel for each player, and what changed since the reader's last turn."""
    panels = []
    for number, side in enumerate(view["sides"]):
        earlier = side["points"] if before is None else before["sides"][number]["points"]
        panels.append({**side, "x": 20 + 390 * number, "change": side["points"] - earlier})
    waits = f"waits for {view['waiting']['seat']}" if view["waiting"] else ""
    return {"when": view["when"], "prize": view["prize"], "panels": panels, "waits": waits}


def board(view: Facts, before: Facts | None) -> Any:
    """The same for a terminal: a column for each player, bold what changed since the reader's last
    turn."""
    from rich.table import Table  # a page in a browser has no terminal, and no rich

    table = Table(
        "",
        *(side["seat"] for side in view["sides"]),
        title=f"{view['when']}: the prize is {view['prize']}",
    )
    for key, name in {"points": "points", "hand": "cards in hand", "pile": "in the pile"}.items():
        now, was = ([side[key] for side in one["sides"]] for one in (view, before or view))
        table.add_row(
            name,
            *(
                f"[bold]{new}" if new != old else str(new)
                for new, old in zip(now, was, strict=True)
            ),
        )
    return table
