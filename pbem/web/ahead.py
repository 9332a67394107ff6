"""What Python compiles each time a program starts, compiled when the page was packed.

A dataclass and a named tuple write their methods as text and compile them, and a pattern is
compiled into what `re` runs: in a page that is more than a third of the time that importing takes.
The Python that packs the page is the very one that runs in it (`release/web_inside.py`). What was
not compiled then is compiled as ever.

A module's own name comes before a builtin's, and that is how `dataclasses` and `collections` come
to use what is packed: a global `exec` or `eval` of theirs. They offer no other way in, an import
hook sees only source that stands in files, and writing 284 classes out by hand would be worse.
Measured on a computer, the pages and all that they need are imported in 590 ms of processor time
with it and in 815 without (medians of five); where Python is WebAssembly both are several times
that. What a new Python does otherwise is found by `tests/web/test_web_ahead.py`.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import collections
import dataclasses
import hashlib
import marshal
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("ahead.data")
"""Where the page has what was compiled when it was packed."""
_PLAIN = 2
"""The version of `marshal` whose bytes depend on nothing but what is written."""


class Compiled(NamedTuple):
    """`sources`: code, by what its text is for (`exec`, `eval`) and the text's SHA-256. `patterns`:
    what `_sre.compile` takes, by pattern and flags. All of it stays bytes until it is asked for."""

    sources: dict[tuple[str, bytes], bytes]
    patterns: dict[tuple[str | bytes, int], bytes]


def use(known: Compiled) -> None:
    """Take from `known` what is to be compiled from now on; what it lacks is compiled and added."""
    compiler: Any = import_module("re._compiler")

    def code(kind: str, text: str) -> Any:
        key = kind, hashlib.sha256(text.encode()).digest()
        if key not in known.sources:
            made = compile(text, "<string>", kind, dont_inherit=True)
            known.sources[key] = marshal.dumps(made, _PLAIN)
        return marshal.loads(known.sources[key])

    def pattern(text: str | bytes, flags: int = 0) -> Any:
        key = text, int(flags)  # `re.split` and others give a number of a kind of their own
        if key not in known.patterns:
            parsed = compiler._parser.parse(text, flags)
            state, names = parsed.state, {at: name for name, at in parsed.state.groupdict.items()}
            made = (
                int(flags | state.flags),
                [int(one) for one in compiler._code(parsed, flags)],
                state.groups - 1,
                state.groupdict,
                tuple(names.get(at) for at in range(state.groups)),
            )
            known.patterns[key] = marshal.dumps(made, _PLAIN)
        return _sre.compile(text, *marshal.loads(known.patterns[key]))

    compiler.compile = pattern
    vars(dataclasses)["exec"] = lambda text, *names: exec(code("exec", text), *names)
    vars(collections)["eval"] = lambda text, *names: eval(code("eval", text), *names)


def packed() -> Compiled:
    """What `FILE` holds."""
    return Compiled(*marshal.loads(FILE.read_bytes()))


def pack(known: Compiled) -> bytes:
    """The contents of `FILE`, in an order of their own."""
    sources = dict(sorted(known.sources.items()))
    patterns = dict(sorted(known.patterns.items(), key=repr))
    return marshal.dumps((sources, patterns), _PLAIN)
