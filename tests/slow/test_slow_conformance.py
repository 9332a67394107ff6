"""Recorded games of independent implementations, where they lie beside this checkout, and games of
our own by mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.games import registry
from pbem.report import verification
from pbem.simulate import by_mail
from pbem.simulate.policies import RandomPolicy
from tests.support import conformance

SHARED = Path(__file__).resolve().parents[3] / "shared" / "conformance"
Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["tripoli", "loot"])
def test_every_recorded_game_is_replayed(name: str, record_property: Record) -> None:
    path = SHARED / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(
            f"no recorded games: ../shared/conformance/{name}.jsonl is not beside this checkout"
        )
    games, states, mismatches = conformance.compare(conformance.read(path))
    record_property(
        "figure",
        f"recorded games of {name}: {games} with {states} states, {len(mismatches)} mismatches",
    )
    assert games > 0
    assert mismatches == []


def test_nothing_recorded_is_left_out() -> None:
    if not SHARED.exists():
        pytest.skip("no recorded games: ../shared/conformance is not beside this checkout")
    assert sorted(path.stem for path in SHARED.glob("*.jsonl")) == ["loot", "tripoli"]


TABLES: list[tuple[str, dict[str, int], int]] = [
    ("tripoli", {}, 40),
    ("tripoli", {"hidden-discard": 1, "quick-hand-limit": 1}, 40),
    *(("loot", {"players": count}, 6) for count in (2, 3, 4, 5)),
    *(("loot", {"players": count, "partners": 1}, 4) for count in (4, 6, 8)),
]


@pytest.mark.parametrize(
    ("name", "options", "games"), TABLES, ids=lambda value: str(value).replace(" ", "")
)
def test_games_by_mail_verify(
    name: str, options: dict[str, int], games: int, record_property: Record
) -> None:
    """Every machine comes to the same position after every entry, and everything verifies from the
    file alone."""
    rules, hows, entries = registry.newest(name), Counter[str](), 0
    for number in range(games):
        settings = registry.chosen_settings(rules, options)
        game = by_mail.play_by_mail(rules, settings, RandomPolicy, f"slow {name} {number}", "all")
        facts, failure = verification.verify(game.data)
        assert failure is None and facts.result is not None and facts.result.proven, (
            name,
            options,
            number,
        )
        hows[facts.result.how] += 1
        entries += facts.entries
    told = ", ".join(f"{how} {count}" for how, count in hows.most_common())
    record_property(
        "figure",
        f"{name} by mail, {options or 'no options'}: {games} games, {entries} entries ({told})",
    )
