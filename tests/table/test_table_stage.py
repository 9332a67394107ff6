"""The stage as people see it: at every size letters can be read and targets be hit, and nothing
moves the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_backgammon import questions
from tests.table.test_table_paradise import discovered

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
SIZES = [(1440, 900), (1280, 720), (1024, 768), (844, 390), (390, 844)]
ENLARGED = (683, 384)
"""A laptop whose pages are enlarged twice."""
FINGER = 900
"""Narrower windows are those of telephones."""

MEASURED = """() => {
    const shown = (one) => one.checkVisibility() && one.getClientRects().length;
    const letters = [...document.querySelectorAll("main :not(script, defs *)")].filter((one) =>
        shown(one) && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    const scale = (one) => (one.ownerSVGElement ? camera.scale : 1);
    const box = (one) => one.getBoundingClientRect();
    const pinned = [...document.querySelectorAll(".pin:not(.spot)")].filter((one) => one.checkVisibility({ visibilityProperty: true })).map(box);
    const hit = ".pin.can-go:not(.spot), .work button:not(.undo), .tool, #marks > :is(a, button)";
    const targets = [...document.querySelectorAll(hit)].filter(shown), root = document.documentElement;
    const free = freePart(), all = viewBox(), asked = document.querySelector(".work .status:not(.unseen)");
    const question = asked && getComputedStyle(asked).display === "inline" ? asked.parentElement : asked; // what could be cut
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    return {
        letters: Math.min(...letters.map((one) => parseFloat(getComputedStyle(one).fontSize) * scale(one))),
        targets: targets.map((one) => Math.min(box(one).width, box(one).height)),
        out: [...document.querySelectorAll(".pin.can-go")].map(box).filter((one) =>
            one.left < all.left + free.left - 1 || one.right > all.left + free.right + 1
            || one.top < all.top + free.top - 1 || one.bottom > all.top + free.bottom + 1).length,
        meeting: pinned.flatMap((one, at) => pinned.slice(at + 1).filter((other) => meet(one, other))).length,
        cut: question ? question.scrollHeight > question.clientHeight + 1 || box(question).top < 0
            || box(question).bottom > innerHeight || box(question).right > innerWidth : false,
        question: question ? parseFloat(getComputedStyle(question).fontSize) : 16,
        chips: [...document.querySelectorAll(".line li, .line .undo, .about > summary")].filter((one) => shown(one) && [...one.getClientRects()].some(({ left, right, top, bottom }) =>
            left < 0 || right > innerWidth || top < box(one.closest(".work")).top || bottom > box(one.closest(".work")).bottom)).length,
        hides: [...document.querySelectorAll("#marks .values .lies")].filter((one) => shown(one) && box(one).right > box(one.parentElement).right + 1).length,
        faded: [...document.querySelectorAll(".more-before, .more-after")].some((one) =>
            /\\b(1[1-9]|[2-9][0-9])px/.test(getComputedStyle(one).maskImage.replace(/100%.*?px/g, ""))),
        scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
        board: free.width * free.height / (innerWidth * innerHeight),
    };
}"""  # noqa: E501

AT_REST = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moves = () => document.querySelector("#view.gliding")
        || document.getAnimations().some((one) => one.effect?.target?.closest?.("#view"));
    await document.fonts.ready;
    for (let count = 0; count < 2 || moves(); count++) await frame();
}"""
"""Done once all is laid out: letters are there, a window's new size was heard of, nothing moves."""

# A log grows, a panel shrinks when the camera goes away, and a hand closes up where a card has left
# it: a browser excuses that for half a second after a click, and a busy machine answers later. In a
# page that goes on in another window, what moved with the window is not meant. In a low window the
# hand follows the prompt, which grows with what was answered.
SHIFTS = """() => {
    window.watching?.disconnect();
    const from = window.watching ? performance.now() : 0;
    window.shifts = [];
    const follows = innerHeight < 480 ? ".held" : ".held > *";
    const isHand = ({ top }) => top >= (document.querySelector(".held")?.getBoundingClientRect().top ?? Infinity);
    window.watching = new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput && one.startTime >= from) for (const { node, currentRect } of one.sources)
            if (node ? !(node.closest ? node : node.parentElement)?.closest(`#drawer, .pin > *, ${follows}`) : !isHand(currentRect))
                window.shifts.push(node?.outerHTML ?? "something");
    });
    window.watching.observe({ type: "layout-shift", buffered: true });
}"""  # noqa: E501


@pytest.fixture
def tripoli(tmp_path: Path) -> tuple[Home, Path]:
    """Ann's home and a game of hers in which it is her turn."""
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    path = tmp_path / "game.toml"
    path.write_bytes(
        joining.join(
            open_game.open_file(joining.invite(ann, joining.NewGame("tripoli")), ben),
            ben,
        )
    )
    return ann, path


@pytest.fixture
def visitor(chromium: Any, tmp_path: Path, tripoli: tuple[Home, Path]) -> Iterator[Visitor]:
    with served(tripoli[0], tmp_path / "files", tripoli[1]) as server:
        made = Visitor(chromium, server)
        yield made
        assert made.problems == []
        made.close()


def seen(visitor: Visitor, size: tuple[int, int], part: str = "#view[data-lies]") -> None:
    """The page is opened in a window of this size, without motion, so that what is measured stands
    still."""
    if not visitor.opened_still(size):
        visitor.keep_still(size)
        visitor.page.reload()
    visitor.page.locator(part).first.wait_for()


def in_windows(
    visitor: Visitor, sizes: Sequence[tuple[int, int]] = SIZES, part: str = "#view[data-lies]"
) -> Iterator[tuple[int, int]]:
    """The page is opened in the first of these windows, and goes on in the others."""
    for size in sizes:
        if size == sizes[0]:
            seen(visitor, size, part)
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        visitor.page.evaluate(AT_REST)
        yield size


def check(visitor: Visitor, size: tuple[int, int]) -> None:
    """What can be measured of one picture of the stage, once the camera is at rest."""
    visitor.page.evaluate(AT_REST)
    found = visitor.page.evaluate(MEASURED)
    check_measures(found, size)


def check_measures(found: dict[str, Any], size: tuple[int, int]) -> None:
    """What was measured of one picture: letters, targets, what is cut off or lies over each other
    (the question, what was answered, the values at which pieces lie), and how much of the window
    the board has."""
    assert found["letters"] >= 12, (size, found)
    assert min(found["targets"], default=44) >= (43.5 if size[0] < FINGER else 24), (size, found)
    assert (found["out"], found["meeting"], found["scrolls"]) == (0, 0, False), (size, found)
    assert found["board"] > 0.45, (size, found)
    assert (found["chips"], found["hides"]) == (0, 0), (size, found)
    assert (found["cut"], found["faded"], found["question"] >= 16) == (False, False, True), (
        size,
        found,
    )


def ends_at(visitor: Visitor) -> float:
    """Where the prompt ends below, in a window in which it lies below the board: it grows upwards
    where a question needs more room than there is for each of them."""
    low: float = visitor.page.evaluate(
        "matchMedia('(max-height: 480px)').matches ? 0 :"
        " document.querySelector('.work').getBoundingClientRect().bottom"
    )
    return low


@pytest.mark.parametrize("size", [*SIZES, ENLARGED])
def test_letters_targets_and_a_board_that_nothing_moves(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    seen(visitor, size)
    visitor.page.evaluate(SHIFTS)
    check(visitor, size)
    end = ends_at(visitor)
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.card(card)
    visitor.use(f"move with {card}")
    check(visitor, size)
    visitor.place("Gibraltar")
    assert len(visitor.places()) > 9
    check(visitor, size)
    for place in ("Malta", "Tripoli Patrol Zone"):
        visitor.click(f'.pin[data-place="{place}"]')
        check(visitor, size)
        assert ends_at(visitor) == end, "what ends a turn stays where it is"
    said = visitor.page.locator("#turn-title").inner_text()
    assert all(name in said for name in (card, "Gibraltar", "Malta", "Tripoli")), "all of the turn"
    assert visitor.page.locator('.go [data-action="preview"]').is_visible()
    sign = visitor.page.locator('[data-action="sign"]').bounding_box()
    scale = visitor.page.evaluate("camera.scale")
    visitor.sign()
    send = visitor.page.locator('.next [data-action="mail"]').bounding_box()
    assert size[1] < 480 or abs(send["y"] - sign["y"]) <= 60, "one goes on where one signed"
    assert visitor.page.evaluate("camera.scale") == scale
    assert visitor.page.evaluate("window.shifts") == []


def test_a_tall_telephone_shows_all_that_can_be_clicked(visitor: Visitor) -> None:
    size = (400, 1000)
    seen(visitor, size)
    card = next(name for name in visitor.cards() if f"move with {name}" in visitor.answers())
    visitor.card(card)
    visitor.use(f"move with {card}")
    visitor.place("Gibraltar")
    assert len(visitor.places()) > 9
    check(visitor, size)
    sea = visitor.page.locator(".ground svg").bounding_box()
    assert sea["y"] <= 0 and sea["x"] <= 0 and sea["x"] + sea["width"] >= size[0]
    assert sea["y"] + sea["height"] >= visitor.page.locator(".work").bounding_box()["y"]


def test_the_name_of_each_card_is_read_beside_the_next_one(visitor: Visitor) -> None:
    for size in in_windows(visitor):
        found = visitor.page.evaluate("""() => [...document.querySelectorAll(".hand li")].map((item) => {
            const title = item.querySelector("b"), band = title.getBoundingClientRect(), range = document.createRange();
            const next = item.nextElementSibling?.getBoundingClientRect(), own = item.getBoundingClientRect();
            range.selectNodeContents(title);
            const text = range.getBoundingClientRect(), end = next?.top === own.top ? Math.min(next.left, band.right) : band.right;
            return [text.top - band.top, band.bottom - text.bottom, end - text.right];
        })""")  # noqa: E501
        assert found and min(min(room) for room in found) >= -1, (size, found)


def test_nothing_moves_in_the_strip_when_a_number_changes(visitor: Visitor) -> None:
    seen(visitor, (1280, 720))
    spots = "() => [...document.querySelectorAll('#marks .value')].map((one) => one.offsetLeft)"
    change = """(value) => {
        const facts = board.strip.flatMap((one) => one.facts ?? []);
        Object.assign(facts.find((one) => one.label === "gold"), value);
        drawStrip();
    }"""
    before = visitor.page.evaluate(spots)
    for value in ({"value": "11"}, {"value": "1"}):
        visitor.page.evaluate(change, value)
        assert visitor.page.evaluate(spots) == before


def test_a_board_of_backgammon_lies_on_its_side_where_that_makes_it_larger(
    chromium: Any, tmp_path: Path
) -> None:
    home, data, _ = next(questions(tmp_path, "order"))
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=SIZES[0])
        for size in in_windows(visitor):
            check(visitor, size)
            assert visitor.page.evaluate("camera.isTurned") == (size == (390, 844))
            box = visitor.page.locator('.pin[data-place="6"]').bounding_box()
            assert min(box["width"], box["height"]) >= (36 if size == (390, 844) else 24), size
            ends = visitor.page.evaluate(
                "[...document.querySelectorAll('#marks .player')].map((one) =>"
                " one.getBoundingClientRect().right)"
            )
            discs = visitor.page.evaluate(
                "[...document.querySelectorAll('#marks .player .piece svg')].map((one) =>"
                " one.getBoundingClientRect().bottom)"
            )
            strip = visitor.page.locator("#marks").bounding_box()
            assert len(discs) == 2 and max(discs) <= strip["y"] + strip["height"], size
            fold = visitor.page.locator("#fold").bounding_box()
            assert max(ends) <= {390: 390, 844: 844}.get(size[0], fold["x"]), size
        assert visitor.problems == []
        visitor.close()


def test_in_a_low_window_a_board_of_backgammon_takes_the_whole_height(
    chromium: Any, tmp_path: Path
) -> None:
    home, data, options = next(questions(tmp_path, "low"))
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=(844, 390))
        seen(visitor, (844, 390))
        check(visitor, (844, 390))
        assert visitor.page.evaluate("camera.scale * board.whole[3] / innerHeight") > 0.93
        visitor.give(options[0])
        edges = visitor.page.locator(
            "#marks :is(.value, a, button), .work button, .tool, .writing > summary"
        ).evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).filter(one => one.width)"
            ".map(({ left, top, right, bottom }) => [left, top, right, bottom])"
        )
        assert len(edges) > 9
        for left, top, right, bottom in edges:
            assert left >= 550 and top >= 0 and right <= 844 and bottom <= 390
        for at, one in enumerate(edges):
            for other in edges[at + 1 :]:
                across = min(one[2], other[2]) - max(one[0], other[0])
                down = min(one[3], other[3]) - max(one[1], other[1])
                assert min(across, down) < 1 or (one[0] <= other[0] and one[2] >= other[2])
        assert visitor.problems == []
        visitor.close()


def test_answers_to_a_report_are_all_in_view_on_a_telephone(chromium: Any, tmp_path: Path) -> None:
    home, path = discovered(tmp_path, 3)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=(390, 844))
        seen(visitor, (390, 844))
        bar = visitor.page.locator(".doing").bounding_box()
        boxes = [one.bounding_box() for one in visitor.page.locator("#choices button").all()]
        assert len(boxes) == 6
        for box in boxes:
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] >= 44
            assert box["y"] >= bar["y"] and box["y"] + box["height"] <= bar["y"] + bar["height"]
        visitor.close()


def test_a_game_of_reports_is_a_board_with_a_large_question(chromium: Any, tmp_path: Path) -> None:
    home, path = discovered(tmp_path, 12)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=SIZES[0])
        for size in in_windows(visitor):
            visitor.page.evaluate(SHIFTS)
            check(visitor, size)
            question = visitor.page.locator(".work .status")
            letters = question.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
            assert letters >= (17 if min(size) < FINGER / 2 else 22)
            fits = "(one) => one.scrollHeight <= one.clientHeight + 1"
            assert question.evaluate(fits)
            end = ends_at(visitor)
            visitor.page.locator('[data-step="place:discover"]').click()
            check(visitor, size)
            visitor.place("3 from Tonga, 4 from Samoa")
            visitor.page.locator("#besides").wait_for()
            check(visitor, size)
            visitor.use("discover 3 from tonga 4 from samoa: 2 boxes 1 green")
            check(visitor, size)
            visitor.click('[data-action="back"]')
            visitor.use("exploration complete")
            assert "Samoa" in visitor.places()
            check(visitor, size)
            assert question.evaluate(fits)
            assert ends_at(visitor) == end
            assert visitor.page.evaluate("window.shifts") == []
            visitor.click('[data-action="back"]')
        assert visitor.problems == []
        visitor.close()


def test_the_drawer_says_how_much_is_new_and_opens_by_a_key(visitor: Visitor) -> None:
    seen(visitor, (1024, 768))
    page = visitor.page
    assert (
        page.locator("#log-button").inner_text() == "Log 2"
        and not page.locator(".log").is_visible()
    )
    page.keyboard.press("l")
    page.locator(".log").wait_for()
    assert page.locator("#log-button").inner_text() == "Log"
    page.keyboard.press("Escape")
    page.locator(".log").wait_for(state="hidden")
    seen(visitor, (1440, 900))
    assert page.locator(".log").is_visible() and not page.locator("#log-button").is_visible()


def test_what_is_not_on_the_map_folds_out(visitor: Visitor) -> None:
    page = visitor.page
    assert "0 / 12" in page.locator("#marks").inner_text().replace("\n", " ")
    page.locator("#fold").click()
    assert "In the Supply" in page.locator("#tray").inner_text()
    page.keyboard.press("Escape")
    page.locator("#tray").wait_for(state="hidden")


FULL_YEARS = """() => {
    const kinds = ["us_frigates", "us_gunboats", "tr_corsairs"], words = "pieces";
    for (const one of board.strip) if (one.name) one.pieces = kinds.map((kind) => ({ kind, count: 2, words }));
    drawStrip();
    markMore();
}"""  # noqa: E501
"""Every year has more pieces than any game brings there."""


def test_a_strip_that_goes_on_fades_where_it_does(visitor: Visitor) -> None:
    row = visitor.page.locator("#marks .values")
    for size in ((390, 844), (1920, 1080), (390, 844)):
        seen(visitor, size)
        visitor.page.evaluate(FULL_YEARS)
        ends = size[0] > FINGER
        visitor.page.locator(
            f"#marks .values{':not(.more-after)' if ends else '.more-after'}"
        ).wait_for()
        image = row.evaluate("one => getComputedStyle(one).maskImage")
        assert (image == "none") is ends
    row.evaluate("one => one.scrollBy(1000, 0)")
    visitor.page.locator("#marks .values.more-before:not(.more-after)").wait_for()


PLATES = """() => {
    const bar = document.getElementById("marks").getBoundingClientRect();
    const box = (one) => one.getBoundingClientRect();
    return [...document.querySelectorAll("#marks .plate")].map((plate) => {
        const has = [...plate.querySelectorAll(".facts > .value, .facts .piece")].map(box), own = box(plate);
        return {
            facts: has.length,
            cut: [own, ...has].filter((one) => !one.width || one.left < own.left || one.right > own.right + 1
                || one.left < 0 || one.right > Math.min(bar.right, innerWidth) + 1 || one.bottom > bar.bottom + 1).length,
            covered: has.filter((one) => !plate.contains(document.elementFromPoint(one.left + one.width / 2, one.top + one.height / 2))).length,
        };
    });
}"""  # noqa: E501
"""Of each plate: how many values and pieces it has, and how many of them are cut or covered."""


def test_what_decides_the_game_stands_on_the_plate_of_its_side(visitor: Visitor) -> None:
    for size in in_windows(visitor):
        plates = visitor.page.evaluate(PLATES)
        assert [(one["facts"], one["cut"], one["covered"]) for one in plates] == [(3, 0, 0)] * 2
        words = visitor.page.locator("#marks .plates").inner_text().split()
        for word in ("hand", "pile", "sunk", "gold"):
            assert word in words, size
