"""What comes to the table from outside: files dropped with a mouse, chosen, and text that is
pasted."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import armor, link
from pbem.home.home import Home
from pbem.ledger import invitation
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Client, Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")


@pytest.fixture
def invited(tmp_path: Path) -> tuple[Home, bytes]:
    """Ben's home, and a game that Ann invites to."""
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    return ben, joining.invite(ann, joining.NewGame("tripoli"))


def drop(visitor: Visitor, *paths: Path) -> None:
    """Let files fall on the page, as the system's file manager does."""
    session = visitor.page.context.new_cdp_session(visitor.page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})


@needs_browser
def test_a_turn_file_and_a_mail_are_dropped_on_the_first_page(
    chromium: Any, tmp_path: Path, invited: tuple[Home, bytes]
) -> None:
    ben, data = invited
    mail = EmailMessage()
    mail["Subject"] = "an invitation"
    mail.set_content(f"Hello Ben,\n\n{armor.wrap(data)}\n")
    other = joining.invite(Home(tmp_path / "ann"), joining.NewGame("loot", options={"players": 2}))
    (tmp_path / "turn.toml").write_bytes(other)
    (tmp_path / "saved.eml").write_bytes(bytes(mail))
    (tmp_path / "holiday.txt").write_text("no turn at all")
    with served(ben, tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        drop(visitor, *(tmp_path / name for name in ("turn.toml", "saved.eml", "holiday.txt")))
        visitor.page.locator("#games h2", has_text="Invitations").wait_for()
        assert visitor.page.locator("#games .game").count() == 2
        told = visitor.page.locator("#taken").inner_text()
        assert told.count("taken in") == 2 and "holiday.txt" in told
        visitor.page.locator("#taken a").first.click()
        visitor.page.locator('[name="join"]').wait_for()
        assert visitor.problems == []
        visitor.close()


@needs_browser
@pytest.mark.parametrize("how", ["keys", "link", "field", "choose"])
def test_an_armored_text_or_a_link_is_pasted_and_a_file_chosen(
    chromium: Any, tmp_path: Path, invited: tuple[Home, bytes], how: str
) -> None:
    ben, data = invited
    text = f"> Hello Ben,\n> \n{armor.wrap(data)}"
    (tmp_path / "turn.toml").write_bytes(data)
    with served(ben, tmp_path / "files") as server:
        more = (
            {"permissions": ["clipboard-read", "clipboard-write"]}
            if how in ("keys", "link")
            else {}
        )
        visitor = Visitor(chromium, server, **more)
        if how in ("keys", "link"):
            text = (
                text
                if how == "keys"
                else f"come and play: {link.join_link('https://ann.example.org/', data)}"
            )
            visitor.page.evaluate("text => navigator.clipboard.writeText(text)", text)
            visitor.page.keyboard.press("Control+V")
        elif how == "field":
            visitor.page.locator("#take-text").fill("hello Ben, your turn")
            visitor.page.locator("#take-it").click()
            visitor.page.locator("#taken li", has_text="or the link that came").wait_for()
            assert visitor.page.locator("#take-text").input_value() == "hello Ben, your turn"
            visitor.page.locator("#take-text").fill(text)
            visitor.page.locator("#take-it").click()
            visitor.page.locator("#taken a").wait_for()
            assert visitor.page.locator("#take-text").input_value() == ""
            assert visitor.page.locator("#taken li").count() == 2
        else:
            visitor.page.locator("#take-file").set_input_files(str(tmp_path / "turn.toml"))
        visitor.page.locator("#games h2", has_text="Invitations").wait_for()
        assert "taken in" in visitor.page.locator("#taken").inner_text()
        assert visitor.problems == []
        visitor.close()


@needs_browser
def test_what_is_dropped_on_a_game_opens_it_as_it_is_now(
    chromium: Any, tmp_path: Path, invited: tuple[Home, bytes]
) -> None:
    ben, data = invited
    joined = joining.join(open_game.open_file(data, ben), ben)
    ann = Home(tmp_path / "ann")
    (tmp_path / "old.toml").write_bytes(data)
    (tmp_path / "new.toml").write_bytes(joined)
    (tmp_path / "wrong.toml").write_bytes(joined[:-20])
    with served(ann, tmp_path / "files", tmp_path / "old.toml") as server:
        visitor = Visitor(chromium, server)
        assert visitor.turn() == "theirs"
        drop(visitor, tmp_path / "wrong.toml")
        visitor.page.locator(".notice", has_text="wrong.toml").wait_for()
        drop(visitor, tmp_path / "new.toml")
        visitor.page.locator('main[data-turn="yours"]').wait_for()
        assert visitor.problems == []
        visitor.close()


def test_two_games_that_begin_alike_have_two_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever invites can try nonces until a game begins as another one does; the pages stay
    apart."""

    def alike(key: bytes, nonce: bytes) -> bytes:
        return bytes(4) + true_id(key, nonce)[4:]

    true_id = invitation.game_id_of
    for module in (invitation, joining):
        monkeypatch.setattr(module, "game_id_of", alike)
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    games = [
        joining.invite(ann, joining.NewGame("tripoli", seat=seat))
        for seat in ("american", "tripolitan")
    ]
    (tmp_path / "first.toml").write_bytes(games[0])
    with served(ben, tmp_path / "files", tmp_path / "first.toml") as server:
        client = Client(server)
        place = client.enter().headers["location"]
        pages = [client.ask("POST", "/take?name=x.toml", data).body for data in games]
        home = client.ask("GET", "/").body.decode()
        links = sorted(
            {
                part.partition('"')[0]
                for part in home.split('href="')[1:]
                if part.startswith("/game/")
            }
        )
        assert len(links) == 2 and place in links
        shown = [client.ask("GET", link) for link in links]
        assert [one.status for one in shown] == [200, 200]
        assert {b"american: Ann" in one.body for one in shown} == {True, False}
        assert all(link.removeprefix("/game/").encode() in b"".join(pages) for link in links)
        client.post(
            f"{links[0]}/do",
            mark=shown[0].body.partition(b'data-mark="')[2][:16].decode(),
            join="yes",
        )
        assert b"nobody yet" in client.ask("GET", links[1]).body
        assert b"nobody yet" not in client.ask("GET", links[0]).body
        short = client.ask("GET", "/game/tripoli-00000000")
        assert short.status == 404 and b"2 games begin with" in short.body
