"""Messages and notes at the table: nothing that somebody wrote is lost, and what cannot be signed
is said."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.table import routes
from pbem.table.request import PageAnswer, PageRequest
from pbem.turn import joining, open_game
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.table_kit import Client, Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")


@pytest.fixture
def game(tmp_path: Path) -> tuple[Home, Path]:
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


def unfold(visitor: Visitor, field: str) -> None:
    fold = visitor.page.locator("details", has=visitor.page.locator(f"#{field}")).last
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()


def write(visitor: Visitor, field: str, text: str) -> None:
    """Write into a field, and wait until it is kept."""
    unfold(visitor, field)
    visitor.page.locator(f"#{field}").fill(text)
    with visitor.page.expect_response("**/words"):
        pass


def a_build(visitor: Visitor) -> str:
    return next(answer for answer in visitor.answers() if answer.startswith("build with"))


@needs_browser
@pytest.mark.parametrize("field", ["message", "note"])
def test_a_text_survives_leaving_and_answers(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path], field: str
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        write(ann, field, "می‌روم\tto sea")
        ann.page.reload()
        # a pasted tab is a blank
        assert ann.page.locator(f"#{field}").input_value() == "می‌روم to sea"
        ann.give(a_build(ann))
        assert ann.page.locator(f"#{field}").input_value() == "می‌روم to sea"
        unfold(ann, field)
        ann.page.locator(f"#{field}").fill("in a hurry")
        ann.page.goto(ann.page.url.partition("/game")[0])  # before the pause after which it is kept
        ann.page.go_back()
        ann.page.reload()
        assert ann.page.locator(f"#{field}").input_value() == "in a hurry"
        if field == "message":
            name = ann.sign()
            assert (
                turnfile.read((tmp_path / "files" / name).read_bytes()).entries[-1].text("message")
                == "in a hurry"
            )
        assert ann.problems == []
        ann.close()


@needs_browser
@pytest.mark.parametrize(
    ("text", "place", "name"),
    [("wi\u00adnd", 3, "SOFT HYPHEN"), ("a\u202eb", 2, "RIGHT-TO-LEFT OVERRIDE")],
)
def test_what_cannot_be_signed_is_said_and_left_out_by_a_button(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path], text: str, place: int, name: str
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        write(ann, "message", text)
        told = ann.page.locator("#message-problem")
        told.wait_for()
        assert name in told.inner_text() and f"line 1, character {place}" in told.inner_text()
        ann.give(a_build(ann))
        assert ann.page.locator("#message").input_value() == text
        ann.click('[data-action="sign"]')
        assert ann.turn() == "yours" and name in ann.page.locator(".refusal").first.inner_text()
        assert ann.page.locator("#message").input_value() == text
        ann.click('button[name="leave-out"][value="message"]')
        assert not ann.page.locator("#message-problem").is_visible()
        assert ann.sign().endswith(".toml")
        ann.close()


@needs_browser
def test_a_page_that_is_behind_shows_what_was_written_on_it(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        other = ann.page.context.new_page()
        other.goto(ann.page.url)
        ann.give(a_build(ann))
        other.locator("summary", has_text="A message").click()
        other.locator("#message").fill("from the other window")
        other.locator("#behind a").click()
        other.locator("text=What you had written").wait_for()
        assert other.locator("textarea[readonly]").input_value() == "from the other window"
        assert (
            other.locator(".line li").count() == 1 and other.locator("#message").input_value() == ""
        )
        other.close()
        ann.close()


@needs_browser
def test_a_text_that_is_too_long_to_be_kept_stays_on_the_page(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        ann.page.locator("summary", has_text="A message").click()
        ann.page.locator("#message").fill("x" * 20_001)
        ann.give(a_build(ann))
        assert ann.page.locator("textarea[readonly]").input_value() == "x" * 20_001
        ann.close()


@needs_browser
def test_a_signed_turn_is_no_news_once_the_next_is_made(chromium: Any, tmp_path: Path) -> None:
    ann = make_home(tmp_path / "ann")
    path = tmp_path / "game.toml"
    path.write_bytes(joining.invite(ann, joining.NewGame("tripoli-solitaire")))
    with served(ann, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        while visitor.answers():
            visitor.give(visitor.answers()[0])
        file = visitor.sign()
        assert visitor.page.locator(".signed").count() == 0, "alone the next question stands there"
        assert visitor.page.locator(".work .since").first.inner_text() == "Signed."
        visitor.give(visitor.answers()[0])
        assert visitor.page.locator("main").get_attribute("data-file") is None
        visitor.page.locator(".signed-before summary").click()
        assert visitor.page.locator(".signed-before a").first.inner_text() == file
        visitor.close()


@needs_browser
def test_a_server_that_hangs_is_said_after_a_second(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    release, real = threading.Event(), routes.Table.answer

    def late(table: routes.Table, asked: PageRequest) -> PageAnswer:
        if asked.path.endswith("/do"):
            release.wait(PATIENCE)
        return real(table, asked)

    monkeypatch.setattr(routes.Table, "answer", late)
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        answer = a_build(ann)
        ann.page.locator("[data-answer]").evaluate_all(
            "(all, wanted) => all.find(one => one.dataset.answer === wanted).click()", answer
        )
        ann.page.locator("#busy").wait_for(state="visible")
        release.set()
        ann.page.locator("#busy").wait_for(state="hidden")
        ann.page.locator(".line li").wait_for()
        ann.close()


def test_an_upload_that_is_broken_off_is_no_traceback(
    tmp_path: Path,
    game: tuple[Home, Path],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with served(game[0], tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        origin = f"http://127.0.0.1:{server.port}"
        head = (
            f"POST /take HTTP/1.1\r\nHost: {origin[7:]}\r\nOrigin: {origin}\r\nSec-Fetch-Site:"
            f" same-origin\r\nCookie: {client.cookie}\r\nContent-Length: 1000000\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(head.encode() + b"x" * 1000)
        # it goes on, and has dealt with what was broken off
        assert client.ask("GET", "/").status == 200
    assert caplog.records == [] and "Traceback" not in capfd.readouterr().err
