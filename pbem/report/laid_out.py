"""A page of docs/ laid out for a terminal, and shown by the reader's pager."""

from __future__ import annotations

import io
import os
import pydoc

from rich.console import Console
from rich.markdown import Markdown


def draw(markdown: str, width: int, *, colour: bool) -> str:
    """A page laid out for a terminal of so many columns."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, legacy_windows=False
    )
    console.print(Markdown(markdown, hyperlinks=False))
    return out.getvalue()


def page_through(page: str) -> None:
    """A long text through the reader's pager, with its colours as colours; whoever has set LESS
    keeps their own."""
    os.environ.setdefault("LESS", "-R")
    pydoc.pager(page)
