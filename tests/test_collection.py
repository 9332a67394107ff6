"""What `./run test` collects: everything but what is slow, in any environment and on any
machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from hypothesis import settings

from tests.conftest import second_stage

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
            assert not [
                word.arg for word in node.keywords if word.arg in ("deadline", "derandomize")
            ], path


def test_no_test_asserts_how_long_something_took() -> None:
    """On a busy machine it takes ten times as long; `tests.support.effort` has what a process
    spends itself."""
    for path, node in nodes("time.", "test_*.py"):
        if isinstance(node, ast.Assert):
            clocks = [
                inner
                for inner in ast.walk(node)
                if isinstance(inner, ast.Attribute) and inner.attr in WALL
            ]
            assert not [clock for clock in clocks if getattr(clock.value, "id", "") == "time"], path


def test_no_program_is_given_up_early() -> None:
    """A time limit is for what never ends: it has a name, `PATIENCE`."""
    for path, node in nodes("timeout", "test_*.py", "support/*.py"):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            assert "PATIENCE" in ast.unparse(node.value), path
    for path, node in nodes("wait(", "test_*.py", "support/*.py"):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("wait", "join")
        ):
            given = [one.value for one in node.args if isinstance(one, ast.Constant)]
            assert not [one for one in given if isinstance(one, int | float) and one > 1], path


def test_what_is_waited_for_is_no_number_of_looks() -> None:
    """So many looks are over early on a busy machine: whoever sleeps between them looks until it
    holds."""
    for path, node in nodes("sleep(", "test_*.py", "support/*.py"):
        if (
            isinstance(node, ast.For)
            and "range(" in ast.unparse(node.iter)
            and "sleep(" in ast.unparse(node)
        ):
            looks = [one for one in ast.walk(node) if isinstance(one, ast.Return | ast.Break)]
            assert not looks or "PATIENCE" in ast.unparse(node.iter), path


def test_the_second_stage_names_what_there_is() -> None:
    """A test that has moved, or has another name, would run in the first stage again."""
    for line in second_stage():
        place, _, test = line.partition("::")
        path = HERE / place
        assert path.exists() and (path.is_file() or place.endswith("/")), line
        assert not test or f"def {test.partition('[')[0]}" in path.read_text(encoding="utf-8"), line
