"""A page in parts: what travels after a click is what has changed.

The template of a page sets `MARK` before each element that can travel alone. A part is known by a
digest of its text, in which the mark of the page counts for nothing: it changes with every step,
and the page puts the new one into its forms. A browser says which parts it has, and gets the
others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

MARK = "<!--part-->"
_MAIN = re.compile(r"<main\b[^>]*>")
_PAGE_MARK = re.compile(r'data-mark="([0-9a-f]+)"')
_TAG = re.compile(r"<[a-z][a-z0-9]*")


def named(page: str) -> str:
    """The page with each part's digest put into the part, and without the marks."""
    return (
        "".join(page.partition(MARK)[:1]) + "".join(text for _, text in _parts(page)) + _end(page)
    )


def changed(page: str, has: Collection[str]) -> dict[str, object]:
    """The parts of a page by their digests, in order; the text of those that the browser lacks; and
    the tag of the main part, whose attributes programs read."""
    parts = _parts(page)
    main = _MAIN.search(page)
    return {
        "main": main[0] if main is not None else "",
        "parts": [digest for digest, _ in parts],
        "new": {digest: text for digest, text in parts if digest not in has},
    }


def has_parts(page: str) -> bool:
    """Whether a page travels in parts."""
    return MARK in page


def _parts(page: str) -> list[tuple[str, str]]:
    """Digest and text of each part; the text begins with its element."""
    found = _PAGE_MARK.search(page)
    mark = found[1] if found is not None else ""
    pieces = [piece.strip() for piece in page.rpartition("</main>")[0].split(MARK)[1:]]
    parts = []
    for piece in filter(None, pieces):
        digest = hashlib.sha256((piece.replace(mark, "") if mark else piece).encode()).hexdigest()[
            :16
        ]
        tag = _TAG.match(piece)
        named = piece if tag is None else f'{tag[0]} data-part="{digest}"{piece[tag.end() :]}'
        parts.append((digest, named))
    return parts


def _end(page: str) -> str:
    _, end, rest = page.rpartition("</main>")
    return end + rest
