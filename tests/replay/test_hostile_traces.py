"""A trace is from anybody: one that asks for the impossible is told as wrong, and keeps nobody
waiting."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger import trace_file as trace
from tests.support.second_verifier import by_node, needs_node

DATA = (Path(__file__).parents[1] / "archive" / "tripoli-1.toml").read_bytes()
WRONG: dict[str, list[Any]] = {
    "roll": [0, -1, 2.5, 10**9, "3", None],
    "sides": [0, 1, 101, 257, 1000, 2.5, "6", None],
    "draw": [-1, 99, 10**9, "6"],
    "from": ["a1-999 " * 40_000, "a1-9999", "z1", 7],
}


@pytest.fixture(scope="module")
def made() -> Any:
    return json.loads(trace.write(trace.trace(DATA).trace))


@needs_node
def test_no_trace_keeps_the_verifier_waiting(made: Any) -> None:
    cases = [(DATA, made)]
    for name, values in WRONG.items():
        for value in values:
            other = copy.deepcopy(made)
            step = next(
                step
                for entry in other["entries"]
                for step in entry.get("steps", ())
                if name in step
            )
            step[name] = value
            cases.append((DATA, other))
    good, *bad = by_node(cases)
    assert good[0].ok
    assert {verdict.layer for verdict, _ in bad} <= {"trace", "chain"}, bad
    assert sum(verdict.layer == "trace" for verdict, _ in bad) > 15
    assert all(verdict.entry is not None for verdict, _ in bad)
