"""A game that somebody else has written, on the stage: with the faces of its cards, and with plain
ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.table import played
from tests.support.browsers import needs_puppeteer
from tests.support.homes import make_home
from tests.support.plugins import PACKAGE, Site, change
from tests.support.table_kit import Client, Visitor, needs_browser, served
from tests.support.web_tabs import Browsers
from tests.table.test_table_browsers import check_in_firefox
from tests.table.test_table_stage import SHIFTS, SIZES, check, ends_at, in_windows

pytestmark = pytest.mark.dear("drives a browser")

LIGHTS = ("light", "dark")
FACES = f'    faces="{PACKAGE}.board:TABLE.faces",\n'
STAGE = "    stage=TABLE_STAGE,\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    made = Site(tmp_path / "site", monkeypatch)
    made.install()
    yield made
    made.remove()


def without(site: Site, *texts: str) -> None:
    """The plug-in as it is without these lines of its descriptor."""
    for text in texts:
        change(site.folder / PACKAGE / "__init__.py", text, "")
    site.forget()


def cards_of(visitor: Visitor, part: str) -> list[str]:
    """What stands in this part of each card of the hand."""
    found: list[str] = visitor.page.locator(f".held .card {part}").all_inner_texts()
    return found


@needs_browser
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.usefixtures("site")
def test_a_plugin_is_a_stage_at_every_size(chromium: Any, tmp_path: Path, light: str) -> None:
    home, data = played(tmp_path, "goofspiel", 2, 3, {}, least=3)
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, color_scheme=light, still=SIZES[0])
        for size in in_windows(visitor):
            visitor.page.evaluate(SHIFTS)
            check(visitor, size)
            end = ends_at(visitor)
            card = visitor.cards()[0]
            visitor.card(card)
            visitor.page.locator("#besides").wait_for()
            check(visitor, size)
            visitor.use(f"lay {card}")
            check(visitor, size)
            assert ends_at(visitor) == end
            visitor.click('[data-action="back"]')
            assert visitor.page.evaluate("window.shifts") == []
        assert visitor.problems == []
        visitor.close()


@needs_browser
@pytest.mark.parametrize("light", LIGHTS)
def test_a_game_without_a_backdrop_is_measured_too(
    chromium: Any, tmp_path: Path, site: Site, light: str
) -> None:
    """Its pieces are words, on a plain ground."""
    without(site, STAGE)
    home, data = played(tmp_path, "goofspiel", 2, 3, {}, least=3)
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, color_scheme=light, still=SIZES[0])
        for size in in_windows(visitor):
            assert "3 cards in hand" in visitor.page.locator("#view").inner_text()
            visitor.page.evaluate(SHIFTS)
            check(visitor, size)
            visitor.card(visitor.cards()[0])
            visitor.page.locator("#besides").wait_for()
            check(visitor, size)
            visitor.use(visitor.offered()[0])
            check(visitor, size)
            visitor.click('[data-action="back"]')
            assert visitor.page.evaluate("window.shifts") == []
        assert visitor.problems == []
        visitor.close()


@needs_puppeteer
@pytest.mark.usefixtures("site")
def test_a_plugin_is_measured_in_firefox(tmp_path: Path, browsers: Browsers) -> None:
    home, data = played(tmp_path, "goofspiel", 2, 3, {}, least=3)
    check_in_firefox(browsers, home, data, tmp_path, ".held .can-go")


@needs_browser
def test_a_plugin_gives_its_cards_faces_and_others_are_plain(
    chromium: Any, tmp_path: Path, site: Site
) -> None:
    home, data = played(tmp_path, "goofspiel", 2, 3, {}, least=3)
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        drawn = visitor.page.locator(".held .card .art use").evaluate_all(
            "all => all.map(one => one.getAttribute('href'))"
        )
        values = [str(1 + int(href.split("-")[1])) for href in drawn]
        assert len(values) == 3 and cards_of(visitor, ".gist") == []
        visitor.close()
    without(site, FACES)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        told = cards_of(visitor, ".gist")
        assert cards_of(visitor, ".art") == []
        assert [text.split()[1] for text in told] == values, "the beginning of their texts"
        assert visitor.problems == []
        visitor.close()


def drag(visitor: Visitor, card: str, spot: tuple[float, float]) -> None:
    """Drag a card of the hand with the mouse, and let it go there."""
    mouse = visitor.page.mouse
    box = visitor.page.locator(f'.held [data-card="{card}"]').bounding_box()
    assert box is not None
    mouse.move(box["x"] + 20, box["y"] + 30)
    mouse.down()
    mouse.move(box["x"] + 30, box["y"] + 10, steps=3)
    mouse.move(*spot, steps=4)
    mouse.up()


@needs_browser
@pytest.mark.usefixtures("site")
def test_a_card_is_dragged_to_the_table_and_the_film_shows_which_card_went_where(
    chromium: Any, tmp_path: Path
) -> None:
    home, data = played(tmp_path, "goofspiel", 2, 7, {}, least=3)
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        card = visitor.cards()[1]
        drag(visitor, card, (20, 880))  # beside the board: it stays chosen
        assert visitor.line() == [] and visitor.chosen() == [f"card:{card}"]
        view = visitor.page.locator("#view").bounding_box()
        visitor.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        drag(visitor, card, (view["x"] + view["width"] / 2, view["y"] + view["height"] / 3))
        visitor.settle()
        assert visitor.line() == [f"lay {card}"] and visitor.problems == []
        visitor.click('[data-action="back"]')
        visitor.page.evaluate("playFilm()")
        visitor.until("() => film.steps?.length")
        moves = visitor.page.evaluate("film.steps.flatMap((step) => step.moves ?? [])")
        ways = {(source, target) for _, _, source, target in moves}
        assert ("pile of first", "first") in ways or ("pile of second", "second") in ways
        assert {name for way in ways for name in way} <= set(
            visitor.page.evaluate("[...pins.keys()]")
        )
        assert any(kind.startswith("card-") and kind[5:].isdigit() for kind, *_ in moves)
        visitor.close()


def test_its_box_on_the_shelf_has_its_board(tmp_path: Path, site: Site) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert b"/sample/goofspiel.svg" in client.ask("GET", "/").body
        drawn = client.ask("GET", "/sample/goofspiel.svg")
        assert drawn.status == 200 and drawn.body.startswith(b"<svg")
        assert client.ask("GET", "/sample/nothing.svg").status == 404
