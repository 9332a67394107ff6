"""Which tests `./run test` leaves to the second half of `./run test --all`.

They are marked `dear`, with the reason in words: `@pytest.mark.dear("drives a browser")` at a test,
in a file's `pytestmark`, or in the `pytestmark` of a folder's conftest.py. What is dear is
measured: a test all of whose cases together cost `DEAR` processor seconds or more. Each run says at
its end which marks its figures contradict; it never fails for that, since a figure is also the
machine's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from tests.support import second_verifier, starter

DEAR = 1.5
"""Processor seconds of this process, of the programs that it waited for or had forked, and of the
second verifier."""
CHEAP = 0.3
"""Whoever costs less than this is marked for nothing. In between either is right, so that no test
goes to and fro with the machine."""
BROWSERS = {"browsers", "browser", "chromium"}
"""Fixtures that are a running browser. What it does for a test it does in its own processes, which
go on for other tests: such a test is dear, whatever is seen of that here."""
SHARED = {"class", "module", "package"}
"""Scopes of fixtures that are made for several tests, for the first of them that asks: what they
cost is no test's own, and a test that needs one may be dear for that. So are those of the session
that a folder has; what pytest and all tests have costs nothing."""
COST = "processor"
"""The property of a report that says what its test has cost."""


def marks_of_folders(item: pytest.Item) -> Iterator[pytest.Mark | pytest.MarkDecorator]:
    """The marks that the conftest.py of the item's folder gives, and those of the folders above."""
    package = getattr(getattr(item, "module", None), "__package__", None) or ""
    while package:
        given = getattr(sys.modules.get(f"{package}.conftest"), "pytestmark", [])
        yield from given if isinstance(given, list) else [given]
        package = package.rpartition(".")[0]


def check_reasons(item: pytest.Item) -> None:
    """Raises `pytest.UsageError` where a mark does not say why its test is dear."""
    for mark in item.iter_markers("dear"):
        if len(mark.args) != 1 or not isinstance(mark.args[0], str) or not mark.args[0].strip():
            raise pytest.UsageError(f'{item.nodeid}: say why, as in dear("drives a browser")')


@contextmanager
def noted(item: pytest.Item) -> Iterator[None]:
    """Inside runs the item, and its report says what that has cost. What it shares with others was
    made before, and is nobody's."""
    begun = _spent()
    try:
        yield
    finally:
        of_folder = [getattr(mark, "mark", mark) for mark in marks_of_folders(item)]
        is_own = any(mark.name == "dear" and mark not in of_folder for mark in item.own_markers)
        shares = BROWSERS & set(getattr(item, "fixturenames", ())) or _asks_for_shared(item)
        marked = "own" if is_own and not shares else "given"
        is_slow = item.get_closest_marker("slow")  # in neither half, whatever it costs
        kind = marked if is_slow or item.get_closest_marker("dear") else "none"
        item.user_properties.append((COST, (kind, _spent() - begun)))


def contradicted(reports: Iterable[pytest.TestReport]) -> list[str]:
    """A line for each mark that is missing or needless by what all cases of its test have cost."""
    costs: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for report in reports:
        for name, value in report.user_properties:
            if name == COST:
                test = report.nodeid.partition("[")[0]
                kinds[test], cost = value  # type: ignore[misc]
                costs[test] = costs.get(test, 0.0) + cost
    return [
        f"{test} cost {cost:.1f} s: " + ("mark it dear" if kinds[test] == "none" else "not dear")
        for test, cost in sorted(costs.items())
        if (kinds[test] == "none" and cost >= DEAR) or (kinds[test] == "own" and cost < CHEAP)
    ]


def skipped(reports: Iterable[pytest.TestReport]) -> str:
    """One line: how many tests were skipped for each reason; empty where none was."""
    reasons: dict[str, int] = {}
    for report in reports:
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = told.removeprefix("Skipped: ")
        reasons[reason] = reasons.get(reason, 0) + 1
    return "; ".join(f"{count} ({reason})" for reason, count in sorted(reasons.items()))


def _asks_for_shared(item: pytest.Item) -> bool:
    """Whether it asks for a fixture that is made for several tests, or one of its fixtures does."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return any(
        definition.scope in SHARED or (definition.scope == "session" and "/" in definition.baseid)
        for definitions in known.values()
        for definition in definitions
    )


def _spent() -> float:
    times = os.times()
    ended = times.user + times.system + times.children_user + times.children_system
    return ended + starter.seconds + second_verifier.spent()
