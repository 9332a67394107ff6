"""The boards of a game, with each part of them stored once.

Two boards that follow each other differ in a few parts: places, or values of the strip. So the
store keeps every part once, and of each board only how its list of parts differs
from the list before. Whoever shows the boards needs no code for any game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from pbem.games.stage import StageBoard, as_json


class Splice(NamedTuple):
    """A change to the list of parts of the board before: from `start` on, `removed` parts are left
    out and these put in."""

    start: int
    removed: int
    added: tuple[int, ...]


class Boards:
    """Boards in the order in which they are shown. `elements` are the texts of all parts. `changes`
    has for each board the splices that make its list of parts out of the one before, the last
    splice first; None where nothing changed."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.changes: list[list[Splice] | None] = []
        self._known: dict[str, int] = {}
        self._last: list[int] = []

    def add(self, parts: Sequence[str] | None) -> None:
        """Add a board; None where there is no board yet."""
        now = [self._number(text) for text in parts] if parts else self._last
        self.changes.append(spliced(self._last, now) or None)
        self._last = now

    def _number(self, text: str) -> int:
        number = self._known.setdefault(text, len(self._known))
        if number == len(self.elements):
            self.elements.append(text)
        return number


def parts_of(board: StageBoard) -> list[str]:
    """The data of a stage as parts, each a text of JSON: one object with all but the lists, and for
    each element of a list an object with that element alone; the dice are a part of their own. Put
    together they are the board. The faces of cards in answers are left out, since nobody answers
    here."""
    data = {name: value for name, value in as_json(board).items() if name != "faces"}
    lists = {name: data.pop(name) for name in ("places", "strip", "trays") if name in data}
    parts = [data, *({name: [one]} for name, all_ in lists.items() for one in all_)]
    if "thrown" in data:
        parts.append({"thrown": data.pop("thrown")})
    return [json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in parts]


def spliced(before: list[int], now: list[int]) -> list[Splice]:
    """The splices that make `now` out of `before`, the last one first."""
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
