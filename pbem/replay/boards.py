"""The boards of a game, each distinct part of them stored once.

Two boards that follow each other differ in a few parts: places, values of the strip, or elements of
a picture. So a store keeps every part once, and of each board only where its list of parts differs
from the one before: whoever shows them needs no code for any game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from pbem.games.stage import StageBoard, as_json

_ELEMENT = re.compile(r"<([a-zA-Z]+)(?:\s[^<>]*)?>[^<]*</\1>\s*|<[^<>]*>[^<]*|[^<]+")
_STYLE = re.compile(r"<style>([^<]*)</style>")


class Splice(NamedTuple):
    """From `start` on `removed` parts of the board before are left out, and these put in."""

    start: int
    removed: int
    added: tuple[int, ...]


class Boards:
    """Boards in the order in which they are shown. `elements` are the texts of all parts, `changes`
    what each board changes of the one before, to be made from its end on; None where nothing
    changed."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.changes: list[list[Splice] | None] = []
        self._known: dict[str, int] = {}
        self._last: list[int] = []

    def add(self, parts: Sequence[str] | None) -> None:
        """One more board; None where there is none yet."""
        now = [self._number(text) for text in parts] if parts else self._last
        self.changes.append(spliced(self._last, now) or None)
        self._last = now

    def styles(self, ground: str = "") -> list[str]:
        """The style sheets inside the pictures, and inside what lies under the boards, each once:
        what a strict policy has to allow."""
        texts = (*self.elements, ground)
        return sorted({match[1] for text in texts for match in _STYLE.finditer(text)})

    def _number(self, text: str) -> int:
        number = self._known.setdefault(text, len(self._known))
        if number == len(self.elements):
            self.elements.append(text)
        return number


def parts_of(board: StageBoard) -> list[str]:
    """What the stage draws, as texts of JSON: all but lists in one object, and an object with one
    element for each element of a list; put together they are the board. Faces of answers are left
    out, for nobody answers."""
    data = {name: value for name, value in as_json(board).items() if name != "faces"}
    lists = {name: data.pop(name) for name in ("places", "strip", "trays") if name in data}
    parts = [data, *({name: [one]} for name, all_ in lists.items() for one in all_)]
    return [json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in parts]


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
