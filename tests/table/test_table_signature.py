"""Nothing is signed but by a click of its own, on a page that shows all of what it signs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Client, Visitor, needs_browser, served


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


def complete(visitor: Visitor) -> None:
    """Answer until the turn can be signed."""
    while not visitor.page.locator('[data-action="sign"]').count():
        visitor.give(visitor.answers()[-1])


def mark(body: bytes) -> str:
    return body.partition(b'data-mark="')[2][:16].decode()


@pytest.mark.dear("drives a browser")
@needs_browser
def test_a_key_that_is_held_down_signs_nothing(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        complete(ann)
        ann.page.evaluate("document.activeElement.blur()")
        ann.page.keyboard.down("Enter")
        ann.page.locator('[data-action="sign"]').focus()
        for _ in range(5):
            ann.page.keyboard.down("Enter")  # the browser has it as a repeat
        ann.page.keyboard.up("Enter")
        ann.page.reload()
        assert ann.turn() == "yours" and not list((tmp_path / "files").iterdir())
        ann.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        ann.page.locator('[data-action="sign"]').press("Enter")
        ann.settle()
        assert ann.page.locator("main").get_attribute("data-file")
        ann.close()


@needs_browser
def test_the_last_answer_leaves_no_signing_button_under_the_key(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        complete(ann)
        assert ann.answers() == []
        assert ann.page.evaluate("document.activeElement.id") == "turn-title"
        ann.close()


@pytest.mark.dear("drives a browser")
@needs_browser
def test_the_second_half_of_a_double_click_signs_nothing(
    chromium: Any, tmp_path: Path, game: tuple[Home, Path]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        ann = Visitor(chromium, server)
        complete(ann)
        ann.page.locator('[data-action="sign"]').scroll_into_view_if_needed()
        box = ann.page.locator('[data-action="sign"]').bounding_box()
        ann.page.mouse.move(box["x"] + 5, box["y"] + 5)
        ann.page.mouse.down(click_count=2)
        ann.page.mouse.up(click_count=2)
        ann.page.reload()
        assert ann.turn() == "yours" and not list((tmp_path / "files").iterdir())
        assert ann.sign().endswith(".toml")
        ann.close()


@needs_browser
@pytest.mark.parametrize("scripts", [True, False])
def test_a_new_game_is_begun_in_a_real_browser(
    chromium: Any, tmp_path: Path, scripts: bool
) -> None:
    """A form that the browser sends by itself has the origin that the guard asks for."""
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        ann = Visitor(chromium, server, **({} if scripts else {"java_script_enabled": False}))
        ann.page.locator("button", has_text="Write the invitation").click()
        ann.page.wait_for_url("**/game/**")
        assert len(list((tmp_path / "files").glob("*-0000.toml"))) == 1
        assert ann.problems == []
        ann.close()


@pytest.mark.parametrize(
    "late", [{"say": "yes", "message": "unseen"}, {"keep-note": "yes", "note": "unseen"}]
)
def test_a_page_that_is_behind_signs_no_words_it_does_not_show(
    tmp_path: Path, game: tuple[Home, Path], late: dict[str, str]
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        client = Client(server)
        place = client.enter().headers["location"]
        shown = client.ask("GET", place).body
        start = shown.index(b'data-answer="build with ') + len(b'data-answer="')
        answer = shown[start : shown.index(b'"', start)].decode().replace("&#39;", "'")
        old = mark(client.post(f"{place}/do", mark=mark(shown), answer=answer).body)
        new = mark(client.post(f"{place}/do", mark=old, **late).body)
        refused = client.post(f"{place}/do", mark=old, sign="yes").body
        assert b"was behind" in refused and not list((tmp_path / "files").iterdir())
        assert b"data-file=" in client.post(f"{place}/do", mark=new, sign="yes").body
        (file,) = (tmp_path / "files").glob("*.toml")
        assert turnfile.read(file.read_bytes()).entries[-1].number == 2


@pytest.mark.dear("drives a browser")
@pytest.mark.parametrize("step", ["line", "drop-line", "drop-order", "back"])
@pytest.mark.parametrize("number", ["9" * 5000, "-1", "²", "x", ""])
def test_a_number_that_is_none_changes_nothing(
    tmp_path: Path, game: tuple[Home, Path], step: str, number: str
) -> None:
    with served(game[0], tmp_path / "files", game[1]) as server:
        client = Client(server)
        place = client.enter().headers["location"]
        before = mark(client.ask("GET", place).body)
        answer = client.post(f"{place}/do", mark=before, **{step: number})
        assert answer.status == 200 and mark(answer.body) == before
        assert client.ask("GET", f"{place}/entry/{'9' * 5000}").status == 404
