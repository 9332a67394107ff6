"""Every control of the pages is used as a person would, and does what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.table.request import MAX_FIELDS, read_request
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
ARCHIVE = Path(__file__).parents[1] / "archive"


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Visitor]]:
    """Ann at a game of hers that has begun; what the page complained of is nothing."""
    visitors, tables = [], []

    def visiting(game: str, **more: Any) -> Visitor:
        ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
        data = joining.invite(ann, joining.NewGame(game))
        if game == "tripoli":
            data = joining.join(open_game.open_file(data, ben), ben)
        path = tmp_path / "newest.toml"
        path.write_bytes(data)
        tables.append(served(ann, tmp_path / "files", path))
        visitors.append(Visitor(chromium, tables[-1].__enter__(), **more))
        return visitors[-1]

    yield visiting
    for one in visitors:
        one.close()
    for table in tables:
        table.__exit__(None, None, None)
    assert [problem for one in visitors for problem in one.problems] == []


def listed(visitor: Visitor) -> list[str]:
    """The answers of the unfolded list that are not filtered out."""
    buttons = visitor.page.locator("[data-answer]:visible")
    found: list[str] = buttons.evaluate_all("all => all.map(one => one.dataset.answer)")
    return found


def test_the_list_is_complete_and_filtered(visit: Callable[..., Visitor]) -> None:
    ann = visit("paradise")
    while "off course among 14" not in ann.answers():  # the question about discoveries has hundreds
        ann.give(ann.answers()[0])
    count, page = len(ann.answers()), ann.page
    assert page.locator("#all > summary").inner_text() == f"All {count} answers"
    page.locator("#all > summary").click()
    assert len(listed(ann)) == count
    page.locator("#entered").fill("off course 14")
    assert listed(ann) == ["off course among 14"]
    assert f"1 of {count} answers" in page.locator("#narrowed").inner_text()
    page.locator("#widen").click()
    assert len(listed(ann)) == count and not page.locator("#narrowed").is_visible()
    page.locator("#entered").fill("no such words")
    assert len(listed(ann)) == count and "None of" in page.locator("#narrowed").inner_text()
    page.locator("#entered").fill("off c 14")
    ann.click("#entering button")
    assert '"off c 14"' in page.locator(".refusal").first.inner_text()
    assert page.locator("#entered").input_value() == "off c 14"  # what was refused is still there
    assert page.locator("#all[open]").count() == 1
    page.locator("#entered").fill("off course among 14")
    ann.click("#entering button")
    assert ann.line()[-1] == "off course among 14"


def camera(visitor: Visitor) -> dict[str, float]:
    """Where the camera of the stage is, once it has come to rest."""
    visitor.page.locator("#view:not(.gliding)").wait_for()
    found: dict[str, float] = visitor.page.evaluate("({ ...camera })")
    return found


def at(visitor: Visitor, place: str) -> tuple[float, float]:
    box = visitor.page.locator(f'.pin[data-place="{place}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_board_is_zoomed_and_moved(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    page, whole = ann.page, camera(ann)
    page.mouse.move(*at(ann, "Malta"))
    page.mouse.wheel(0, -400)
    ann.until("(before) => camera.scale > before * 1.3", whole["scale"])
    near, x = camera(ann), at(ann, "Tripoli")[0]
    page.mouse.move(400, 300)
    page.mouse.down()
    page.mouse.move(300, 250, steps=4)
    page.mouse.up()
    # a drag is no click
    assert camera(ann)["scale"] == pytest.approx(near["scale"]) and ann.chosen() == []
    assert at(ann, "Tripoli")[0] == pytest.approx(x - 100, abs=2)
    page.locator(".tool", has_text="⤢").click()
    assert camera(ann) == pytest.approx(whole)
    page.keyboard.press("+")
    assert camera(ann)["scale"] == pytest.approx(whole["scale"] * 1.5)
    zoomed = camera(ann)
    ann.give(next(answer for answer in ann.answers() if answer.startswith("build with")))
    assert camera(ann) == pytest.approx(zoomed)  # a step leaves it where it was
    page.keyboard.press("0")
    assert camera(ann) == pytest.approx(whole)


def test_two_fingers_zoom_and_the_arrow_keys_go_from_target_to_target(
    visit: Callable[..., Visitor],
) -> None:
    ann = visit("tripoli")
    before = camera(ann)["scale"]
    ann.page.evaluate("""() => {
        const view = document.querySelector("#view");
        for (const [kind, pointerId, clientX] of [
            ["down", 1, 300], ["down", 2, 400], ["move", 2, 500], ["up", 1, 300], ["up", 2, 500],
        ]) view.dispatchEvent(new PointerEvent(`pointer${kind}`, { pointerId, clientX, clientY: 300, bubbles: true }));
    }""")  # noqa: E501
    assert camera(ann)["scale"] == pytest.approx(2 * before)
    ann.page.locator(".tool", has_text="⤢").click()
    ann.give(next(answer for answer in ann.answers() if answer.startswith("move with")))
    ann.place("Gibraltar")
    focus = "document.activeElement.dataset.place"
    ann.page.locator('.pin[data-place="Malta"]').focus()
    ann.page.keyboard.press("ArrowDown")
    assert ann.page.evaluate(focus) == "Tripoli Patrol Zone"
    ann.page.keyboard.press("ArrowUp")
    assert ann.page.evaluate(focus) == "Malta"


def test_a_telephone_goes_to_what_can_be_clicked_until_one_moves_it(
    visit: Callable[..., Visitor],
) -> None:
    ann = visit("tripoli", has_touch=True, is_mobile=True)
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.page.reload()
    whole = camera(ann)
    ann.give(next(answer for answer in ann.answers() if answer.startswith("move with")))
    near = camera(ann)
    assert (
        near["scale"] > 1.5 * whole["scale"]
        and ann.page.locator('.pin[data-place="Gibraltar"]').is_visible()
    )
    ann.page.locator("#whole").tap()
    assert whole["scale"] * 0.9 < camera(ann)["scale"] < near["scale"] / 1.25
    assert ann.page.evaluate("""() => {
        const all = document.querySelector("#view").getBoundingClientRect();
        return [...document.querySelectorAll("#view .pin")].every((pin) => {
            const { left, right, top, bottom } = pin.getBoundingClientRect();
            return left >= all.left - 1 && right <= all.right + 1 && top >= all.top - 1 && bottom <= all.bottom + 1;
        });
    }"""), "every place is in view"  # noqa: E501
    ann.page.locator("#whole").tap()
    assert camera(ann) == pytest.approx(near)


def test_a_card_shows_its_text_when_the_pointer_rests_on_it(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    name = ann.cards()[0]
    ann.page.locator(f'.held [data-card="{name}"]').first.hover()
    ann.page.locator("#hint", has_text=name).wait_for()
    assert (
        "Action:" in ann.page.locator("#hint").inner_text()
        or "Event:" in ann.page.locator("#hint").inner_text()
    )
    ann.page.mouse.move(600, 5)
    ann.page.locator("#hint").wait_for(state="detached")


def test_a_card_that_is_gone_once_it_is_used_says_so(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    ann.card("Thomas Jefferson")
    use = ann.page.locator('#besides [data-give="event Thomas Jefferson"]')
    use.wait_for()
    assert "gone" in use.inner_text()
    ann.page.keyboard.press("Escape")
    ann.page.locator("#besides").wait_for(state="detached")
    ann.card(next(name for name in ann.cards() if f"move with {name}" in ann.answers()))
    ann.page.locator("#besides").wait_for()
    assert "gone" not in ann.page.locator('#besides [data-give^="move with"]').inner_text()


def test_the_log_lights_up_what_it_names(chromium: Any, tmp_path: Path) -> None:
    with served(
        make_home(tmp_path / "cleo", "Cleo"), tmp_path / "files", ARCHIVE / "tripoli-1.toml"
    ) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator("#older").click()
        page.locator("#whole-log article").first.wait_for()
        line = page.locator("#whole-log [data-touches]").first
        line.wait_for()
        line.hover()
        lit = page.locator(".pin.touched").evaluate_all("all => all.map(one => one.dataset.place)")
        assert lit and all(place in line.inner_text() for place in lit)
        assert page.locator("#whole-log .die-face").count() > 20  # dice are dice
        card = page.locator("#whole-log .names-card").first
        card.hover()
        page.locator("#hint").wait_for()
        assert card.inner_text() in page.locator("#hint").inner_text()
        assert len(page.locator("#hint").inner_text()) > 60
        assert visitor.problems == []
        visitor.close()


def test_what_did_not_change_does_not_travel(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    with ann.page.expect_response("**/do") as found:
        ann.give(next(answer for answer in ann.answers() if answer.startswith("move with")))
    facts = found.value.json()
    sent = "".join(facts["new"].values())
    assert 'class="work' in sent and 'id="answers"' in sent  # the question and its answers
    assert (
        'class="title"' not in sent and 'class="who"' not in sent and 'name="message"' not in sent
    )
    assert len(facts["parts"]) > len(facts["new"])


def test_only_parts_that_were_asked_for_by_digest_are_left_out() -> None:
    asked = read_request("GET", "/game/x", "", [("table-has", "a b"), ("table-part", "1")], b"")
    assert asked is not None and asked.has == {"a", "b"} and MAX_FIELDS
