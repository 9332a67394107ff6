"""The pages of answers: nothing runs in them, they open from disk, and Chromium and axe find
nothing wrong."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Conflict
from pbem.library import archive, explore, pages, plots, stats, tables
from pbem.library.asking import asked
from pbem.library.luck import luck
from pbem.library.luck_figures import Counts, FaceFacts, HitFacts, PlayerLuck, Tally, luck_of
from pbem.library.schema import GameRows
from pbem.library.stats import LengthCount
from tests.support.made_library import make, rows_of
from tests.support.table_kit import LONGEST, browser, needs_browser

pytestmark = pytest.mark.dear("drives a browser")

EVIL = '<img src=x onerror="alert(1)">{{7*7}}\u202e</style><script>alert(2)</script>\x1b[31m[bold]'
NAMES = ("Ann", EVIL)


def evil(rows: GameRows) -> GameRows:
    """What a plug-in's rules might say."""
    game = rows.game._replace(how=EVIL, options='["<script>alert(3)</script>"]')
    rolls = [roll._replace(kind=f"{EVIL} {roll.kind}") for roll in rows.rolls]
    positions = [row._replace(move=EVIL) if row.number == 0 else row for row in rows.positions]
    return rows._replace(game=game, rolls=rolls, positions=positions)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The three answers about a library with hostile names, and about one without a game."""
    made = [rows_of("tripoli", number, NAMES, most=9 if number > 4 else -1) for number in range(6)]
    full = make(tmp_path_factory.mktemp("pages"), [evil(made[0]), *made[1:]])
    empty = make(tmp_path_factory.mktemp("pages"), [])
    found: dict[str, Any] = {}
    for name, folder in (("", full), ("-empty", empty)):
        with asked(folder) as library:
            place = explore.from_start(library, "tripoli", [])
            found["luck" + name] = luck(library)
            found["explore" + name] = explore.explore(library, "tripoli", place)
            found["stats" + name] = stats.stats(library)
    return found


ANSWERS = ("luck", "explore", "stats", "luck-empty", "explore-empty", "stats-empty")


@pytest.mark.parametrize("name", ANSWERS)
def test_a_page_has_nothing_that_runs(facts: dict[str, Any], name: str) -> None:
    made = pages.page(name.removesuffix("-empty"), facts[name])
    assert made.encode().startswith(pages.MARK)
    assert not re.search(r"<script|<img|\sstyle=|\son[a-z]+=\"|https?://|\u202e|\x1b", made), name
    (css,) = re.findall(r"<style>(.*?)</style>", made, re.DOTALL)
    assert pages.policy(css).replace("'", "&#39;") in made
    assert len(made) < 100_000


def test_a_page_names_no_folder_of_this_computer(facts: dict[str, Any]) -> None:
    for name in ANSWERS:
        assert str(Path(facts[name].folder).parent) not in pages.page(
            name.removesuffix("-empty"), facts[name]
        )


@pytest.mark.parametrize("name", ANSWERS)
def test_a_terminal_obeys_nothing(facts: dict[str, Any], name: str) -> None:
    kind = name.removesuffix("-empty")
    shown = getattr(tables, kind)(facts[name], everything=True)
    text = tables.written(kind, facts[name], shown, width=200, colour=False)
    assert (
        "\x1b" not in text and "\u202e" not in text and (name.endswith("empty") or "<img" in text)
    )


def test_a_page_takes_the_place_of_a_page_only(tmp_path: Path, facts: dict[str, Any]) -> None:
    path = tmp_path / "page.html"
    for name in ("luck", "stats"):
        pages.write(path, pages.page(name, facts[name]))
        assert f"<title>{ {'luck': 'Luck', 'stats': 'Games'}[name] }" in path.read_text(
            encoding="utf-8"
        )
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(Conflict):
        pages.write(path, pages.page("luck", facts["luck"]))
    assert path.read_text(encoding="utf-8") == "mine"


def test_long_lists_are_cut_and_said_to_be(facts: dict[str, Any]) -> None:
    move = facts["explore"].moves[0]
    many = replace(facts["explore"], moves=[replace(move, move=f"move {n}") for n in range(1000)])
    made = pages.page("explore", many)
    assert re.search(r"\b800 more\b", made) and made.count("<tr>") < pages.ROWS + 30
    shown = tables.written("explore", many, tables.explore(many), width=120, colour=False)
    assert "and 980 more (--all)" in shown and shown.count("move ") < 100


# Plots


def test_a_row_stands_where_its_figures_say() -> None:
    row = HitFacts(None, None, 60, 15, 10.0, 4, 16, 0.1, 0.1, False)
    assert plots.interval(row) == (53.0, 147.0, 100.0, 139.17)
    much = HitFacts(None, None, 6000, 1050, 1000.0, 940, 1060, 0.1, 0.1, False)
    assert plots.interval(much) == plots.interval(row), (
        "as long for everybody, however much they have thrown"
    )
    assert plots.interval(replace(row, hits=60)).hits == 194.0, "beyond the scale: at its end"
    assert plots.interval(replace(row, expected=0.0, low=0, high=0, hits=0)) == (100.0,) * 4


def thrown(players: int) -> list[PlayerLuck]:
    """The luck of so many, with dice of two kinds each; the first hits far too often."""
    counts, chance = Counts(), random.Random("funnel")
    for number in range(players):
        for kind, hits in (("raid", (5, 6)), ("naval battle", (6,))):
            bias = [1, 1, 1, 1, 1, 1 if number else 3]
            came = Counter(chance.choices(range(1, 7), bias, k=40 * (number + 1)))
            counts.add(
                Tally(
                    f"{number:064x}", "tripoli", kind, 6, hits, [came[face] for face in range(1, 7)]
                )
            )
    return luck_of(counts, {}, {}, test=True)


def test_the_more_dice_the_narrower_the_funnel() -> None:
    players = thrown(40)
    plot = plots.funnel(players, 80)
    assert plot is not None and len(plot.dots) == 40
    assert [dot.is_alarm for dot in plot.dots] == [True] + 39 * [False] and plot.dots[
        0
    ].across < plot.dots[1].across
    corners = [tuple(map(float, point.split(","))) for point in plot.fair.split()]
    upper, lower = corners[: len(corners) // 2], corners[len(corners) // 2 :][::-1]
    wide = [low[1] - high[1] for high, low in zip(upper, lower, strict=True)]
    assert wide[0] > 4 * wide[-1] > 0
    inside = [upper[-1][1] < dot.down < lower[-1][1] for dot in plot.dots]
    assert not inside[0] and all(0 <= dot.down <= plots.HEIGHT for dot in plot.dots)
    assert plots.funnel(players[:1], 2) is None and plots.funnel([], 0) is None
    alike = [replace(player, hits=players[5].hits) for player in players]
    assert plots.funnel(alike, 80) is not None, "all have thrown as much"


def test_a_bar_of_results_is_as_long_as_its_games() -> None:
    assert plots.results(5, 0, 3, 2, 20) == [
        ("won", 0.0, 50.0),
        ("lost", 50.0, 30.0),
        ("open", 80.0, 20.0),
    ]
    assert plots.results(0, 0, 0, 0, 0) == []


def test_columns_are_as_high_as_their_counts() -> None:
    chart = plots.faces(FaceFacts(4, 20, [10, 5, 5, 0], 5.0, 10.0, None, None, False))
    assert [bar.height for bar in chart.bars] == [90.0, 45.0, 45.0, 0.0] and chart.expected == 45.0
    many = plots.lengths([LengthCount(length, 1) for length in range(1, 1001)])
    assert len(many.bars) <= 60 and not any(bar.number for bar in many.bars)
    assert [number for _, number in many.lines] == [
        "5",
        "10",
        "15",
    ], "no room above the columns: lines across"
    assert sum(bool(bar.label) for bar in many.bars) <= 24
    assert [bar.number for bar in plots.lengths([LengthCount(3, 2), LengthCount(6, 1)]).bars] == [
        "2",
        "0",
        "0",
        "1",
    ]


# In Chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


@needs_browser
def test_pages_open_from_disk_at_every_width_and_light(
    chromium: Any, tmp_path: Path, facts: dict[str, Any]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, inspected = chromium.new_page(), chromium.new_page(bypass_csp=True)
    wrong, asked_for = list[str](), list[str]()
    page.set_default_timeout(LONGEST)
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: asked_for.append(request.url))
    for name in ANSWERS:
        path = tmp_path / f"{name}.html"
        pages.write(path, pages.page(name.removesuffix("-empty"), facts[name]))
        for scheme, width in (("light", 360), ("dark", 1280)):
            asked_for.clear()
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path.as_uri())
            assert (wrong, asked_for) == ([], [path.as_uri()])
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert paper == ("rgb(236, 229, 211)" if scheme == "light" else "rgb(20, 24, 28)"), (
                "the policy blocks it"
            )
            if name == "luck":
                assert EVIL[:36] in page.locator("main").inner_text()
            if name.endswith("empty") or (scheme == "dark" and name != "luck"):
                continue
            inspected.emulate_media(color_scheme=scheme)
            inspected.goto(path.as_uri())
            found = Axe().run(inspected).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (name, scheme)


@needs_browser
def test_of_many_players_the_least_likely_stand_first_and_on_a_telephone_p_is_seen(
    chromium: Any, tmp_path: Path, facts: dict[str, Any]
) -> None:
    path, page = tmp_path / "luck.html", chromium.new_page()
    pages.write(
        path, pages.page("luck", replace(facts["luck"], players=thrown(40), tests=80, alarms=2))
    )
    for width, most in ((1400, 4500), (390, 6500)):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollHeight") < most
        table = page.locator("table").first
        shown = [float(p) for p in table.locator("tbody tr > :nth-child(3)").all_inner_texts()]
        assert shown == sorted(shown) and len(shown) == pages.FIRST
        assert "alarm" in table.locator("tbody th").first.inner_text()
        for cell in table.locator("tbody tr").first.locator("th, td").all()[:4]:
            box = cell.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (width, cell.inner_text())
        fair, dot = (
            table.locator(f"svg .{kind}").nth(3).bounding_box() for kind in ("fair", "dot")
        )
        assert fair["width"] > 3 * dot["width"]
        page.get_by_text("30 more rows").first.click()
        assert page.get_by_role("table", name=re.compile("others$")).first.is_visible()


BROKEN = """() => {
  const broken = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) for (const found of walk.currentNode.data.matchAll(/[A-Za-z]+/g)) {
    const range = document.createRange();
    range.setStart(walk.currentNode, found.index); range.setEnd(walk.currentNode, found.index + found[0].length);
    if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) broken.push(found[0]);
  }
  return broken;
}"""  # noqa: E501
"""The words of a page that stand on more than one line."""


@needs_browser
def test_the_index_of_an_archive_breaks_no_word(chromium: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    line = archive.Line(
        name="tripoli-solitaire-1a2b3c4d", sha256="", title="The Shores of Tripoli, solitaire", began="2026-01-02",  # noqa: E501
        ended="2026-11-21", players="Constantinopolitanska (american), the bot (tripolitan)",
        made_with="quick hand limit", entries=112,
        ending="Constantinopolitanska has captured Tripoli", witnessed=False, proven=True,
    )  # fmt: skip
    (tmp_path / "index.html").write_text(
        archive._texts([line, replace(line, name="tripoli-1a2b3c4e")])["index.html"],
        encoding="utf-8",
    )
    page = chromium.new_page(bypass_csp=True)
    for width in (1400, 700, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto((tmp_path / "index.html").as_uri())
        assert page.evaluate(BROKEN) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], width
