"""What `./run test` collects: everything but what is slow, in any environment and on any
machine."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from tests.support import stages
from tests.support.effort import processor_seconds_and_bytes

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


@dataclass
class Ended:
    """What pytest reports of a test that is over, as far as its cost goes."""

    nodeid: str
    user_properties: list[tuple[str, object]]


@pytest.mark.parametrize(
    ("kind", "costs", "said"),
    [
        ("none", [stages.DEAR / 2] * 3, "mark it dear"),
        ("none", [stages.DEAR / 3] * 2, ""),
        ("own", [stages.CHEAP / 3] * 2, "not dear"),
        ("own", [stages.CHEAP] * 2, ""),
        ("given", [stages.CHEAP / 3] * 2, ""),  # a whole file is, whatever one of its tests costs
    ],
)
def test_what_all_cases_cost_says_which_marks_are_wrong(
    kind: str, costs: list[float], said: str
) -> None:
    reports = [
        Ended(f"tests/test_it.py::test_it[{number}]", [(stages.COST, (kind, cost))])
        for number, cost in enumerate(costs)
    ]
    lines = stages.contradicted(reports)  # type: ignore[arg-type]
    assert len(lines) == bool(said) and all(said in line for line in lines)


@pytest.mark.parametrize(
    ("fixture", "scope", "place", "kind"),
    [
        ("tmp_path", "function", "", "own"),
        ("tmp_path_factory", "session", "", "own"),
        ("state_of_its_own", "session", "tests", "own"),
        ("page_folder", "session", "tests/web", "given"),
        ("chromium", "function", "tests/table", "given"),
        ("made", "module", "tests/browser/test_lies.py", "given"),
    ],
)
def test_what_is_made_for_others_too_is_no_cost_of_a_test(
    fixture: str, scope: str, place: str, kind: str
) -> None:
    """A browser goes on for other tests, and whatever is made once was made before."""
    dear, noted = pytest.mark.dear("drives a browser").mark, list[tuple[str, tuple[str, float]]]()
    made = SimpleNamespace(scope=scope, baseid=place)
    item = SimpleNamespace(
        own_markers=[dear],
        fixturenames=[fixture],
        _fixtureinfo=SimpleNamespace(name2fixturedefs={fixture: [made]}),
        user_properties=noted,
        get_closest_marker=lambda name: dear if name == "dear" else None,
    )
    with stages.noted(item):  # type: ignore[arg-type]
        pass
    assert [(name, found) for name, (found, _) in noted] == [(stages.COST, kind)]


@pytest.mark.parametrize(("mark", "kind"), [("", "none"), ("slow", "given")])
def test_a_slow_test_is_in_neither_half_whatever_it_costs(mark: str, kind: str) -> None:
    item = SimpleNamespace(
        own_markers=[],
        fixturenames=[],
        user_properties=list[tuple[str, tuple[str, float]]](),
        get_closest_marker=lambda name: name == mark,
    )
    with stages.noted(item):  # type: ignore[arg-type]
        pass
    assert [found for _, (found, _) in item.user_properties] == [kind]


def test_the_mark_of_a_folder_is_not_its_tests_own() -> None:
    """One cheap test in a folder of dear ones contradicts nothing."""
    importlib.import_module("tests.browser.conftest")
    item = SimpleNamespace(
        module=SimpleNamespace(__package__="tests.browser"),
        own_markers=[pytest.mark.dear("drives a browser").mark],
        fixturenames=[],
        user_properties=list[tuple[str, tuple[str, float]]](),
        get_closest_marker=lambda name: name == "dear",
    )
    with stages.noted(item):  # type: ignore[arg-type]
        pass
    assert [found for _, (found, _) in item.user_properties] == ["given"]


@pytest.mark.parametrize("why", [(), ("",), (3,), ("one", "two")])
def test_a_mark_says_why(why: tuple[object, ...]) -> None:
    marked = SimpleNamespace(
        nodeid="tests/test_it.py::test_it",
        iter_markers=lambda _name: (
            [pytest.mark.dear(*why).mark] if why else [pytest.mark.dear.mark]
        ),
    )
    with pytest.raises(pytest.UsageError, match="test_it: say why"):
        stages.check_reasons(marked)  # type: ignore[arg-type]


def test_the_mark_of_a_folder_holds_for_its_files(request: pytest.FixtureRequest) -> None:
    importlib.import_module("tests.browser.conftest")
    of_browser = SimpleNamespace(module=SimpleNamespace(__package__="tests.browser"))
    (mark,) = stages.marks_of_folders(of_browser)  # type: ignore[arg-type]
    assert mark.name == "dear"
    assert list(stages.marks_of_folders(request.node)) == []


def test_what_is_skipped_is_a_line() -> None:
    def skip(reason: str) -> SimpleNamespace:
        return SimpleNamespace(longrepr=("tests/test_it.py", 3, f"Skipped: {reason}"))

    skips = [skip("no node"), skip("no browser"), skip("no node")]
    assert stages.skipped(skips) == "1 (no browser); 2 (no node)"  # type: ignore[arg-type]
    assert stages.skipped([]) == ""


@pytest.mark.parametrize(
    "work", [lambda: b"x" * 60_000_000, lambda: [[] for _ in range(1_000_000)]], ids=["one", "many"]
)
def test_how_much_memory_work_takes_is_seen(work: Callable[[], object]) -> None:
    """In one piece or in many: bounds on the memory of a reader rest on it. Also after work that
    has left the allocator as much as it keeps."""
    left = b"x" * 32_000_000  # once this much is freed, 64 MB are kept
    del left
    kept = [bytes(100_000) for _ in range(620)]  # pieces small enough to lie in the heap
    kept.clear()
    _, most = processor_seconds_and_bytes(work)
    assert 45_000_000 < most < 120_000_000
