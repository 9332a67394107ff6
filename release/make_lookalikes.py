"""Writes `pbem/fileformat/lookalikes.txt`: characters of one look, from the data of Unicode
Technical Standard 39.

`python -m release.make_lookalikes CONFUSABLES` takes `confusables.json` of the package
confusable-homoglyphs (its release 3.3.1 holds the data of Unicode 15.1). What compatibility and
case make one anyway is left out (`pbem.fileformat.characters`), and so is what no name may hold.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parents[1] / "pbem" / "fileformat" / "lookalikes.txt"
HEADER = """\
# Characters of one look, a line each: what they look like, then those that do, with blanks between.
# Made by release/make_lookalikes.py from confusables.txt, Unicode 15.1 (Unicode Technical Standard 39).
# Copyright (c) 1991-2023 Unicode, Inc.; https://www.unicode.org/terms_of_use.html, Unicode License v3.
"""  # noqa: E501


def table(confusable: dict[str, list[dict[str, str]]]) -> str:
    """The lines of the file. In the data a character is listed with its prototype alone, a
    prototype with all of its characters; of two that are listed with each other only, the first in
    the order of code points is the prototype."""
    prototypes = {one: [other["c"] for other in others] for one, others in confusable.items()}
    looks: dict[str, list[str]] = {}
    for one in sorted(prototypes):
        prototype, *more = prototypes[one]
        is_source = not more and (len(prototypes[prototype]) > 1 or prototype < one)
        if is_source and len(one) == 1 and _counts(one, prototype):
            looks.setdefault(prototype, []).append(one)
    return "".join(
        f"{prototype} {' '.join(sources)}\n" for prototype, sources in sorted(looks.items())
    )


def _counts(one: str, prototype: str) -> bool:
    is_plain = all(char.isprintable() and not char.isspace() for char in one + prototype)
    return is_plain and unicodedata.normalize("NFKC", one) == one and not unicodedata.combining(one)


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    TARGET.write_text(HEADER + table(given), encoding="utf-8", newline="\n")
