"""Which characters the strings of a turn file may hold (docs/format.md, section 2), and which names
look alike.

A string holds no control character and none that is invisible or changes the order of others. Emoji
and some scripts need a few invisible characters: these are allowed in a message, where they are
needed, and nowhere else.

Two names look alike if their skeletons are equal (Unicode Technical Standard 39, section 4). For a
skeleton a text is brought into its compatibility form, with and without case, and each character is
replaced by the one it looks like. `lookalikes.txt` has these pairs; `release/make_lookalikes.py`
makes it from the data of Unicode 15.1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufff9-\uffff"
"""Control characters, line and paragraph separators, surrogates, and the specials at the end of the
first plane. The overrides of direction are all default-ignorable but those listed here."""

JOINERS = "\u200c\u200d"
"""Default-ignorable, and needed between letters of some scripts: zero width non-joiner and
joiner."""

DIRECTION_MARKS = "\u061c\u200e\u200f"
"""Default-ignorable, and needed where a line is written from right to left: they are letters that
nobody sees, and turn nothing around that a letter would not."""

MARKS = JOINERS + DIRECTION_MARKS + "\ufe0f\U000e0020-\U000e007f"
"""Default-ignorable, and allowed in a message where they are needed. Within emoji these are the
zero width joiner, variation selector 16 and tags."""

HIDDEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e001f\U000e0080-\U000e0fff"
)
"""All other characters of Default_Ignorable_Code_Point: DerivedCoreProperties.txt of Unicode 17.0.0
(the same list as in 15.0.0)."""

BLANK = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\U00013441\U00013442\U00016fe4\U0001d159"
"""What looks like a blank and is not U+0020: the other space separators, and characters whose glyph
is empty."""

FORBIDDEN = CONTROL + HIDDEN
"""What no string may hold, as the inside of a character class."""

PICTOGRAPHIC = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa"
    "\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614\u2615\u2618\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f"
    "\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u267f\u2692-\u2697\u2699\u269b\u269c"
    "\u26a0\u26a1\u26a7\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8\u26ce\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea"
    "\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747"
    "\u274c\u274e\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f004\U0001f02c-\U0001f02f\U0001f094-\U0001f09f\U0001f0af\U0001f0b0\U0001f0c0\U0001f0cf"
    "\U0001f0d0\U0001f0f6-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f1af-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f"
    "\U0001f249-\U0001f25f\U0001f266-\U0001f321\U0001f324-\U0001f393\U0001f396\U0001f397\U0001f399-\U0001f39b"
    "\U0001f39e-\U0001f3f0\U0001f3f3-\U0001f3f5\U0001f3f7-\U0001f3fa\U0001f400-\U0001f4fd\U0001f4ff-\U0001f53d"
    "\U0001f549-\U0001f54e\U0001f550-\U0001f567\U0001f56f\U0001f570\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d"
    "\U0001f590\U0001f595\U0001f596\U0001f5a4\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4"
    "\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa-\U0001f64f"
    "\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2\U0001f6d5-\U0001f6e5\U0001f6e9\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff"
    "\U0001f7dc-\U0001f7f0\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f"
    "\U0001f8ae\U0001f8af\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf\U0001f8d9-\U0001f8ff\U0001f90c-\U0001f93a"
    "\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd"
)
"""Extended_Pictographic: emoji-data.txt of Unicode 17.0.0. It holds the emoji of later versions
too."""

_ONE = f"[{PICTOGRAPHIC}](?:\ufe0f|[\U0001f3fb-\U0001f3ff])?"
_TAG_LETTER, _TAG_END = "\U000e0061-\U000e007a", "\U000e007f"
_EMOJI = (
    f"\U0001f3f4[{_TAG_LETTER}]{{2}}[\U000e0030-\U000e0039{_TAG_LETTER}]{{1,4}}{_TAG_END}"
    f"|[0-9#*]\ufe0f\u20e3|{_ONE}(?:\u200d{_ONE})*"
)
"""Emoji that may hold marks, after UTS #51: the flag of a part of a country, a keycap, and
pictographs, each with a variation selector or a skin tone, that joiners join."""

JOINING_SCRIPTS = (
    "\u0620-\u08ff",
    "\u0900-\u0dff",
    "\u1000-\u109f",
    "\u1780-\u17ff",
    "\u1800-\u18af",
)
"""Scripts whose letters take another shape beside a joiner: Arabic, Syriac and N'Ko; those of India
and Sri Lanka; Myanmar; Khmer; Mongolian. Each is the inside of a character class."""

_JOINERS_IN_PLACE = "|".join(f"[{script}][{JOINERS}](?=[{script}])" for script in JOINING_SCRIPTS)
_DIRECTION_MARKS_IN_PLACE = f"[{DIRECTION_MARKS}](?![{DIRECTION_MARKS}{JOINERS}])"
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_IN_PLACE = f"{_EMOJI}|{_JOINERS_IN_PLACE}"
_IN_PLACE_RIGHT_TO_LEFT = f"{_IN_PLACE}|{_DIRECTION_MARKS_IN_PLACE}"
"""What may stand on a line that holds a character of a script that is written from right to left.
Few texts need these expressions, and it takes long to compile them: `re` does so once."""
_MARK = re.compile(f"[{MARKS}]")
_FORBIDDEN = re.compile(f"[{FORBIDDEN}]")
_BLANK = re.compile(f"[{BLANK}]")
_OUT_OF_PLACE = re.compile(f"[{FORBIDDEN}{MARKS}]")
_SAME_IN_MESSAGES = {ord("\t"): " ", ord("\r"): "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n"}


class ForbiddenCharacter(NamedTuple):
    """A character of a text that no message may hold, with its line and its place in the line,
    both from 1."""

    character: str
    line: int
    place: int

    def __str__(self) -> str:
        name = unicodedata.name(self.character, "a control character")
        return f"line {self.line}, character {self.place} is U+{ord(self.character):04X} ({name})"


def has_marks(text: str) -> bool:
    """Whether the text holds a character that has its place in a message only."""
    return not text.isascii() and _MARK.search(text) is not None


def is_message(text: str) -> bool:
    """Whether every mark stands where emoji or letters need it: only then a message may hold
    it."""
    return not has_marks(text) or all(
        _MARK.search(_blank_marks(line)) is None for line in text.split("\n")
    )


def _blank_marks(line: str) -> str:
    """The line with blanks in place of each emoji or letter that holds marks where they are
    needed."""
    pattern = _IN_PLACE_RIGHT_TO_LEFT if _RIGHT_TO_LEFT.search(line) else _IN_PLACE
    return re.sub(pattern, lambda found: " " * len(found[0]), line)


def first_forbidden(text: str) -> ForbiddenCharacter | None:
    """The first character that no message may hold; None if the text may be a message."""
    for number, line in enumerate(text.split("\n"), 1):
        if (
            found := _OUT_OF_PLACE.search(line if line.isascii() else _blank_marks(line))
        ) is not None:
            return ForbiddenCharacter(found[0], number, found.start() + 1)
    return None


def normalize_pasted(text: str) -> str:
    """A text that was pasted from another program, with a blank for each tab and `\\n` for each end
    of a line."""
    return text.replace("\r\n", "\n").translate(_SAME_IN_MESSAGES)


def is_line(text: str) -> bool:
    """Whether every character may stand in a string that is no message: in a name, say."""
    return _FORBIDDEN.search(text) is None and not has_marks(text)


def emoji_of_several(text: str) -> str:
    """The first emoji of a text that is written with a character that nobody sees; empty if there
    is none."""
    return next((found[0] for found in re.finditer(_EMOJI, text) if has_marks(found[0])), "")


def is_name(text: str) -> bool:
    """Whether this may be a player's name, which holds no blank but U+0020, and a character that is
    seen."""
    return is_line(text) and _BLANK.search(text) is None and bool(text.strip(" "))


def without_hidden(text: str) -> str:
    """The text with a question mark in place of each character that no line of a message may
    hold."""
    if text.isascii():
        return _FORBIDDEN.sub("?", text)
    found = [match.start() for match in _OUT_OF_PLACE.finditer(_blank_marks(text))]
    if not found:
        return text
    places = set(found)
    return "".join("?" if place in places else one for place, one in enumerate(text))


def strip_hidden(text: str) -> str:
    """The text without the characters that no message may hold."""
    return "\n".join(
        "".join(
            one for one, visible in zip(line, without_hidden(line), strict=True) if one == visible
        )
        for line in text.split("\n")
    )


TABLE = Path(__file__).with_name("lookalikes.txt")
_PLAIN = str.maketrans(
    {"0": "O", "1": "l", "I": "l", "|": "l", "`": "'", '"': "''", "%": "º/₀", "m": "rn"}
)
"""The part of `lookalikes.txt` about ASCII: most names need no more, and the file is not read."""


def fold_case(text: str) -> str:
    """The text in a form that is the same whatever its case, the width of its characters, the way
    its accents are written, and the number of blanks between words."""
    return " ".join(
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split()
    )


def is_same(one: str, other: str) -> bool:
    """Whether two names or addresses read the same: they are equal after `fold_case`."""
    return bool(one) and fold_case(one) == fold_case(other)


def looks_like(one: str, other: str) -> bool:
    """Whether two names or addresses look alike: equal, or made of characters of one look."""
    return bool(one) and bool(other) and bool(_skeletons(one) & _skeletons(other))


def strange_letters(one: str, other: str) -> list[str]:
    """The letters of a name that another name, which it looks like, does not have, by their names
    in Unicode, as in `CYRILLIC SMALL LETTER A`."""
    found = dict.fromkeys(letter for letter in one if letter not in other and not letter.isascii())
    return [unicodedata.name(letter, f"U+{ord(letter):04X}") for letter in found]


def skeleton(name: str) -> str:
    """A name in the ASCII characters it looks like, in small letters: equal for names that look the
    same."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).translate(_like_ascii()).lower()


def is_disguised(name: str) -> bool:
    """Whether a name looks like ASCII and is written with other characters."""
    return not name.isascii() and skeleton(name).isascii()


@lru_cache(maxsize=4096)
def _skeletons(text: str) -> frozenset[str]:
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return frozenset((_replace_lookalikes(plain), _replace_lookalikes(fold_case(text)).casefold()))


def _replace_lookalikes(text: str) -> str:
    return text.translate(_PLAIN if text.isascii() else _looks())


@lru_cache(maxsize=1)
def _looks() -> dict[int, str]:
    return _table(TABLE.read_text(encoding="utf-8").splitlines())


@lru_cache(maxsize=1)
def _like_ascii() -> dict[int, str]:
    return _table(like_ascii().splitlines())


def _table(lines: Iterable[str]) -> dict[int, str]:
    rows = [line.split(" ") for line in lines if not line.startswith("# ")]
    return {ord(one): prototype for prototype, *sources in rows for one in sources}


def like_ascii() -> str:
    """The part of the table with characters that look like ASCII, and its notice."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return "".join(f"{line}\n" for line in lines if line.split(" ")[0].isascii())
