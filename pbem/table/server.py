"""The server of the table: on the loopback address, a port of the system's choice, for as long as
somebody looks.

The one module that knows of Starlette and uvicorn: it turns what a browser sends into a
`PageRequest`, and sends the answer back.
"""

from __future__ import annotations

import asyncio
import gc
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

import uvicorn
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pbem.table.guard import Guard, with_policy
from pbem.table.request import Headers, PageAnswer, html, most_bytes, read_request, too_long
from pbem.table.routes import Table

IDLE = 3600.0
"""Seconds without a request after which the table ends. A page that is looked at asks for news
twice a minute."""
SMALL = 250_000
"""Bytes of a request of which many may be in memory at the same time."""
LONGEST_UPLOAD = 60.0
"""Seconds in which a longer one has to come, since others wait for it."""
PAUSE = 0.1
"""Seconds after an answer in which the browser draws it; then the next one is prepared."""


class TableServer:
    """The table at an address of its own; `run` serves until Ctrl-C or until nobody has looked for
    an hour.

    `url` is the address of `path` with the token that lets one browser in."""

    def __init__(self, table: Table, path: str = "/", *, idle: float = IDLE) -> None:
        # named as TCP: else asyncio leaves Nagle on, and answers wait 40 ms for their end
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        # 96 bits, good for one exchange: so the address of a game fits a line of a terminal
        token = secrets.token_urlsafe(12)
        self.url = f"http://127.0.0.1:{self.port}{path}?token={token}"
        self._idle = idle
        self._newest = time.monotonic()
        self._table = table
        self._guard = Guard(self.port, token)
        self._lock = threading.Lock()  # the games of a home are changed by one request at a time
        self._turns, self._large = asyncio.Lock(), asyncio.Lock()
        self._prepares: asyncio.TimerHandle | None = None
        config = uvicorn.Config(
            self._serve_one,
            access_log=False,
            log_config=None,
            # what strangers send wrongly is not written to the player's terminal
            log_level="error",
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            ws="none",
            interface="asgi3",
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)

    def run(self, when_ready: Callable[[], None] = lambda: None) -> None:
        """Serve. `when_ready` is called once the address answers."""
        with suppress(KeyboardInterrupt):
            asyncio.run(self._serve(when_ready))

    def stop(self) -> None:
        """End it soon; may be called from any thread."""
        self._server.should_exit = True

    async def _serve(self, when_ready: Callable[[], None]) -> None:
        watch = asyncio.create_task(self._watch(when_ready))
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            watch.cancel()
            gc.enable()

    async def _watch(self, when_ready: Callable[[], None]) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(when_ready)
        while time.monotonic() - self._newest < self._idle:
            await asyncio.sleep(min(5.0, self._idle / 4))
        self.stop()

    async def _serve_one(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, from what uvicorn has read of it to the answer."""
        if scope["type"] != "http":
            return
        asked = Request(scope, receive)
        headers = [(name.lower(), value) for name, value in asked.headers.items()]
        answer = self._guard.stop(asked.method, scope["path"], scope["query_string"], headers)
        if answer is None:
            self._newest = time.monotonic()  # whoever is stopped is nobody who looks
            try:
                answer = await self._asked(asked, str(scope["path"]), headers)
            except ClientDisconnect:
                return  # the browser has given up: nobody is there to be answered
        answer = with_policy(answer)
        await Response(answer.body, answer.status, dict(answer.headers))(scope, receive, send)
        self._prepare_later()

    def _prepare_later(self) -> None:
        """Once nobody has asked for a moment: make ready what the next answer needs, and let Python
        look through its memory again, so that no click waits for either."""

        def prepare() -> None:
            try:
                with self._lock:
                    self._table.games.make_spare()
            finally:
                gc.enable()

        if self._prepares is not None:
            self._prepares.cancel()
        loop = asyncio.get_running_loop()
        self._prepares = loop.call_later(PAUSE, loop.run_in_executor, None, prepare)

    async def _asked(self, asked: Request, path: str, headers: Headers) -> PageAnswer:
        """What the pages answer, once everything has come. Raises `ClientDisconnect`."""
        async with AsyncExitStack() as held:
            body = await self._body(asked, path, held)
            if len(body) > most_bytes(path):
                return too_long(path)  # the rest is not read
            found = read_request(asked.method, path, asked.url.query, headers, bytes(body))
            if found is None:
                return html("", 413)

            def made() -> PageAnswer:
                gc.disable()
                with self._lock:
                    return self._table.answer(found)

            async with self._turns:
                # of many pages that nobody waits for any more none is made
                if asked.method == "GET" and await asked.is_disconnected():
                    raise ClientDisconnect
                return await run_in_threadpool(made)

    async def _body(self, asked: Request, path: str, held: AsyncExitStack) -> bytearray:
        """What is sent along, up to a bit more than may be. Of long ones one is in memory at a
        time, until `held` is left: the others wait in their connections."""
        body = bytearray()
        try:
            async with asyncio.timeout(None) as limit:
                async for chunk in asked.stream():
                    if len(body) <= SMALL < len(body) + len(chunk):
                        await held.enter_async_context(self._large)
                        limit.reschedule(asyncio.get_running_loop().time() + LONGEST_UPLOAD)
                    body += chunk
                    if len(body) > most_bytes(path):
                        break
        except TimeoutError as error:
            raise ClientDisconnect from error
        return body
