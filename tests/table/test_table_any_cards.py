"""The cards of any game at the table: a hand, decks and the table, clicked and dragged to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from tests.any.test_any_cards_mail import Match
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import AT_REST, in_windows, seen

SETUP = (
    "seats france, britain",
    "dice d6",
    "deck plans: 1-30, each, start 5, limit 9, reshuffle",
    "deck chits: white x2, black, face up",
)
pytestmark = [needs_browser, pytest.mark.dear("drives a browser")]


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return Match(tmp_path, SETUP, "Ann", "Ben")


@contextmanager
def at_table(match: Match, chromium: Any, folder: Path, **how: Any) -> Iterator[Visitor]:
    """Ann at the table of the game; `how` their browser is opened."""
    home = Home(match.players["Ann"].home)
    with served(home, folder / "out", folder / match.file) as server:
        visitor = Visitor(chromium, server, **how)
        yield visitor
        visitor.close()


def pin(name: str) -> str:
    return f'.pin[data-place="{name}"]'


def does(visitor: Visitor, words: str) -> None:
    visitor.click(f'#choices button[data-give="{words}"]')


def given(visitor: Visitor, words: str) -> None:
    """It is the newest answer of the turn."""
    newest = f'.line li:last-child[data-answers="{words}"]'
    visitor.page.locator(newest).wait_for(state="attached")


def test_cards_are_clicked_and_dragged_to_decks_and_the_table(
    match: Match, chromium: Any, tmp_path: Path
) -> None:
    held = match.hand("Ann")
    with at_table(match, chromium, tmp_path) as visitor:
        page = visitor.page
        page.locator(f'.held [data-card="{held[0]}"]').drag_to(page.locator(pin("table")))
        given(visitor, f"play {held[0]}")  # the table takes it at once
        page.locator(f'.held [data-card="{held[1]}"]').drag_to(page.locator(pin("plans")))
        does(visitor, f"put under the deck {held[1]}")
        page.locator(f'.held [data-card="{held[2]}"]').click()
        does(visitor, f"discard face down {held[2]}")
        assert "can-go" not in page.locator(pin("plans of britain")).get_attribute("class")
        page.locator(pin("table")).click()
        does(visitor, f"take {held[0]} from table")
        page.locator(pin("plans")).click()
        does(visitor, "draw 2 from plans")
        assert visitor.line() == [
            f"play {held[0]}",
            f"put under the deck {held[1]}",
            f"discard face down {held[2]}",
            f"take {held[0]} from table",
            "draw 2 from plans",
        ]


def test_a_telephone_has_the_same_by_touch(match: Match, chromium: Any, tmp_path: Path) -> None:
    held = match.hand("Ann")
    with at_table(match, chromium, tmp_path, has_touch=True, is_mobile=True) as visitor:
        page = visitor.page
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator(f'.held [data-card="{held[0]}"]').tap()
        page.locator(f'#choices button[data-give="discard {held[0]}"]').tap()
        given(visitor, f"discard {held[0]}")
        page.locator(pin("chits")).tap()
        page.locator('#choices button[data-give="draw 1 from chits"]').tap()
        given(visitor, "draw 1 from chits")


SIZES = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]
MEASURED = """() => {
  const at = (one) => one.getBoundingClientRect();
  const all = (which) => [...document.querySelectorAll(which)].map(at);
  const prompt = at(document.querySelector(".work")), verbs = all("#choices button");
  const isIn = (one) => one.left >= prompt.left && one.right <= prompt.right
    && one.top >= prompt.top && one.bottom <= prompt.bottom + 1;
  const isUnder = (one) => one.top < prompt.bottom - 1 && one.bottom > prompt.top + 1
    && one.left < prompt.right - 1 && one.right > prompt.left + 1;
  const pins = all(".pin").filter((one) => one.width);
  const middle = (one) => Math.round(one.top + one.height / 2);
  const rows = Object.values(Object.groupBy(pins, middle));
  return {
    inPrompt: verbs.every(isIn),
    least: Math.min(...verbs.map((one) => one.height)),
    under: pins.filter(isUnder).length,
    lefts: rows.map((row) => Math.round(Math.min(...row.map((one) => one.left)))),
    rights: rows.map((row) => Math.round(Math.max(...row.map((one) => one.right)))),
    heights: rows.map((row) => new Set(row.map((one) => Math.round(one.height))).size),
  };
}"""


def test_what_can_be_done_stands_in_place_of_the_controls_at_every_size(
    match: Match, chromium: Any, tmp_path: Path
) -> None:
    held = match.hand("Ann")
    with at_table(match, chromium, tmp_path) as visitor:
        page = visitor.page
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(200)
            visitor.card(held[0])
            page.locator(".picking").wait_for()
            assert page.locator(".picked b").inner_text() == held[0]
            assert "Put it on the table" in page.locator("#choices").inner_text()
            assert page.locator("#choices button").count() == 7
            assert page.locator("#besides").count() == 0, "nothing lies over the table"
            page.wait_for_timeout(200)
            found = page.evaluate(MEASURED)
            assert found["inPrompt"] and found["least"] >= 40 and not found["under"], (width, found)
            # Places fill the window in rows of one height each, from one edge to the other.
            for edges in (found["lefts"], found["rights"]):
                assert max(edges) - min(edges) <= 4, (width, found)
            assert set(found["heights"]) == {1}, (width, found)
            page.locator(".picked .let-go").click()
            assert page.locator("#desk > *").first.is_visible(), "the controls are back"


def test_a_card_has_its_number_once_and_a_mark(match: Match, chromium: Any, tmp_path: Path) -> None:
    held = match.hand("Ann")
    with at_table(match, chromium, tmp_path) as visitor:
        card = visitor.page.locator(f'.held [data-card="{held[0]}"]')
        assert card.locator("strong").inner_text() == held[0]
        assert card.locator("b").bounding_box()["width"] <= 4, "for a screen reader alone"
        assert card.locator("use").get_attribute("href") == "#any-art-blue"


STRIP = """() => {
  const at = (one) => one.getBoundingClientRect();
  const [bar, dice] = [".work", "#dice.below"].map((which) => at(document.querySelector(which)));
  const lowest = Math.max(...[...pins.values()].map(({ button }) => at(button).bottom));
  return { bar: Math.round(bar.height), gap: Math.round(bar.top - dice.bottom),
    bare: Math.round(dice.top - lowest), high: Math.round(dice.height) };
}"""


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_the_strip_of_dice_stands_on_the_bar_however_high_that_is(
    size: tuple[int, int], chromium: Any, tmp_path: Path
) -> None:
    setup = (*SETUP, "counter gold: 0 to 99, start 5, each", "counter year: 1757 to 1762, shared")
    match = Match(tmp_path, setup, "Ann", "Ben")
    match.plays("Ann", "roll 2d6 then britain's turn")
    match.plays("Ben", "roll 3d6 then france's turn")
    held, heights = match.hand("Ann"), set()
    with at_table(match, chromium, tmp_path, still=size) as visitor:
        seen(visitor, size)

        def stands() -> None:
            visitor.page.evaluate(AT_REST)
            found = visitor.page.evaluate(STRIP)
            assert abs(found["gap"]) <= 2 and found["high"] >= 30, found
            assert -2 <= found["bare"] <= 80, found
            heights.add(found["bar"])

        stands()
        visitor.place("plans")
        visitor.page.locator(".picking").wait_for()
        stands()
        visitor.page.locator(".picked .let-go").click()
        visitor.page.locator(".picking").wait_for(state="detached")
        stands()
        for name, said in ((held[0], "play"), (held[1], "discard face down")):
            visitor.card(name)
            does(visitor, f"{said} {name}")
            given(visitor, f"{said} {name}")
            stands()
        visitor.click('#desk [data-words="britain\'s turn"]')
        stands()
        assert visitor.page.locator('[data-action="sign"]').is_visible() and len(heights) > 2
        assert visitor.problems == []


ASKED = """() => {
  const at = (one) => one.getBoundingClientRect(), title = document.querySelector(".picked");
  const [name, words, close] = ["b", "span", ".let-go"].map((which) => title.querySelector(which));
  const line = at(title), isOut = at(words).top >= line.bottom + 4;
  const shows = (one) => one.contains(document.elementFromPoint(at(one).left + 8, at(one).bottom - 4));
  return {
    name: name.scrollWidth <= name.clientWidth + 1 && at(name).right <= at(close).left,
    words: isOut || (at(words).right <= at(close).left && at(words).bottom <= line.bottom + 1),
    hidden: [...document.querySelectorAll("#choices button")].filter((one) => !shows(one)).length,
  };
}"""  # noqa: E501


def test_a_deck_that_was_chosen_and_all_it_offers_are_whole_at_every_size(
    chromium: Any, tmp_path: Path
) -> None:
    deck = "deck strategy: 1-30, each, start 5, limit 9, reshuffle"
    match = Match(tmp_path, (*SETUP[:2], deck, SETUP[3]), "Ann", "Ben")
    match.plays("Ann", f"discard {match.hand('Ann')[0]} face down; britain's turn")
    match.plays("Ben", "france's turn")
    with at_table(match, chromium, tmp_path, still=SIZES[0]) as visitor:
        page = visitor.page
        for size in in_windows(visitor, SIZES):
            visitor.place("strategy")
            page.locator(".picking").wait_for()
            page.evaluate(AT_REST)
            assert page.evaluate(ASKED) == {"name": True, "words": True, "hidden": 0}, size
            assert page.locator("#choices button").count() == 8
            goes_on = page.locator('[data-give="draw 1 from strategy then britain\'s turn"]')
            assert goes_on.get_attribute("aria-label") == "Draw a card, then Britain's turn"
            page.locator(".picked .let-go").click()
        visitor.place("strategy")
        does(visitor, "draw 1 from strategy then britain's turn")
        assert visitor.line() == ["draw 1 from strategy then britain's turn"]
        assert visitor.problems == []
