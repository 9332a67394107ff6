"""The server of the table when much comes at once: pages that nobody waits for any more are not
made, and of long uploads one is in memory at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pbem.table import server as serving
from pbem.table.open_games import OpenGames
from pbem.table.request import TAKE, PageAnswer, PageRequest, html, most_bytes
from pbem.table.routes import Table
from pbem.table.server import TableServer
from tests.support.homes import make_home

PART = 1_000_000
T = TypeVar("T")


def in_a_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What it comes to, in a thread of its own: in this one runs the loop of the browsers that
    tests share."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


class Server:
    """A server whose pages are made at once, and what it was asked for. It is reached as uvicorn
    reaches it, without a connection."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.in_memory = self.most = 0
        self._server = TableServer(Table(OpenGames(make_home(folder / "home"), folder)))
        self._server._socket.close()  # it is reached without
        monkeypatch.setattr(self._server._guard, "stop", lambda *_given: None)
        monkeypatch.setattr(self._server, "_prepare_later", lambda: None)
        monkeypatch.setattr(self._server._table, "answer", self._answer)

    def _answer(self, asked: PageRequest) -> PageAnswer:
        self.made.append(asked.path)
        return html("<p>a page</p>")

    async def ask(self, method: str, path: str, parts: int = 0, *, is_gone: bool = False) -> int:
        """One request with so many parts of a body; whoever asks may have gone. The status of the
        answer; 0 if there was none."""
        left, status, mine = parts, 0, 0

        async def receive() -> dict[str, Any]:
            nonlocal left, mine
            if is_gone and left < 0:  # uvicorn says so at once
                return {"type": "http.disconnect"}
            await asyncio.sleep(0)
            if left > 0 or (parts == 0 and left == 0):
                left -= 1
                body = b"x" * PART if parts else b""
                mine += len(body)
                self.in_memory += len(body)
                self.most = max(self.most, self.in_memory)
                return {"type": "http.request", "body": body, "more_body": left > 0}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [],
            "server": ("127.0.0.1", 1),
        }
        await self._server._serve_one(scope, receive, send)  # type: ignore[arg-type]
        self.in_memory -= mine
        return status


def test_pages_that_nobody_waits_for_any_more_are_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(tmp_path, monkeypatch)

    async def all_at_once() -> list[int]:
        gone = [server.ask("GET", "/page", is_gone=True) for _ in range(200)]
        return await asyncio.gather(*gone, server.ask("GET", "/last"))

    assert in_a_loop(all_at_once) == [0] * 200 + [200]
    assert server.made == ["/last"]


def test_what_was_sent_is_done_though_the_browser_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(tmp_path, monkeypatch)
    in_a_loop(lambda: server.ask("POST", "/sign", is_gone=True))
    assert server.made == ["/sign"], "a click counts"


@pytest.mark.dear("uploads a gigabyte")
def test_of_long_uploads_one_is_in_memory_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, path = Server(tmp_path, monkeypatch), TAKE
    parts = most_bytes(path) // PART

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(server.ask("POST", path, parts) for _ in range(40)))

    statuses = in_a_loop(all_at_once)
    assert len(set(statuses)) == 1 and statuses[0], "each is answered"
    assert parts > 1 and server.most <= (parts + 40) * PART, "one whole, of each other one part"


def test_an_upload_that_does_not_end_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LONGEST_UPLOAD", 0.05)
    server, path = Server(tmp_path, monkeypatch), TAKE
    endless = asyncio.Event()

    async def all_at_once() -> int:
        async def stuck() -> dict[str, Any]:
            if endless.is_set():
                await asyncio.Event().wait()
            endless.set()
            return {"type": "http.request", "body": b"x" * PART, "more_body": True}

        async def send(_message: Any) -> None:
            raise AssertionError("nobody is answered")

        scope = {"type": "http", "method": "POST", "path": path, "query_string": b""}
        scope |= {"headers": [], "server": ("127.0.0.1", 1)}
        first = asyncio.create_task(server._server._serve_one(scope, stuck, send))  # type: ignore[arg-type]
        await endless.wait()
        status = await server.ask("POST", path, 2)
        await first
        return status

    assert in_a_loop(all_at_once)
