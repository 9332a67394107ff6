"""Attacks on the table from other pages, other hosts and other programs: each law of
`pbem.table.guard`."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.table_kit import Client, Visitor, needs_browser, served

PAGE = "/"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("table")
    with served(make_home(folder / "ann"), folder / "files") as server:
        client = Client(server)
        assert client.enter().status == 303
        yield client


def test_the_own_page_is_answered(client: Client) -> None:
    answer = client.ask("GET", PAGE)
    assert answer.status == 200 and b"Your games" in answer.body


def test_the_token_is_good_for_one_exchange_and_leaves_the_address(client: Client) -> None:
    answer = Client(client.server).enter()
    assert answer.status == 303 and answer.headers["location"] == "/"
    assert "set-cookie" not in answer.headers
    assert Client(client.server).ask("GET", PAGE, site="none").status == 403


@pytest.mark.parametrize(
    "path", ["//evil.example.org", "/%5Cevil.example.org", "/game/..//evil.example.org", "/take"]
)
def test_the_exchange_leads_to_no_other_site(client: Client, path: str) -> None:
    answer = client.ask("GET", f"{path}?token=x", site="none")
    assert answer.status == 303 and answer.headers["location"] == "/"


def test_the_cookie_is_for_this_port_and_no_script(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        cookie = Client(server).enter().headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name == f"pbem-table-{server.port}"
    assert "httponly" in rest.lower() and "samesite=strict" in rest.lower()
    assert server.url.split("token=")[1] not in cookie


@pytest.mark.parametrize("path", [PAGE, "/game/tripoli-12345678", "/static/table.js", "/nothing"])
@pytest.mark.parametrize("cookie", ["", "pbem-table-1=x", "wrong"])
def test_nothing_without_the_cookie(client: Client, path: str, cookie: str) -> None:
    stranger = Client(client.server, cookie.replace("wrong", client.cookie[:-2]))
    assert stranger.ask("GET", path).status == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example.org", "localhost", "127.0.0.1", "evil.example.org:{port}", "localhost:{port}"],
)
def test_a_name_that_points_here_is_refused(client: Client, host: str) -> None:
    assert client.ask("GET", PAGE, host=host.format(port=client.server.port)).status == 403


def test_two_hosts_are_refused(client: Client) -> None:
    assert client.ask("GET", PAGE, x_forwarded_host="evil.example.org").status == 200
    port = client.server.port
    assert client.ask("GET", PAGE, host=f"127.0.0.1:{port}, evil.example.org").status == 403


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example.org", "https://127.0.0.1:{port}", "http://127.0.0.1"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_origin_is_refused(client: Client, method: str, origin: str) -> None:
    answer = client.ask(method, "/take", b"x", origin=origin.format(port=client.server.port))
    assert answer.status == 403


def test_a_form_without_an_origin_is_refused(client: Client) -> None:
    assert client.ask("POST", "/take", b"x", origin="").status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "None", "same-origin, cross-site"])
def test_requests_of_other_sites_are_refused(client: Client, site: str) -> None:
    assert client.ask("GET", PAGE, site=site).status == 403
    assert client.ask("POST", "/take", b"x", site=site).status == 403


def test_only_a_navigation_may_come_from_nowhere(client: Client) -> None:
    assert client.ask("GET", PAGE, site="none").status == 200
    assert client.ask("GET", PAGE, site="none", sec_fetch_mode="no-cors").status == 403
    assert client.ask("POST", "/take", b"x", site="none").status == 403


def test_every_answer_has_a_strict_policy(client: Client) -> None:
    for path in (PAGE, "/static/table.css", "/nothing"):
        headers = client.ask("GET", path).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'"
        )
        assert "unsafe" not in headers["content-security-policy"]
        assert (
            headers["cache-control"] == "no-store" and headers["referrer-policy"] == "same-origin"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/tripoli", "/game/..%2f..%2fx"]
)
def test_no_file_beside_the_own_ones(client: Client, path: str) -> None:
    assert client.ask("GET", path).status == 404


def test_too_much_is_refused(client: Client) -> None:
    assert client.ask("POST", "/new", b"a=" + b"x" * 200_000).status == 413
    assert client.ask("POST", "/new", b"a=1&" * 5000).status == 413


def test_rubbish_that_is_dropped_is_told(client: Client) -> None:
    answer = client.ask("POST", "/take?name=%3Cb%3E", b"\xff\x00 nothing")
    assert answer.status == 200 and b"there is no turn in it" in answer.body
    assert answer.headers["content-type"] == "application/json"


def test_it_ends_when_nobody_looks(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files", idle=0.2) as server:
        until = time.monotonic() + PATIENCE
        while not server._server.should_exit:
            if time.monotonic() > until:
                raise AssertionError("it goes on without anybody looking")
            time.sleep(0.05)


def test_whoever_is_refused_does_not_keep_it_open(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files", idle=0.2) as server:
        stranger = Client(server)
        until = time.monotonic() + PATIENCE
        while not server._server.should_exit:
            if time.monotonic() > until:
                raise AssertionError("a stranger keeps it open")
            with suppress(OSError, HTTPException):  # it may end meanwhile
                stranger.ask("GET", PAGE)
            time.sleep(0.05)


def test_what_strangers_send_wrongly_is_not_written_to_the_terminal(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = (
        b"\x1b[2J nothing\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    )
    for data in wrong:
        with socket.create_connection(
            ("127.0.0.1", client.server.port), timeout=PATIENCE
        ) as connection:
            connection.sendall(data)
            assert connection.recv(100).startswith(b"HTTP/1.1 40")
    assert caplog.records == []


def test_a_home_that_is_damaged_says_so(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        (identity,) = (tmp_path / "ann").glob("identity*")
        identity.write_bytes(b"x")
        answer = client.ask("POST", "/take", b"x")
        assert answer.status == 400 and b"identity" in answer.body


_EVIL = """<!DOCTYPE html><title>evil</title>
<iframe name="there" src="{table}/"></iframe><img src="{table}/game/x/entry/1">
<script src="{table}/static/table.js"></script>
<form method="post" action="{table}/new" target="there"><input name="game" value="tripoli"></form>
<script>
document.forms[0].submit();
const asked = ["/take", "/new", "/game/x/do"].map((path) =>
  fetch("{table}" + path, {{ method: "POST", mode: "no-cors", credentials: "include", body: "game=tripoli" }}));
const read = fetch("{table}/", {{ credentials: "include" }}).then((one) => one.text());
Promise.allSettled([...asked, read]).then((all) => {{
  document.title = `done ${{all.at(-1).status}} ${{typeof main}}`;
}});
</script>"""  # noqa: E501


class _Evil(BaseHTTPRequestHandler):
    """A page of somebody else on another port of this machine, to which the browser shows the
    table's cookie."""

    page = b""
    cookies: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.cookies.append(str(self.headers.get("Cookie")))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: object) -> None:
        """Nothing is written to the terminal."""


@pytest.mark.dear("drives a browser")
@needs_browser
def test_a_page_on_another_port_does_and_reads_nothing(chromium: Any, tmp_path: Path) -> None:
    """The worst neighbour: the same site for a browser, so that the cookie goes with its requests.
    And two homes in one browser do not meet."""
    evil = ThreadingHTTPServer(("127.0.0.1", 0), _Evil)
    thread = threading.Thread(target=evil.serve_forever, args=(0.02,))
    thread.start()
    try:
        homes = [make_home(tmp_path / name, name) for name in ("Ann", "Ben")]
        with (
            served(homes[0], tmp_path / "a") as first,
            served(homes[1], tmp_path / "b") as second,
        ):
            ann = Visitor(chromium, first)
            ben = ann.page.context.new_page()
            ben.goto(second.url)
            ann.page.reload()
            assert "Ann" in ann.page.locator("header").inner_text()
            assert "Ben" in ben.locator("header").inner_text()
            _Evil.page = _EVIL.format(table=f"http://127.0.0.1:{first.port}").encode()
            ben.goto(f"http://127.0.0.1:{evil.server_port}/")
            ben.wait_for_function("document.title.startsWith('done')")
            # it reads nothing and runs none of the table's scripts
            assert ben.title() == "done rejected undefined"
            assert f"pbem-table-{first.port}=" in _Evil.cookies[0]
            ann.page.reload()
            assert "No games yet" in ann.page.locator("main").inner_text()
            assert not list((tmp_path / "a").iterdir()) and not list(
                (tmp_path / "Ann" / "games").glob("*")
            )
            ann.close()
    finally:
        evil.shutdown()
        thread.join(PATIENCE)
        evil.server_close()
