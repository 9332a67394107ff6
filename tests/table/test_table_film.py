"""The film at the table: what it knows, how it is offered, played, stepped through and ended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat.turnfile import read
from pbem.home.home import Home
from pbem.ledger.gate import public_view
from pbem.table.film import film_of
from pbem.table.open_games import OpenGame
from pbem.turn import joining, open_game
from pbem.turn.own_report import own_faces
from tests.bench.table import played
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import AT_REST

pytestmark = pytest.mark.dear("drives a browser")

GAMES: dict[str, tuple[int, int, dict[str, int]]] = {
    "tripoli": (2, 24, {}),
    "loot": (3, 30, {"players": 3}),
    "backgammon": (2, 20, {}),
    "paradise": (1, 14, {}),
}
WATCH = """() => {
    const known = ["offset", "easing", "composite", "computedOffset", "transform", "opacity"];
    window.others = new Set();
    const look = () => {
        document.getAnimations().flatMap((one) => one.effect.getKeyframes())
            .flatMap((frame) => Object.keys(frame)).filter((name) => !known.includes(name))
            .forEach((name) => others.add(name));
        requestAnimationFrame(look);
    };
    look();
}"""
"""All that moves is seen: nothing is painted between two looks."""


@pytest.fixture(scope="module", params=GAMES)
def game(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Home, Path]:
    """A game that chance has played until somebody is asked, with their home."""
    folder = tmp_path_factory.mktemp(request.param)
    home, data = played(folder, request.param, *GAMES[request.param])
    path = folder / "game.toml"
    path.write_bytes(data)
    return request.param, home, path


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Path]:
    """A game against the bot, in which a turn of the player brought many steps."""
    folder = tmp_path_factory.mktemp("alone")
    home, data = played(folder, "tripoli-solitaire", 1, 6, {"unwitnessed": 1})
    (folder / "game.toml").write_bytes(data)
    return home, folder / "game.toml"


def film_at(home: Home, data: bytes, folder: Path) -> list[dict[str, object]]:
    """All steps of a film as the player of a home sees it, when the file ends there."""
    opened = open_game.open_file(data, home)
    return film_of(OpenGame("a game", data, opened, None), 0, folder, is_trying=False).steps


def test_no_step_knows_what_came_later(game: tuple[str, Home, Path], tmp_path: Path) -> None:
    """No draw, die, opening or share that came later has left anything in a step, neither in its
    words nor on its board: the film of an older file is the beginning of the whole one."""
    _, home, path = game
    data = path.read_bytes()
    whole, ends = film_at(home, data, tmp_path), [one.end for one in read(data).entries]
    assert len(whole) > 20
    for last in (len(ends) // 3, len(ends) // 2, len(ends) - 2):
        older = film_at(home, data[: ends[last]], tmp_path)
        assert len(older) > 5 and older == whole[: len(older)]


def test_no_step_names_a_card_that_its_viewer_does_not_know(
    game: tuple[str, Home, Path], tmp_path: Path
) -> None:
    name, home, path = game
    opened = open_game.open_file(path.read_bytes(), home)
    cards, faces = opened.ledger.rules.cards, own_faces(opened)
    text = json.dumps(film_at(home, path.read_bytes(), tmp_path))
    named = {card for card in cards if re.search(rf"\b{re.escape(card)}\b(?! [a-z0-9])", text)}
    open_at_first = set(json.dumps(public_view(opened.ledger.begun())).split('"'))
    assert named <= {cards[card] for card in faces.values()} | open_at_first
    assert named or name in ("backgammon", "paradise")


@contextmanager
def at_the_table(
    chromium: Any, folder: Path, alone: tuple[Home, Path], *, hasty: bool
) -> Iterator[Visitor]:
    looked_at = alone[0].folder.glob("games/*/looked.json")
    for known in [*looked_at, alone[0].folder / "table.json"]:
        known.unlink(missing_ok=True)
    with served(alone[0], folder, alone[1]) as server:
        made = Visitor(chromium, server, hasty=hasty)
        made.page.locator("#view[data-lies]").wait_for()
        yield made
        assert made.problems == []
        made.close()


@pytest.fixture
def ann(chromium: Any, tmp_path: Path, alone: tuple[Home, Path]) -> Iterator[Visitor]:
    """The player of a game in which something is new, at the table."""
    with at_the_table(chromium, tmp_path / "files", alone, hasty=False) as made:
        yield made


@pytest.fixture
def hasty(chromium: Any, tmp_path: Path, alone: tuple[Home, Path]) -> Iterator[Visitor]:
    """The same, where a film is awaited to its end: it goes fast."""
    with at_the_table(chromium, tmp_path / "files", alone, hasty=True) as made:
        yield made


def begin(visitor: Visitor) -> None:
    visitor.page.locator("#film-button").click()
    visitor.page.locator("#film").wait_for()


@needs_browser
def test_what_is_new_is_offered_once(ann: Visitor) -> None:
    """One click begins; what was looked at is offered no more, and can be seen again by a key."""
    page = ann.page
    assert page.locator("#film-button.news").count() and not page.locator("#film").count()
    begin(ann)
    page.keyboard.press("Escape")
    page.locator("#film").wait_for(state="detached")
    page.reload()
    page.locator("#film-button:not(.news)").wait_for()
    page.keyboard.press("p")
    page.locator("#film").wait_for()


COVERED = """() => [...document.querySelectorAll(".pin.can-go")].filter((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".tools");
}).map((one) => one.dataset.place)"""


@needs_browser
def test_the_offer_lies_over_nothing_that_can_be_clicked(
    game: tuple[str, Home, Path], chromium: Any, tmp_path: Path
) -> None:
    """When a turn is opened, and once a choice was begun: in Paradise among hexes of the chart."""
    name, home, path = game
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        for width, height in ((1440, 900), (844, 390), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
            page.locator("#view[data-lies]:not(.gliding)").wait_for()
            page.locator("#film-button:visible").wait_for()
            assert page.evaluate(COVERED) == [], (name, width)
            begins = page.locator("#choices button", has_text="discover")
            if not begins.count():
                continue
            begins.first.click()
            page.locator(".pin.can-go").first.wait_for()
            page.locator("#view:not(.gliding)").wait_for()
            assert page.evaluate(COVERED) == [], (name, width, "discover")
        visitor.close()


WORDS_OVER = """() => {
  const button = document.getElementById("film-button"), one = button.getBoundingClientRect();
  if (button.classList.contains("brief")) return [];
  return [...document.querySelectorAll(".pin")].filter((pin) => {
    const other = pin.getBoundingClientRect();
    return one.left < other.right && one.right > other.left
      && one.top < other.bottom && one.bottom > other.top;
  }).map((pin) => pin.dataset.place);
}"""


@needs_browser
def test_its_words_lie_over_no_place_after_a_telephone_was_turned(
    game: tuple[str, Home, Path], chromium: Any, tmp_path: Path
) -> None:
    _, home, path = game
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator("#film-button:visible").wait_for()
        for width, height in ((1440, 900), (844, 390), (390, 844), (1024, 768), (390, 844)):
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.until(f"() => ({WORDS_OVER})().length === 0")
        visitor.close()


@needs_browser
def test_a_film_that_does_not_arrive_says_so_and_comes_with_the_next_click(ann: Visitor) -> None:
    """Neither is a click silent while the connection is broken, nor does the film stay away."""
    page = ann.page
    page.route("**/film*", lambda route: route.abort())
    page.reload()
    page.locator("#film-button.news").click()
    box = page.locator("#no-answer")
    box.wait_for()
    assert "broke off" in box.inner_text()
    page.unroute_all()
    ann.problems.clear()
    begin(ann)


@needs_browser
def test_a_proof_that_does_not_arrive_says_so(ann: Visitor) -> None:
    page = ann.page
    begin(ann)
    page.locator("#film-play").click()
    for _ in range(page.evaluate("film.steps.length")):
        if page.locator("button.thrown").count():
            break
        page.locator("#film-on").click()
    page.route("**/entry/*", lambda route: route.abort())
    page.locator("button.thrown").first.click()
    box = page.locator("#no-answer")
    box.wait_for()
    assert "broke off" in box.inner_text()
    ann.problems.clear()


@needs_browser
def test_it_is_played_paused_and_stepped_through_by_keys_and_buttons(ann: Visitor) -> None:
    page = ann.page
    begin(ann)
    page.locator("#film-play").click()
    assert page.evaluate("film.isPlaying") is False
    count, told = page.evaluate("film.steps.length"), []
    while page.evaluate("film.at"):
        page.keyboard.press("ArrowLeft")
    for number in range(count):
        told.append(page.locator(".film-words > span").text_content())
        assert page.locator("#film output").text_content() == f"{number + 1}/{count}"
        assert page.locator("#heard").text_content() == told[-1]
        page.locator("#film-on").click() if number + 1 < count else None
    assert told == [
        ". ".join(lines) for lines in page.evaluate("film.steps.map((one) => one.lines)")
    ]
    assert page.locator("#film-on").is_disabled()
    page.locator("#film-back").click()
    assert page.locator("#film output").text_content() == f"{count - 1}/{count}"
    page.locator("#film-end").click()
    page.locator("#film").wait_for(state="detached")
    assert page.evaluate(
        "JSON.stringify(board) === JSON.stringify(JSON.parse("
        "document.querySelector('#on-stage').textContent))"
    )


@needs_browser
def test_axe_finds_nothing_and_nothing_is_cut_off(ann: Visitor) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, axe = ann.page, Axe()
    begin(ann)
    page.locator("#film-play").click()
    for width, height in ((1440, 900), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(AT_REST)
        assert [one["id"] for one in axe.run(page).response["violations"]] == []
        for name in ("#film-back", "#film-play", "#film-on", "#film-end", ".film-words"):
            box = page.locator(name).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 0.5
            assert box["height"] >= (44 if name != ".film-words" else 17)


@needs_browser
def test_the_first_click_on_a_target_ends_it_and_answers_nothing(ann: Visitor) -> None:
    begin(ann)
    card = ann.cards()[0]
    ann.card(card)
    ann.page.locator("#film").wait_for(state="detached")
    assert (ann.chosen(), ann.line()) == ([], [])
    ann.card(card)
    assert ann.chosen() == [f"card:{card}"]


@needs_browser
def test_it_moves_nothing_but_by_transform_and_opacity(hasty: Visitor) -> None:
    page = hasty.page
    page.evaluate(WATCH)
    begin(hasty)
    page.locator("#film").wait_for(state="detached")
    assert page.evaluate("[...others]") == []


@needs_browser
def test_a_setting_lets_it_start_by_itself_for_five_seconds_at_most(hasty: Visitor) -> None:
    page = hasty.page
    hasty.click("[name=film-starts]")
    page.reload()
    page.locator("#film").wait_for()
    assert page.evaluate(
        "film.pace * film.steps.reduce((sum, one) => sum + timeOf(one), 0) <= 5000"
    )
    page.locator("#film").wait_for(state="detached")
    page.reload()
    page.locator("#film-button:not(.news)").wait_for()
    assert page.locator("[name=film-starts]").is_checked() and not page.locator("#film").count()


@needs_browser
def test_it_is_still_for_whoever_wants_no_motion(ann: Visitor) -> None:
    page = ann.page
    page.emulate_media(reduced_motion="reduce")
    begin(ann)
    page.locator("#film-play").click()
    page.evaluate("document.querySelector('#film-on:not(:disabled)')?.click()")
    assert page.evaluate("document.getAnimations().length") == 0
    assert not page.locator(".flying").count()


@needs_browser
def test_a_game_without_a_board_tells_its_steps_in_words(ann: Visitor) -> None:
    page = ann.page
    page.evaluate("ground = null")
    begin(ann)
    page.locator("#film-play").click()
    while page.locator("#film-on").is_enabled():
        page.locator("#film-on").click()
    assert page.locator(".film-words > span").text_content()


@needs_browser
def test_a_die_or_card_opens_its_proof(ann: Visitor) -> None:
    page = ann.page
    begin(ann)
    page.locator("#film-play").click()
    page.evaluate("runFilm(Object.assign(film, { isPlaying: false }))")
    at = page.evaluate("film.steps.findIndex((one) => one.title && (one.dice || one.cards))")
    assert at >= 0, "the game of the test has one"
    page.evaluate(f"showStep(film, {at}, false)")
    page.locator("button.thrown").first.click()
    page.locator("#besides .proof[open]").wait_for()
    assert "docs/format.md" in (page.locator("#besides").text_content() or "")


@needs_browser
def test_a_card_that_turns_up_has_the_face_that_it_has_in_a_hand(ann: Visitor) -> None:
    page = ann.page
    begin(ann)
    page.evaluate("pauseFilm(true)")
    at = page.evaluate("film.steps.findIndex((one) => one.cards)")
    assert at >= 0, "the game of the test has one"
    for size in ((1366, 768), (844, 390), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(f"showStep(film, {at}, false)")
        card, bar = page.locator(".turned-face").first, page.locator("#film").bounding_box()
        name = page.evaluate(f"film.steps[{at}].cards[0][0]")
        assert card.locator("b").inner_text() == name
        assert card.locator(".scene use").count() >= 2
        box, art = card.bounding_box(), card.locator(".scene").bounding_box()
        assert art["width"] / art["height"] == pytest.approx(1.5, abs=0.1), size
        beside = box["x"] + box["width"] <= bar["x"] + 1 or box["y"] + box["height"] <= bar["y"] + 1
        assert beside and box["y"] >= 0 and box["x"] >= 0, (size, box, bar)


@needs_browser
def test_what_comes_of_the_answers_is_a_film_too(ann: Visitor) -> None:
    """Without dice that are not thrown yet."""
    page = ann.page
    ann.give(next(answer for answer in ann.answers() if not answer.startswith("done")))
    begin(ann)
    steps = page.evaluate("film.steps")
    assert steps and not any("dice" in step or "title" in step for step in steps)


@needs_browser
def test_alone_it_runs_after_signing_then_comes_the_next_question(
    chromium: Any, tmp_path: Path
) -> None:
    home, path = make_home(tmp_path / "ann"), tmp_path / "game.toml"
    path.write_bytes(joining.invite(home, joining.NewGame("tripoli-solitaire")))
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, hasty=True)
        while visitor.answers():
            visitor.give(visitor.answers()[0])
        visitor.sign()
        page = visitor.page
        page.locator("#film").wait_for()
        steps = page.evaluate("film.steps")
        assert any("bot" in line for step in steps for line in step["lines"])
        page.locator("#film").wait_for(state="detached")
        assert page.locator("#question").text_content()
        assert visitor.problems == []
        visitor.close()
