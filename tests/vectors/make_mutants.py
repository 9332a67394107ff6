"""Writes `mutants/mutants.json`, changed copies of the good files in `verdicts/`, and the tables of
README.md.

    python -m tests.vectors.make_mutants

A mutant is one splice of its file: `remove` bytes from the offset `at` on give way to the bytes of
`insert`. README.md beside this says what the verdict of each is for.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.fileformat.encoding import b64
from pbem.ledger import trace_file
from pbem.ledger.signatures import Verifier
from tests.support.mutations import BACKGAMMON, LOOT, SOLITAIRE, TRIPOLI, Kind, mutated, played
from tests.vectors.make_verdicts import WHOLE

HERE = Path(__file__).parent
BASES: dict[str, Kind] = {
    "tripoli": TRIPOLI,
    "solitaire": SOLITAIRE,
    "loot": LOOT,
    "sealed": BACKGAMMON[1],
    **{name: kind for name, (kind, _) in WHOLE.items()},
}
"""The files that are changed, and of which game each is."""
TRIED, LONGEST = 120, 3000
"""How many changes of each file are tried; of those alike in change and layer the first is kept, if
it is a splice of at most so many bytes."""


def mutants(name: str) -> Iterator[dict[str, Any]]:
    """The mutants of one file, in the order in which they were found."""
    game, rng, seen, verifier = (
        played(BASES[name], "vectors"),
        random.Random(f"mutants {name}"),
        set(),
        Verifier(),
    )
    assert (HERE / "verdicts" / f"{name}.toml").read_bytes() == game.data
    for change in (mutated(game.data, rng, game.signers) for _ in range(TRIED)):
        spliced = splice(game.data, change.data)
        if not spliced["remove"] and not spliced["insert"]:
            continue
        failure = trace_file.trace(change.data, verifier).failure
        layer = failure and failure.layer
        if (
            len(spliced["insert"]) > LONGEST
            or (kind := (re.sub(r"\d+", "", change.name), layer)) in seen
        ):
            continue
        seen.add(kind)
        verdict = {"ok": failure is None, "entry": failure and failure.entry, "layer": layer}
        reason = failure and str(failure).partition("\n")[0]
        yield {
            "change": change.name,
            **spliced,
            "sha256": sha256(change.data).hexdigest(),
            **verdict,
            "reason": reason,
        }


def splice(data: bytes, changed: bytes) -> dict[str, Any]:
    """How the changed bytes come of the others, in one place."""
    at = alike(data, changed)
    end = alike(data[at:][::-1], changed[at:][::-1])
    return {
        "at": at,
        "remove": len(data) - at - end,
        "insert": b64(changed[at : len(changed) - end]),
    }


def alike(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def tables() -> dict[str, str]:
    """The tables of README.md, by the heading that each stands under."""
    signatures = json.loads((HERE / "signatures.json").read_text(encoding="utf-8"))["cases"]
    verdicts = json.loads((HERE / "verdicts" / "verdicts.json").read_text(encoding="utf-8"))
    changed = json.loads((HERE / "mutants" / "mutants.json").read_text(encoding="utf-8"))
    proven = json.loads((HERE / "evidence" / "evidence.json").read_text(encoding="utf-8"))
    layers = Counter(str(one["layer"] or "holds") for found in changed.values() for one in found)
    names = [name for name, _ in layers.most_common()]
    counts = {
        name: Counter(one["layer"] or "holds" for one in found) for name, found in changed.items()
    }
    return {
        "Signatures": table(
            ["case", "holds", "layer", "reason"],
            [
                [one["name"], "yes" if one["holds"] else "no", one["layer"] or "", one["reason"]]
                for one in signatures
            ],
        ),
        "Verdicts": table(
            ["file", "holds", "entry", "layer", "reason"],
            [[name, *verdict_cells(one), one["about"]] for name, one in verdicts.items()],
        ),
        "Mutants": table(
            ["file", "mutants", *names],
            [
                [name, str(len(changed[name])), *(str(count[layer] or "") for layer in names)]
                for name, count in counts.items()
            ],
        ),
        "Evidence": table(
            ["case", "files", "evidence"],
            [
                [name, str(len(one["files"])), "; ".join(map(in_short, one["evidence"]))]
                for name, one in proven.items()
            ],
        ),
    }


def in_short(one: dict[str, Any]) -> str:
    """A piece of evidence in a cell."""
    return f"{one['kind']}: {one['seat']}, turn {one['number']} ({', '.join(one['files'])})"


def verdict_cells(one: dict[str, Any]) -> list[str]:
    entry = one.get("entry")
    return ["yes" if one["ok"] else "no", "" if entry is None else str(entry), one.get("layer", "")]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def with_tables(readme: str) -> str:
    """The text with its tables made anew: under a heading the first table is the one of that
    name."""
    for heading, made in tables().items():
        head, found, rest = readme.partition(f"\n## {heading}\n")
        assert found, f"README.md has a heading {heading}"
        readme = (
            head
            + found
            + re.sub(r"^\|.*\|(\n\|.*\|)*", lambda _, made=made: made, rest, count=1, flags=re.M)
        )
    return readme


def main() -> None:
    found = {name: list(mutants(name)) for name in BASES}
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    (HERE / "mutants" / "mutants.json").write_text(text, encoding="utf-8", newline="\n")
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    (HERE / "README.md").write_text(with_tables(readme), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
