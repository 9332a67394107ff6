"""What strings may hold: against a second reading of docs/format.md, section 2, character by
character."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.errors import Malformed, Refused, Usage
from pbem.fileformat import characters, turnfile
from pbem.fileformat.toml_subset import write_string
from pbem.home.home import check_line
from tests.support.players import AMERICAN, Pair, refused, retouch

DOCS = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
ZWJ, VS16, TAG_END = "\u200d", "\ufe0f", "\U000e007f"


def listed(start: str, end: str) -> set[int]:
    """The code points that a sentence of the page names: `U+00AD`, `U+180B to U+180F`."""
    sentence = DOCS[DOCS.index(start) :]
    sentence = sentence[: sentence.index(end)]
    spans = re.findall(r"U\+([0-9A-F]{4,5})(?:\s+to\s+U\+([0-9A-F]{4,5}))?", sentence)
    return {
        point
        for first, last in spans
        for point in range(int(first, 16), int(last or first, 16) + 1)
    }


IGNORABLE = listed("Default_Ignorable_Code_Point", "In a `message` alone")


def test_the_page_lists_what_unicode_lists() -> None:
    """4174 code points in DerivedCoreProperties.txt of Unicode 17.0.0."""
    assert len(IGNORABLE) == 4174
    inside = re.compile(f"[{characters.HIDDEN}{characters.MARKS}]")
    assert {point for point in range(0x110000) if inside.match(chr(point))} == IGNORABLE


def test_no_ignorable_or_control_character_stands_in_a_name() -> None:
    control = {
        *range(0x20),
        *range(0x7F, 0xA0),
        0x2028,
        0x2029,
        *range(0xD800, 0xE000),
        *range(0xFFF9, 0x10000),
    }
    for point in IGNORABLE | control:
        assert not characters.is_line(f"A{chr(point)}"), hex(point)
    assert characters.is_line("Zoë Ωμέγα 船 🙂 \U0001f44d\U0001f3fd Ó'Neill")


BLANK = listed("none of U+00A0, U+1680", "which are the other space separators")


def test_a_name_is_seen() -> None:
    """Every space separator of Unicode, and what has an empty glyph; a string of another kind may
    hold them."""
    assert len(BLANK) == 21 and {ord(one) for one in map(chr, range(0x110000)) if one.isspace()} - BLANK <= {  # noqa: E501
        *range(0x09, 0x0E), *range(0x1C, 0x20), 0x20, 0x85, 0x2028, 0x2029
    }  # fmt: skip
    for point in BLANK:
        for name in (chr(point), f" {chr(point)}", f"Ann{chr(point)}"):
            assert not characters.is_name(name) and characters.is_line(name), hex(point)
    assert not characters.is_name("  ") and not characters.is_name("")
    assert characters.is_name("Zoë Ωμέγα 船 🙂") and characters.is_name("***")


# Messages


def is_pictograph(character: str) -> bool:
    return re.match(f"[{characters.PICTOGRAPHIC}]", character) is not None


def one(text: str, place: int) -> int:
    """Where a pictograph at this place ends, with what follows it; the place itself if there is
    none."""
    if place == len(text) or not is_pictograph(text[place]):
        return place
    place += 1
    return place + (text[place : place + 1] in [VS16, *map(chr, range(0x1F3FB, 0x1F400))])


def emoji(text: str, place: int) -> int:
    """Where an emoji at this place ends; the place itself if there is none."""
    tags = "".join(
        chr(ord(c) - 0xE0000) if 0xE0000 < ord(c) < 0xE0080 else " "
        for c in text[place + 1 : place + 8]
    )
    if text[place] == "\U0001f3f4" and (flag := re.match(r"[a-z]{2}[a-z0-9]{1,4}\x7f", tags)):
        return place + 1 + flag.end()
    if text[place] in "0123456789#*" and text[place + 1 : place + 3] == VS16 + "\u20e3":
        return place + 3
    end = one(text, place)
    while end > place and text[end : end + 1] == ZWJ and one(text, end + 1) > end + 1:
        end = one(text, end + 1)
    return end


SCRIPTS = [
    *(
        range(first, last + 1)
        for first, last in [(0x620, 0x8FF), (0x900, 0xDFF), (0x1000, 0x109F), (0x1780, 0x17FF)]
    ),
    range(0x1800, 0x18B0),
]
JOINERS, DIRECTIONS = "\u200c\u200d", "\u061c\u200e\u200f"


def is_joiner_in_place(text: str, place: int) -> bool:
    """Whether a joiner has two characters of one script as its neighbours."""
    if text[place] not in JOINERS or not 0 < place < len(text) - 1:
        return False
    return any(
        ord(text[place - 1]) in script and ord(text[place + 1]) in script for script in SCRIPTS
    )


def is_turned(text: str) -> bool:
    """Whether a line has a character of a script that is written from right to left."""
    spans = [
        (0x590, 0x61B),
        (0x61D, 0x8FF),
        (0xFB1D, 0xFDFF),
        (0xFE70, 0xFEFC),
        (0x10800, 0x10FFF),
        (0x1E800, 0x1EFFF),
    ]
    return any(first <= ord(one) <= last for one in text for first, last in spans)


def is_direction_in_place(text: str, place: int) -> bool:
    return (
        text[place] in DIRECTIONS
        and text[place + 1 : place + 2] not in [*DIRECTIONS, *JOINERS]
        and is_turned(text)
    )


def may_be_message(text: str) -> bool:
    """Of one line."""
    place = 0
    while place < len(text):
        if (end := emoji(text, place)) > place:
            place = end
        elif (
            ord(text[place]) not in IGNORABLE
            or is_joiner_in_place(text, place)
            or is_direction_in_place(text, place)
        ):
            place += 1
        else:
            return False
    return True


PIECES = [
    *DIRECTIONS,
    *JOINERS,
    *"مسא\u0937\u094d",
    ZWJ,
    VS16,
    TAG_END,
    *"\u20e31a❤👩🚀🏴🏽🏿🇩",
    *"\U000e0067\U000e0062\U000e0031",
]
OTHERS = st.characters(codec="utf-8", categories=["L", "So", "Cf"])
texts = st.lists(st.one_of(st.sampled_from(PIECES), OTHERS), max_size=14)


@given(texts.map("".join))
@example("\u061c\ufe0fم")
def test_a_message_holds_marks_within_emoji_only(text: str) -> None:
    plain = re.search(f"[{characters.FORBIDDEN}]", text) is None
    assert (characters.is_message(text) and plain) == may_be_message(text)
    found = characters.first_forbidden(text)
    assert (found is None) == may_be_message(text)
    if found is not None:
        before = text[: found.place - 1] + (" م" if is_turned(text) else "")  # of such a line still
        assert text[found.place - 1] == found.character
        assert characters.first_forbidden(before) is None
    shown = characters.without_hidden(text)
    assert characters.first_forbidden(characters.strip_hidden(text)) is None or "?" in shown
    assert len(shown) == len(text) and may_be_message(shown)
    assert (shown == text) == may_be_message(text)


@given(texts.map("".join))
def test_a_name_holds_none(text: str) -> None:
    assert characters.is_line(text) == (not any(ord(character) in IGNORABLE for character in text))


ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067" + TAG_END
EMOJI = [
    "👨‍👩‍👧‍👦",
    "❤️‍🔥",
    "🏴‍☠️",
    "🏳️‍🌈",
    "🧑🏽‍❤️‍🧑🏿",
    "👁️‍🗨️",
    "☝🏽",
    "☝️",
    "*️⃣",
    "©️",
    "🇩🇪",
    ENGLAND,
]


@pytest.mark.parametrize("text", EMOJI)
def test_emoji_that_people_send(text: str) -> None:
    assert characters.is_message(f"Well played {text}!") and characters.is_message(text * 3)
    assert write_string(text)


LANGUAGES = [
    *(
        "می‌خواهم",
        "خانه‌ها را",
        "क्‍ष",
        "ශ්‍රී",
        "مرحبا!\u200f",
        "\u200fשלום 2 > 1\u200e ok",
        "\u061cسلام",
    ),
    "first line\nمی‌روم\u200f\nlast line",
]


@pytest.mark.parametrize("text", LANGUAGES)
def test_languages_that_need_what_nobody_sees(text: str) -> None:
    assert (
        characters.first_forbidden(text) is None
        and characters.is_message(text)
        and not characters.is_line(text)
    )


@pytest.mark.parametrize(
    ("text", "line", "place", "name"),
    [
        ("tab\there", 1, 4, "a control character"),
        ("one\ntw\u200bo", 2, 3, "ZERO WIDTH SPACE"),
        ("soft\u00adhyphen", 1, 5, "SOFT HYPHEN"),
        ("a\u200cb", 1, 2, "ZERO WIDTH NON-JOINER"),
        ("سلام\nabc\u200f", 2, 4, "RIGHT-TO-LEFT MARK"),
        ("\u202eevil", 1, 1, "RIGHT-TO-LEFT OVERRIDE"),
        ("❤️ \ufe0f", 1, 4, "VARIATION SELECTOR-16"),
    ],
)
def test_what_is_refused_is_named_with_its_place(
    text: str, line: int, place: int, name: str
) -> None:
    found = characters.first_forbidden(text)
    assert found is not None and found[1:] == (line, place) and name in str(found)
    assert characters.first_forbidden(characters.strip_hidden(text)) is None


def test_what_is_pasted() -> None:
    assert characters.normalize_pasted("a\tb\r\nc\rd\u2028e") == "a b\nc\nd\ne"


# Where strings come in


HIDING = [
    *(
        "Ann\u200d",
        "A\ufe0fnn",
        "Ann\u200c",
        "Ann\U000e0061",
        "\U0001d173Ann",
        "Ann\U0001bca0",
        "\u180fAnn",
        "❤️ Ann",
    ),
]


@pytest.mark.parametrize("name", HIDING)
def test_a_name_that_hides_something(name: str, tmp_path: Path) -> None:
    with pytest.raises(Usage, match="nobody sees"):
        check_line(name, "name", 80)
    pair = Pair(tmp_path)
    with contextlib.suppress(ValueError):  # most of them cannot be written in the first place
        refused(retouch(pair.data, pair.identities[AMERICAN], name=name), "nobody sees")


def test_messages_at_the_gate(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 5).play(4)
    for text in EMOJI:
        data = pair.cheat(message=text)
        assert turnfile.read(data).entries[-1].text("message") == text
    for text in LANGUAGES:
        assert turnfile.read(pair.cheat(message=text)).entries[-1].text("message") == text
    for text in ("a\u200db", "x\ufe0f", "\U000e0061", "🏴\U000e0067" + TAG_END, "👩\u200d"):
        with pytest.raises(Malformed, match='"message"'):
            turnfile.read(pair.cheat(message=text))
        with pytest.raises(Refused, match=r"line 1, character \d+ is U\+"):
            pair.next(message=text)
