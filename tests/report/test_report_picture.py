"""The pictures: nothing lies over anything else, everything is there, and no player's word is."""

from __future__ import annotations

import io
import random
import re
import sys
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFont

from engine.backgammon import RULES as BACKGAMMON
from engine.loot.game import RULES as LOOT
from engine.paradise import RULES as PARADISE
from engine.table import OpenTable
from engine.tripoli import RULES as TRIPOLI
from engine.tripoli.pieces import KEYS as PIECE_KEYS
from engine.tripoli.pieces import LIMITS
from engine.tripoli_solitaire import RULES as SOLITAIRE
from pbem.errors import Usage
from pbem.fileformat import armor
from pbem.fileformat.turnfile import read
from pbem.games.introduction import sample_view
from pbem.games.registry import known_games
from pbem.games.stage import StageBoard, StagePiece, StagePlace
from pbem.games.tripoli.places import PLACES
from pbem.ledger.gate import public_view
from pbem.mail import compose
from pbem.replay import film
from pbem.report import picture
from pbem.report.board import board_at
from pbem.report.picture_board import WIDTH, BoardPicture, board_picture, turn_words
from pbem.report.picture_parts import MOST_COUNTED, Symbol, Words, wide_of
from pbem.report.picture_places import Panel
from pbem.report.render import render
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from release import pictures
from tests.support import read_game
from tests.support.effort import examples
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


NAMES = ("Ann", "Ben", "Cleo", "Dora", "Ed", "Fay", "Gus", "Hana")


def fresh_view() -> dict[str, Any]:
    return TRIPOLI.begin({}).view(None, {})


def drawn(game: str, view: dict[str, Any], *more: Any) -> BoardPicture:
    """What stands where in the picture of a position."""
    board = board_at(game, view, *more)
    return board_picture(board, picture.backdrop(game, board), "A game", "Ann to play")


class Box(NamedTuple):
    """A rectangle of the picture."""

    x: float
    y: float
    w: float
    h: float

    def meets(self, other: Box) -> bool:
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


def box_of(panel: Panel) -> Box:
    return Box(panel.x, panel.y, panel.part.wide, panel.part.high)


def check_apart(boxes: list[Box]) -> None:
    for one, other in combinations(boxes, 2):
        slack = Box(one.x + 0.6, one.y + 0.6, max(0.1, one.w - 1.2), max(0.1, one.h - 1.2))
        assert not slack.meets(other), (one, other)


def check_inside(inner: Box, outer: Box) -> None:
    assert inner.x >= outer.x - 3
    assert inner.y >= outer.y - 3
    assert inner.x + inner.w <= outer.x + outer.w + 3
    assert inner.y + inner.h <= outer.y + outer.h + 3


def check_panels(made: BoardPicture) -> None:
    """Panels lie apart on the ground, and what they hold lies in them."""
    ground = Box(0, made.head, made.width, made.ground.high)
    check_apart([box_of(panel) for panel in made.panels])
    for panel in made.panels:
        check_inside(box_of(panel), ground)
        whole = Box(0, 0, panel.part.wide, panel.part.high)
        for one in panel.part.drawn:
            if isinstance(one, Symbol):
                check_inside(Box(one.x, one.y, 40 * one.scale, 40 * one.scale), whole)


SPACES = [*PLACES, "1802", "1803", "1804", "1805", "1806"]
groups = st.dictionaries(st.sampled_from(PIECE_KEYS), st.integers(1, 20), max_size=9)
boards = st.dictionaries(st.sampled_from(SPACES), groups, max_size=len(SPACES))


@examples(20)
@given(boards, boards)
def test_nothing_overlaps_wherever_the_pieces_stand(
    now: dict[str, Any], before: dict[str, Any]
) -> None:
    old = fresh_view()
    made = drawn("tripoli", {**old, "board": now}, {**old, "board": before})
    check_panels(made)
    for panel in made.panels:
        there = Counter(
            one.kind for one in panel.part.drawn if isinstance(one, Symbol) and not one.gone
        )
        held = now.get(panel.place.name, {})
        assert set(there) == set(held)
        numbers = [one.words for one in panel.part.drawn if isinstance(one, Words)]
        for kind, count in held.items():
            assert there[kind] == (count if count <= MOST_COUNTED else 1)
            assert count <= MOST_COUNTED or str(count) in numbers


def test_panels_of_a_usual_position_are_large() -> None:
    """On a telephone the board is 370 dots wide: smaller ones could not be read there."""
    zones = [name for name, spot in PLACES.items() if spot.harbor is None]
    pieces = {zone: {"us_frigates": 2} for zone in zones} | {"Malta": {"us_frigates": 4}}
    made = drawn("tripoli", {**fresh_view(), "board": pieces})
    scales = [
        one.scale for panel in made.panels for one in panel.part.drawn if isinstance(one, Symbol)
    ]
    assert len(scales) == 2 * len(zones) + 4 and min(scales) > 0.83


def test_changes_are_marked_and_what_left_stays_as_an_outline() -> None:
    before, view = fresh_view(), fresh_view()
    view["board"]["Malta"] = {"us_frigates": 2}
    view["board"]["Gibraltar"] = {"us_frigates": 1}
    lines = [
        {"kind": "moved", "piece": "Marine", "count": 1, "from": "Gibraltar", "to": "Malta"},
        {"kind": "moved", "piece": "Marine", "count": 1, "from": "Malta", "to": "1803"},
    ]
    made = drawn("tripoli", view, before, lines)
    told = {
        panel.place.name: [one.words for one in panel.part.drawn if isinstance(one, Words)]
        for panel in made.panels
    }
    gone = {
        (panel.place.name, one.kind)
        for panel in made.panels
        for one in panel.part.drawn
        if isinstance(one, Symbol) and one.gone
    }
    assert told["Malta"] == ["Malta", "+2"] and told["Tripoli"] == ["Tripoli"]
    assert told["Gibraltar"] == ["Gibraltar", "-2", "-2"]
    assert gone == {("Gibraltar", "tr_corsairs")}
    assert [(arrow.source, arrow.target) for arrow in made.arrows] == [("Gibraltar", "Malta")]


@pytest.mark.parametrize("changed", [(), *((name,) for name in PLACES), tuple(PLACES)])
def test_where_there_is_little_room_one_sees_what_has_changed(changed: tuple[str, ...]) -> None:
    """At a size at which its letters are read, and whole."""
    before, view = fresh_view(), fresh_view()
    for place in changed:
        view["board"][place] = {**view["board"].get(place, {}), "us_frigates": 5}
    made = drawn("tripoli", view, before)
    x, y, wide, high = made.scene(1.6)
    left, top, right, bottom = made.ground.box
    assert left <= x and top <= y and x + wide <= right + 1 and y + high <= bottom + 1
    assert abs(wide - 1.6 * high) < 1 and wide <= (right - left) / 2
    marked = [panel for panel in made.panels if panel.place.name in changed]
    assert len(marked) == len(changed)
    is_whole = [
        x <= panel.x
        and panel.x + panel.part.wide <= x + wide
        and y <= panel.y
        and panel.y + panel.part.high <= y + high
        for panel in marked
    ]
    assert any(is_whole) or not changed


def test_players_of_the_game_that_a_newcomer_sees_have_names() -> None:
    for shown in (picture.sample("loot"), picture.sample_scene("loot")):
        said = {one.text for one in ElementTree.fromstring(shown).iter()}
        assert said >= {"Ann", "Ben", "Cleo"} and not said & {"first", "second", "third"}


def test_a_board_that_its_pieces_stand_in_is_seen_whole_there() -> None:
    made = ElementTree.fromstring(picture.sample_scene("backgammon"))
    assert list(map(float, made.attrib["viewBox"].split()))[2:] == [WIDTH, WIDTH / 1.6]
    ground = next(one for one in made if one.tag == f"{{{picture.SVG}}}svg")
    x, y, across, down = map(float, ground.attrib["viewBox"].split())
    whole = board_at("backgammon", sample_view("backgammon")).whole
    assert x <= whole[0] and y <= whole[1]
    assert x + across >= whole[0] + whole[2] and y + down >= whole[1] + whole[3]


def few_pieces(number: int) -> dict[str, Any]:
    return {name: dict.fromkeys(PIECE_KEYS[:number], 1) for name in PLACES}


@pytest.mark.dear("lays out many boards")
@pytest.mark.parametrize("number", [0, 2])
def test_every_way_shows_where_it_goes(number: int) -> None:
    """Between any two places: something of the way is seen beside the panels, and its head lies on
    the ground."""
    view = {**fresh_view(), "board": few_pieces(number)}
    hidden: list[tuple[str, str]] = []
    for source, target in permutations(PLACES, 2):
        made = drawn(
            "tripoli",
            view,
            None,
            [{"kind": "moved", "piece": "Marine", "count": 1, "from": source, "to": target}],
        )
        (arrow,) = made.arrows
        x, y = arrow.points[-1]
        assert 0 < x < made.width and made.head < y < made.head + made.ground.high
        seen = sum(not any(one.holds(*spot) for one in made.panels) for spot in arrow.points)
        hidden += [(source, target)] if seen < 3 else []
    assert len(hidden) <= 8, hidden


def test_moves_of_one_way_are_one_arrow_with_their_number() -> None:
    view = BACKGAMMON.begin({}).view(None, {})
    steps = [(13, 8), (13, 8), (6, 4)]
    lines = [{"kind": "plays", "seat": "white", "steps": steps, "dice": [5, 5]}]
    made = drawn("backgammon", {**view, "near": "white"}, None, lines)
    assert [(one.source, one.target, one.times) for one in made.arrows] == [
        ("13", "8", 2),
        ("6", "4", 1),
    ]


def test_men_of_backgammon_stand_on_their_points() -> None:
    """Five of a stack, and the number of all on the last one."""
    view = BACKGAMMON.begin({}).view(None, {})
    view["sides"][0]["points"][5] = 7
    made = drawn("backgammon", {**view, "near": "white"})
    men = Counter(one.kind for one in made.standing if isinstance(one, Symbol))
    assert (men["white"], men["black"]) == (15, 15)
    numbers = {one.kind: one.words for one in made.standing if isinstance(one, Words)}
    assert numbers["count white"] == "7"


@pytest.mark.parametrize("owner", [None, "white"])
def test_a_picture_has_the_cube_once_and_nothing_to_click(owner: str | None) -> None:
    view = {**BACKGAMMON.begin({"match": 5}).view(None, {}), "dice": [], "turn": "white"}
    view["sides"] = [{**side, "cube": side["seat"] == owner} for side in view["sides"]]
    places = board_at("backgammon", view).places
    assert {"dice", "cube"} <= {one.name for one in places}, "at the table both are touched"
    made = drawn("backgammon", view)
    kinds = [one.kind for one in made.standing if isinstance(one, Symbol)]
    assert kinds.count("cube") == 1 and not any("throw" in kind for kind in kinds)
    assert not any("cube" in one.words.lower() for one in made.below if isinstance(one, Words))


def test_letters_are_as_wide_as_those_of_the_font() -> None:
    font = ImageFont.truetype(io.BytesIO((picture.DATA / picture.FONTS[0]).read_bytes()), 1000)
    for code in range(32, 127):
        assert wide_of(chr(code), 1000) == pytest.approx(font.getlength(chr(code)), abs=8)


def test_supply_counts_what_is_nowhere_else() -> None:
    board = board_at("tripoli", fresh_view())
    left = {
        piece.kind: piece.count
        for tray in board.trays
        for item in tray.items
        for piece in item.pieces
    }
    assert left == {
        key: TRIPOLI.begin({}).pieces[kind][19]  # type: ignore[attr-defined]
        for kind, key in enumerate(PIECE_KEYS)
    }
    assert sum(left.values()) < sum(LIMITS)


def pixels(drawing: str, box: tuple[int, int, int, int] | None = None) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png(drawing, 900))).convert("L")
    return image.crop(box) if box else image


def dark(image: Image.Image) -> int:
    return sum(image.histogram()[:90])


def test_the_bots_cards_lie_in_two_lines() -> None:
    view = SOLITAIRE.begin({}).view(None, {})
    lines = [len(view["event_line"]), len(view["battle_line"])]
    drawing, of_two = picture.svg("tripoli-solitaire", view), picture.svg("tripoli", fresh_view())
    assert f">event line {lines[0]} · battle line {lines[1]}</text>" in drawing
    assert drawing.count(">hand<") == 1
    assert of_two.count(">hand<") == 2


def test_a_game_that_is_over_waits_for_nobody(tmp_path: Path) -> None:
    game = start(tmp_path)
    home = game.homes[game.to_act()]
    game.files.append(
        take_turn.next_entry(open_game.open_file(game.newest, home), Intent(resign=True))
    )
    followed, seen = compose.follow(read(game.newest))
    facts, _ = compose.facts_of(followed, seen)
    asked = facts.report.turn.asked
    assert facts.report.progress.over and asked is not None
    assert turn_words(asked, {}) == "the game is over"


@pytest.mark.dear("draws large pictures")
def test_letters_are_really_drawn() -> None:
    for game, view in (("tripoli", fresh_view()), ("loot", loot_views(3, 4)[-1])):
        drawing = picture.svg(game, view)
        bare = re.sub(r"(?s)<text.*?</text>", "", drawing)
        head = (0, 0, 900, 80)
        assert dark(pixels(drawing, head)) > dark(pixels(bare, head)) + 500


def test_a_picture_needs_no_colour() -> None:
    """America's tokens are dark, Tripolitania's are light: apart in grey as well."""
    view = {**fresh_view(), "board": {}}
    grey, tones = pixels(picture.svg("tripoli", view)), {}
    for one in drawn("tripoli", view).below:
        if isinstance(one, Symbol):
            size = 40 * one.scale
            token = grey.crop(tuple(map(int, (one.x, one.y, one.x + size, one.y + size))))
            tones[one.kind] = sum(token.histogram()[:100]) / (token.width * token.height)
    dark_ones = ("us_frigates", "us_gunboats", "marines", "arab_infantry")
    light_ones = ("tr_frigates", "tr_corsairs", "tr_infantry", "allied_corsairs")
    assert min(tones[kind] for kind in dark_ones) > 0.4
    assert max(tones[kind] for kind in light_ones) < 0.55


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


@pytest.mark.dear("lays out many boards")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8])
def test_loot_lies_apart_on_its_table(players: int) -> None:
    views = loot_views(players, players)
    for before, view in zip(views, views[3:], strict=False):
        made = drawn("loot", view, before)
        check_panels(made)
        lying = {panel.place.name for panel in made.panels}
        ships = {f"ship {ship['number']}" for ship in view["ships"]}
        assert lying == {"pile", *ships, *view["seats"]}
    assert len(picture.png(picture.svg("loot", views[-1], views[-4]))) > 5000


@pytest.mark.dear("draws large pictures")
def test_a_board_that_is_full_lies_on_its_side() -> None:
    """The groups of Paradise lie in lanes that grow with their number: its letters stand upright
    all the same."""
    far = [{"from_samoa": far, "from_tonga": far} for far in range(1, 12) for _ in range(3)]
    bare = dict.fromkeys(("villages", "warriors", "war_canoes", "canoe"), 0)
    view = PARADISE.begin({}).view(None, {})
    new = {**bare, "boxes": 2, "green": 1, "atoll": False, "home": False, "linked": False}
    others = [{**new, **one, "name": f"group {nth}"} for nth, one in enumerate(far)]
    made, few = drawn("paradise", {**view, "others": others}), drawn("paradise", view)
    check_panels(made)
    assert made.ground.is_turned and not few.ground.is_turned
    upright = re.findall(r'<(?:g|text) class="[^"]*upright[^"]*"[^>]*>', made.ground.drawing)
    assert upright and all("rotate(-90 " in one for one in upright)


def test_a_game_without_a_backdrop_has_its_pieces_in_words() -> None:
    board = StageBoard(
        (0, 0, 600, 300),
        [StagePlace("first", "First", look="cards", pieces=[StagePiece("point", 3, "point")])],
    )
    plain = render("stage/plain.svg.j2", {})
    (panel,) = board_picture(board, plain, "Morra", "").panels
    assert [one.words for one in panel.part.drawn if isinstance(one, Words)] == [
        "First",
        "3 points",
    ]


@pytest.mark.parametrize("game", ["tripoli", "loot", "backgammon", "paradise"])
def test_a_picture_has_dark_colours_for_a_page(game: str) -> None:
    """Its own and the backdrop's: each class with a colour of light has one of night, but for what
    keeps its colour, as pieces and marks do."""
    styles = re.findall(r"<style>(.*?)</style>", picture.sample(game), re.DOTALL)
    assert len(styles) == 2
    assert all("@media (prefers-color-scheme: dark)" in style for style in styles)


@pytest.mark.parametrize("game", known_games())
def test_a_picture_is_whole_after_what_is_fine_was_left_out(game: str) -> None:
    """A browser shows nothing of a drawing in which one group is not closed; what reads it for a
    mail is not so strict."""
    ElementTree.fromstring(picture.sample(game))


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
    kinds = Counter(
        one.kind
        for panel in drawn("loot", view).panels
        for one in panel.part.drawn
        if isinstance(one, Symbol) and panel.place.name in view["seats"]
    )
    assert kinds == {"loot-coin": 3, "loot-back": 6}


def test_no_message_is_in_a_picture_and_names_in_plain_letters(tmp_path: Path) -> None:
    game = go_on(start(tmp_path, names=("Zébedee", "<Quux>")), 3, message="Wibble wobble")
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
    for word in ("Zébedee", "Quux", "Wibble", "wobble", "example.org"):
        assert word not in seen[0]
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = image.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert Image.open(io.BytesIO(content)).size[0] in compose.WIDTHS


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
    small = picture.png(drawn)
    monkeypatch.setattr(picture, "_with_palette", lambda data: data)
    full = picture.png(drawn)
    assert len(small) < len(full) / 2
    one, other = (Image.open(io.BytesIO(data)).convert("RGB") for data in (small, full))
    histogram = ImageChops.difference(one, other).convert("L").histogram()
    assert sum(step * count for step, count in enumerate(histogram)) / sum(histogram) < 0.3
    assert max(step for step, count in enumerate(histogram) if count) < 50
