"""The page of a browser, as `./run web` builds it, and its Python under node: no browser is needed for that."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pbem.lock import Lock
from release import web, web_packages

DRIVE = Path(__file__).parents[1] / "web" / "drive.mjs"
needs_npm = pytest.mark.skipif(
    shutil.which("npm") is None or shutil.which("node") is None, reason="npm and node are not installed"
)


def built(shared: Path) -> Path:
    """The page: built by the first of several processes that asks, in a folder that they share."""
    folder = shared / "web"
    with Lock(shared / "web.lock"):
        if not (folder / "version.json").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            try:
                web.build(folder)
            except web_packages.CannotBuild as error:
                pytest.skip(f"the page cannot be built: {error}")
    return folder


@dataclass(frozen=True)
class Answer:
    """What the door answered, and how long it took, in milliseconds."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    ms: float

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def facts(self) -> Any:
        return json.loads(self.body)

    def value(self, attribute: str) -> str:
        """The first value of an attribute in the page."""
        found = re.search(rf'\b{attribute}="([^"]*)"', self.text)
        assert found is not None, self.text[:2000]
        return html.unescape(found[1])


class NodePage:
    """The Python of the page, with a home of its own, for as long as the test wants it. Used in a `with`."""

    def __init__(self, folder: Path) -> None:
        node = shutil.which("node")
        assert node is not None
        self._process = subprocess.Popen(
            [node, str(DRIVE), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.times: Mapping[str, float] = self._read()

    def __enter__(self) -> NodePage:
        return self

    def __exit__(self, *_error: object) -> None:
        with self._process as process:
            process.kill()

    def ask(self, method: str, path: str, query: str = "", body: bytes = b"", **headers: str) -> Answer:
        """One request to the door; names of headers are written with underscores."""
        heads = [[name.replace("_", "-"), value] for name, value in headers.items()]
        told = self._tell({"ask": [method, path, query, heads, base64.b64encode(body).decode()]})
        return Answer(told["status"], told["headers"], base64.b64decode(told["body"]), told["ms"])

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, **fields: str) -> Answer:
        """A form."""
        return self.ask("POST", path, body=urlencode(fields).encode())

    def python(self, code: str) -> Any:
        """The value of the last line of a program, which JSON has to know. Raises `AssertionError` with what the
        program raised."""
        return self._tell({"python": code})["value"]

    def _tell(self, asked: Mapping[str, object]) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        told = self._read()
        assert "error" not in told, told["error"]
        return told

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the page's Python ended"
        return json.loads(line)
