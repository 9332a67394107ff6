"""Simulations: the same seed gives the same games, whoever plays them and however many processes there are."""

from __future__ import annotations

import json
import random

import pytest

from engine.rules import Rules
from pbem import cli, policies, simulate
from pbem.errors import Usage

_TIMES = ("games_per_second", "decisions_per_second", "write_ms", "verify_ms")


def timeless(facts: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in facts.items() if key not in _TIMES}


def test_the_same_seed_gives_the_same_games_with_any_number_of_jobs() -> None:
    alone = simulate.simulate("tripoli", 50, "7")
    assert timeless(simulate.simulate("tripoli", 50, "7", jobs=2)) == timeless(alone)
    assert timeless(simulate.simulate("tripoli", 50, "8")) != timeless(alone)


def test_these_games_are_the_same_on_every_machine() -> None:
    """Figures written down once: they change with the rules or the policy only."""
    assert simulate.simulate("tripoli", 40, "golden")["results"] == GOLDEN


GOLDEN = {
    "wins": {"draw": 1, "tripolitan": 39},
    "how": {"Tripolitania has taken twelve gold": 39, "neither side has won by the end of 1806": 1},
    "length": 13.7,
    "frigates sunk": 0.3,
    "gold": 11.975,
}


def test_games_by_mail_meet_their_promises() -> None:
    facts = simulate.simulate("tripoli", 12, "1", by_mail=True)
    plain, ordered = facts["entries_per_season"], facts["entries_per_season_with_orders"]
    assert facts["entries_per_season_ordering_all"] < facts["entries_per_season_declining"] < ordered < plain
    assert facts["final_bytes"] < 100_000
    assert set(_TIMES) <= set(facts)


def test_json_has_the_keys_that_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.run(["simulate", "tripoli", "--games", "3", "--seed", "1", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert end.value.code == 0
    assert {"games", "games_per_second", "decisions_per_second", "results"} <= set(facts)
    assert facts["games"] == 3
    assert sum(facts["results"]["wins"].values()) == 3


@pytest.mark.parametrize("name", ["", "greedy", "nowhere:Policy", "random:Nobody"])
def test_an_unknown_policy_is_named(name: str) -> None:
    with pytest.raises(Usage, match="there is no policy"):
        simulate.simulate("tripoli", 1, "1", policy=name)


class FirstPolicy(policies.RandomPolicy):
    """Always the first answer: a policy of one's own."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        super().__init__(rules, rng)
        self._random = lambda: 0.0


def test_a_policy_of_ones_own_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = simulate.simulate("tripoli", 5, "1", policy=f"{__name__}:FirstPolicy")
    assert timeless(facts) != timeless(simulate.simulate("tripoli", 5, "1"))


def test_no_game_is_a_usage_error() -> None:
    with pytest.raises(Usage):
        simulate.simulate("tripoli", 0, "1")
    with pytest.raises(Usage, match="there is no game"):
        simulate.simulate("chess", 1, "1")
