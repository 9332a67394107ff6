"""The places of The Shores of Tripoli on the stage: at every size they stand at their harbors, one
can count what is there, and an arrow goes from place to place under none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.tripoli import RULES
from engine.tripoli.pieces import KEYS, NAMES
from pbem.games.stage import as_json
from pbem.home.home import Home
from pbem.report.board import board_at
from tests.games.test_games_stage import fresh
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import AT_REST, seen, tripoli

__all__ = ["tripoli"]
pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
SIZES = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]
LONGEST_LINE = 60
"""Dots from a harbor to its panel, at most."""
MOST_ASHORE = 0.25
"""The part of a ship's arrow that may go over land: its ends do, where panels stand ashore."""

Pieces = Mapping[str, Mapping[str, int]]
BEGUN: Pieces = fresh(RULES)["board"]
IN_THE_MIDDLE: Pieces = {
    "Gibraltar": {"us_frigates": 3},
    "Malta": {"us_frigates": 1, "us_gunboats": 1},
    "Alexandria": {"marines": 1, "arab_infantry": 3},
    "Tripoli": {"tr_corsairs": 5, "tr_infantry": 6, "us_frigates": 2},
    "Benghazi": {"tr_infantry": 4},
    "Derne": {"tr_infantry": 2},
    "Algiers": {"allied_corsairs": 3},
    "Gibraltar Patrol Zone": {"us_frigates": 3},
}
A_BATTLE: Pieces = {
    **IN_THE_MIDDLE,
    "Tripoli": {
        "us_frigates": 6,
        "us_gunboats": 3,
        "swedish_frigates": 2,
        "tr_frigates": 2,
        "tr_corsairs": 9,
        "tr_infantry": 8,
    },
    "Derne": {"marines": 1, "arab_infantry": 4, "tr_infantry": 3},
    "Tripoli Patrol Zone": {"us_frigates": 2},
}
MOVES = (
    ("us_frigates", 2, "Gibraltar", "Tripoli"),
    ("us_frigates", 1, "Malta", "Gibraltar Patrol Zone"),
    ("tr_corsairs", 2, "Tripoli", "Algiers"),
    ("us_frigates", 1, "Alexandria", "Tunis Patrol Zone"),
    ("arab_infantry", 3, "Alexandria", "Derne"),
)

MEASURED = """() => {
    const box = (one) => one.getBoundingClientRect(), free = freePart(), all = viewBox();
    const places = [...document.querySelectorAll(".pin")].map((one) => [one.dataset.place, box(one)]);
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const controls = [...document.querySelectorAll(".tool, #marks, .work, .held")].filter((one) => one.checkVisibility());
    const edge = (side, least) => Math[least](...places.map(([, one]) => one[side]));
    return {
        lines: [...document.querySelectorAll(".leads path")].map((one) => one.getTotalLength() * camera.scale),
        meeting: places.flatMap(([name, one], at) => places.slice(at + 1).filter(([, other]) => meet(one, other)).map(([other]) => [name, other])),
        covered: places.flatMap(([name, one]) => controls.filter((control) => meet(one, box(control))).map((control) => [name, control.className || control.id])),
        fills: Math.max((edge("right", "max") - edge("left", "min")) / free.width, (edge("bottom", "max") - edge("top", "min")) / free.height),
        arrows: [...document.querySelectorAll("[data-arrow]")].map((one) => {
            const path = one.querySelector("path"), length = path.getTotalLength(), at = path.getScreenCTM();
            const spots = Array.from({ length: 60 }, (_, nth) => path.getPointAtLength((length * nth) / 59).matrixTransform(at));
            return [one.dataset.arrow, places.filter(([, { left, top, right, bottom }]) => spots.some(({ x, y }) => x > left + 2 && x < right - 2 && y > top + 2 && y < bottom - 2)).map(([name]) => name)];
        }),
        ashore: [...document.querySelectorAll("[data-arrow]")].map((one) => {
            const path = one.querySelector("path"), length = path.getTotalLength(), land = document.getElementById("tripoli-ground");
            const spots = Array.from({ length: 60 }, (_, nth) => path.getPointAtLength((length * nth) / 59));
            return [one.dataset.arrow, spots.filter((spot) => land.isPointInFill(spot)).length / 60];
        }),
        crowded: [...document.querySelectorAll(".trails .many circle")].flatMap((one, at, all) => [
            ...places.filter(([, place]) => meet(box(one), place)).map(([name]) => name),
            ...all.slice(at + 1).filter((other) => meet(box(one), box(other))).map(() => "a number"),
        ]),
        numbers: [...document.querySelectorAll(".trails .many text")].map((one) => one.textContent),
        letters: parseFloat(getComputedStyle(document.querySelector('.pin[data-place="Tripoli"]')).fontSize),
    };
}"""  # noqa: E501


@pytest.fixture
def visitor(chromium: Any, tmp_path: Path, tripoli: tuple[Home, Path]) -> Iterator[Visitor]:
    with served(tripoli[0], tmp_path / "files", tripoli[1]) as server:
        made = Visitor(chromium, server)
        made.page.emulate_media(reduced_motion="reduce")
        made.page.reload()
        made.page.locator("#view[data-lies]").wait_for()
        yield made
        assert made.problems == []
        made.close()


def show(visitor: Visitor, pieces: Pieces, moves: Sequence[tuple[str, int, str, str]] = ()) -> None:
    """A position is on the stage, with these moves that led to it."""
    lines = [
        {
            "kind": "moved",
            "piece": NAMES[KEYS.index(kind)],
            "count": count,
            "from": source,
            "to": target,
        }
        for kind, count, source, target in moves
    ]
    board = board_at(RULES.name, {**fresh(RULES), "board": pieces}, None, lines)
    visitor.page.evaluate("(data) => { drawBoard(data); aim(false); }", as_json(board))
    visitor.page.evaluate(AT_REST)


@pytest.mark.parametrize("size", SIZES)
def test_places_stand_at_their_harbors_and_arrows_under_none(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.evaluate(AT_REST)
    for pieces in (BEGUN, IN_THE_MIDDLE, A_BATTLE):
        show(visitor, pieces, MOVES)
        visitor.until("() => document.querySelectorAll('[data-arrow]').length === 5")
        found = visitor.page.evaluate(MEASURED)
        assert max(found["lines"], default=0) <= LONGEST_LINE, (size, found["lines"])
        assert (found["meeting"], found["covered"]) == ([], []), (size, pieces)
        assert found["fills"] > 0.85, (size, found["fills"])
        assert all(not under for _, under in found["arrows"]), (size, found["arrows"])
        by_sea = {way: land for way, land in found["ashore"] if way != "Alexandria/Derne"}
        assert max(by_sea.values()) <= MOST_ASHORE, (size, by_sea)
        assert found["crowded"] == [], (size, found["crowded"])
        assert sorted(found["numbers"]) == ["1", "1", "2", "2", "3"]


@pytest.mark.parametrize("size", [size for size in SIZES if size[1] > 480])
def test_what_newcomers_may_open_covers_no_place(visitor: Visitor, size: tuple[int, int]) -> None:
    seen(visitor, size)
    covered = visitor.page.evaluate(
        """() => {
        const card = document.querySelector(".about > summary").getBoundingClientRect();
        return [...document.querySelectorAll(".pin")].filter((one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            return left < card.right && right > card.left && top < card.bottom && bottom > card.top;
        }).map((one) => one.dataset.place);
    }"""
    )
    assert covered == []
    visitor.page.locator(".about > summary").click()
    box = visitor.page.locator(".about > .box").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size[0]
    assert box["y"] + 20 < size[1] and "gold" in visitor.page.locator(".about > .box").inner_text()


def test_panels_grow_with_the_window(visitor: Visitor) -> None:
    letters = {}
    for size in ((1366, 768), (1920, 1080)):
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        visitor.page.evaluate(AT_REST)
        letters[size[0]] = visitor.page.evaluate(MEASURED)["letters"]
    assert letters[1920] == pytest.approx(1.5 * letters[1366], rel=0.02)


def test_pieces_stand_one_by_one_up_to_six(visitor: Visitor) -> None:
    show(visitor, A_BATTLE)
    seen = visitor.page.locator('.pin[data-place="Tripoli"] .piece').evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.piece,"
        " [one.querySelectorAll('svg').length, one.textContent]]))"
    )
    assert seen["us_frigates"] == [6, ""] and seen["us_gunboats"] == [3, ""]
    assert seen["tr_corsairs"] == [1, "9"] and seen["tr_infantry"] == [1, "8"]
