"""The changes of `tests/vectors/lies/lies.json`, made: in a trace, and in the data and words of a
page."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from pbem.fileformat.packed import packed
from pbem.ledger import trace_file
from pbem.ledger.trace import Step
from pbem.replay.page import page
from pbem.replay.scenes import Replayed
from tests.support.packed_pages import unpacked

ROOT = Path(__file__).parents[2]
LIES: dict[str, Any] = json.loads(
    (ROOT / "tests" / "vectors" / "lies" / "lies.json").read_text(encoding="utf-8")
)
GENUINE: str = LIES["file"]
_DATA = re.compile(r'(<script type="text/plain" id="data">)([^<]*)(</script>)')


@cache
def file_of(name: str) -> bytes:
    """The bytes of a turn file."""
    return (ROOT / name).read_bytes()


@cache
def trace_of(name: str) -> Step:
    """Its trace. Whoever changes it copies it."""
    return trace_file.trace(file_of(name)).trace


@cache
def genuine_page() -> str:
    """The page of the file that the changes of pages are of."""
    return page(file_of(GENUINE), Replayed(file_of(GENUINE)))


def changed(value: Any, changes: list[dict[str, Any]]) -> Any:
    """A copy with these changes."""
    made = copy.deepcopy(value)
    for one in changes:
        place = made
        for key in one["path"][:-1]:
            place = place[key]
        place[one["path"][-1]] = one["value"]
    return made


def trace_with(lie: dict[str, Any]) -> Step:
    """The trace of the genuine file with what a lie about a page changes of it."""
    made: Step = changed({"trace": trace_of(GENUINE)}, lie["changes"])["trace"]
    return made


def page_with(lie: dict[str, Any]) -> str:
    """The genuine page with a lie in it: the file and the scripts stay."""
    text = genuine_page()
    if "html" in lie:
        old, new = lie["html"]
        head, rest = text.split("<script>", 1)
        script, foot = rest.rsplit("</script>", 1)
        assert (head + foot).count(old) == 1, old
        changed_head, changed_foot = (part.replace(old, new) for part in (head, foot))
        return f"{changed_head}<script>{script}</script>{changed_foot}"
    found = _DATA.search(text)
    assert found is not None
    data = changed(json.loads(unpacked(found[2])), lie["changes"])
    again = packed(json.dumps(data).encode())
    return text[: found.start(2)] + again + text[found.end(2) :]
