"""Each template is compiled once in a run of the tests, however many homes and processes there are.

A home keeps its templates as Python has compiled them (`pbem.report.render`). A home of a test is
new, and would wait for them anew with its first report. So homes without templates of their own
share those that are loaded already, and keep no files of them; in tests with the fixture
`true_templates` each home has its own. What one home has compiled the next one finds then, where it
has no file of its own yet; it writes that file as it would have. Programs that tests start find it
in the same way: `lay_in` before they start, and `learn` when they are done. The processes among
which pytest spreads the tests find it in a folder of the run (`share`).
"""

from __future__ import annotations

import contextlib
import hashlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment

from pbem import files
from pbem.errors import Usage
from pbem.report import render
from pbem.report.render import _TemplateCache
from tests.support.effort import UNAIDED

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

FOLDER = "cache"
"""Of a home."""

_known: dict[str, bytes] = {}
"""The files, by name: it follows from the template's name and place, and from whether it escapes.
Whether a file is of the template of today, the program finds in it."""
_shared: Path | None = None
"""The same files, for the other processes of this run."""
_load, _dump = _TemplateCache.load_bytecode, _TemplateCache.dump_bytecode


def _load_once(cache: _TemplateCache, bucket: Bucket) -> None:
    _load(cache, bucket)
    file = Path(cache._get_cache_filename(bucket))
    if bucket.code is None and (data := _find(file.name)) is not None:
        _write(file, data)
        _load(cache, bucket)


def _dump_once(cache: _TemplateCache, bucket: Bucket) -> None:
    _dump(cache, bucket)
    _remember(cache, bucket)


def _remember(cache: _TemplateCache, bucket: Bucket) -> None:
    data, name = bucket.bytecode_to_string(), Path(cache._get_cache_filename(bucket)).name
    _keep(name, hashlib.sha256(data).digest() + data)


def _keep(name: str, data: bytes) -> None:
    _known[name] = data
    if _shared is not None:
        _write(_shared / name, data)


def _find(name: str) -> bytes | None:
    """The file of this name, if any process of this run has made it."""
    if name not in _known and _shared is not None and (_shared / name).exists():
        _known[name] = (_shared / name).read_bytes()
    return _known.get(name)


def _write(file: Path, data: bytes) -> None:
    with contextlib.suppress(Usage):  # as `pbem.report.render` does
        files.replace(file, data)


class _Known(_TemplateCache):
    """What any home has compiled, without files."""

    def load_bytecode(self, bucket: Bucket) -> None:
        if (data := _find(Path(self._get_cache_filename(bucket)).name)) is not None:
            bucket.load_bytecode(BytesIO(data[32:]))

    def dump_bytecode(self, bucket: Bucket) -> None:
        _remember(self, bucket)


true_environment = render._environment


def _environment(own: Path | None, markup: bool) -> Environment:
    if own is not None and own.is_dir():
        return true_environment(own, markup)
    shared = true_environment(None, markup)
    if shared.bytecode_cache is None:
        shared.bytecode_cache = _Known(FOLDER, "markup-%s.cache" if markup else "text-%s.cache")
    return shared


_environment.cache_clear = true_environment.cache_clear  # type: ignore[attr-defined]


def share(folder: Path) -> None:
    """The folder of this run, which is there and is private."""
    global _shared
    _shared = folder


def lay_in(home: Path) -> None:
    """Put what is known where a program will look for it that uses this home."""
    folder = home / FOLDER
    if UNAIDED or not home.is_dir() or folder.is_symlink():
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    for file in _shared.glob("*.cache") if _shared is not None else ():
        _find(file.name)
    for name, data in _known.items():
        if not (folder / name).exists():
            _write(folder / name, data)


def learn(home: Path) -> None:
    """What a program that used this home has compiled is known from now on."""
    for file in (home / FOLDER).glob("*.cache"):
        if file.name not in _known and file.is_file() and not file.is_symlink():
            _keep(file.name, file.read_bytes())


def install() -> None:
    """From now on, in this process, unless the run is unaided."""
    if UNAIDED:
        return
    _TemplateCache.load_bytecode, _TemplateCache.dump_bytecode = _load_once, _dump_once  # type: ignore[method-assign]
    render._environment = _environment  # type: ignore[assignment]
