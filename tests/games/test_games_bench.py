"""`pbem check-game`: sound games pass every check, and a deliberately broken game shows each of them failing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.rules import Rules
from pbem.games import BUILT_IN, registry
from pbem.simulate import check_game, golden, same_position, secrecy
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.check_game import Findings
from pbem.simulate.policies import RandomPolicy
from tests.support.plugins import Site, change
from tests.support.stones import StonesRules

HERE = Path(__file__).parent
ALLOWS_PAIRS = {"tripoli", "tripoli-solitaire"}
"""Games in which two answers of one turn may come in either order."""
OPEN = "paradise"
"""A game without hidden cards, whose random games are long: hundreds of reports, each one of hundreds. Its golden
playthroughs are those in `tests/paradise/data`, which are short."""


def found_in(wrong: str, monkeypatch: pytest.MonkeyPatch, games: int = 12) -> Findings:
    monkeypatch.setattr(check_game, "_signed", lambda *_: None)  # it has no templates
    return check_game.check(StonesRules(wrong), games)


def test_a_sound_game_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = found_in("", monkeypatch)
    assert found.problems == [] and found.games == found.replayed == 12
    assert found.pairs > 12 and found.searched > 100 and found.questions == 12 * 9


BROKEN = {
    "crashes": "KeyError: 'dice'",
    "never ends": "does not end within",
    "ambiguous": 'two answers are "take"',
    "misfiled": "in a file means None, not Answer",
    "forgets": "the position is not complete: take ",
    "peeks": "a rule looks at a hidden card",
    "leaks": "which only others know",
    "changes": "looking at the position changes it",
}


NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")


@pytest.mark.parametrize("wrong", BROKEN)
def test_a_broken_game_shows_each_check_failing(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_game, "LONGEST", 500)
    found = found_in(wrong, monkeypatch)
    assert any(BROKEN[wrong] in problem for problem in found.problems), found.problems
    assert len(found.problems) <= check_game.MOST


def test_a_leak_in_a_report_is_found(site: Site) -> None:
    """The example with a view that remembers every face it was ever given, and a board that tells it."""
    package = site.install()
    change(
        package / "rules.py",
        'return {"when"',
        'SEEN.update(faces)\n        return {"seen": SEEN, "when"',
    )
    change(package / "rules.py", "WAYS =", "SEEN: dict = {}\nWAYS =")
    change(package / "templates" / "board.j2", "· prize", "· {{ names(view.seen) }} · prize")
    named = "{% for card in seen.values() %}{{ NAMES[card] }} {% endfor %}"
    macro = f'{{% set NAMES = "{" ".join(NAMES)}".split() %}}\n{{% macro names(seen) %}}{named}{{% endmacro %}}\n'
    board = package / "templates" / "board.j2"
    board.write_text(macro + board.read_text(encoding="utf-8"), encoding="utf-8")
    site.forget()
    rules = registry.newest("goofspiel")
    leaks, looked = secrecy.count_leaks(play_by_mail(rules, {}, RandomPolicy, "1").data)
    assert looked > 10 and any("as everybody sees it" in leak for leak in leaks)
    assert any("a view shows one" in problem for problem in check_game.check(rules, 4).problems)


def test_a_golden_playthrough_is_written_and_compared(tmp_path: Path) -> None:
    path, rules = tmp_path / "stones.txt", StonesRules()
    found = [Findings("stones", 1) for _ in range(3)]
    check_game._golden(found[0], rules, {}, path)
    check_game._golden(found[1], rules, {}, path)
    path.write_text(path.read_text(encoding="utf-8").replace("take left", "take right", 1), encoding="utf-8")
    check_game._golden(found[2], rules, {}, path)
    assert [one.golden for one in found] == ["written", "same", "different"]
    assert found[2].problems and "the golden playthrough comes out differently" in found[2].problems[0]


# The games that come with the program, and the example


def checked(rules: Rules, games: int) -> dict[str, Any]:
    kept = None if rules.name == OPEN else HERE / "golden" / f"{rules.name}.txt"
    found = check_game.check(rules, games, golden_file=kept)
    assert found.problems == []
    assert found.golden == "same" or kept is None, "there is a golden playthrough of every game"
    assert found.games == found.replayed == games
    assert (found.searched > 100 or rules.name == OPEN) and found.games_per_second > 0 and found.entries_per_turn > 0
    return {"pairs": found.pairs}


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_game_passes(name: str) -> None:
    pairs = checked(registry.newest(name), 4 if name == OPEN else 100)["pairs"]
    assert pairs >= 100 if name in ALLOWS_PAIRS else pairs == 0 or name == OPEN


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_game_passes_thousands_of_times(name: str) -> None:
    checked(registry.newest(name), 100 if name == OPEN else 5000)


def test_the_example_passes(site: Site) -> None:
    site.install()
    checked(registry.newest("goofspiel"), 100)


def test_golden_playthroughs_are_of_games_there_are() -> None:
    names = {path.stem for path in (HERE / "golden").glob("*.txt")}
    assert names == {*BUILT_IN, "goofspiel"} - {OPEN}


def test_answers_in_another_order_are_looked_for_where_no_chance_lies_between() -> None:
    rules = StonesRules()
    table = check_game.Playthrough(rules, {}, check_game.Dealer(3))
    steps = list(table.steps())
    places = same_position.candidates(steps)
    assert places and all(steps[one].result != steps[two].result for one, two in places)
    assert golden.text(rules, {}, 3).startswith("Stones, rules version 1, no options, seed 3\n")
