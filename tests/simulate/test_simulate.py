"""Simulations: the same seed gives the same games, whoever plays them and however many processes
there are."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Answer, Ask
from engine.rules import Game, Rules
from pbem import files
from pbem.cli import app
from pbem.errors import Conflict, Usage
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.library.refresh import game_of
from pbem.report import verification
from pbem.simulate import by_mail, figures, policies, series
from pbem.simulate.figures import SeriesFacts

_TIMES = ("games_per_second", "decisions_per_second", "write_ms", "verify_ms")


def timeless(facts: SeriesFacts) -> dict[str, object]:
    return {key: value for key, value in vars(facts).items() if key not in _TIMES}


def test_the_same_seed_gives_the_same_games_with_any_number_of_jobs() -> None:
    alone = series.simulate("tripoli", 50, "7")
    assert timeless(series.simulate("tripoli", 50, "7", jobs=2)) == timeless(alone)
    assert timeless(series.simulate("tripoli", 50, "8")) != timeless(alone)


def test_these_games_are_the_same_on_every_machine() -> None:
    """Figures written down once: they change with the rules or the policy only."""
    assert series.simulate("tripoli", 40, "golden").results == GOLDEN


GOLDEN = {
    "wins": {"draw": 1, "tripolitan": 39},
    "how": {"Tripolitania has taken twelve gold": 39, "neither side has won by the end of 1806": 1},
    "length": 13.7,
    "frigates sunk": 0.3,
    "gold": 11.975,
}


@pytest.mark.dear("plays whole games by mail")
def test_games_by_mail_meet_their_promises() -> None:
    facts = series.simulate("tripoli", 6, "1", by_mail=True)
    plain, ordered = facts.entries_per_season, facts.entries_per_season_with_orders
    assert (
        facts.entries_per_season_ordering_all < facts.entries_per_season_declining < ordered < plain
    )
    assert facts.final_bytes < 100_000
    assert set(_TIMES) <= set(vars(facts))


def test_all_mails_are_counted_and_what_a_trusted_server_would_need() -> None:
    rules = registry.newest("loot")
    played = by_mail.play_by_mail(rules, {"players": 3}, policies.RandomPolicy, "1/0")
    entries = turnfile.read(played.data).entries
    assert played.mails == len(entries) > played.entries, "joins and roots included"
    assert played.server_messages == sum(bool(entry.list("answers")) for entry in entries), (
        "no two turns of one seat in a row"
    )
    facts = series.simulate("loot", 1, "1", by_mail=True, settings={"players": 3})
    assert facts.mails_per_game == played.mails
    assert facts.mails_per_game_with_a_trusted_server == played.server_messages < played.mails
    words = figures.in_words(facts)
    assert f"mails per game                          {float(played.mails)}" in words
    assert f"mails per game with a trusted server    {float(played.server_messages)}" in words
    idle = [
        entry
        for entry in entries
        if not {"key", "answers", "orders", "seals"} & entry.fields.keys()
    ]
    assert 0 < facts.mails_deciding_nothing == len(idle) < played.mails
    assert f"mails deciding nothing                  {float(len(idle))}" in words


def test_what_was_declined_for_good_is_never_taken_back() -> None:
    """Taking it back would tell that the card has come, and the window would cost mails again."""
    rules = registry.newest("tripoli")
    for number in range(6):
        played = by_mail.play_by_mail(
            rules, {"quick-hand-limit": 1}, policies.RandomPolicy, f"{number}", "declining"
        )
        given = [
            text for entry in turnfile.read(played.data).entries for text in entry.list("orders")
        ]
        declined = [
            text for text in given if text.endswith(": decline") and not text.startswith("Merchant")
        ]
        assert declined
        assert len(set(declined)) == len(declined)
        assert not any(text.endswith(": ask") for text in given)


def test_json_has_the_keys_that_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        app.run(["simulate", "tripoli", "--games", "3", "--seed", "1", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert end.value.code == 0
    assert {"games", "games_per_second", "decisions_per_second", "results"} <= set(facts)
    assert facts["games"] == 3
    assert sum(facts["results"]["wins"].values()) == 3


@pytest.mark.parametrize(
    "name", ["", "greedy", "nowhere:Policy", "random:Nobody", "os:path", "..this:Policy"]
)
def test_an_unknown_policy_is_named(name: str) -> None:
    with pytest.raises(Usage, match=re.escape(f'"{name}"')):
        series.simulate("tripoli", 1, "1", policy=name)


class FirstPolicy(policies.RandomPolicy):
    """Always the first answer: a policy of one's own."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        super().__init__(rules, rng)
        self._random = lambda: 0.0


def test_a_policy_of_ones_own_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = series.simulate("tripoli", 5, "1", policy=f"{__name__}:FirstPolicy")
    assert timeless(facts) != timeless(series.simulate("tripoli", 5, "1"))


class Silent(policies.RandomPolicy):
    """Never says anything."""

    def choose(self, game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        return None  # type: ignore[return-value]


class Broken(policies.RandomPolicy):
    """Fails."""

    def choose(self, game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        raise KeyError("oh")


@pytest.mark.parametrize(
    ("policy", "what"), [("Silent", "no legal answer"), ("Broken", "failed: KeyError")]
)
def test_a_policy_that_fails_is_told_as_its_own_fault(policy: str, what: str) -> None:
    for mailed in (False, True):
        with pytest.raises(Usage, match=what):
            series.simulate("tripoli", 1, "1", policy=f"{__name__}:{policy}", by_mail=mailed)


class Unordered(policies.RandomPolicy):
    """Its orders are no list of sentences."""

    def orders(self, *_: object) -> Any:
        return "hits: damage frigate"


class Numbered(policies.RandomPolicy):
    """Its orders are a list of something else."""

    def orders(self, *_: object) -> Any:
        return [5]


@pytest.mark.parametrize("policy", ["Unordered", "Numbered"])
def test_orders_of_a_policy_that_are_no_list_of_sentences(policy: str) -> None:
    with pytest.raises(Usage, match="gave no list of orders"):
        series.simulate("tripoli", 1, "1", policy=f"{__name__}:{policy}", by_mail=True)


def test_a_policy_whose_module_fails_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fails_alone.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Usage, match="ZeroDivisionError"):
        series.simulate("tripoli", 1, "1", policy="fails_alone:Mine")


def test_a_policy_lies_in_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_alone.py").write_text(
        "from pbem.simulate.policies import RandomPolicy\n\nclass Mine(RandomPolicy):\n    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    assert series.simulate("tripoli", 2, "1", policy="mine_alone:Mine").games == 2


def test_no_game_is_a_usage_error() -> None:
    with pytest.raises(Usage, match="seed"):
        series.simulate("tripoli", 1, "a\udcff")
    with pytest.raises(Usage):
        series.simulate("tripoli", 0, "1")
    with pytest.raises(Usage, match='"chess"'):
        series.simulate("chess", 1, "1")


def kept(folder: Path, seed: str, **what: Any) -> dict[str, bytes]:
    series.simulate("tripoli", 4, seed, by_mail=True, keep=folder, **what)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.dear("plays whole games by mail")
def test_games_by_mail_are_kept_and_a_seed_gives_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "BATCH", 2)
    first = kept(tmp_path / "new" / "first", "1")
    assert kept(tmp_path / "second", "1", jobs=2) == first == kept(tmp_path / "second", "1"), (
        "the same again is no conflict"
    )
    assert len({**first, **kept(tmp_path / "second", "2")}) == 8, "two seeds can share a folder"
    for name, data in first.items():
        _facts, failure = verification.verify(data)
        assert failure is None
        entries = turnfile.read(data).entries
        dates = [str(entry.fields["date"]) for entry in entries]
        assert dates == sorted(dates) and dates[0] < dates[-1]
        assert re.fullmatch(rf"tripoli-[0-9a-f]{{8}}-{len(entries) - 1:04}\.toml", name)


def test_kept_games_of_two_kinds_are_different_games(tmp_path: Path) -> None:
    for number, game in enumerate(("tripoli", "tripoli-solitaire")):
        series.simulate(game, 1, "1", by_mail=True, keep=tmp_path)
        found = {game_of(path.read_bytes()) for path in tmp_path.iterdir()}
        assert None not in found and len(found) == number + 1


def test_the_players_of_kept_games_meet_again() -> None:
    met = [by_mail.members("1", number, 8).people for number in range(20)]
    assert all(
        len({one.name for one in people}) == len({one.seed for one in people}) == 8
        for people in met
    )
    assert len({one for people in met for one in people}) <= by_mail.MEMBERS < 20 * 8
    assert {one.seed for one in met[0]}.isdisjoint(
        one.seed for one in by_mail.members("2", 0, 8).people
    )


def test_what_keeps_games_from_being_kept_is_told(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="by mail"):
        series.simulate("tripoli", 1, "1", keep=tmp_path)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "in it", tmp_path / "n\0"):
        with pytest.raises(Usage, match=re.escape(files.printable(folder))):
            series.simulate("tripoli", 1, "1", by_mail=True, keep=folder)
    series.simulate("tripoli", 1, "1", by_mail=True, keep=tmp_path)
    (name,) = (path for path in tmp_path.iterdir() if path.suffix)
    name.write_text("mine")
    with pytest.raises(Conflict, match="another game"):
        series.simulate("tripoli", 1, "1", by_mail=True, keep=tmp_path)
    assert name.read_text() == "mine"
