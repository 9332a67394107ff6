"""What tests/vectors/README.md says to others of the corpus: its tables, how to read a mutant, and
every verdict."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto import group
from pbem.fileformat.encoding import b64
from pbem.ledger.signatures import Verifier
from tests.support import slow_ed25519 as slow
from tests.support.second_verifier import Verdict, by_node, by_pbem, needs_node
from tests.vectors import make_mutants

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text(encoding="utf-8")
MUTANTS: dict[str, list[dict[str, Any]]] = json.loads(
    (HERE / "mutants" / "mutants.json").read_text(encoding="utf-8")
)
LAYERS = {
    "limit",
    "grammar",
    "signature",
    "chain",
    "proof",
    "seal",
    "share",
    "shuffle",
    "root",
    "note",
    "rules",
}


def test_the_tables_are_those_of_the_files() -> None:
    assert make_mutants.with_tables(README) == README
    verdicts = json.loads((HERE / "verdicts" / "verdicts.json").read_text(encoding="utf-8"))
    assert all(one["about"] for one in verdicts.values())
    for name in verdicts:
        assert f"\n| {name} | " in README


def test_every_file_is_listed_with_what_made_it() -> None:
    listed = dict(re.findall(r"^\| `([^`]+)` \| [^|]+ \| (.+) \|$", README, re.M))
    here = {path.relative_to(HERE).as_posix() for path in HERE.glob("**/*.json")} - {
        "verdicts/verdicts.json"
    }
    assert set(listed) == here | {"verdicts/"}
    for by in (by for by in listed.values() if by != "hand"):
        (maker,) = re.findall(r"`(make\w*\.py)`", by)
        assert (HERE / maker).is_file()
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 2 and all((HERE / link).exists() for link in links)


def test_each_case_has_its_layer_and_its_reason() -> None:
    assert len(MUTANTS) == 11
    for one in (one for found in MUTANTS.values() for one in found):
        assert one["change"] and (one["layer"] is None) == (one["reason"] is None) == one["ok"]
        assert one["layer"] in LAYERS | {None}
    kept = json.loads((HERE / "signatures.json").read_text(encoding="utf-8"))["cases"]
    assert all((one["layer"] is None) == one["holds"] and one["reason"] for one in kept)


def test_the_example_in_the_text_makes_every_mutant() -> None:
    (script,) = re.findall(r"```python\n(.+?)```", README, re.S)
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(run.stdout.splitlines()) == sum(map(len, MUTANTS.values())) > 350


@cache
def bytes_of(name: str) -> list[bytes]:
    """The mutants of one file."""
    good, made = (HERE / "verdicts" / f"{name}.toml").read_bytes(), []
    for one in MUTANTS[name]:
        made.append(
            good[: one["at"]] + base64.b64decode(one["insert"]) + good[one["at"] + one["remove"] :]
        )
        assert hashlib.sha256(made[-1]).hexdigest() == one["sha256"]
    return made


@pytest.mark.dear("runs both verifiers over thousands of mutants")
@needs_node
@pytest.mark.parametrize("name", MUTANTS)
def test_both_verifiers_say_of_a_mutant_what_is_listed(name: str) -> None:
    files, verifier = bytes_of(name), Verifier()
    ours = [by_pbem(data, verifier) for data in files]
    theirs = by_node((data, made) for data, (_, made) in zip(files, ours, strict=True))
    for one, (mine, _), (other, reason) in zip(MUTANTS[name], ours, theirs, strict=True):
        assert mine == Verdict(one["ok"], one["entry"], one["layer"]), one["change"]
        assert other == mine or one["layer"] == "rules", (one["change"], reason)


@pytest.mark.dear("runs both verifiers over thousands of mutants")
@pytest.mark.parametrize("name", ["solitaire", "beavers", "paradise"])
def test_the_mutants_are_those_that_the_generator_makes(name: str) -> None:
    """But for the words of refusals, which may be put better one day."""
    made = list(make_mutants.mutants(name))
    assert [{**one, "reason": None} for one in made] == [
        {**one, "reason": None} for one in MUTANTS[name]
    ]


def equation(key: bytes, message: bytes, signature: bytes) -> tuple[bool, bool]:
    """Whether sB = R + kA, and whether eight times the one is eight times the other, in plain
    integers."""
    base, a, r = (slow.decode(point) for point in (group.BASE, key, signature[:32]))
    assert base and a and r, "a point that can be read"
    k = (
        int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little")
        % slow.ORDER
    )
    left, right = (
        slow.times(int.from_bytes(signature[32:], "little"), base),
        slow.plus(r, slow.times(k, a)),
    )
    return left == right, slow.times(8, left) == slow.times(8, right)


def test_what_is_said_of_each_signature_is_so() -> None:
    """Which point cannot be read or has a part of small order, and whether the equation holds, or
    only eight times."""
    seen = 0
    for one in json.loads((HERE / "signatures.json").read_text(encoding="utf-8"))["cases"]:
        key, message, signature = (
            bytes.fromhex(one[part]) for part in ("key", "message", "signature")
        )
        reason, points = one["reason"], {"key": key, "R": signature[:32]}
        unread = {which for which, point in points.items() if slow.decode(point) is None}
        assert bool(unread) == ("p + 1" in reason or "sign of an x" in reason)
        if unread:
            continue
        assert equation(key, message, signature) == (("only the equation" not in reason), True), (
            one["name"]
        )
        for which, point in points.items():
            small = slow.times(slow.ORDER, slow.decode(point) or (0, 1))
            order = next(n for n in (1, 2, 4, 8) if slow.times(n, small) == (0, 1))
            is_named = which in reason.split(":")[0] and f"order {order}" in reason
            assert order == 1 or is_named, (one["name"], which, order)
            assert (point == slow.IDENTITY) <= ("neutral point" in reason and which in reason)
        seen += 1
    assert seen == 13


def test_a_splice_is_as_short_as_it_can_be() -> None:
    assert make_mutants.splice(b"abcabc", b"abc") == {"at": 3, "remove": 3, "insert": ""}
    assert make_mutants.splice(b"abc", b"abbc") == {"at": 2, "remove": 0, "insert": b64(b"b")}
