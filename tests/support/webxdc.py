"""A stand-in for a messenger that runs the app of `./run web --xdc`: a chat in memory, and for each
member an origin of their own with Delta Chat's policy, its frame and its `webxdc.js`."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline' blob:; font-src 'self' data: blob:;"
    " script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; connect-src 'self' data: blob:;"
    " img-src 'self' data: blob:; media-src 'self' data: blob:; webrtc 'block'"
)
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "png": "image/png"}
FRAME = b"<!DOCTYPE html><iframe src=index.html style='width:100%;height:95vh'></iframe>"
WEBXDC = """
(() => {
  let last = 0, heard = null;
  const ask = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) }).then((one) => one.json());
  const look = async () => {
    for (const update of await ask("/read", { after: last })) {
      last = update.serial;
      heard(update);
    }
  };
  window.webxdc = {
    selfAddr: NAME + "@example.org",
    selfName: NAME,
    sendUpdateInterval: 50,
    sendUpdateMaxSize: 128000,
    sendUpdate: (update) => void ask("/send", update),
    async setUpdateListener(told, serial = 0) {
      [heard, last] = [told, serial];
      await look();
      setInterval(look, 200);
    },
    sendToChat: (content) => ask("/give", content),
  };
})();
"""  # noqa: E501


@dataclass
class Messenger:
    """A chat with one app message. `updates` are those that were sent, `given` what left the app by
    the messenger; `log` has what was asked for besides the app's own files."""

    port: int = 0
    updates: list[dict[str, Any]] = field(default_factory=list)
    given: list[dict[str, Any]] = field(default_factory=list)

    def url(self, name: str, *, secure: bool = True, framed: bool = False) -> str:
        """Where a member opens the app; the origin is theirs alone."""
        host = "localhost" if secure else "invalid"
        return f"http://{name.lower()}.{host}:{self.port}/{'' if framed else 'index.html'}"

    def read(self, _name: str, after: int) -> list[dict[str, Any]]:
        """The updates that a member's messenger has after this serial number."""
        found = [{**one, "serial": at} for at, one in enumerate(self.updates, 1)]
        return [one for one in found if one["serial"] > after]

    def send(self, _name: str, update: dict[str, Any]) -> None:
        self.updates.append(update)

    def infos(self) -> list[str]:
        return [update["info"] for update in self.updates if "info" in update]


@contextmanager
def messenger(app: Path, chat: Messenger | None = None) -> Iterator[Messenger]:
    """The stand-in, as long as a test wants it; another one where it is given."""
    with zipfile.ZipFile(app) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    made = chat or Messenger()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.partition("?")[0].lstrip("/")
            if name == "webxdc.js":
                self._answer(
                    WEBXDC.replace("NAME", json.dumps(self._who())).encode(), "text/javascript"
                )
            elif not name:
                self._answer(FRAME, "text/html")
            elif name in files:
                kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
                self._answer(files[name], kind)
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer: list[dict[str, Any]] = []
            if self.path == "/read":
                answer = made.read(self._who(), body["after"])
            elif self.path == "/send":
                made.send(self._who(), body)
            else:
                made.given.append(body)
            self._answer(json.dumps(answer).encode(), "application/json")

        def _who(self) -> str:
            return str(self.headers["Host"]).partition(".")[0].capitalize()

        def _answer(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Content-Security-Policy", POLICY)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
