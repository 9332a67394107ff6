"""The verifier in JavaScript beside pbem's own: the verdicts of both on the same files."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.fileformat import turnfile
from pbem.ledger import trace_file as trace
from pbem.ledger.verifier import Verifier

VERIFIER = Path(__file__).parents[2] / "templates" / "replay" / "verify.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed (Debian: nodejs)")


class Verdict(NamedTuple):
    """Whether a file holds; if not, the entry and the layer of the first failure."""

    ok: bool
    entry: int | None
    layer: str | None


class Compared(NamedTuple):
    """Files that both verifiers judged, those that failed and those by the rules, how many of each layer, and where the
    verdicts differ."""

    judged: int
    failed: int
    by_rules: int
    layers: dict[str, int]
    different: list[str]


def by_pbem(data: bytes, verifier: Verifier | None = None) -> tuple[Verdict, trace.Step]:
    """What pbem says of a file as `pbem verify` reads it (the last line end is put back), and its trace."""
    made, _, failure = trace.trace(turnfile.whole_line(data), verifier)
    return Verdict(failure is None, failure and failure.entry, failure and failure.layer), made


def by_node(cases: Iterable[tuple[bytes, object]]) -> list[tuple[Verdict, str]]:
    """What the second verifier says of files with their traces, and its reasons."""
    lines = "".join(json.dumps({"file": b64encode(data).decode(), "trace": made}) + "\n" for data, made in cases)
    assert NODE is not None
    run = subprocess.run([NODE, str(VERIFIER), "--batch"], input=lines.encode(), capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    found = [json.loads(line) for line in run.stdout.decode().splitlines()]
    return [(Verdict(one["ok"], one["entry"], one["layer"]), one["reason"]) for one in found]


def compare(cases: Sequence[tuple[str, bytes]]) -> Compared:
    """The verdicts of both on each of these named files; failures by the rules are counted and left out."""
    verifier = Verifier()
    ours = [by_pbem(data, verifier) for _, data in cases]
    theirs = by_node((data, made) for (_, data), (_, made) in zip(cases, ours, strict=True))
    different, failed, by_rules = [], 0, 0
    for (name, _), (mine, _), (other, reason) in zip(cases, ours, theirs, strict=True):
        failed += not mine.ok
        if mine.layer == "rules":
            by_rules += 1
        elif mine != other:
            different.append(f"{name}: pbem says {mine}, the second verifier {other}: {reason}")
    layers = Counter(str(mine.layer) for mine, _ in ours if not mine.ok)
    return Compared(len(cases), failed, by_rules, layers, different)
