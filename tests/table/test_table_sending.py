"""What is left to do with a signed turn at the table: send it, or say that it was sent another
way."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest

from pbem.cli import inbox
from pbem.home.home import Home
from pbem.mail import transport
from tests.support.effort import PATIENCE
from tests.support.mail_kit import start
from tests.support.table_kit import Client, Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")


@pytest.fixture
def joined(tmp_path: Path) -> tuple[Home, Path]:
    """The home of somebody who has joined by the command line, and the file that they have not
    sent."""
    game = start(tmp_path / "game")
    path = tmp_path / "turn.toml"
    path.write_bytes(game.newest)
    return game.homes["tripolitan"], path


def set_up(home: Home) -> None:
    (home.folder / "mail.toml").write_text('[send]\nprogram = ["true"]\n')


@needs_browser
def test_a_turn_that_was_sent_another_way_is_noted_by_a_button(
    chromium: object, joined: tuple[Home, Path], tmp_path: Path
) -> None:
    home, path = joined
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        assert page.locator("[name=send]").count() == 0, "no server is known"
        page.locator("[name=sent]").click()
        page.locator(".signed h2", has_text="Noted as sent").wait_for()
        assert "Noted as sent" in page.locator(".signed").inner_text()
        page.reload()
        page.locator("h1").wait_for()
        assert page.locator(".signed, [name=sent]").count() == 0
        assert visitor.problems == []
        visitor.close()
    assert not inbox.look(home, [])[0].games[0].not_sent


def test_a_turn_of_another_day_can_still_be_sent(
    joined: tuple[Home, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, path = joined
    set_up(home)
    mails: list[bytes] = []
    real = transport.letter_of
    monkeypatch.setattr(
        transport,
        "letter_of",
        lambda made, *given, **more: mails.append(made) or real(made, *given, **more),
    )
    with served(home, tmp_path / "files", path) as server:
        client = Client(server)
        client.enter()
        (address,) = {
            found.partition('"')[0]
            for found in client.ask("GET", "/").body.decode().split('href="/game/')[1:]
        }
        whole = client.ask("GET", f"/game/{address}").body.decode()
        assert 'name="send"' in whole and 'name="sent"' in whole
        mark = whole.partition('data-mark="')[2].partition('"')[0]
        assert (
            b"Sent to ann@example.org"
            in client.post(f"/game/{address}/do", mark=mark, send="yes").body
        )
        after = client.ask("GET", f"/game/{address}").body
        assert b'name="send"' not in after and b'name="sent"' not in after
    assert len(mails) == 1


PROGRAMS = {"it takes the mail": "exit 0", "it may have the mail": "exit 1"}


@pytest.mark.parametrize("windows", ["one table", "two tables"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_two_clicks_at_once_send_one_mail(
    joined: tuple[Home, Path], tmp_path: Path, program: str, windows: str
) -> None:
    home, path = joined
    taken, go = tmp_path / "taken", tmp_path / "go"
    wait = f"for i in $(seq {10 * PATIENCE}); do [ -e {go} ] && break; sleep 0.1; done"
    line = f"echo >> {taken}; {wait}; {PROGRAMS[program]}"
    (home.folder / "mail.toml").write_text(f"[send]\nprogram = ['sh', '-c', '{line}']\n")
    with served(home, tmp_path / "one", path) as one, served(home, tmp_path / "two", path) as two:
        clients = [Client(one), Client(two)]
        for client in clients:
            client.enter()
        if windows == "one table":
            clients[1] = clients[0]
        found = re.search(r'href="(/game/[^"/]+)"', clients[0].ask("GET", "/").body.decode())
        assert found is not None
        page, said = found[1], list[str]()

        def click(client: Client, form: dict[str, str]) -> None:
            said.append(client.post(f"{page}/do", **form).body.decode())

        clicks = [
            threading.Thread(target=click, args=(client, the_form(client, page)))
            for client in clients
        ]
        for one_click in clicks:
            one_click.start()
        until = time.monotonic() + PATIENCE
        while not taken.exists() and time.monotonic() < until:
            time.sleep(0.02)
        go.touch()
        for one_click in clicks:
            one_click.join(PATIENCE)
        assert taken.read_text() == "\n"
        is_taken = program == "it takes the mail"
        assert ["nothing was sent twice" in text for text in said].count(True) == 1, said
        assert all(('name="send"' in text) != is_taken for text in said)
        if not is_taken:  # whoever has seen that it may not have arrived sends it again
            clients[0].post(f"{page}/do", **the_form(clients[0], page))
            assert taken.read_text() == "\n\n"


def the_form(client: Client, page: str) -> dict[str, str]:
    """What the button that sends posts from the page as it is now."""
    whole = client.ask("GET", page).body.decode()
    mark, send = (
        re.search(f'{name}="([^"]+)"', whole) for name in ("data-mark", 'name="send" value')
    )
    assert mark is not None and send is not None, whole
    return {"mark": mark[1], "send": send[1]}
