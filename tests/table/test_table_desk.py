"""The tray of dice, the counters and the forms beside the question of any game: each is used as a
person would, and what it gives is what they would type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.games.any.clicks import joined
from pbem.home.home import Home
from pbem.table.server import TableServer
from tests.any.test_any_cards_mail import Match
from tests.any.test_any_mail import begun as begun
from tests.any.test_any_mail import played, players
from tests.any.test_any_setup import WAR
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import in_windows

__all__ = ["begun", "players"]
WINDOWS = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]
THROW = "#desk .throw-dice"


@pytest.mark.parametrize(
    ("last", "new", "both"),
    [
        ("gold +1", "gold +1", "gold +2"),
        ("gold +1", "gold -1", ""),
        ("ann's gold -3", "ann's gold +1", "ann's gold -2"),
        ("ann's gold +1", "ben's gold +1", None),
        ("gold = 5", "gold +1", None),
        ("roll 2d6+1", "roll 2d6+1", None),
    ],
)
def test_a_counter_that_is_clicked_again_is_one_answer(
    last: str, new: str, both: str | None
) -> None:
    assert joined(last, new) == both


@pytest.fixture
def bens(players: dict[str, Player], begun: str, tmp_path: Path) -> Iterator[TableServer]:
    """Ben's table, where Britain has the turn."""
    waits = players["Ann"].does("verify", begun)["to_act"]
    file = played(players, begun, *([("Ann", "")] if waits == "france" else []))
    with served(Home(players["Ben"].home), tmp_path / "out", tmp_path / file) as server:
        yield server


@pytest.fixture
def ben(chromium: Any, bens: TableServer) -> Iterator[Visitor]:
    visitor = Visitor(chromium, bens)
    yield visitor
    assert visitor.problems == []
    visitor.close()


pytestmark = needs_browser


@pytest.mark.dear("drives a browser")
def test_dice_are_taken_from_the_tray_and_thrown(ben: Visitor) -> None:
    page = ben.page
    page.locator("#desk .kind", has_text="d10").click()
    page.locator("#desk .kind", has_text="d10").click()
    page.get_by_label("one die more").click()
    assert page.locator(".dice-words").input_value() == "3d10", "each click is a die more"
    page.get_by_label("one die fewer").click()
    page.get_by_label("What it is thrown for").select_option("for combat")
    page.get_by_label("What comes after it").select_option("then France's turn")
    ben.click(THROW)
    assert ben.line() == ["roll 2d10 combat then france's turn"]


@pytest.mark.dear("drives a browser")
def test_dice_are_written_as_players_write_them(ben: Visitor) -> None:
    ben.page.locator(".dice-words").fill("4d6 keep 3")
    assert ben.page.locator(THROW).inner_text() == "Throw 4d6 keep 3"
    ben.click(THROW)
    assert ben.line() == ["roll 4d6 keep 3"]


@pytest.mark.dear("drives a browser")
def test_a_roll_with_dice_of_its_own_and_named_faces(ben: Visitor) -> None:
    ben.page.get_by_label("What it is thrown for").select_option("for weather")
    assert ben.page.locator(".dice-words").input_value() == "2d6"
    assert ben.page.locator(".dice-words").is_disabled(), "it is always these"
    ben.page.get_by_label("What it is thrown for").select_option("for combat")
    ben.page.locator("#desk .kind", has_text="attack").click()
    ben.click(THROW)
    assert ben.line() == ["roll 1 attack combat"]


@pytest.mark.dear("drives a browser")
def test_counters_are_counted_where_they_lie(ben: Visitor) -> None:
    more, less = '[data-give="britain\'s supply +1"]', '[data-give="britain\'s supply -1"]'
    for _ in range(3):
        ben.click(f".stepper {more}")
    assert ben.line() == ["britain's supply +3"]
    piece = ben.page.locator('.pin[data-place="counters britain"] .piece').first
    assert piece.locator("b").inner_text() == "6"
    assert ben.page.evaluate("document.activeElement.dataset.give") == "britain's supply +1"
    ben.click(f".stepper {less}")
    assert ben.line() == ["britain's supply +2"]
    ben.click(f".stepper {less}")
    ben.click(f".stepper {less}")
    assert ben.line() == [], "and nothing is left of what came to nothing"
    end = ben.page.locator('.stepper [data-give="year -1"]')
    assert end.count() == 0 and ben.page.locator('.stepper [data-give="reserve -1"]').is_disabled()


@pytest.mark.dear("drives a browser")
def test_a_number_is_set_somebody_is_asked_and_the_turn_goes_on(ben: Visitor) -> None:
    page = ben.page
    page.locator("#desk >> text=Set a number").click()
    page.locator("#besides select").select_option(index=0)
    page.locator("#besides input").fill("-7")
    ben.click("#besides button.main")
    assert ben.line() == ["victory = -7"]
    page.locator("#desk >> text=Ask").click()
    page.locator("#besides input").fill("do you retreat?")
    ben.click("#besides button.main")
    assert ben.line()[-1] == 'ask france "do you retreat?"'
    ben.click('[data-action="back"]')
    ben.click('#desk [data-words="france\'s turn"]')
    assert ben.line() == ["victory = -7", "france's turn"]


@pytest.mark.dear("drives a browser")
def test_what_is_written_in_a_form_stays_when_the_window_changes(ben: Visitor) -> None:
    page, desk, telephone = (
        ben.page,
        *({"width": w, "height": h} for w, h in (WINDOWS[1], WINDOWS[4])),
    )
    ask = page.locator("#besides .desk-form", has_text="Ask").locator("input")
    page.set_viewport_size(desk)
    page.locator("#desk >> text=Set a number").click()
    page.locator("#besides select").select_option(index=1)
    page.locator("#besides input").fill("-7")
    page.keyboard.press("Escape")
    page.locator("#desk >> text=Ask").click()
    ask.fill("do you retreat?")
    page.set_viewport_size(telephone)
    assert ask.count() == 0 or ask.is_visible(), "a box that is open is in view"
    page.locator("#desk >> text=More").click()
    assert ask.input_value() == "do you retreat?"
    number = page.locator("#besides .desk-form", has_text="Set a number")
    assert number.locator("input").input_value() == "-7"
    assert number.locator("select").evaluate("one => one.selectedIndex") == 1
    ask.fill("do you retreat now?")
    page.set_viewport_size(desk)
    page.locator("#desk >> text=Ask").click()
    assert ask.input_value() == "do you retreat now?"
    ben.click("#besides button.main")
    assert ben.line() == ['ask france "do you retreat now?"']
    ben.click('[data-action="back"]')
    page.locator("#desk >> text=Ask").click()
    assert ask.input_value() == "", "what was sent is not written again"


@pytest.mark.dear("drives a browser")
def test_the_end_is_said_and_agreed_to(
    ben: Visitor, players: dict[str, Player], chromium: Any, tmp_path: Path
) -> None:
    ben.page.locator("#desk >> text=It is over").click()
    ben.page.locator("#besides select").select_option("Britain wins")
    ben.page.locator("#besides input").fill("37 to 42")
    ben.click("#besides button.main")
    assert ben.line() == ["end: britain wins 37 to 42"]
    file = ben.sign()
    with served(Home(players["Ann"].home), tmp_path / "anns", tmp_path / "out" / file) as server:
        ann = Visitor(chromium, server, beside=True)
        assert "Britain wins 37 to 42" in ann.page.locator("#question").inner_text()
        assert ann.page.locator("#desk button").all_inner_texts() == ["Agree", "Disagree"]
        ann.click("#desk [data-words=agree]")
        assert ann.line() == ["agree"]
        assert ann.problems == []
        ann.close()


@pytest.mark.dear("drives a browser")
def test_every_control_is_in_view_and_large_enough_at_every_size(ben: Visitor) -> None:
    seen = """() => [...document.querySelectorAll("#desk button, #desk select, #desk input, .stepper button")].filter((one) => one.checkVisibility()).map((one) => {
        const { left, top, right, bottom, height } = one.getBoundingClientRect(), at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return [one.title || one.textContent || one.ariaLabel, at === one || one.contains(at), left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight, height >= 44];
    }).filter((one) => !one.slice(1).every(Boolean))"""  # noqa: E501
    for size in in_windows(ben, WINDOWS):
        assert ben.page.evaluate(seen) == [], size


TRADE = (
    "seats red, blue, white, orange",
    "dice d6",
    *(f"counter {name}: 0 to 19, each" for name in ("brick", "wood", "wool", "grain", "points")),
    "counter round: 1 to 40, shared",
)
IN_VIEW = """() => [...pins.values()].filter(({ button }) => {
    const { left, top, right, bottom } = button.getBoundingClientRect(), free = freePart(), all = viewBox();
    const cut = [...button.querySelectorAll(".name, small, b")].some((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible");
    return !button.hidden && (cut || left < all.left || right > all.left + free.right || top < all.top + free.top || bottom > all.top + free.bottom);
}).map(({ place }) => place.name)"""  # noqa: E501


@pytest.mark.dear("drives a browser")
def test_a_full_setup_is_whole_in_every_window(chromium: Any, tmp_path: Path) -> None:
    """Where 21 counters have no room for buttons, those of a place are counted beside it."""
    match = Match(tmp_path, TRADE, "Ann", "Ben", "Cleo", "Dan")
    match.plays("Ann", "red's wool +2; blue's turn")
    for name, seat in (("Ben", "white"), ("Cleo", "orange"), ("Dan", "red")):
        match.plays(name, f"{seat}'s turn")
    home = Home(match.players["Ann"].home)
    with served(home, tmp_path / "out", tmp_path / match.file) as server:
        ann = Visitor(chromium, server, still=WINDOWS[0])
        for size in in_windows(ann, WINDOWS):
            assert ann.page.evaluate(IN_VIEW) == [], size
            is_brief = ann.page.locator("#view.brief").count() == 1
            assert is_brief == (min(size) < 480), size
        wool = '[data-give="red\'s wool +1"]'
        ann.page.locator('.pin[data-place="counters red"]').click()
        for number in (1, 2):
            ann.click(f"#besides {wool}")
            ann.page.locator(f"#besides {wool}").wait_for()
            assert ann.line() == [f"red's wool +{number}"]
        assert ann.page.locator("#besides .counter-row").count() == 5, "and no other's"
        assert ann.problems == []
        ann.close()


@pytest.mark.dear("drives a browser")
def test_a_telephone_has_cards_and_no_counter_twice(chromium: Any, tmp_path: Path) -> None:
    """What plates and strip show whole is no place there, and is counted beside it."""
    setup = (*(line.lower() for line in WAR[:-1]), "deck plans: 1-30, each, start 5, reshuffle")
    match = Match(tmp_path, setup, "Ann", "Ben")
    match.plays("Ben", "france's turn")
    home = Home(match.players["Ann"].home)
    with served(home, tmp_path / "out", tmp_path / match.file) as server:
        ann = Visitor(chromium, server, still=WINDOWS[0])
        for size in in_windows(ann, WINDOWS):
            assert ann.page.evaluate(IN_VIEW) == [], size
            counters = ann.page.locator('.pin[data-place="counters france"]')
            assert counters.is_visible() == (min(size) > 480), size
            if min(size) < 480:
                assert ann.page.locator("#view.brief").count() == 0, size
                card = ann.page.locator('.pin[data-place="plans"] .piece svg').first.bounding_box()
                assert card is not None and card["width"] >= 30, (size, card)
        ann.page.locator("#desk .where-brief").click()
        ann.click('#besides [data-give="france\'s supply +1"]')
        assert ann.line() == ["france's supply +1"] and ann.problems == []
        ann.close()


@pytest.mark.dear("drives a browser")
def test_players_are_called_by_name_where_seats_have_none(
    players: dict[str, Player], chromium: Any, tmp_path: Path
) -> None:
    file = players["Ann"].does("new", "any", "--no-mail")["file"]
    file = players["Ben"].does("join", file, "--no-mail")["file"]
    who = {"first": "Ann", "second": "Ben"}[players["Ann"].does("verify", file)["to_act"]]
    other = "Ben" if who == "Ann" else "Ann"
    with served(Home(players[who].home), tmp_path / "out", tmp_path / file) as server:
        visitor = Visitor(chromium, server)
        visitor.page.get_by_label("What comes after it").select_option(f"then {other}'s turn")
        visitor.click(THROW)
        said = visitor.page.locator(".line li").inner_text()
        assert f"roll 1d6 then {other}'s turn" in said and "second" not in said
        visitor.click('[data-action="back"]')
        visitor.page.locator("#entered").evaluate(
            f'(field) => {{ field.value = "{other}\'s turn"; }}'
        )
        visitor.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        visitor.page.evaluate("document.getElementById('entering').requestSubmit()")
        visitor.settle()
        assert f"{other}'s turn" in visitor.page.locator(".line li").inner_text()
        assert visitor.problems == []
        visitor.close()
