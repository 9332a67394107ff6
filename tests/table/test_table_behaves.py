"""Where something does not come or go, the page says what; and everything is reached by keys and
told to a screen reader."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.table.server import TableServer
from tests.support.effort import PATIENCE
from tests.support.mail_kit import start
from tests.support.table_kit import SIZE, Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TableServer]:
    """A table at which it is Ann's turn in a game of Tripoli."""
    game = start(tmp_path / "game")
    (tmp_path / "game.toml").write_bytes(game.newest)
    with served(game.homes["american"], tmp_path / "files", tmp_path / "game.toml") as made:
        yield made


@pytest.fixture
def visitor(chromium: Any, server: TableServer) -> Iterator[Visitor]:
    made = Visitor(chromium, server)
    made.page.locator("#view[data-lies]").wait_for()
    yield made
    made.close()


def ask(visitor: Visitor, answer: str) -> None:
    """Click an answer whose answer may not come."""
    visitor.page.locator("[data-answer]").evaluate_all(
        "(all, wanted) => all.find(one => one.dataset.answer === wanted).click()", answer
    )


def end(server: TableServer) -> None:
    """End the table, which goes on for a moment."""
    server.stop()
    with contextlib.suppress(OSError):
        while True:
            socket.create_connection(("127.0.0.1", server.port), PATIENCE).close()


def is_in_view(visitor: Visitor, selector: str) -> bool:
    found: bool = visitor.page.locator(selector).evaluate(
        "one => { const at = one.getBoundingClientRect();"
        " return at.top >= 0 && at.bottom <= innerHeight && at.height > 20 }"
    )
    return found


def test_a_dropped_connection_says_so_and_not_that_the_table_has_ended(visitor: Visitor) -> None:
    page, answer = visitor.page, visitor.answers()[0]
    page.route("**/do", lambda route: route.abort())
    ask(visitor, answer)
    box = page.locator("#no-answer")
    box.wait_for()
    assert "broke off" in box.inner_text() and "has ended" not in box.inner_text()
    page.unroute_all()
    visitor.give(answer)
    assert visitor.line() == [answer] and not box.is_visible()


def test_an_upload_that_is_broken_off_has_its_own_words(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    page.goto(page.url.partition("/game")[0])
    page.route("**/take*", lambda route: route.abort())
    page.locator("#take-file").set_input_files(tmp_path / "game.toml")
    box = page.locator("#no-answer")
    box.wait_for()
    assert '"game.toml"' in box.inner_text()
    page.unroute_all()
    page.locator("#take-file").set_input_files([])
    page.locator("#take-file").set_input_files(tmp_path / "game.toml")
    page.locator("#taken li").first.wait_for()
    assert not box.is_visible()


def test_that_the_table_has_ended_is_seen_wherever_one_has_scrolled(
    visitor: Visitor, server: TableServer
) -> None:
    page = visitor.page
    page.goto(page.url.partition("/game")[0])
    page.set_viewport_size({"width": 390, "height": 600})
    page.locator("#take-text").fill("-----BEGIN PBEM TURN-----")
    end(server)
    page.locator("#take-it").click()
    box = page.locator("#no-answer")
    box.wait_for()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("window.scrollY") > 100 and is_in_view(visitor, "#no-answer")
    assert "terminal" in box.inner_text()
    assert page.locator("#take-text").input_value() == "-----BEGIN PBEM TURN-----"


REACHED = """() => {
    const among = ".pin.can-go, .pin.chosen-place, #choices button, .held .can-go";
    const all = [...document.querySelectorAll(among)].filter((one) => one.getClientRects().length);
    const reached = new Set([all[0]]);
    for (const one of reached) for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        one.focus();
        goToTarget(key, one);
        reached.add(document.activeElement);
    }
    return [all.length, reached.size, [...reached].every((one) => all.includes(one))];
}"""  # noqa: E501


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_arrow_keys_reach_every_target_of_a_step(visitor: Visitor, size: tuple[int, int]) -> None:
    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    for step in (f"move with {card}", ""):
        count, reached, is_among = page.evaluate(REACHED)
        assert count > 4 and reached == count and is_among, (step, count, reached)
        if step:
            visitor.give(step)
            visitor.place("Gibraltar")


def test_a_click_is_seen_to_be_taken_before_the_table_answers(visitor: Visitor) -> None:
    page, held = visitor.page, list[Any]()
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.give(f"move with {card}")
    page.route("**/do", lambda route: held.append(route))
    visitor.place("Gibraltar")
    answer = next(one for one in visitor.left() if one.startswith("1 gibraltar > "))
    ask(visitor, answer)
    places = page.locator(".pin.taken")
    places.first.wait_for()
    taken = places.evaluate_all("all => all.map(one => one.dataset.place)")
    assert "Gibraltar" in taken and len(taken) == 2, "where from and where to, and nothing else"
    assert visitor.line() == [f"move with {card}"], "nothing is said to be done yet"
    held[0].abort()
    page.locator("#no-answer").wait_for()
    assert page.locator(".taken").count() == 0, "no answer came: nothing is taken"
    page.unroute_all()
    visitor.give(answer)
    assert visitor.line()[-1] == answer and page.locator(".taken").count() == 0


def test_what_an_answer_brings_stands_there_as_soon_as_its_button_is_let_go(
    visitor: Visitor,
) -> None:
    """It is asked about while the button is down, and changes nothing: neither on the page, nor for
    whoever lets go elsewhere. What is clicked next waits until it is done."""
    page, held = visitor.page, list[Any]()
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.give(f"move with {card}")  # what is new is looked at by the first answer

    def down(selector: str) -> None:
        page.locator(selector).hover()
        with page.expect_response("**/ahead") as told:
            page.mouse.down()
        assert told.value.status == 200

    before, mark = visitor.line(), page.locator("main").get_attribute("data-mark")
    down('[data-action="back"]')
    page.mouse.move(600, 5)
    page.mouse.up()
    assert visitor.line() == before
    assert page.locator("main").get_attribute("data-mark") == mark
    visitor.place("Gibraltar")
    answer = next(one for one in visitor.left() if one.startswith("1 gibraltar > "))
    to = page.evaluate("(answer) => left().find((one) => one.sentence === answer).path[1]", answer)
    page.route("**/do", lambda route: held.append(route))
    down(f'.pin[data-place="{to.removeprefix("place:")}"]')
    assert visitor.line() == before
    page.mouse.up()
    page.locator(".line li").nth(1).wait_for()
    assert visitor.line() == [*before, answer] and page.locator(".taken").count() == 0
    page.locator('[data-action="back"]').click()
    assert len(held) == 1, "one after the other"
    held[0].continue_()
    until = time.monotonic() + PATIENCE
    while len(held) < 2 and time.monotonic() < until:
        page.wait_for_timeout(20)
    held[1].continue_()
    page.locator(".line li").nth(1).wait_for(state="detached")
    page.unroute_all()
    page.reload()
    assert visitor.line() == before, "that is how the table has it"


def test_what_was_shown_and_could_not_be_done_is_put_right(visitor: Visitor) -> None:
    page = visitor.page
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.give(f"move with {card}")
    before = visitor.line()
    page.route("**/do", lambda route: route.abort())
    with page.expect_response("**/ahead"):
        page.locator('[data-action="back"]').hover()
        page.mouse.down()
    page.mouse.up()
    page.locator("#no-answer:not([hidden])").wait_for()
    page.unroute_all()
    visitor.give(visitor.answers()[0])
    assert page.locator(".refusal, .notice").count()
    assert visitor.line() == before


def test_the_board_stays_where_it_is_while_a_turn_is_made(visitor: Visitor) -> None:
    def where() -> Any:
        return visitor.page.evaluate("({ ...camera })")

    before = where()
    for _ in range(4):
        visitor.give(visitor.answers()[0])
        assert where() == before


def test_a_step_is_given_by_enter_and_taken_back_by_escape(visitor: Visitor) -> None:
    page = visitor.page
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.give(f"move with {card}")
    page.locator('.pin[data-place="Gibraltar"]').focus()
    page.keyboard.press("Enter")
    assert visitor.chosen() == ["place:Gibraltar"]
    page.keyboard.press("Escape")
    assert visitor.chosen() == [] and visitor.line() == [f"move with {card}"], "first it lets go"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('.pin.can-go')")
    page.keyboard.press("Enter")
    page.locator(".line li:nth-child(2)").wait_for()
    assert len(visitor.line()) == 2 and "gibraltar" in visitor.line()[1]
    for left in (1, 0):
        while visitor.chosen():
            page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator(f".line li:nth-child({left + 1})").wait_for(state="detached")
    assert visitor.line() == []


def test_a_screen_reader_hears_the_prompt_and_how_many_targets_there_are(
    visitor: Visitor,
) -> None:
    page = visitor.page
    heard = page.locator("#heard[role=status][aria-live=polite]")
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.give(f"move with {card}")
    text = heard.text_content() or ""
    count = page.locator(".pin.can-go").count()
    assert "move frigates" in text and re.search(r"\d", text)
    assert ".." not in text and not re.search(r"[.!?]{2}|\w$", text), text
    named = page.locator(".pin.can-go").and_(page.get_by_role("button", name=re.compile(r"\w+: ")))
    assert named.count() == count > 0
    assert page.get_by_role("button", name=re.compile("^Gibraltar: 3 American frigate")).count()


def test_axe_finds_nothing_at_any_step(visitor: Visitor) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, axe = visitor.page, Axe()

    def found(when: str) -> None:
        named = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
        wrong = axe.run(page, options=named).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in wrong] == [], when

    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.locator("#log-button.news").wait_for()
    found("a telephone, with news")
    page.set_viewport_size(SIZE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found(f"the question, {scheme}")
    page.locator(".writing summary").click()
    found("a message")
    page.keyboard.press("Escape")
    visitor.card(visitor.cards()[0])
    found("beside a card")
    page.keyboard.press("Escape")
    while page.locator('[data-action="sign"]').count() == 0:
        answers = visitor.answers()
        visitor.give("done" if "done" in answers else answers[0])
    visitor.sign()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found(f"signed, {scheme}")
