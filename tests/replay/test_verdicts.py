"""The second verifier against pbem: every vector, example and archived file gets the same verdict,
entry and layer."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger import trace_file as trace
from pbem.ledger.trace import Step
from tests.support.second_verifier import (
    NODE,
    VERIFIER,
    Verdict,
    by_node,
    by_pbem,
    compare,
    needs_node,
    told_by_node,
)
from tests.vectors import make_verdicts

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors" / "verdicts"
LISTED: dict[str, Any] = json.loads((VECTORS / "verdicts.json").read_text(encoding="utf-8"))
LAYERS = [
    "grammar",
    "limit",
    "signature",
    "chain",
    "proof",
    "seal",
    "share",
    "shuffle",
    "root",
    "note",
    "rules",
]


def vector(name: str) -> bytes:
    return turnfile.whole_line((VECTORS / f"{name}.toml").read_bytes())


def test_every_vector_is_listed_and_every_layer_has_one() -> None:
    assert sorted(path.stem for path in VECTORS.glob("*.toml")) == sorted(LISTED)
    assert {one["layer"] for one in LISTED.values() if not one["ok"]} == set(LAYERS)
    for name, one in LISTED.items():
        assert one["ok"] or name.split("-")[0] == one["layer"], name


@pytest.mark.dear("runs both verifiers over changed files")
@pytest.mark.parametrize("name", LISTED)
def test_pbem_says_of_a_vector_what_is_listed(name: str) -> None:
    assert (
        make_verdicts.verdict(make_verdicts.Vector(name, vector(name), LISTED[name]["about"]))
        == LISTED[name]
    )


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_the_second_verifier_says_the_same_of_every_vector() -> None:
    cases = [(name, vector(name)) for name in LISTED]
    found = by_node((data, by_pbem(data)[1]) for _, data in cases)
    for (name, _), (verdict, reason) in zip(cases, found, strict=True):
        one = LISTED[name]
        assert verdict == Verdict(one["ok"], one.get("entry"), one.get("layer")), (name, reason)


OTHER_LOOT = ("loot-1.toml", "loot-1-eight.toml", "loot-1-three.toml")
"""Archived games of Loot that `./run slow` compares: their shuffles and shares cost as much as all
other files, and one of two and the example are compared each time."""


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
@pytest.mark.parametrize(
    ("files", "left_out"),
    [
        ("tests/archive/*.toml", OTHER_LOOT),
        ("examples/*/*-*.toml", ()),
        *(pytest.param(f"tests/archive/{name}", (), marks=pytest.mark.slow) for name in OTHER_LOOT),
    ],
)
def test_both_verify_every_example_and_archived_file(files: str, left_out: Sequence[str]) -> None:
    paths = [path for path in sorted(ROOT.glob(files)) if path.name not in left_out]
    assert len(paths) >= 4 or files.endswith(OTHER_LOOT)
    found = compare([(path.name, path.read_bytes()) for path in paths])
    assert (found.failed, found.different) == (0, [])


@needs_node
def test_a_file_without_a_trace_has_its_signatures_checked_and_says_so(tmp_path: Path) -> None:
    good, bad = (subprocess.run([str(NODE), VERIFIER, VECTORS / f"{name}.toml"], capture_output=True, check=False)  # noqa: E501
                 for name in ("tripoli", "signature-bit"))  # fmt: skip
    facts = json.loads(good.stdout)
    assert (good.returncode, facts["ok"], facts["layer"]) == (0, True, None)
    assert "proofs, rolls and draws" in facts["unchecked"]
    facts = json.loads(bad.stdout)
    assert (bad.returncode, facts["ok"], facts["entry"], facts["layer"]) == (
        1,
        False,
        5,
        "signature",
    )


@needs_node
def test_the_commands_for_many_files_say_what_other_tests_ask_of_a_running_verifier() -> None:
    files = [vector(name) for name in ("tripoli", "chain-position")]
    cases = [(data, by_pbem(data)[1]) for data in files]
    lines = [json.dumps({"file": b64(data), "trace": made}) + "\n" for data, made in cases]
    for how in ("--batch", "--cards"):
        said = subprocess.run(
            [str(NODE), VERIFIER, how], input="".join(lines).encode(), capture_output=True
        ).stdout.splitlines()
        assert [json.loads(line) for line in said] == told_by_node(how, cases)


@needs_node
def test_the_command_says_what_the_issue_says(tmp_path: Path) -> None:
    place = tmp_path / "trace.json"
    place.write_text(trace.write(trace.trace(vector("seal-salt")).trace), encoding="utf-8")
    run = subprocess.run(
        [str(NODE), VERIFIER, VECTORS / "seal-salt.toml", place], capture_output=True, check=False
    )
    facts = json.loads(run.stdout)
    assert run.returncode == 1 and list(facts) == [
        *["ok", "entry", "layer", "reason", "unchecked", "signed", "result"]
    ]
    assert (facts["ok"], facts["entry"], facts["layer"]) == (False, 2, "seal")
    assert "sealed" in facts["reason"] and "the rules" in facts["unchecked"][0]


def _lies(made: Step) -> list[Step]:
    """The trace with one thing changed in it, in each of several ways."""
    text = json.dumps(made)
    lies = [json.loads(text) for _ in range(9)]

    def step(lie: Step, key: str) -> Step:
        found: Step = next(
            s for entry in lie["entries"] for s in entry.get("steps", []) if key in s
        )
        return found

    step(lies[0], "rolled")["rolled"][0] ^= 1
    step(lies[1], "roll")["roll"] += 1
    step(lies[2], "taken")["taken"].reverse()
    step(lies[3], "draw")["draw"] += 1
    step(lies[4], "said")["said"] = "done"
    step(lies[5], "opened")["opened"] = "Storms"
    next(entry for entry in lies[6]["entries"] if "board" in entry)["board"] += " "
    del lies[7]["entries"][-1]
    lies[8]["entries"][4]["steps"] = [{"ask": 3}, {"seal": "a1-999999"}, {}]
    return lies


@needs_node
def test_a_trace_that_lies_is_found_out() -> None:
    data = vector("tripoli")
    found = by_node((data, lie) for lie in _lies(by_pbem(data)[1]))
    assert [verdict.ok for verdict, _ in found] == [False] * 9
    assert {verdict.layer for verdict, _ in found} <= {"trace", "chain", "seal"}


@needs_node
def test_what_is_no_trace_is_refused() -> None:
    wrong = [{}, [], 3, {"format": "pbem/1 trace", "entries": [{}] * 25}, {"entries": None}]
    found = by_node((vector("tripoli"), made) for made in wrong)
    assert [(verdict.ok, verdict.layer) for verdict, _ in found] == [(False, "trace")] * 5


def test_the_library_is_the_one_whose_hash_is_published() -> None:
    folder = VERIFIER.parent
    for line in (folder / "noble" / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, name = line.split("  ")
        assert (
            hashlib.sha256((folder / "noble" / name).resolve().read_bytes()).hexdigest() == digest
        ), name
