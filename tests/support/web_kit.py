"""The page of a browser, as `./run web` builds it, and its Python under node: no browser is needed
for that."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pbem.lock import Lock
from release import web, web_packages

ROOT = Path(__file__).parents[2]
DRIVE = ROOT / "tests" / "web" / "drive.mjs"
DAY = 86_400
needs_npm = pytest.mark.skipif(
    shutil.which("npm") is None or shutil.which("node") is None,
    reason="npm and node are not installed",
)


SOURCES = ("pbem", "engine", "templates", "docs", "release", "pyproject.toml")
"""What the page is made of."""


def built() -> Path:
    """The page as the checkout makes it: built by the first of several processes that asks, and
    again when anything of what it is made of has changed."""
    paths = (path for name in SOURCES for path in [ROOT / name, *(ROOT / name).rglob("*")])
    digest = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file() and path.suffix != ".pyc"):
        digest.update(
            str(path.relative_to(ROOT)).encode()
            + b"\0"
            + hashlib.sha256(path.read_bytes()).digest()
        )
    folder = web_packages.KEPT / f"page-{digest.hexdigest()[:16]}"
    web_packages.KEPT.mkdir(parents=True, exist_ok=True)
    with Lock(web_packages.KEPT / "page.lock"):
        if not folder.is_dir():
            _forget_old()
            with tempfile.TemporaryDirectory(dir=web_packages.KEPT) as half:
                try:
                    web.build(Path(half) / "page")
                except web_packages.CannotBuild as error:
                    pytest.skip(f"the page cannot be built: {error}")
                (Path(half) / "page").rename(folder)
    return folder


def libraries(folder: Path) -> Path:
    """The files in the block of a page, in a folder beside it: made by the first who asks."""
    made = folder.with_name(f"{folder.name}-lib")
    if not made.is_dir():
        with tempfile.TemporaryDirectory(dir=folder.parent) as half:
            for name, data in web.unpacked((folder / web.BLOCK).read_bytes()).items():
                (Path(half) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(half) / name).write_bytes(data)
            with suppress(OSError):  # another was faster
                (Path(half) / "lib").rename(made)
    return made


def _forget_old() -> None:
    """Remove what tests of yesterday have built."""
    for path in web_packages.KEPT.glob("page-*"):
        if time.time() - path.stat().st_mtime > DAY:
            shutil.rmtree(path, ignore_errors=True)


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
    """The Python of the page, with a home of its own, for as long as the test wants it. Used in a
    `with`. `more` are the options of drive.mjs."""

    def __init__(self, folder: Path, **more: object) -> None:
        node = shutil.which("node")
        assert node is not None
        command = [node, str(DRIVE), str(libraries(folder)), json.dumps(more)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.times: Mapping[str, float] = self._read()

    def __enter__(self) -> NodePage:
        return self

    def __exit__(self, *_error: object) -> None:
        with self._process as process:
            process.kill()

    def ask(
        self, method: str, path: str, query: str = "", body: bytes = b"", **headers: str
    ) -> Answer:
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
        """The value of the last line of a program, if it has one that JSON knows. Raises
        `AssertionError` with what the program raised."""
        return self._tell({"python": code}).get("value")

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


if __name__ == "__main__":
    built()  # beside the tests, before the first of them asks
