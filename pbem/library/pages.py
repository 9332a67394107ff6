"""From the facts of a library to what a reader sees: text, Markdown, and pages for any browser, by
the templates in `templates/library/`; `tables` stand below the text in a terminal.

A page needs no network and no script, and its plots are SVG beside the figures they show. Its
policy allows the page's own style sheet by its hash and nothing else, so nothing runs, whatever a
name says. Plots are made of figures only; words stand in the tables, where they wrap.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import files
from pbem.errors import Usage
from pbem.files import shipped
from pbem.library import plots
from pbem.library.chances import LEAST
from pbem.report.render import render

if TYPE_CHECKING:
    from pbem.library.explore import EndingFacts

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
_KEY = 8
"""Digits of a key that are enough to tell it from the others at a table."""


def probability(p: float | None) -> str:
    """A p-value, such as `0.034`, `0.00012` or `3e-07`; empty for None."""
    if p is None:
        return ""
    if p <= LEAST:
        return f"< {LEAST:.0e}"
    if p >= 0.1:
        return f"{p:.2f}"
    return f"{p:.2g}" if p >= 0.0001 else f"{p:.0e}"


def percent(part: int, whole: int) -> str:
    """A share, such as `12 %` or `< 1 %`; empty for a share of nothing."""
    if not whole:
        return ""
    return "< 1 %" if 0 < 100 * part < whole else f"{100 * part / whole:.0f} %"


def short_key(key: str) -> str:
    """The first digits of a key."""
    return key[:_KEY]


def whom(name: str, key: str) -> str:
    """A player by name and the first digits of the key, since anybody may take any name."""
    return f"{name} ({short_key(key)})" if name else short_key(key)


def ended_words(ending: EndingFacts) -> str:
    """An ending, in words."""
    if ending.ended is None:
        return "not yet"
    kind = {"rules": "", "draw": "draw agreed", "left": "the others left"}.get(
        ending.ended, ending.ended
    )
    return ": ".join(filter(None, [kind, ending.how]))


def options_words(options: Sequence[str]) -> str:
    """The options of games, in words."""
    return f"with {', '.join(options)}" if options else "without options"


_WORDS = {
    one.__name__: one for one in (probability, percent, whom, ended_words, options_words, short_key)
}
_PLOTS = {
    one.__name__: one
    for one in (plots.interval, plots.results, plots.faces, plots.lengths, plots.funnel)
}


def text(name: str, facts: object) -> str:
    """These facts as text: `templates/library/NAME.txt.j2`."""
    return render(f"library/{name}.txt.j2", facts)


def markdown(name: str, facts: object) -> str:
    """These facts as Markdown: `templates/library/NAME.md.j2`."""
    return render(f"library/{name}.md.j2", facts)


def html(name: str, facts: Mapping[str, object], style: str) -> str:
    """These facts as a page: `templates/library/NAME.html.j2`, with a style sheet of that folder
    and the policy that allows it."""
    css = _style(style)
    return render(f"library/{name}.html.j2", {**facts, "css": css, "policy": policy(css)})


def page(name: str, facts: Any) -> str:
    """The page of an answer. It may be passed on, so of folder and file it has the last name
    only."""
    names = {
        "facts": facts,
        "rows": ROWS,
        "shown": _first_rows,
        "by_p": _by_p,
        "first": FIRST,
        "charts": CHARTS,
        "folder": Path(facts.folder).resolve().name,
        "file": Path(getattr(facts, "file", None) or "").name,
    }
    return html(name, {**names, **_WORDS, **_PLOTS}, "page.css")


def write(path: Path, text: str) -> None:
    """Write a page, also in the place of an earlier one of ours. Raises `Conflict` if something
    else stands there."""
    data = text.encode()
    if _is_ours(path):
        files.replace(path, data, mode=0o644)
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


def _first_rows(rows: Sequence[Any]) -> Sequence[Any]:
    return rows[:ROWS]


def _by_p(rows: Sequence[tuple[Any, Any]]) -> Sequence[tuple[Any, Any]]:
    """Rows of a player and a test, the least likely first; those without a test last, as they
    come."""
    return sorted(rows, key=lambda row: (row[1].p is None, row[1].p or 0))


@lru_cache(maxsize=2)
def _style(name: str) -> str:
    return (Path(shipped()) / "library" / name).read_text(encoding="utf-8")
