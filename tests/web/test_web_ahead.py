"""What is compiled when the page is packed does what it does where it is compiled each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NOTES = """
import sys
from pbem.web import ahead
known = ahead.Compiled({}, {})
ahead.use(known)
import pbem.home.contacts, pbem.mail.retyped, pbem.table.request
open(sys.argv[1], "wb").write(ahead.pack(known))
"""
"""Imports modules with dataclasses, named tuples and patterns, and writes what they were compiled
to."""

USES = """
import collections, dataclasses, re, sys
from pbem.web import ahead
ahead.FILE = ahead.FILE.__class__(sys.argv[1])
known = ahead.packed()
re.split("[:/]", "a:b")
before = ahead.pack(known)
ahead.use(known)
import pbem.home.contacts, pbem.mail.retyped, pbem.table.request
assert ahead.pack(known) == before, "all of it was known"
from pbem.table.request import PageRequest
asked = PageRequest("GET", "/", {"a": "b"})
assert asked == PageRequest("GET", "/", {"a": "b"}) != PageRequest("GET", "/x")
assert "method='GET'" in repr(asked)
try:
    asked.path = "/y"
except dataclasses.FrozenInstanceError:
    pass
else:
    raise AssertionError("it could be changed")

# what was never seen is compiled, and the same the second time
for _ in range(2):
    re.purge()
    found = re.compile("(?P<one>a)(b)(?P<two>c)?", re.IGNORECASE)
    assert found.match("ABC").groupdict() == {"one": "A", "two": "C"}
    assert (found.groups, found.groupindex["two"], found.match("xab")) == (3, 3, None)
    assert re.split("(b)", "abc", maxsplit=1) == ["a", "b", "c"]  # with flags of its own kind
    assert re.compile(rb"a[0-9]+\\Z").match(b"a12") and not re.compile("a", re.ASCII).match("b")
    pair = collections.namedtuple("Pair", "left right", defaults=[2])
    assert pair(1) == (1, 2) and pair(1)._replace(right=3).right == 3
"""


def test_what_was_compiled_before_works_as_what_is_compiled_now(tmp_path: Path) -> None:
    for program in (NOTES, USES):
        made = [sys.executable, "-c", program, str(tmp_path / "ahead.data")]
        run = subprocess.run(made, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr


def test_the_same_is_packed_as_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        subprocess.run([sys.executable, "-c", NOTES, str(tmp_path / name)], check=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
