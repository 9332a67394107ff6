"""Looking back in a real browser: the timeline by keys and by dragging, and the proof of a die or a
card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
ARCHIVE = Path(__file__).parents[1] / "archive"
LAST = len(turnfile.read((ARCHIVE / "tripoli-1.toml").read_bytes()).entries) - 1


@pytest.fixture(scope="module")
def visitor(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody who has no seat, at the whole game of the archive."""
    folder = tmp_path_factory.mktemp("look")
    with served(
        make_home(folder / "cleo", "Cleo"), folder / "files", ARCHIVE / "tripoli-1.toml"
    ) as server:
        made = Visitor(chromium, server, beside=True)
        yield made
        made.close()
        assert made.problems == []


def look(visitor: Visitor, number: int) -> None:
    place = visitor.page.url.partition("/entry")[0]
    visitor.page.goto(f"{place}/entry/{number}")


def shown(visitor: Visitor) -> int:
    return int(visitor.page.locator("main").get_attribute("data-look-back") or -1)


def wait_for(visitor: Visitor, number: int) -> None:
    visitor.page.locator(f'main[data-look-back="{number}"]').wait_for()


def find(visitor: Visitor, selector: str) -> int:
    """Go to the first entry that shows this; its number."""
    look(visitor, 2)
    while not visitor.page.locator(selector).count():
        number = shown(visitor)
        visitor.page.keyboard.press("ArrowRight")
        wait_for(visitor, number + 1)
    return shown(visitor)


def test_by_keys(visitor: Visitor) -> None:
    look(visitor, 5)
    for key, number in (
        ("ArrowRight", 6),
        ("ArrowLeft", 5),
        ("Home", 0),
        ("End", LAST),
        ("ArrowLeft", LAST - 1),
    ):
        visitor.page.keyboard.press(key)
        wait_for(visitor, number)
    now = f"turn {LAST - 1}"
    assert visitor.page.url.endswith(f"/entry/{LAST - 1}")
    assert now in visitor.page.title() and now in (
        visitor.page.locator("#heard").text_content() or ""
    )


def test_the_drawer_says_whom_the_game_waited_for_then(visitor: Visitor) -> None:
    """Also between two seasons, where it is nobody's turn to play: the game is over after its last
    turn alone."""
    for number in (28, 29, 30, LAST):
        look(visitor, number)
        said = visitor.page.locator(".log").text_content() or ""
        assert (" over" in said) == (number == LAST), number


def test_the_board_stays_as_it_is_zoomed(visitor: Visitor) -> None:
    look(visitor, 30)
    page = visitor.page
    page.locator(".tool", has_text="+").click()
    page.locator(".tool", has_text="+").click()
    zoomed = page.evaluate("({ ...camera })")
    assert zoomed["scale"] > 1
    pieces = "[...document.querySelectorAll('.pin')].map((one) => one.innerHTML).sort().join()"
    before = page.evaluate(pieces)
    for way, number in (("next", 31), ("last", LAST)):
        page.locator(f".timeline a[rel={way}]").click()
        wait_for(visitor, number)
        assert page.evaluate("({ ...camera })") == zoomed
        assert (page.locator("#board-title").text_content() or "").endswith(f" turn {number}")
    seen = page.evaluate(pieces)
    assert seen != before
    page.locator(".tool", has_text="⤢").click()
    look(visitor, LAST)
    assert page.evaluate(pieces) == seen, "all of the picture was taken over"


def test_by_dragging_the_slider_on_and_on(visitor: Visitor) -> None:
    """The slider is not put anew by what it shows: the mouse goes on with it until it is let go."""
    look(visitor, 0)
    box = visitor.page.locator("#slide").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2

    def place(number: int) -> float:
        return float(box["x"] + 8 + (box["width"] - 16) * number / LAST)

    visitor.page.mouse.move(place(0), middle)
    visitor.page.mouse.down()
    for number in (9, 21, 40):
        visitor.page.mouse.move(place(number), middle, steps=6)
        found = int(visitor.page.locator("#slide").input_value())
        assert abs(found - number) <= 1
        wait_for(visitor, found)
        assert visitor.page.locator("nav output").text_content() == f"{found} of {LAST}"
        assert visitor.page.locator("#slide").bounding_box() == box
    visitor.page.mouse.up()
    found = shown(visitor)
    assert visitor.page.url.endswith(f"/entry/{found}")
    visitor.page.keyboard.press("ArrowRight")  # the slider has the focus
    wait_for(visitor, found + 1)


def test_dragging_fast_ends_where_it_was_let_go(visitor: Visitor) -> None:
    look(visitor, 0)
    visitor.page.evaluate(
        """for (let at = 1; at < 40; at++) {
             const slide = document.getElementById("slide");
             slide.value = String(at);
             slide.dispatchEvent(new Event("input", { bubbles: true }));
           }"""
    )
    wait_for(visitor, 39)
    assert visitor.page.locator("#slide").input_value() == "39"


def test_a_click_on_a_die_and_on_a_card_shows_the_proof(visitor: Visitor) -> None:
    find(visitor, ".proof .die")
    assert visitor.page.locator(".proof[open]").count() == 0
    visitor.page.locator(".proof .die").first.click()
    assert "Proof of" in visitor.page.locator(".proof[open]").first.inner_text()
    number = find(visitor, "h3:text('Opened') + .chips .chip")
    visitor.page.locator(".proof .chip").first.click()
    assert "Secret number" in visitor.page.locator(".proof[open]").first.inner_text()
    visitor.page.locator(".proof[open] a").first.click()  # to the entry with the seal
    visitor.page.locator(f'main:not([data-look-back="{number}"])').wait_for()


def test_a_card_of_the_common_deck(chromium: Any, tmp_path: Path) -> None:
    with served(
        make_home(tmp_path / "cleo", "Cleo"), tmp_path / "files", ARCHIVE / "loot-1.toml"
    ) as server:
        made = Visitor(chromium, server)
        look(made, 8)
        made.page.locator(".proof summary").first.focus()
        made.page.keyboard.press("Enter")
        assert "common deck" in made.page.locator(".proof[open]").inner_text()
        assert made.problems == []
        made.close()


def test_the_film_goes_on_from_the_turn_that_is_looked_at(visitor: Visitor) -> None:
    """And where it is left, that turn is looked at."""
    look(visitor, 5)
    visitor.page.keyboard.press("p")
    visitor.page.locator("#film").wait_for()
    visitor.page.keyboard.press("p")
    while visitor.page.evaluate("film.steps[film.at].entry") < 7:
        visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("Escape")
    wait_for(visitor, 7)
    assert visitor.page.url.endswith("/entry/7")
