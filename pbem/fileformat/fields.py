"""The table of fields, `fields.json` beside this: each key that an entry may hold, in the order in
which they stand.

Both verifiers and the specification (docs/format.md, section 3) read it. It says where a key may
stand, the kind of its value and its bounds, since which version of the program there is one, and
the section about it; what a field means, and whether it is owed, is nowhere in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NamedTuple

PATH = Path(__file__).with_name("fields.json")


class Field(NamedTuple):
    """One key. `longest` counts the characters of a string, or of each string of a list; `least`
    and `most` bound a number. `where`: in every entry, in entry 0, in first entries, or as its
    section says."""

    key: str
    kind: Literal["string", "number", "list"]
    where: Literal["always", "invitation", "first", "any"]
    since: str
    section: int
    longest: int = 0
    least: int = 0
    most: int = 0

    def holds(self, number: object) -> bool:
        """Whether this is a number within the bounds of the field."""
        return isinstance(number, int) and self.least <= number <= self.most


TABLE: dict[str, Field] = {
    row["key"]: Field(**row) for row in json.loads(PATH.read_text(encoding="utf-8"))
}


def standing(where: Literal["always", "invitation", "first", "any"]) -> tuple[str, ...]:
    """The keys that stand in such entries alone."""
    return tuple(key for key, field in TABLE.items() if field.where == where)
