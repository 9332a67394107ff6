"""An answer as one page for any browser: no network, no script, plots as SVG beside the figures
they show.

Its policy allows the page's own style sheet by its hash and nothing else, so nothing runs, whatever
a name says. Plots are made of figures only; words stand in the tables, where they wrap.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Usage
from pbem.games.templates import shipped
from pbem.library import figures, luck_figures, plots
from pbem.report.render import render

MARK = (
    b'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator"'
    b' content="pbem library">'
)
"""How a page of ours begins: one may take the place of another."""
ROWS = 200
"""Rows of a list on a page; the whole list is in the answer's JSON."""
FIRST, CHARTS = 10, 6
"""Rows of a list, and charts beside each other, that are open at once; the others are folded."""
_LARGEST = 50_000_000
_WORDS = {
    name: getattr(figures, name)
    for name in ("probability", "percent", "whom", "ended_words", "options_words", "short_key")
}
_PLOTS = {name: getattr(plots, name) for name in ("interval", "results", "faces", "lengths")} | {
    "funnel": luck_figures.funnel
}


def page(name: str, facts: Any) -> str:
    """The page of an answer, from `templates/library/NAME.html.j2`. It may be passed on, so of
    folder and file it has the last name only."""
    css = _style()
    where = {
        "folder": Path(facts.folder).resolve().name,
        "file": Path(getattr(facts, "file", None) or "").name,
    }
    names = {
        "facts": facts,
        "css": css,
        "policy": policy(css),
        "rows": ROWS,
        "shown": _shown,
        "by_p": _by_p,
        "first": FIRST,
        "charts": CHARTS,
        **where,
    }
    return render(f"library/{name}.html.j2", {**names, **_WORDS, **_PLOTS})


def write(path: Path, text: str) -> None:
    """Write a page, also in the place of an earlier one of ours. Raises `Conflict` if something
    else stands there."""
    data = text.encode()
    if _is_ours(path):
        files.replace(path, data)
    else:
        files.write_new(path, data)


def policy(css: str) -> str:
    """The Content-Security-Policy of a page with this style sheet and nothing else."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _is_ours(path: Path) -> bool:
    try:
        return files.read_own(path, _LARGEST).startswith(MARK)
    except Usage:
        return False


def _shown(rows: Sequence[Any]) -> Sequence[Any]:
    return rows[:ROWS]


def _by_p(rows: Sequence[tuple[Any, Any]]) -> Sequence[tuple[Any, Any]]:
    """Rows of a player and a test, the least likely first; those without a test last, as they
    come."""
    return sorted(rows, key=lambda row: (row[1].p is None, row[1].p or 0))


@lru_cache(maxsize=1)
def _style() -> str:
    return (Path(shipped()) / "library" / "page.css").read_text(encoding="utf-8")
