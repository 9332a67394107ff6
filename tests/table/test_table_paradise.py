"""Conquest of Paradise at the table: the board is a chart of what was reported, and reports are put
together on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game_data import DataLine
from pbem.home.home import Home
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.fixed import FixedRandom, fixed
from tests.support.homes import make_home
from tests.support.paradise_kit import SMALL_MAP
from tests.support.paradise_match import invite
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
FARS = ("2 from tonga 1", "2 from tonga 2", "3 from tonga 2", "1 from tonga 2", "3 from tonga 3")
SIZES = ((1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844))
TILES = ("3 boxes 2 green", "atoll", "2 boxes 1 green", "1 box 1 green")


def discovered(folder: Path, number: int) -> tuple[Home, Path]:
    """Ann's game alone, in whose first Exploration Step so many groups have been discovered."""
    home = make_home(folder / "ann")
    with fixed(FixedRandom("paradise")):
        data = invite(home)
    said = ["samoa has 4 boxes", "samoa starts with 2 warriors 1 war canoe"]
    for nth in range(number):
        tile = TILES[nth % len(TILES)]
        said.append(f"discover {FARS[nth % len(FARS)]} from samoa: {tile}")
        with fixed(FixedRandom(f"group {nth}")):
            data = take_turn.next_entry(open_game.open_file(data, home), Intent(tuple(said)))
        said = []
    path = folder / "game.toml"
    path.write_bytes(data)
    return home, path


@pytest.fixture
def table(chromium: Any, tmp_path: Path) -> Iterator[Callable[[int, Sequence[str]], Visitor]]:
    """Ann at the table of a game with so many groups, or with these lines of a map."""
    visitors, tables = list[Visitor](), list[Any]()

    def visit(groups: int, lines: Sequence[str] = ()) -> Visitor:
        if lines:
            home, path = make_home(tmp_path / "ann"), tmp_path / "game.toml"
            given = [DataLine(line, Path("map.txt"), at) for at, line in enumerate(lines, 1)]
            path.write_bytes(invite(home, data=given))
        else:
            home, path = discovered(tmp_path, groups)
        tables.append(served(home, tmp_path / "files", path))
        visitors.append(Visitor(chromium, tables[-1].__enter__()))
        return visitors[-1]

    yield visit
    for one, server in zip(visitors, tables, strict=True):
        one.close()
        server.__exit__(None, None, None)
    assert [problem for one in visitors for problem in one.problems] == []


def step(ann: Visitor, word: str) -> None:
    ann.page.locator(f'[data-step="place:{word}"]').click()


def test_a_discovery_is_a_distance_and_a_tile(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(1, ())
    assert ann.places() == []
    step(ann, "discover")
    assert len(ann.places()) == 34
    ann.place("3 from Tonga, 2 from Samoa")
    assert len(ann.offered()) == 15
    ann.use("discover 3 from tonga 2 from samoa: 3 boxes 2 green")
    assert ann.line() == ["discover 3 from tonga 2 from samoa: 3 boxes 2 green"]
    assert ann.page.locator('.pin[data-place="group 2"] [data-piece="tile-3-2"]').count()


def test_many_answers_open_above_the_question(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(0, ())
    ann.use("samoa has 4 boxes")
    openers = ann.page.locator("#choices .word")
    assert openers.count() == 9  # nothing, and from 1 to 8 pieces
    openers.nth(1).click()
    ann.page.locator('#besides .word:text-is("warrior")').click()
    ann.page.locator('#besides .word:text-is("2 war canoes")').click()
    pressed = ann.page.locator('#besides .word[aria-pressed="true"]')
    assert pressed.all_inner_texts() == ["warrior", "2 war canoes"]
    ann.use("samoa starts with 1 warrior 2 war canoes")
    step(ann, "discover")
    ann.page.keyboard.press("Escape")
    assert ann.chosen() == [] and ann.places() == []
    ann.page.locator("#choices .word").filter(has_text="off course").click()
    ann.use("off course among 3")
    assert ann.line()[-1] == "off course among 3"


def test_what_is_not_signed_is_taken_back_without_a_trace(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(2, ())
    assert "undo" in ann.offered() and ann.page.locator('[data-step="place:correct"]').count()
    ann.use("exploration complete")
    assert "undo" not in ann.offered()
    assert not ann.page.locator('[data-step="place:correct"]').count()
    ann.page.locator("#all > summary").click()
    ann.page.locator("#entered").fill("undo")
    ann.click("#entering button")
    assert ann.line() == [] and not ann.page.locator(".outcome").count()
    ann.use("exploration complete")
    ann.click('[data-action="back"]')
    assert ann.line() == [] and "undo" in ann.offered()
    ann.use("undo")  # what was signed is taken back by the game's own rule, and that is told
    assert ann.line() == ["undo"] and "Taken back" in ann.page.locator(".outcome").inner_text()


def test_battles_are_reported_at_their_groups(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(1, ())
    ann.use("exploration complete")
    assert "Samoa" in ann.places()
    ann.place("Samoa")
    ann.use("battle at samoa won, lost 1 warrior")
    assert ann.line()[-1] == "battle at samoa won, lost 1 warrior"
    assert "−1" in ann.page.locator('.pin[data-place="Samoa"]').inner_text()


def test_the_hexes_of_a_map_are_clicked(table: Callable[[int, Sequence[str]], Visitor]) -> None:
    ann = table(0, (*SMALL_MAP, "map: complete"))
    ann.use("samoa has 4 boxes")
    ann.page.locator("#choices .word").first.click()
    ann.use("samoa starts with nothing")
    assert "North West" in ann.places() and "Fiji" not in ann.places()
    ann.place("North West")
    assert sorted(ann.offered()) == ["discover at north west", "ocean at north west"]
    ann.use("ocean at north west")
    assert "North West" not in ann.places()
    ann.place("East")
    ann.use("discover at east")
    assert len(ann.offered()) == 15
    ann.use("4 boxes 3 green")
    assert ann.line()[-1] == "4 boxes 3 green"


NEAR = ((2, 1), (2, 2), (3, 2), (1, 2), (3, 3), (4, 3), (2, 3), (3, 4), (3, 3), (2, 2), (3, 2))
LATE = (
    *NEAR,
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 2),
    (4, 4),
    (5, 4),
    (3, 4),
    (2, 1),
)
"""As many groups as there are at most, most of them near."""
SAMOAN = [
    {"kind": "hut", "count": 2, "words": "village", "change": 2},
    {"kind": "shield", "count": 1, "words": "warrior", "change": 1},
    {"kind": "hull", "count": 1, "words": "Transport Canoe", "change": 1},
]
TWO_FRAMES = """async () => {
    for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
}"""
COLUMNS = """() => {
    const box = (one) => one.getBoundingClientRect(), along = camera.isTurned ? ["top", "bottom"] : ["left", "right"];
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const controls = [...document.querySelectorAll(".tool, #marks, .work")].filter((one) => one.checkVisibility());
    const cells = [...pins.values()].filter(({ place }) => place.box);
    const groups = [...pins.values()].filter(({ place }) => !place.box);
    const cellOf = ({ place }) => cells.find((one) => String(one.place.at) === String(place.at))?.button;
    return {
        out: [...pins.values()].filter((pin) => !pin.place.box && cellOf(pin)).filter((pin) => box(pin.button)[along[0]] < box(cellOf(pin))[along[0]] - 8 || box(pin.button)[along[1]] > box(cellOf(pin))[along[1]] + 8).map(({ place }) => place.name),
        covered: [...document.querySelectorAll(".pin.can-go")].filter((one) => controls.some((control) => meet(box(one), box(control)))).map((one) => one.dataset.place),
        meeting: groups.flatMap((one, at) => groups.slice(at + 1).filter((other) => meet(box(one.button), box(other.button))).map((other) => [one.place.name, other.place.name])),
        aside: groups.filter((pin) => cellOf(pin)).filter((pin) => !meet(box(pin.button), box(cellOf(pin)))).map(({ place }) => place.name),
        spilt: [...document.querySelectorAll(".pin.shared :is(.piece, .piece i)")].filter((one) => one.checkVisibility()).filter((one) => { const from = box(one), panel = box(one.closest(".pin")); return from.left < panel.left - 1 || from.right > panel.right + 1 || from.bottom > panel.bottom + 1; }).map((one) => one.closest(".pin").dataset.place),
        tools: [...document.querySelectorAll(".tool")].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect()).every(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight),
        ragged: [...document.querySelectorAll(".pin.of-red.many > .pieces")].filter((one) => { const from = box(one), panel = box(one.parentElement), all = [...one.children].map(box); return Math.abs(from.left + from.right - panel.left - panel.right) > 4 || all.some((piece, at) => at && all[at - 1].right - piece.left > 2.5); }).map((one) => one.parentElement.dataset.place),
        bar: box(document.querySelector(".work")).height / innerHeight,
    };
}"""  # noqa: E501


def test_groups_stay_in_their_column_and_no_control_covers_a_cell(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(1, ())
    step(ann, "discover")
    ann.page.emulate_media(reduced_motion="reduce")
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TWO_FRAMES)
        seen = ann.page.evaluate(COLUMNS)
        assert len(ann.places()) == 34 and seen["covered"] == [], (size, seen["covered"])
        if size == (390, 844):
            assert seen["bar"] <= 0.25
    ann.page.keyboard.press("Escape")
    view = ann.page.evaluate("() => board")
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        for far in (NEAR, LATE):
            places = with_groups(view["places"], far)
            ann.page.evaluate(
                "(places) => { drawBoard({ ...board, places }); aim(false); }", places
            )
            ann.page.evaluate(TWO_FRAMES)
            seen = ann.page.evaluate(COLUMNS)
            assert (seen["meeting"], seen["spilt"]) == ([], []), (size, len(far))
            assert seen["tools"] and seen["ragged"] == [], (size, len(far), seen["ragged"])
            # of a crowd on a telephone that shows dice too one lies whole in the next cell
            most = far == LATE and min(size) == 390
            assert len(seen["aside"]) <= most, (size, seen["aside"])
            if far == NEAR or size != (390, 844):  # there a crowd reaches into the next distance
                assert seen["out"] == [], (size, len(far))


CELLS = """() => {
    const box = (one) => one.getBoundingClientRect(), free = freeOfTools(), from = viewBox();
    const isIn = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1 && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
    const cells = [...pins.values()].filter(({ place }) => place.box), groups = [...pins.values()].filter((pin) => !pin.place.box && pin.place.name.startsWith("group"));
    const room = { left: from.left + free.left, right: from.left + free.right, top: from.top + free.top, bottom: from.top + free.bottom };
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const named = document.querySelector('.pin[data-place="Samoa"] > .name'), axis = [...document.querySelectorAll(".isles-text")].filter((one) => one.checkVisibility());
    const [, , wide, high] = wholeNow(), ends = [onScreen([0, 0]), onScreen([wide, high])];
    return {
        cut: cells.filter(({ button }) => !isIn(box(button), room)).map(({ place }) => place.name),
        home: isIn(box(named), room) && !cells.some(({ button }) => meet(box(named), box(button))),
        hex: axis.every((one) => isIn(box(one), { left: 0, top: 0, right: innerWidth, bottom: innerHeight }) && !cells.some(({ button }) => meet(box(one), box(button)))),
        fills: [0, 1].map((axis) => Math.abs(ends[0][axis] - ends[1][axis]) / [free.width, free.height][axis]),
        panels: groups.filter(({ button }) => button.checkVisibility({ visibilityProperty: true })).map(({ place }) => place.name),
        chips: cells.flatMap(({ place, button }) => [...button.querySelectorAll(".chip")].filter((chip) => isIn(box(chip), box(button))).map((chip) => [chip.textContent, place.name])),
    };
}"""  # noqa: E501


def test_while_a_cell_is_chosen_the_chart_is_whole_and_each_group_is_a_number_in_its_own(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(8, ())
    step(ann, "discover")
    ann.page.emulate_media(reduced_motion="reduce")
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TWO_FRAMES)
        found = ann.page.evaluate(CELLS)
        assert (found["cut"], found["panels"]) == ([], []), size
        assert (found["home"], found["hex"]) == (True, True), size
        assert min(found["fills"]) > 0.9, (size, found["fills"])
        chips = dict(found["chips"])
        for number in range(8):
            far = FARS[number % len(FARS)].split()
            assert chips[str(number + 1)] == f"{far[0]} from Tonga, {far[3]} from Samoa", size
    ann.page.keyboard.press("Escape")
    assert len(ann.page.evaluate(CELLS)["panels"]) == 8


FILLS = """() => {
    const [x, y, wide, high] = board.whole, ends = [onScreen([x, y]), onScreen([x + wide, y + high])], free = freeOfTools();
    const cut = [...document.querySelectorAll(".pin.in-cell > .name")].filter((one) => one.scrollWidth > one.clientWidth + 1);
    const panels = [...document.querySelectorAll(".pin.in-cell:has(.piece)")].map((one) => one.offsetWidth);
    return {
        fills: [0, 1].map((axis) => Math.abs(ends[0][axis] - ends[1][axis]) / [free.width, free.height][axis]),
        cut: cut.map((one) => one.textContent), panels: new Set(panels).size,
    };
}"""  # noqa: E501


def test_the_chart_fills_every_window(table: Callable[[int, Sequence[str]], Visitor]) -> None:
    """Its axes may differ in scale: cells are as large as the window lets them be, panels as wide
    as they are, and no name is cut."""
    ann = table(8, ())
    ann.page.emulate_media(reduced_motion="reduce")
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TWO_FRAMES)
        found = ann.page.evaluate(FILLS)
        assert min(found["fills"]) > 0.9, (size, found["fills"])
        assert (found["cut"], found["panels"]) == (
            [],
            1 if size != (390, 844) else found["panels"],
        ), size


def test_what_stands_beside_a_word_is_put_anew_in_another_window(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(1, ())
    ann.page.locator("#choices .word").first.click()
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TWO_FRAMES)
        box = ann.page.locator("#besides").bounding_box()
        assert box is not None and box["height"] > 90 and box["y"] >= 0, size
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0], size
        assert box["y"] + box["height"] <= size[1], size


def test_alone_the_next_question_stands_where_one_signed(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    ann = table(1, ())
    ann.give("discover 2 from tonga 1 from samoa: atoll")
    ann.sign()
    status = ann.page.locator(".work .status")
    assert (status.text_content() or "").startswith("Signed. Your turn:")
    assert ann.page.locator("#choices button").count() and not ann.page.locator(".signed").count()
    assert ann.page.locator(".before a").count(), "its files are in the drawer"


DICE = """() => {
    const dice = document.getElementById("dice"), box = dice.getBoundingClientRect(), free = freePart(), from = viewBox();
    const under = (one) => Math.min(one.right, box.right) - Math.max(one.left, box.left) > 1 && Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top) > 1;
    const groups = [...pins.values()].filter(({ place }) => !place.box).map(({ button }) => button);
    return {
        isSeen: dice.checkVisibility({ visibilityProperty: true }), title: dice.querySelector(".dice-title").innerText.split("\\n")[0],
        throws: dice.querySelectorAll(".throw").length, covered: groups.filter((one) => under(one.getBoundingClientRect())).map((one) => one.dataset.place),
        isWhole: box.left >= from.left && box.right <= from.right + 1 && box.top >= from.top && box.bottom <= from.bottom + 1,
    };
}"""  # noqa: E501


def test_the_dice_of_a_discovery_lie_beside_the_groups(
    table: Callable[[int, Sequence[str]], Visitor],
) -> None:
    """At every size; while cells are clicked they are put away."""
    ann = table(3, ())
    ann.page.emulate_media(reduced_motion="reduce")
    for size in SIZES:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TWO_FRAMES)
        found = ann.page.evaluate(DICE)
        assert found["title"].startswith("Group 3") and found["throws"], size
        assert (found["covered"], found["isSeen"], found["isWhole"]) == ([], True, True), size
    step(ann, "discover")
    assert not ann.page.evaluate(DICE)["isSeen"]


def with_groups(places: Sequence[dict[str, Any]], far: Sequence[tuple[int, int]]) -> list[Any]:
    """These places, with groups that lie so far from Tonga and from Samoa in place of the one there
    is; every third is Samoa's."""
    group = next(place for place in places if place["name"] == "group 1")
    spots = {place["name"]: place["at"] for place in places if place.get("box")}
    many = []
    for number, (tonga, samoa) in enumerate(far, 1):
        at, name = spots[f"{tonga} from Tonga, {samoa} from Samoa"], f"group {number}"
        own = SAMOAN if number % 3 == 0 else []
        pieces = [group["pieces"][0], *own]
        many.append({**group, "name": name, "label": name, "short": str(number), "at": at})
        many[-1] |= {"pieces": pieces, "look": "pin" if own else "other"}
        many[-1]["colour"] = "red" if own else ""
    return [place for place in places if place is not group] + many
