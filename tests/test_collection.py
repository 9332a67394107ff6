"""What `./run test` collects: everything but what is slow, in any environment and on any machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from hypothesis import settings

HERE = Path(__file__).parent
WALL = {"perf_counter", "monotonic", "time", "perf_counter_ns", "monotonic_ns"}
"""What `time` has that goes on while other programs run."""


def nodes(word: str, *patterns: str) -> Iterator[tuple[Path, ast.AST]]:
    """What the files of tests that hold this word consist of."""
    for path in (path for pattern in patterns for path in HERE.rglob(pattern)):
        text = path.read_text(encoding="utf-8")
        if word in text:
            yield from ((path, node) for node in ast.walk(ast.parse(text)))


def test_property_tests_have_no_deadline() -> None:
    assert settings.default is not None and settings.default.deadline is None
    for path, node in nodes("settings", "*.py"):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "settings":
            assert not [word.arg for word in node.keywords if word.arg in ("deadline", "derandomize")], path


def test_no_test_asserts_how_long_something_took() -> None:
    """On a busy machine it takes ten times as long; `tests.support.effort` has what a process spends itself."""
    for path, node in nodes("time.", "test_*.py"):
        if isinstance(node, ast.Assert):
            clocks = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr in WALL]
            assert not [clock for clock in clocks if getattr(clock.value, "id", "") == "time"], path


def test_no_program_is_given_up_early() -> None:
    """A time limit is for what never ends: it has a name, `PATIENCE`."""
    for path, node in nodes("timeout", "test_*.py", "support/*.py"):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            assert isinstance(node.value, ast.Name) and node.value.id == "PATIENCE", path
