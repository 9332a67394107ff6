"""The cards of a hand: each has a picture and says what it does, where there is room for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_dice import NAVAL, at
from tests.table.test_table_loot import loot_at_sea
from tests.table.test_table_stage import in_windows, tripoli, visitor

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
__all__ = ["at", "tripoli", "visitor"]  # fixtures

LARGE = [(1920, 1080), (1366, 768)]
FACES = """() => [...document.querySelectorAll(".held .card")].map((card) => {
    const box = (one) => one.getBoundingClientRect(), own = box(card), art = box(card.querySelector(".art")), gist = box(card.querySelector(".gist")), range = document.createRange();
    range.selectNodeContents(card.querySelector(".gist"));
    const text = range.getBoundingClientRect(), next = card.parentElement.nextElementSibling, end = next ? Math.min(box(next).left, own.right) : own.right;
    return { wide: own.width, high: own.height, art: art.height, drawings: card.querySelectorAll(".scene use").length,
        cut: Math.max(text.bottom - own.bottom, text.right - end, text.bottom - gist.bottom, own.bottom - innerHeight), over: Math.max(0, art.bottom - text.top) };
})"""  # noqa: E501
"""Of each card its size, that of its picture, by how much its effect is cut, and lies over art."""


@pytest.mark.parametrize("cards", ["tripoli", "loot"])
def test_a_card_has_a_picture_and_says_all_that_it_does(
    chromium: Any, tmp_path: Path, tripoli: tuple[Home, Path], cards: str
) -> None:
    home, path = tripoli if cards == "tripoli" else loot_at_sea(tmp_path, 5, False, 5, 0)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=LARGE[0])
        for size in in_windows(visitor, LARGE):
            wide, high = {1920: (137, 200), 1366: (110, 140)}[size[0]]
            faces = visitor.page.evaluate(FACES)
            assert len(faces) >= 3
            for face in faces:
                assert face["wide"] >= wide and face["high"] >= high, (size, face)
                assert face["art"] >= 45 and face["drawings"] >= 2, (size, face)
                assert face["cut"] <= 1 and face["over"] <= 1, (size, face)
        assert visitor.problems == []
        visitor.close()


WINDOWS = [*LARGE, (1024, 768), (844, 390), (390, 844)]
CUT = """() => {
    const box = (one) => one.getBoundingClientRect(), hand = box(document.querySelector(".held .hand")), cards = [...document.querySelectorAll(".held .card")];
    return cards.flatMap((card, at) => {
        const own = box(card), art = box(card.querySelector(".art")), title = card.querySelector("b"), next = cards[at + 1] && box(cards[at + 1]), found = [];
        if (Math.abs(art.width / art.height - 1.5) > 0.15) found.push(`picture ${art.width} by ${art.height}`);
        if (title.scrollHeight > title.clientHeight + 1 || title.scrollWidth > title.clientWidth + 1) found.push("title");
        if (next && Math.abs(next.top - own.top) < 2 && next.left < own.right - 1) found.push("covered");
        if (own.top < hand.bottom && own.bottom > hand.bottom + 1) found.push("row");
        return found.map((one) => `${card.dataset.card}: ${one}`);
    });
}"""  # noqa: E501
"""What is cut of the cards of a hand: a picture of 3 by 2, a title, what another lies on, a row."""


def test_titles_and_pictures_of_cards_are_whole_at_every_size(visitor: Visitor) -> None:
    for size in in_windows(visitor, WINDOWS):
        assert visitor.page.locator(".held .card").count() >= 6
        assert visitor.page.evaluate(CUT) == [], size


@pytest.mark.parametrize(
    ("match", "cards"), [((4, True, 4, 4), 1), ((6, True, 5, 4), 2), ((5, False, 5, 0), 3)]
)
def test_a_few_cards_of_loot_have_whole_pictures_beside_a_low_board(
    chromium: Any, tmp_path: Path, match: tuple[int, bool, int, int], cards: int
) -> None:
    """What one of two cards does is told where its picture is whole and large nonetheless."""
    home, path = loot_at_sea(tmp_path, *match)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=(844, 390))
        for size in in_windows(visitor, [(844, 390), (667, 375), (844, 300)]):
            is_told = cards < 3 and size[1] > 300
            assert visitor.page.evaluate(CUT) == [], size
            assert visitor.page.locator(".held .gist:visible").count() == cards * is_told, size
            faces = visitor.page.evaluate(FACES)
            assert len(faces) == cards
            for face in faces:
                assert face["art"] >= (72 if is_told else 57), (size, face)
                assert not is_told or (face["high"] >= 170 and face["over"] <= 1), (size, face)
                assert not is_told or face["cut"] <= 1, (size, face)
        assert visitor.problems == []
        visitor.close()


def test_a_card_that_cannot_be_played_keeps_its_picture_and_says_why_on_a_tap(
    visitor: Visitor,
) -> None:
    visitor.give(next(one for one in visitor.answers() if one.startswith("move with ")))
    for size in in_windows(visitor):
        card = visitor.page.locator(".held .card:not(.can-go)", has_text="Event:").last
        art = card.locator(".art").bounding_box()
        assert art["height"] >= 30 and card.locator(".scene").count() == 1, size
        card.click(position={"x": 12, "y": 20})
        told = visitor.page.locator("#besides").inner_text()
        assert "not now: event, move, build" in told, size
        assert told.count("is asked to move") == 1, (size, "a reason once, for all that it forbids")
        visitor.page.keyboard.press("Escape")


def test_a_card_that_slides_under_a_pointer_at_rest_is_not_opened(
    chromium: Any, at: Callable[..., Any]
) -> None:
    with at(*NAVAL) as server:
        visitor = Visitor(chromium, server, still=LARGE[1])
        page = visitor.page
        while page.locator("main.fighting").count():
            spot = page.locator(".taker.can-go:visible").first.bounding_box()
            x, y = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
            visitor.click(".taker.can-go:visible")
        beneath = f"document.elementFromPoint({x}, {y})?.closest('.held [data-card]')?.dataset.card"
        page.wait_for_timeout(900)  # longer than a pointer has to rest
        name = page.evaluate(beneath)
        assert name, "a card lies there now"
        assert page.locator("#hint").count() == 0
        page.mouse.move(x + 3, y + 2)
        page.locator("#hint", has_text=name).wait_for()
        assert visitor.problems == []
        visitor.close()


ROW = """() => [...document.querySelectorAll(".go button, .writing > summary")].filter((one) => one.checkVisibility()).map((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return { left, right, bottom };
}).sort((one, other) => one.left - other.left)"""  # noqa: E501
"""What stands where one signs, from left to right."""


def test_the_message_stands_in_one_row_with_what_signs(visitor: Visitor) -> None:
    visitor.give(next(one for one in visitor.answers() if one.startswith("move with ")))
    while not visitor.page.locator('.go [data-action="sign"]').count():
        visitor.give(visitor.answers()[0])
    for size in in_windows(visitor, WINDOWS):
        row = visitor.page.evaluate(ROW)
        assert len(row) >= 3, size
        for one, other in pairwise(row):
            assert other["left"] - one["right"] >= 3, (size, row)
            assert abs(other["bottom"] - one["bottom"]) <= 2, (size, row)


def test_a_card_that_is_looked_at_shows_its_picture_and_leaves_the_board_in_view(
    visitor: Visitor,
) -> None:
    page = visitor.page
    card = page.locator(".held .card.can-go", has_text="Event:").filter(has_text="Action:").first
    for size in in_windows(visitor, WINDOWS):
        card.click(position={"x": 12, "y": 20})
        box = page.locator("#besides")
        bold = box.locator(".text b").all_inner_texts()
        assert bold[0] == "Event:" and "Action:" in bold, size
        own, board = box.bounding_box(), page.locator("#view").bounding_box()
        art, title = box.locator(".art").bounding_box(), box.locator("h3").bounding_box()
        assert art["height"] >= 60 and box.locator(".scene use").count() >= 2, size
        assert art["x"] < own["x"] + 40 and art["y"] < title["y"] + title["height"], size
        assert box.locator(".text").bounding_box()["y"] - own["y"] <= 190, (size, "a low head")
        if size[0] < 640:
            assert own["y"] - board["y"] >= 120, (size, "places are in view above it")
        close = box.get_by_role("button", name="close")
        spot = close.bounding_box()
        assert min(spot["width"], spot["height"]) >= 44, size
        close.click()
        box.wait_for(state="detached")
