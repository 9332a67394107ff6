"""The verifier in JavaScript beside pbem's own: the verdicts of both on the same files."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.files import shipped
from pbem.ledger import trace_file as trace
from pbem.ledger.signatures import Verifier
from pbem.ledger.trace import Step
from pbem.report import verdict_card
from pbem.report.verdict_card import VerdictCard

VERIFIER = shipped() / "replay" / "verify.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed (Debian: nodejs)")


class Verdict(NamedTuple):
    """Whether a file holds; if not, the entry and the layer of the first failure."""

    ok: bool
    entry: int | None
    layer: str | None


class Compared(NamedTuple):
    """Files that both verifiers judged, those that failed and those by the rules, how many of each
    layer, and where the verdicts differ."""

    judged: int
    failed: int
    by_rules: int
    layers: dict[str, int]
    different: list[str]


def by_pbem(data: bytes, verifier: Verifier | None = None) -> tuple[Verdict, Step]:
    """What pbem says of a file as `pbem verify` reads it (the last line end is put back), and its
    trace."""
    made, _, failure = trace.trace(turnfile.whole_line(data), verifier)
    return _verdict(failure), made


def _verdict(failure: PbemError | None) -> Verdict:
    return Verdict(failure is None, failure and failure.entry, failure and failure.layer)


def by_node(cases: Iterable[tuple[bytes, object]]) -> list[tuple[Verdict, str]]:
    """What the second verifier says of files with their traces, and its reasons."""
    found = told_by_node("--batch", cases)
    return [(Verdict(one["ok"], one["entry"], one["layer"]), one["reason"]) for one in found]


def told_by_node(how: str, cases: Iterable[tuple[bytes, object]]) -> list[dict[str, Any]]:
    """All that the second verifier says of files with their traces: `how` is `--batch`, with the
    card of those that hold `--cards`, and `--evidence` for what the files prove of each other."""
    given = [{"file": b64encode(data).decode(), "trace": made} for data, made in cases]
    verifier = _running()
    assert verifier.stdin is not None and verifier.stdout is not None
    verifier.stdin.write(json.dumps({"how": how, "given": given}) + "\n")
    verifier.stdin.flush()
    answer = verifier.stdout.readline()
    if not answer:
        _running.cache_clear()
    assert answer, "the second verifier has ended: it says why on the standard error"
    found: list[dict[str, Any]] = json.loads(answer)
    return found


@cache
def _running() -> subprocess.Popen[str]:
    """The second verifier, once for all tests of this process: to load it takes as long as to check
    a game."""
    assert NODE is not None
    command = [NODE, str(Path(__file__).with_name("second_verifier.cjs")), str(VERIFIER)]
    made = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    atexit.register(_end, made)
    return made


def spent() -> float:
    """The processor seconds of the running verifier so far, which nobody has waited for: zero where
    none runs, or where the system does not say."""
    if not _running.cache_info().currsize or not Path("/proc/self/stat").exists():
        return 0.0
    stat = Path(f"/proc/{_running().pid}/stat").read_text("ascii")
    times = stat.rpartition(")")[2].split()[11:13]  # proc(5): utime and stime
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def _end(verifier: subprocess.Popen[str]) -> None:
    with verifier:
        verifier.kill()


def different_cards(card: VerdictCard, other: dict[str, Any]) -> list[object]:
    """What differs in the card of the second verifier and in its words, but for what it cannot
    know: what checked the rules, and how these word an end of theirs."""
    mine, theirs, labels = (
        json.loads(json.dumps(asdict(card))),
        dict(other["card"]),
        verdict_card.words()["labels"],
    )
    own_words = [labels["verifier"]]
    if card.ending is not None and card.ending.by == "rules":
        own_words.append(labels["result"])
        mine["ending"]["how"] = None
    for key in ("verifier", "rules_from"):
        del mine[key], theirs[key]
    rows = [[label, "" if label in own_words else text] for label, text in verdict_card.rows(card)]
    shown = [[label, "" if label in own_words else text] for label, text in other["rows"]]
    return [pair for pair in zip_longest([mine, *rows], [theirs, *shown]) if pair[0] != pair[1]]


def compare(cases: Sequence[tuple[str, bytes]]) -> Compared:
    """The verdicts of both on each of these named files, with the cards of those that hold;
    failures by the rules are counted and left out."""
    verifier = Verifier()
    ours = [trace.trace(turnfile.whole_line(data), verifier) for _, data in cases]
    theirs = told_by_node(
        "--cards", ((data, made.trace) for (_, data), made in zip(cases, ours, strict=True))
    )
    different, failed, by_rules, verdicts = [], 0, 0, []
    for (name, data), made, found in zip(cases, ours, theirs, strict=True):
        mine, other = _verdict(made.failure), Verdict(found["ok"], found["entry"], found["layer"])
        verdicts.append(mine)
        failed += not mine.ok
        if mine.layer == "rules":
            by_rules += 1
        elif mine != other:
            different.append(
                f"{name}: pbem says {mine}, the second verifier {other}: {found['reason']}"
            )
        elif mine.ok and (unlike := different_cards(verdict_card.card(made.game, data), found)):
            different.append(f"{name}: the cards differ: {unlike}")
    layers = Counter(str(mine.layer) for mine in verdicts if not mine.ok)
    return Compared(len(cases), failed, by_rules, layers, different)
