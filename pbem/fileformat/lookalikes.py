"""Names and addresses that look alike, though they are written with other characters.

The method is that of Unicode Technical Standard 39, section 4: two texts whose skeletons are equal
look alike. A skeleton is made of the compatibility form, with and without case, each character
replaced by what it looks like (`lookalikes.txt`, made from the data of Unicode 15.1 by
`release/make_lookalikes.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

TABLE = Path(__file__).with_name("lookalikes.txt")
_PLAIN = str.maketrans(
    {"0": "O", "1": "l", "I": "l", "|": "l", "`": "'", '"': "''", "%": "º/₀", "m": "rn"}
)
"""What the table says of ASCII: most names need no more, and the file is not read for them."""


def folded(text: str) -> str:
    """The text with case, width, accents written in two ways and blanks that make no difference
    made one."""
    return " ".join(
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split()
    )


def is_same(one: str, other: str) -> bool:
    """Whether two names or addresses are one to whoever reads them: equal when folded."""
    return bool(one) and folded(one) == folded(other)


def looks_like(one: str, other: str) -> bool:
    """Whether two names or addresses look alike: equal, or made of characters of one look."""
    return bool(one) and bool(other) and bool(_skeletons(one) & _skeletons(other))


def strange_letters(one: str, other: str) -> list[str]:
    """The letters of a name that another name, which it looks like, does not have, by their names
    in Unicode, as in `CYRILLIC SMALL LETTER A`."""
    found = dict.fromkeys(letter for letter in one if letter not in other and not letter.isascii())
    return [unicodedata.name(letter, f"U+{ord(letter):04X}") for letter in found]


def skeleton(name: str) -> str:
    """What a name looks like to whoever reads ASCII, whatever characters and case it is written in:
    the same for names of one look."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).translate(_like_ascii()).lower()


def is_disguised(name: str) -> bool:
    """Whether a name looks like one in ASCII and is written otherwise."""
    return not name.isascii() and skeleton(name).isascii()


@lru_cache(maxsize=4096)
def _skeletons(text: str) -> frozenset[str]:
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return frozenset((_drawn(plain), _drawn(folded(text)).casefold()))


def _drawn(text: str) -> str:
    return text.translate(_PLAIN if text.isascii() else _looks())


@lru_cache(maxsize=1)
def _looks() -> dict[int, str]:
    return _table(TABLE.read_text(encoding="utf-8").splitlines())


@lru_cache(maxsize=1)
def _like_ascii() -> dict[int, str]:
    return _table(like_ascii().splitlines())


def _table(lines: Iterable[str]) -> dict[int, str]:
    parted = [line.split(" ") for line in lines if not line.startswith("# ")]
    return {ord(one): prototype for prototype, *sources in parted for one in sources}


def like_ascii() -> str:
    """The part of the table with characters that look like ASCII, and its notice."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return "".join(f"{line}\n" for line in lines if line.split(" ")[0].isascii())
