"""The pictures: nothing lies over anything else, everything is there, and no player's word is."""

from __future__ import annotations

import io
import random
import re
import sys
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFont

from engine.loot.game import RULES as LOOT
from engine.table import OpenTable
from engine.tripoli import RULES as TRIPOLI
from engine.tripoli.pieces import KEYS as PIECE_KEYS
from engine.tripoli.pieces import LIMITS
from engine.tripoli_solitaire import RULES as SOLITAIRE
from pbem.errors import Usage
from pbem.fileformat import armor
from pbem.fileformat.turnfile import read
from pbem.games import registry
from pbem.games.loot import table_layout
from pbem.games.tripoli import chart, chart_map
from pbem.games.tripoli.chart_map import Box
from pbem.ledger.gate import public_view
from pbem.mail import compose
from pbem.replay import film
from pbem.report import picture
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from release import pictures
from tests.support import read_game
from tests.support.effort import examples
from tests.support.golden_words import Golden
from tests.support.mail_kit import body, go_on, mail_of, make_home, parsed, start

pytestmark = pytest.mark.usefixtures("true_pictures")


@pytest.fixture(autouse=True)
def all_colours(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """To find the fewer colours of a mail's picture takes longer than to draw it; the tests of
    those ask for them."""
    if "palette" not in request.fixturenames:
        monkeypatch.setattr(picture, "_with_palette", as_drawn)


@pytest.fixture
def palette() -> None:
    """With the colours that a mail's picture has."""


def as_drawn(data: bytes) -> bytes:
    return data


PLACES = [*chart_map.SPOTS, "1802", "1803", "1804", "1805", "1806"]


def fresh_view() -> dict[str, Any]:
    return TRIPOLI.begin({}).view(None, {})


def cell_box(cell: dict[str, Any]) -> Box:
    return Box(
        cell["x"] - 2.5 * cell["scale"],
        cell["y"] - 2.5 * cell["scale"],
        71 * cell["scale"],
        46 * cell["scale"],
    )


def check_apart(boxes: list[Box]) -> None:
    for one, other in combinations(boxes, 2):
        slack = Box(one.x + 0.6, one.y + 0.6, max(0.1, one.w - 1.2), max(0.1, one.h - 1.2))
        assert not slack.meets(other), (one, other)


def check_inside(inner: Box, outer: Box) -> None:
    assert inner.x >= outer.x - 3
    assert inner.y >= outer.y - 3
    assert inner.x + inner.w <= outer.x + outer.w + 3
    assert inner.y + inner.h <= outer.y + outer.h + 3


def test_slots_are_apart_and_on_the_map() -> None:
    check_apart([spot.slot for spot in chart_map.SPOTS.values()])
    for spot in chart_map.SPOTS.values():
        check_inside(spot.slot, Box(0, 0, chart_map.WIDTH, chart_map.MAP_HEIGHT))
        if spot.harbor is not None:
            assert not spot.slot.meets(Box(spot.harbor[0], spot.harbor[1], 0.1, 0.1)), spot.label


groups = st.dictionaries(st.sampled_from(PIECE_KEYS), st.integers(1, 20), max_size=9)
boards = st.dictionaries(st.sampled_from(PLACES), groups, max_size=len(PLACES))


@examples(30)
@given(boards, boards)
def test_nothing_overlaps_wherever_the_pieces_stand(
    now: dict[str, Any], before: dict[str, Any]
) -> None:
    old = fresh_view()
    laid = chart.layout({**old, "board": now}, {**old, "board": before}, [])
    check_apart([place["box"] for place in laid["places"]])
    for place in [*laid["places"], *laid["track"]]:
        check_apart([cell_box(cell) for cell in place["cells"]])
        for cell in place["cells"]:
            check_inside(cell_box(cell), place["box"])
    drawn = {
        place["label"]: {c["kind"]: c["count"] for c in place["cells"] if c["count"]}
        for place in laid["places"]
    }
    for name, spot in chart_map.SPOTS.items():
        assert drawn[spot.label] == now.get(name, {})


def test_counters_in_patrol_zones_are_as_large_as_in_harbors() -> None:
    """On a telephone the board is 370 dots wide: smaller ones could not be read there."""
    zones = [name for name, spot in chart_map.SPOTS.items() if spot.harbor is None]
    pieces = {zone: {"us_frigates": 2} for zone in zones} | {
        "Tripoli Patrol Zone": {"us_frigates": 2, "swedish_frigates": 1}
    }
    laid = chart.layout({**fresh_view(), "board": pieces}, None, [])
    scales = [cell["scale"] for place in laid["places"] for cell in place["cells"]]
    assert len(scales) == len(zones) + 1 and min(scales) > 0.9


def test_changes_are_marked_and_what_left_stays_as_an_outline() -> None:
    before, view = fresh_view(), fresh_view()
    view["board"]["Malta"] = {"us_frigates": 2}
    view["board"]["Gibraltar"] = {"us_frigates": 1}
    lines = [
        {"kind": "moved", "from": "Gibraltar", "to": "Malta"},
        {"kind": "moved", "from": "Malta", "to": "1803"},
    ]
    laid = chart.layout(view, before, lines)
    cells = {
        p["label"]: {c["kind"]: (c["count"], c["change"]) for c in p["cells"]}
        for p in laid["places"]
    }
    assert cells["Malta"] == {"us_frigates": (2, 2)}
    assert cells["Gibraltar"] == {"us_frigates": (1, -2), "tr_corsairs": (0, -2)}
    assert cells["Tripoli"]["tr_corsairs"] == (4, 0)
    assert len(laid["arrows"]) == 1


def few_pieces(number: int) -> dict[str, Any]:
    return {name: dict.fromkeys(PIECE_KEYS[:number], 1) for name in chart_map.SPOTS}


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow), 2])
def test_every_way_shows_where_it_goes(number: int) -> None:
    """Between any two places: something of the way is seen, and its head lies on the map and over
    nothing else, but for a few neighbours; there it is drawn over what it meets."""
    view = {**fresh_view(), "board": few_pieces(number)}
    over: list[tuple[str, str]] = []
    crossed = 0
    for source, target in permutations(chart_map.SPOTS, 2):
        laid = chart.layout(view, None, [{"kind": "moved", "from": source, "to": target}])
        (arrow,), boxes = laid["arrows"], [place["box"] for place in laid["places"]]
        head, way = (
            [tuple(map(float, p.split(","))) for p in arrow[part].split()]
            for part in ("head", "way")
        )
        assert all(0 < x < chart_map.WIDTH and 0 < y < chart_map.MAP_HEIGHT for x, y in head), (
            source,
            target,
        )
        if any(
            box.meets(Box(x, y, 0.1, 0.1))
            for x, y in head
            for box in (*boxes, *chart_map.HARBORS, chart_map.TITLE)
        ):
            over.append((source, target))
        assert sum(not any(box.meets(Box(x, y, 0.1, 0.1)) for box in boxes) for x, y in way) >= 4, (
            source,
            target,
        )
        if laid["sea"] is not None:
            assert not any(laid["sea"].meets(Box(x, y, 0.1, 0.1)) for x, y in (*head, *way)), (
                source,
                target,
            )
        names = [Box(box.x + 6, box.y + 7, box.w - 12, 16) for box in boxes]
        crossed += any(box.meets(Box(x, y, 0.1, 0.1)) for box in names for x, y in head)
    assert crossed <= 1, "neighbours whose panels touch"
    assert len(over) <= 3, over


def test_heads_of_arrows_are_drawn_last() -> None:
    drawing = picture.svg(
        "tripoli", fresh_view(), None, [{"kind": "moved", "from": "Gibraltar", "to": "Tangier"}]
    )
    assert drawing is not None
    assert (
        drawing.index(">Alexandria<")
        < drawing.index('<polygon points="')
        < drawing.index(">Spring 1801<")
    )


@pytest.mark.parametrize("season", ["spring", "summer", "fall", "winter"])
def test_the_season_keeps_inside_its_frame(season: str) -> None:
    drawing = picture.svg("tripoli", {**fresh_view(), "season": season, "year": 1804})
    assert drawing is not None
    for left in (chart_map.TITLE.x + 9, chart_map.TITLE.x + chart_map.TITLE.w - 16):
        assert dark(pixels(drawing, (int(left), 50, int(left) + 7, 140))) == 0


def test_supply_counts_what_is_nowhere_else() -> None:
    laid = chart.layout(fresh_view(), None, [])
    counted = {g["kind"]: g["count"] for side in laid["sides"] for g in side["supply"]}
    assert counted == {
        key: TRIPOLI.begin({}).pieces[kind][19]  # type: ignore[attr-defined]
        for kind, key in enumerate(PIECE_KEYS)
    }
    assert sum(counted.values()) < sum(LIMITS)


def pixels(drawing: str, box: tuple[int, int, int, int] | None = None) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png(drawing, 900))).convert("L")
    return image.crop(box) if box else image


def dark(image: Image.Image) -> int:
    return sum(image.histogram()[:90])


def test_the_bots_cards_lie_in_two_lines() -> None:
    view = SOLITAIRE.begin({}).view(None, {})
    lines = [len(view["event_line"]), len(view["battle_line"])]
    drawing, of_two = picture.svg("tripoli-solitaire", view), picture.svg("tripoli", fresh_view())
    assert drawing is not None and of_two is not None
    assert f">event line {lines[0]} · battle line {lines[1]}</text>" in drawing
    assert drawing.count(">hand ") == 1
    assert of_two.count(">hand ") == 2
    laid = chart.layout(view, None, [])
    supply = chart_map.MAP_HEIGHT + 140 + 28 + 52 + 26 * len(laid["sides"][1]["card_lines"])
    assert supply + 47 * 2 < chart_map.HEIGHT - 10  # two rows of pieces below two rows of words


def test_a_game_that_is_over_waits_for_nobody(tmp_path: Path) -> None:
    game = start(tmp_path)
    home = game.homes[game.to_act()]
    game.files.append(
        take_turn.next_entry(open_game.open_file(game.newest, home), Intent(resign=True))
    )
    followed, seen = compose.follow(read(game.newest))
    facts, _ = compose.facts_of(followed, seen)
    drawing = picture.svg("tripoli", facts.report.position.view)
    assert facts.report.progress.over and drawing is not None
    assert "to play" not in drawing


def test_letters_are_really_drawn() -> None:
    drawing = picture.svg("tripoli", fresh_view())
    assert drawing is not None
    bare = re.sub(r"(?s)<text.*?</text>", "", drawing)
    season = (640, 55, 880, 100)
    assert dark(pixels(drawing, season)) > dark(pixels(bare, season)) + 500
    loot = picture.svg("loot", loot_views(3, 4)[-1])
    assert loot is not None
    without = re.sub(r"(?s)<text.*?</text>", "", loot)
    assert dark(pixels(loot, (140, 10, 400, 80))) > dark(pixels(without, (140, 10, 400, 80))) + 300


def test_a_picture_needs_no_colour() -> None:
    """America's tokens are dark, Tripolitania's are light: apart in grey as well."""
    view = fresh_view()
    view["board"] = {}
    drawing = picture.svg("tripoli", view)
    assert drawing is not None
    grey = pixels(drawing)
    laid = chart.layout(view, None, [])
    tones = {}
    for side in laid["sides"]:
        top = chart_map.MAP_HEIGHT + 140 + 28 + 78
        for number, group in enumerate(side["supply"]):
            x, y = side["left"] + 14 + number % 2 * 212, top + number // 2 * 47
            token = grey.crop((int(x) + 2, int(y) + 2, int(x) + 38, int(y) + 38))
            tones[group["kind"]] = sum(token.histogram()[:100]) / (36 * 36)
    assert (
        min(tones[kind] for kind in ("us_frigates", "us_gunboats", "marines", "arab_infantry"))
        > 0.4
    )
    assert (
        max(
            tones[kind] for kind in ("tr_frigates", "tr_corsairs", "tr_infantry", "allied_corsairs")
        )
        < 0.55
    )


def loot_views(players: int, seed: int, turns: int = 60) -> list[dict[str, Any]]:
    """Positions of a game in which everybody fights as much as possible."""
    options = {"players": players, **({"partners": 1} if players > 5 else {})}
    dice = random.Random(seed)
    table = OpenTable(LOOT, options, dice)
    views: list[dict[str, Any]] = []

    def choose(game: Any, ask: Any, legal: Any) -> Any:
        if len(views) < turns:
            views.append(game.view(None, {}))
        ships = [one for one in legal if one.option[0] == "merchant"]
        fights = [one for one in legal if one.option[0] in ("attack", "captain", "admiral")]
        return dice.choice((ships if dice.random() < 0.6 else fights) or fights or ships or legal)

    table.play(choose)
    return [*views, table.game.view(None, {})]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8])
def test_loot_lies_apart_on_its_table(players: int) -> None:
    views = loot_views(players, players)
    for before, view in zip(views, views[3:], strict=False):
        laid = table_layout.layout(view, before, [])
        panels = [Box(p["x"], p["y"], p["w"], p["h"]) for p in (*laid["panels"], *laid["ships"])]
        check_apart(panels)
        for panel in panels:
            check_inside(panel, Box(0, 0, laid["width"], laid["height"]))
        assert {ship["number"] for ship in laid["ships"]} == {
            ship["number"] for ship in view["ships"]
        }
        for ship in laid["ships"]:
            attacks = [
                Box(29 + row["x"] - row["wide"] / 2, row["y"], row["wide"], 128)
                for row in ship["rows"]
            ]
            check_apart([Box(10, 42, 64, 92), *attacks])
            for attack in attacks:
                check_inside(attack, Box(0, 0, ship["inside"]["w"], ship["inside"]["h"]))
            assert ship["inside"]["w"] * ship["scale"] == pytest.approx(ship["w"], abs=0.2)
            assert sum(row["leads"] for row in ship["rows"]) <= 1
        rows = {y: sum(p.w + 12 for p in panels if p.y == y) for y in {panel.y for panel in panels}}
        assert all(wide == pytest.approx(laid["width"] - 12, abs=2) for wide in rows.values()), (
            "no row is half empty"
        )
    final = picture.svg("loot", views[-1], views[-4])
    assert final is not None
    assert len(picture.png(final)) > 5000


LONG = (
    "Ann",
    "Benjamin Franklin",
    "Cleo",
    "Maximilian Wolfgang Wimmer",
    "Zoe",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Ed",
    "Io",
)


def drawn_texts(drawing: str) -> list[tuple[str, Box]]:
    """Every text of a picture with the room that it takes in the picture's own letters."""
    font = ImageFont.truetype(io.BytesIO((picture.DATA / picture.FONTS[0]).read_bytes()), 100)
    found: list[tuple[str, Box]] = []

    def walk(element: ElementTree.Element, x: float, y: float, scale: float) -> None:
        moved = re.search(r"translate\(([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
        scaled = re.search(r"scale\(([0-9.]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]) * scale, y + float(moved[2]) * scale
        scale *= float(scaled[1]) if scaled else 1
        if element.tag.endswith("text") and element.text and "sea" not in element.get("class", ""):
            size, at = float(element.get("font-size", "0")), float(element.get("x", "0"))
            wide = font.getlength(element.text) / 100 * size
            left = at - (
                wide / 2
                if element.get("class") == "m"
                else wide
                if element.get("text-anchor") == "end"
                else 0
            )
            top = float(element.get("y", "0")) - 0.75 * size
            found.append(
                (
                    element.text,
                    Box(x + left * scale, y + top * scale, wide * scale, 0.75 * size * scale),
                )
            )
        for child in element:
            walk(child, x, y, scale)

    walk(ElementTree.fromstring(drawing), 0, 0, 1)
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8])
def test_loot_names_its_players_and_names_lie_apart(players: int) -> None:
    views = loot_views(players, players)
    seen: set[str] = set()
    for before, view in [*zip(views, views[3:], strict=False)][::7]:
        drawing = picture.svg(
            "loot", view, before, names=dict(zip(view["seats"], LONG, strict=False))
        )
        assert drawing is not None
        texts = drawn_texts(drawing)
        check_apart([box for _, box in texts])
        width = float(re.findall(r'width="([0-9.]+)', drawing)[0])
        assert all(box.x >= 0 and box.x + box.w <= width for _, box in texts)
        words = {word for text, _ in texts for word in re.findall(r"\w+", text)}
        assert not words & {
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
        }
        seen |= words
    assert {"Ann", "Ed"} <= seen or ("Ann" in seen and players < 7)


def test_names_in_a_mail_are_such_as_its_letters_can_draw() -> None:
    names = {
        "first": "Jörg",
        "second": "Ωmega",
        "third": "Zoe",
        "fourth": "Zoë",
        "fifth": "Łukasz",
        "sixth": "Fìrst",
    }
    assert picture.drawable(names) == {
        "first": "Jorg",
        "second": "second",
        "third": "third",
        "fourth": "fourth",
        "fifth": "fifth",
        "sixth": "sixth",
    }


def test_a_name_that_means_something_stands_in_no_picture(tmp_path: Path) -> None:
    homes = [
        make_home(tmp_path / f"{n}", name, "")
        for n, name in enumerate(('"/><image href="x', "Ben"))
    ]
    data = joining.invite(homes[0], joining.NewGame("loot", options={"players": 2}))
    game = read_game.replay_bytes(joining.join(open_game.open_file(data, homes[1]), homes[1]))
    made = film.draw(game, [film.FilmStep(1, [], public_view(game.begun()))])
    drawn = made.ground + "".join(made.boards.elements)
    assert "image" not in drawn and '"first"' in drawn and '"Ben"' in drawn


def test_a_pairs_gold_is_one_heap() -> None:
    view = next(view for view in loot_views(6, 6) if all(side["gold"] for side in view["captured"]))
    laid = table_layout.layout(view, None, [])
    assert [panel["gold"] for panel in laid["panels"]] == [
        side["gold"] for side in view["captured"]
    ]
    assert [seat["seat"] for panel in laid["panels"] for seat in panel["seats"]] == view["seats"]
    assert [seat["hand"] for panel in laid["panels"] for seat in panel["seats"]] == [
        h["count"] for h in view["hands"]
    ]
    drawing = picture.svg("loot", {**view, "ships": [], "points": None})
    assert drawing is not None
    assert drawing.count('r="14" fill="#e2b12c"') == len(view["captured"]) == 3
    for panel in laid["panels"]:
        ends = [*(seat["x"] for seat in panel["seats"]), panel["purse"], panel["x"] + panel["w"]]
        assert ends == sorted(ends)
        assert min(b - a for a, b in pairwise(ends)) > 70


def test_no_players_word_is_in_a_picture(tmp_path: Path) -> None:
    game = go_on(
        start(tmp_path, names=("Zebedee Quux", "Yngvild Xylo")), 3, message="Wibble wobble"
    )
    seen: list[str] = []
    original = picture.png

    def spy(drawing: str, width: int = picture.PNG_WIDTH) -> bytes:
        seen.append(drawing)
        return original(drawing, width)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picture, "png", spy)
        patch.setattr(compose, "MAX_PICTURE", 1_000_000)
        message = parsed(mail_of(game.newest))
    assert seen
    for word in ("Zebedee", "Quux", "Yngvild", "Xylo", "Wibble", "wobble", "example.org"):
        assert word not in seen[0]
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = image.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert Image.open(io.BytesIO(content)).size[0] in compose.WIDTHS


def test_a_game_may_have_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = registry.descriptor("loot")._replace(picture=None)
    monkeypatch.setattr(registry, "descriptor", lambda name: plain)
    assert picture.svg("loot", {}) is None


@pytest.mark.usefixtures("palette")
def test_the_pictures_on_the_pages_are_those_of_today() -> None:
    """`./run pictures` makes them anew. Two dots in a hundred may differ, for another library of
    fonts and edges."""
    folder = Path(__file__).parents[2] / "docs" / "pictures"
    for name, drawn in pictures.boards().items():
        kept = Image.open(folder / name).convert("L")
        made = pixels(drawn)
        assert kept.size == made.size, name
        differing = sum(ImageChops.difference(kept, made).histogram()[40:])
        assert differing < kept.width * kept.height // 50, name


def test_both_libraries_draw_the_same() -> None:
    """The second one serves a Python for which the first has no wheels yet."""
    drawn = picture.svg("tripoli", fresh_view())
    assert drawn is not None
    first, second = (
        Image.open(io.BytesIO(drawer(drawn, 900))).convert("L")
        for drawer in (picture._with_resvg(), picture._with_resvg_py())
    )
    assert first.size == second.size
    assert (
        sum(ImageChops.difference(first, second).histogram()[40:])
        < first.width * first.height // 100
    )


def test_a_python_without_the_faster_library_draws_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    drawn = picture.svg("loot", loot_views(2, 1)[0])
    assert drawn is not None
    assert Image.open(io.BytesIO(picture.png(drawn))).width == picture.PNG_WIDTH
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError):
        picture.png(drawn)


FRAME = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}">{}</svg>'


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("", "no element found"),
        ("a board", "syntax error"),
        ("<html/>", "begins with <html>"),
        ('<svg width="9" height="9"/>', "begins with <svg>"),
        (FRAME.format(9, 9, "<g>"), "mismatched tag"),
        (FRAME.format(0, 9, ""), "its width"),
        (FRAME.format(9, "1e9", ""), "its height"),
        (FRAME.format("nan", 9, ""), "its width"),
        (FRAME.format("100%", 9, ""), "its width"),
        (FRAME.format("1_0", 9, ""), "its width"),
        (FRAME.format("\uff11\uff10", 9, ""), "its width"),
        (FRAME.format(1, 5000, ""), "too high"),
        (FRAME.format(9, 9, '<use xlink:href="#a"/>'), "unbound prefix"),
        (FRAME.format(9, 9, "<g>" * 101 + "</g>" * 101), "more than 100 deep"),
        (
            '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + FRAME.format(9, 9, "<text>&a;</text>"),
            "entities",
        ),
    ],
)
def test_what_a_players_own_template_may_make_of_it(
    drawing: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Usage, match=reason) as refused:
        picture.png(drawing)
    assert "own template" in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_a_size_in_dots_is_a_size() -> None:
    assert Image.open(io.BytesIO(picture.png(FRAME.format("90px", "45px", "")))).size == (800, 400)


def test_a_prefix_that_is_declared_is_a_prefix() -> None:
    drawing = (
        f'<s:svg xmlns:s="{picture.SVG}" width="90" height="45"><s:rect width="9"'
        ' height="9"/></s:svg>'
    )
    assert Image.open(io.BytesIO(picture.png(drawing))).size == (800, 400)


def test_a_library_that_gives_up_ends_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def broken(error: BaseException) -> None:
        def draw(drawing: str, width: int) -> bytes:
            raise error

        monkeypatch.setattr(picture, "_drawer", lambda: draw)

    drawn = FRAME.format(90, 45, "")
    broken(PanicException("called `unwrap()` on a `None` value"))
    with pytest.raises(Usage, match="SVG"):
        picture.png(drawn)
    broken(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        picture.png(drawn)


def test_a_finished_game_says_so(golden: Golden) -> None:
    over = chart.layout({**fresh_view(), "active": None}, None, [])
    golden(over["active"], chart.layout(fresh_view(), None, [])["active"])


@pytest.mark.dear("draws pictures of long turns")
@pytest.mark.usefixtures("palette")
@pytest.mark.parametrize("name", ["tripoli-solitaire-1", "tripoli-1", "loot-1-eight"])
def test_a_turns_mail_has_its_picture_whatever_the_turn_weighs(name: str) -> None:
    """Early and late in a game, at most 60 kB; what has no room is the armor."""
    data = (Path(__file__).parents[1] / "archive" / f"{name}.toml").read_bytes()
    entries = len(read(data).entries)
    for number in (entries // 3, entries):
        made = mail_of(read(data).prefix(number))
        message = parsed(made)
        (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
        content = image.get_payload(decode=True)
        assert isinstance(content, bytes) and len(content) <= compose.MAX_PICTURE
        drawn = Image.open(io.BytesIO(content))
        assert drawn.mode == "P" and drawn.width in compose.WIDTHS
        html, text = body(message, "html"), body(message, "plain")
        assert len(html.encode()) <= compose.MAX_HTML and f"cid:{image['Content-ID'][1:-1]}" in html
        assert len(made) <= compose.MAX_MAIL or (
            armor.BEGIN not in text and drawn.width == compose.WIDTHS[0]
        )


@pytest.mark.usefixtures("palette")
def test_a_palette_changes_nothing_that_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = picture.svg("tripoli", fresh_view())
    assert drawn is not None
    small = picture.png(drawn)
    monkeypatch.setattr(picture, "_with_palette", lambda data: data)
    full = picture.png(drawn)
    assert len(small) < len(full) / 2
    one, other = (Image.open(io.BytesIO(data)).convert("RGB") for data in (small, full))
    histogram = ImageChops.difference(one, other).convert("L").histogram()
    assert sum(step * count for step, count in enumerate(histogram)) / sum(histogram) < 0.3
    assert max(step for step, count in enumerate(histogram) if count) < 50
