"""Where things go in the picture; `templates/picture.svg.j2` draws them."""

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
