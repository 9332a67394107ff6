"""The lines that players fill in from their copy: what is read, what is refused, and at which
line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.paradise import RULES
from engine.paradise.data import Data
from engine.paradise.data_lines import FILES, read
from engine.paradise.tables import ATTACK
from engine.rules import BadData
from engine.words import tokens
from tests.support.paradise_kit import SMALL_MAP

TEMPLATES = Path(__file__).parents[2] / "templates" / "paradise" / "data"
CHITS = [*["chits: 1 Village / Build"] * 11, *["chits: 1 Card / Attack!"] * 4]
HOMES = ["map: hex samoa 0 0 known", "map: hex tonga 0 1 known"]

WRONG = {
    "no such file": (["boats: 4"], 0, "belongs to none of"),
    "no colon": (["chits 1 Village / Build"], 0, "belongs to none of"),
    "not ascii": (
        ["tiles: h\N{LATIN SMALL LETTER I WITH DIAERESIS}va: atoll"],
        0,
        "letters other than",
    ),
    "an unknown expand": (["chits: 1 Elephant / Build"], 0, "is no chit"),
    "an unknown action": (["chits: 1 Village / Sleep"], 0, "is no chit"),
    "no slash": (["chits: 1 Village Build"], 0, "is no chit"),
    "too few chits": ([*CHITS[:9], "setup: boxes 4"], 8, "these are 9"),
    "a twelfth quiet chit": ([*CHITS[:11], "chits: 1 Card / Defend"], 11, "do not say Attack!"),
    "a fifth Attack!": ([*CHITS[11:], "chits: 1 Card / Attack!"], 4, "say Attack!"),
    "a sixteenth chit": ([*CHITS, "chits: 1 Card / Build"], 15, "one more"),
    "no Tonga": (
        [HOMES[0], "map: hex fiji -1 1 known", "setup: boxes 4"],
        1,
        "the hex tonga, known",
    ),
    "an unexplored Samoa": (
        ["map: hex samoa 0 0 unexplored", HOMES[1], "setup: boxes 4"],
        0,
        "the hex samoa, known",
    ),
    "Tonga far away": (
        [HOMES[0], "map: hex tonga 0 2 known", "map: hex fiji -1 1 known"],
        1,
        "are neighbours",
    ),
    "a hex twice": ([*HOMES, "map: hex tonga 1 1 known"], 2, "stands twice"),
    "two hexes in one place": ([*HOMES, "map: hex fiji 0 1 known"], 2, "two hexes lie at 0 1"),
    "a start in another ring": (
        [*SMALL_MAP, "map: start 3 corner", "setup: boxes 4"],
        16,
        "is 2 hexes from Samoa",
    ),
    "a start that is no hex": ([*HOMES, "map: start 1 fiji"], 2, "is no hex named above"),
    "two starts of a ring": ([*SMALL_MAP, "map: start 1 tuvalu"], 16, "has its start already"),
    "no line of a map": ([*HOMES, "map: island fiji"], 2, "is neither"),
    "more green than boxes": (["tiles: hiva: 3 boxes 4 green"], 0, "no more green ones"),
    "too many boxes": (["tiles: hiva: 5 boxes 4 green"], 0, "1 to 4 boxes"),
    "a tile twice": (["tiles: hiva: atoll", "tiles: hiva: atoll"], 1, "stands twice"),
    "a name like a number": (["tiles: group 3: atoll"], 0, "cannot be a name"),
    "a name with to": (["tiles: isle to go: atoll"], 0, "cannot be a name"),
    "a card twice": (["cards: hui: other", "cards: hui: knots"], 1, "is no new card"),
    "a card that does what?": (["cards: hui: wins"], 0, "is no new card"),
    "reach twice": (["movement: reach 2", "movement: reach 3"], 1, "stands twice"),
    "a card that is none": (["movement: moa adds 1", "movement: reach 2"], 0, "none of the cards"),
    "half the starting pieces": (["setup: warriors 2", "setup: boxes 4"], 0, "give both"),
    "too many warriors": (["setup: warriors 9"], 0, "at most 8 warriors"),
    "too few boxes": (["setup: boxes 1"], 0, "at least 2"),
    "setup twice": (["setup: boxes 4", "setup: boxes 4"], 1, "stands twice"),
    "a supply twice": (["setup: supply warriors 4", "setup: supply warriors 4"], 1, "stands twice"),
    "two villages stand at the start": (
        ["setup: supply villages 1", "setup: boxes 4"],
        0,
        "the supply has 1",
    ),
    "more warriors than there are": (
        ["setup: warriors 3", "setup: war canoes 0", "setup: supply warriors 2", "setup: boxes 4"],
        2,
        "the supply has 2",
    ),
    "a canoe that is not there": (
        [
            "setup: supply transport canoes 0",
            "setup: warriors 0",
            "setup: war canoes 0",
            "setup: transport canoe yes",
        ],
        0,
        "the supply has 0",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_hold_is_refused_at_its_line(name: str) -> None:
    """Also what can be told only at the end, with lines of other files after it."""
    lines, number, words = WRONG[name]
    with pytest.raises(BadData, match=re.escape(words)) as refused:
        read(lines)
    assert refused.value.line == number


def test_case_does_not_matter() -> None:
    lines = [line.lower() for line in CHITS] + [
        "map: hex Samoa 0 0 Known",
        "map: Hex TONGA 0 1 known",
    ]
    data = read(lines)
    assert (
        data.chits == read(CHITS).chits and sum(chit.action == ATTACK for chit in data.chits) == 4
    )
    assert data.names[0] == "samoa" and len(data.map) == 2


def test_chits_are_written_as_they_are_read() -> None:
    data = read([f"chits: {chit.sides()}" for chit in Data().chits])
    assert data.chits == Data().chits and not data.is_practice and Data().is_practice


def test_templates_hold_when_every_line_is_filled_in() -> None:
    """Each guess of the templates, uncommented, with numbers for question marks."""
    lines: list[str] = []
    for name in FILES:
        for raw in (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            line = re.sub(r"^#(?=hex |start )", "", raw)
            if not line or line.startswith("#") or name == "chits":
                continue
            for left_out, filled in (
                ("transit ?", "yes"),
                ("canoe ?", "yes"),
                ("flint: ?", "atoll"),
            ):
                line = line.replace(left_out, left_out.replace("?", filled))
            lines.append(f"{name}: {line.replace('?', '2')}")
    data = read([*CHITS, *lines])
    known = {data.names[place] for place in data.known}
    assert len(data.map) == 8 and known == {"samoa", "tonga", "fiji"} and data.starts[1] == "niue"
    assert (
        len(data.tiles) == 10
        and data.reach == 2
        and data.setup["boxes"] == 2
        and len(data.supply) == 4
    )
    assert (
        len(
            [
                line
                for line in (TEMPLATES / "chits.txt").read_text().splitlines()
                if line.startswith("?")
            ]
        )
        == 15
    )


def test_every_template_says_what_to_look_up_where() -> None:
    for name in FILES:
        text = (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")
        assert text.startswith("# ") and re.search(r"[Ll]ook at|How many", text), name


FIRST = (
    "chits",
    "hex",
    "start",
    "supply",
    "boxes",
    "warriors",
    "reach",
    "transit",
    "hiva",
    "samoa",
    "group",
    "poi",
)
LAST = (
    "/",
    ":",
    "known",
    "unexplored",
    "atoll",
    "green",
    "Build",
    "1 Card",
    "adds",
    "yes",
    "knots",
)
PIECES = st.one_of(st.sampled_from(FIRST), st.integers(-9, 99).map(str), st.sampled_from(LAST))
GOOD = (
    *SMALL_MAP,
    *CHITS,
    "tiles: hiva: atoll",
    "setup: boxes 4",
    "movement: reach 2",
    "cards: hui: knots",
)
LINES = st.one_of(
    st.text(max_size=40),
    st.builds("{}: {}".format, st.sampled_from(FILES), st.lists(PIECES, max_size=6).map(" ".join)),
    st.sampled_from(GOOD),
)


@given(st.lists(LINES, max_size=30))
def test_any_lines_are_read_or_refused_at_one_of_them(lines: list[str]) -> None:
    where = 0
    try:
        data = read(lines)
        assert len(data.chits) == 15 and len(set(data.names)) == len(data.names)
        assert RULES.with_data(lines).begin({}).position().isascii()
    except BadData as refused:
        where = refused.line
    assert 0 <= where < max(1, len(lines))


def test_names_of_the_data_are_words_of_the_game() -> None:
    rules = RULES.with_data(("tiles: pukapuka: atoll", "cards: dancing: other"))
    assert {"pukapuka", "dancing"} <= rules.vocabulary() and not {"pukapuka"} & RULES.vocabulary()
    assert tokens("Pukapuka!") == ("pukapuka",)
