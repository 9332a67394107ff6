"""Each template is compiled once in a process, however many homes there are.

A home keeps its templates as Python has compiled them (`pbem.report.render`). A home of a test is new, and would wait
for them anew with its first report. So what one home has compiled the next one finds, where it has no file of its own
yet; it writes that file as it would have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.report.render import _Compiled

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

_compiled: dict[tuple[str, str, str], bytes] = {}
_load, _dump = _Compiled.load_bytecode, _Compiled.dump_bytecode


def _named(cache: _Compiled, bucket: Bucket) -> tuple[str, str, str]:
    """By the text of the template, and by whether it escapes (the pattern of the file's name)."""
    return cache.pattern, bucket.key, bucket.checksum


def _load_once(cache: _Compiled, bucket: Bucket) -> None:
    _load(cache, bucket)
    known = _compiled.get(_named(cache, bucket))
    if bucket.code is None and known is not None:
        bucket.bytecode_from_string(known)
        if bucket.code is not None:
            _dump(cache, bucket)


def _dump_once(cache: _Compiled, bucket: Bucket) -> None:
    _compiled[_named(cache, bucket)] = bucket.bytecode_to_string()
    _dump(cache, bucket)


def install() -> None:
    """From now on, in this process."""
    _Compiled.load_bytecode, _Compiled.dump_bytecode = _load_once, _dump_once  # type: ignore[method-assign]
