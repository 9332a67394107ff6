"""Both verifiers on simulated games of all kinds, and on these games changed in their bytes, lines
and meaning."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.support.mutations import (
    BACKGAMMON,
    KINDS,
    PARADISE,
    QUICK,
    SOLITAIRE,
    TRIPOLI,
    WITNESSED,
    Kind,
    mutated,
    played,
)
from tests.support.second_verifier import Compared, compare, needs_node

UNTRACED = Path(__file__).parent / "untraced.toml"
Record = Callable[[str, object], None]
CHEAP = (TRIPOLI, SOLITAIRE, TRIPOLI, QUICK, SOLITAIRE, WITNESSED)
FEW = (*CHEAP, *CHEAP, *CHEAP, PARADISE, WITNESSED, *BACKGAMMON)
"""Twenty-five games. Of Loot there is one more in `test_endings`, from which a seat leaves, with
changed files."""


def batch(kinds: Sequence[Kind], seed: str, changes: int) -> Compared:
    """One game of each of these kinds, and so many changed files of each."""
    cases = []
    for number, kind in enumerate(kinds):
        name = f"{seed} {number}"
        game, rng = played(kind, name), random.Random(name)
        cases.append((game.name, game.data))
        for _ in range(changes):
            change = mutated(game.data, rng, game.signers)
            cases.append((f"{game.name}: {change.name}", change.data))
    return compare(cases)


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_twenty_five_games_and_375_changed_files() -> None:
    assert len(FEW) == 25
    found = batch(FEW, "few", 15)
    assert found.different == []
    assert found.judged == 400
    assert found.failed > 250 and found.by_rules < 75
    assert len(found.layers) >= 6, found.layers


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("part", range(50))
def test_a_thousand_games_and_ten_thousand_changed_files(
    part: int, record_property: Record
) -> None:
    kinds = [KINDS[(part + number) % len(KINDS)] for number in range(2)] + list(CHEAP) * 3
    found = batch(kinds, f"many {part}", 10)
    layers = ", ".join(f"{layer} {count}" for layer, count in Counter(found.layers).most_common())
    record_property(
        "figure",
        f"two verifiers, part {part + 1} of 50: {found.judged} files, {found.failed} fail"
        f" ({layers})",
    )
    assert found.different == []


@needs_node
def test_a_file_that_does_not_sign_its_trace_changed_in_its_bytes_and_lines() -> None:
    """The format allows it, and no program of ours begins such a game."""
    rng, data = random.Random("older"), UNTRACED.read_bytes()
    assert b"\ntrace = 1\n" not in data
    changes = [mutated(data, rng) for _ in range(40)]
    found = compare([("untraced", data), *((one.name, one.data) for one in changes)])
    assert found.different == [] and found.failed > 25
