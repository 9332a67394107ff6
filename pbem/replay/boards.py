"""The boards of a game, each distinct element of their pictures stored once.

Two pictures that follow each other differ in a few elements. So a store keeps every element once,
and of each picture only where its list of elements differs from the one before: whoever shows them
needs no code for any game.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import NamedTuple

_ELEMENT = re.compile(r"<([a-zA-Z]+)(?:\s[^<>]*)?>[^<]*</\1>\s*|<[^<>]*>[^<]*|[^<]+")
_STYLE = re.compile(r"<style>([^<]*)</style>")


class Splice(NamedTuple):
    """From `start` on `removed` elements of the picture before are left out, and these put in."""

    start: int
    removed: int
    added: tuple[int, ...]


class Boards:
    """Pictures in the order in which they are shown. `elements` are the texts of all, `changes`
    what each picture changes of the one before, to be made from its end on; None where nothing
    changed."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.changes: list[list[Splice] | None] = []
        self._known: dict[str, int] = {}
        self._last: list[int] = []

    def add(self, svg: str | None) -> None:
        """One more picture; None where there is none yet."""
        now = [self._number(text) for text in elements_of(svg)] if svg else self._last
        self.changes.append(spliced(self._last, now) or None)
        self._last = now

    def styles(self) -> list[str]:
        """The style sheets inside the pictures, each once: what a strict policy has to allow."""
        return sorted({match[1] for text in self.elements for match in _STYLE.finditer(text)})

    def _number(self, text: str) -> int:
        number = self._known.setdefault(text, len(self._known))
        if number == len(self.elements):
            self.elements.append(text)
        return number


def elements_of(svg: str) -> list[str]:
    """The tags of a picture, an element that holds no other as one piece; put together they are the
    picture."""
    return [match[0] for match in _ELEMENT.finditer(svg)]


def spliced(before: list[int], now: list[int]) -> list[Splice]:
    """What makes `now` of `before`, from the end of the list on."""
    start = 0
    while start < min(len(before), len(now)) and before[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(before), len(now)) - start and before[-1 - end] == now[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], now[start : len(now) - end]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changes = [
        Splice(start + i, j - i, tuple(new[k:m])) for kind, i, j, k, m in found if kind != "equal"
    ]
    return changes[::-1]
