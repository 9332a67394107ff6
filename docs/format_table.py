"""Writes the table of fields in docs/format.md: `python -m docs.format_table` (part of ./run golden).

It is the table that both verifiers read. What a field means is written by hand, in the last column, and kept."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.fileformat.fields import TABLE, Field

PAGE = Path(__file__).parent / "format.md"
HEAD = "| field | kind | bounds | stands in | what |\n|---|---|---|---|---|\n"
_ROW = re.compile(r"\| `([^`]+)` (?:\| [^|]* ){3}\| (.+) \|\n")
_WHERE = {"always": "every entry", "invitation": "entry 0", "first": "first entries"}


def with_table(text: str) -> str:
    """The page with its table made anew. Raises `ValueError` where a field has no words yet."""
    before, _, rest = text.partition(HEAD)
    rows, after = [], rest
    while match := _ROW.match(after):
        rows.append((match[1], match[2]))
        after = after[match.end() :]
    told = dict(rows)
    if missing := [key for key in TABLE if key not in told]:
        raise ValueError(f"docs/format.md has no words for {', '.join(missing)}: add a row to its table of fields")
    return before + HEAD + "".join(_row(field, told[field.key]) for field in TABLE.values()) + after


def _row(field: Field, told: str) -> str:
    bounds = f"{field.longest}"
    if field.kind == "number":
        bounds = f"{field.least} to {field.most}" if field.least != field.most else f"{field.least}"
    where = _WHERE.get(field.where, f"see {field.section}")
    return f"| `{field.key}` | {field.kind} | {bounds} | {where} | {told} |\n"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
