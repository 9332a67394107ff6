"""The server of the table: on the loopback address, a port of the system's choice, for as long as somebody looks."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.table.guard import Guard

IDLE = 3600.0
"""Seconds without a request after which the table ends. A page that is looked at asks for news twice a minute."""


class Server:
    """The table at an address of its own; `run` serves until Ctrl-C or until nobody has looked for an hour.

    `url` is the address of `path` with the token that lets one browser in."""

    def __init__(self, app: ASGIApp, path: str = "/", *, idle: float = IDLE) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        token = secrets.token_urlsafe(32)
        self.url = f"http://127.0.0.1:{self.port}{path}?token={token}"
        self._idle = idle
        self._newest = time.monotonic()
        self._app = app
        config = uvicorn.Config(
            Guard(self._count, self.port, token),
            access_log=False,
            log_config=None,
            log_level="error",  # what strangers send wrongly is not written to the player's terminal
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

    async def _watch(self, when_ready: Callable[[], None]) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(when_ready)
        while time.monotonic() - self._newest < self._idle:
            await asyncio.sleep(min(5.0, self._idle / 4))
        self.stop()

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Within the guard: what it refuses is nobody who looks."""
        self._newest = time.monotonic()
        await self._app(scope, receive, send)
