"""The board as a picture: one SVG from the game's template, and the PNG that mail programs can show.

The program's own words only: no name and no message ever stands in a picture. The letters come from the fonts that
ship with the program (pbem/data), so a picture is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem.render import render

_LAYOUTS = {
    "tripoli": ("pbem.chart", "tripoli"),
    "tripoli-solitaire": ("pbem.chart", "tripoli"),
    "loot": ("pbem.tabletop", "loot"),
}
"""Game to the module that lays its picture out, and the folder of its template."""
DATA = Path(__file__).parent / "data"
FONTS = ("ChartSans-Bold.ttf", "ChartSerif-Italic.ttf")
PNG_WIDTH = 800


def svg(
    game: str,
    view: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
    lines: Iterable[Mapping[str, Any]] = (),
    own: Path | None = None,
) -> str | None:
    """The picture of a position, None for a game that has none.

    `before` is the position at the reader's last turn and `lines` the story since then: what differs is marked.
    """
    if game not in _LAYOUTS:
        return None
    module, folder = _LAYOUTS[game]
    facts = import_module(module).layout(view, before, lines)
    return render(f"{folder}/picture.svg.j2", facts, own)


def png(drawing: str, width: int = PNG_WIDTH) -> bytes:
    """The picture as PNG, so many dots wide. Raises `Usage`, or `ImportError` where the library is missing."""
    import resvg_py

    from pbem.errors import Usage

    try:
        return resvg_py.svg_to_bytes(
            svg_string=drawing,
            width=width,
            skip_system_fonts=True,
            font_files=[str(DATA / name) for name in FONTS],
            sans_serif_family="Chart Sans",
            serif_family="Chart Serif",
            font_family="Chart Sans",
        )
    except ValueError as error:
        raise Usage("the picture is no SVG that can be drawn", hint="mend or remove your own template") from error
