"""Serves the built page on this machine, to try it: `./run web --serve`.

As a static host would: files by their types, no header that means anything. The same folder answers
at `/` and below any `/in/a/folder/`, so both can be tried.
"""

from __future__ import annotations

import os
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SUBFOLDER = "/in/a/folder"
PORT = 8738


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".json": "application/json",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(SUBFOLDER) or "/")

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """Nothing: of a folder without a page hosts give no list."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, *_arguments: object) -> None:
        """Nothing: what is asked for is seen in the browser."""


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of the folder on the loopback address; port 0 is any that is free. Raises
    `OSError`."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))


def serve(folder: Path) -> None:
    """Until Ctrl-C. A fixed port where it is free: a browser keeps what it stores for one origin,
    port included."""
    try:
        made = server(folder, PORT)
    except OSError:
        made = server(folder)
    with made:
        address = f"http://127.0.0.1:{made.server_port}"
        print(f"{address}/ and {address}{SUBFOLDER}/, until Ctrl-C", flush=True)
        try:
            made.serve_forever()
        except KeyboardInterrupt:
            print()
