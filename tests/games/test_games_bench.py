"""`pbem check-game`: sound games pass every check, and a deliberately broken game shows each of
them failing."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Ask
from engine.rules import Game, Rules, Settings
from examples.correspondence import Player
from pbem.games import BUILT_IN, registry
from pbem.simulate import bench_time, check_game, other_order, same_position, secrecy
from pbem.simulate import golden as playthrough
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.check_game import Findings
from pbem.simulate.order_check import WANTED, OrderCheck
from pbem.simulate.policies import RandomPolicy
from tests.games import pairs
from tests.support.golden_words import Golden
from tests.support.plugins import OLDER, Site, change
from tests.support.stones import Stones, StonesRules

HERE = Path(__file__).parent
OPEN = "paradise"
"""A game without hidden cards, whose random games are long: hundreds of reports, each one of
hundreds. Its golden playthroughs are those in `tests/paradise/data`, which are short."""


def found_in(wrong: str, monkeypatch: pytest.MonkeyPatch, games: int = 12) -> Findings:
    monkeypatch.setattr(check_game, "_mail_game", lambda *_: None)  # it has no templates
    return check_game.check(StonesRules(wrong), games)


def test_a_sound_game_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = found_in("", monkeypatch)
    assert found.problems == [] and found.games == found.replayed == 12
    assert found.pairs >= WANTED and found.searched > 100 and found.questions == 12 * 9


BROKEN = {
    "crashes": "KeyError: 'dice'",
    "never ends": "does not end within",
    "ambiguous": 'two answers are "take"',
    "misfiled": "in a file means None, not Answer",
    "forgets": "the position is not complete: take ",
    "peeks": "a rule looks at a hidden card",
    "leaks": "which only others know",
    "unlisted": 'the reason "fate" is none of the rules\' own',
    "changes": "looking at the position changes it",
}


NAMES = (
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
)


@pytest.mark.parametrize("wrong", BROKEN)
def test_a_broken_game_shows_each_check_failing(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_game, "LONGEST", 500)
    found = found_in(wrong, monkeypatch)
    assert any(BROKEN[wrong] in problem for problem in found.problems), found.problems
    assert len(found.problems) <= check_game.MOST


def test_a_leak_in_a_report_is_found(site: Site, golden: Golden) -> None:
    """The example with a view that remembers every face it was ever given, and a board that tells
    it."""
    package = site.install(source=OLDER)
    change(
        package / "game.py",
        'return {"when"',
        'SEEN.update(faces)\n        return {"seen": SEEN, "when"',
    )
    change(package / "game.py", "HAND =", "SEEN: dict = {}\nHAND =")
    seen = "', '.join(NAMES[one] for one in view['seen'].values())"
    change(
        package / "board.py",
        'StageItem("The prize"',
        f'StageItem("Seen", {seen}),\n            StageItem("The prize"',
    )
    change(package / "board.py", "Facts =", f"NAMES = {tuple(NAMES)!r}\nFacts =")
    site.forget()
    rules = registry.newest("goofspiel")
    leaks, looked = secrecy.count_leaks(play_by_mail(rules, {}, RandomPolicy, "1").data)
    assert looked > 10 and leaks
    golden(*check_game.check(rules, 4).problems)


def test_what_is_done_is_said_before_it_is_done(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    said: list[str] = []
    monkeypatch.setattr(check_game, "_mail_game", lambda *_: said.append("(signed)"))
    assert check_game.check(StonesRules(), 2, doing=said.append).problems == []
    golden(*dict.fromkeys(re.sub(r"(?<=request )\d+", "(number)", one) for one in said))


SLOW = """
    def draw(self, seat: Seat) -> Flow[None]:
        import os, sys, time
        while os.environ["WAITS_FOR"] not in sys.stderr.getvalue():
            time.sleep(0.001)
        yield from self.draw_cards(seat)

    def draw_cards(self"""


ENDLESS = """
    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        while settings is not None:
            pass
        return decks_of(settings.get("cards", 9))

    def other_decks(self"""


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="interrupts the main thread"
)
def test_a_new_plug_in_whose_sample_has_no_end_is_named_with_the_function(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.cli.simulate.LOADING", 0.3)
    change(site.install(source=OLDER) / "rules.py", "\n    def decks(self", ENDLESS)
    site.forget()
    code, _, told = Player("Ann", tmp_path / "Ann", tmp_path, in_process=True).types(
        "check-game", "goofspiel"
    )
    assert code == 2 and "had not come to an end" in told and "in decks()" in told
    site.forget()


@pytest.mark.dear("waits for what is told of a game that takes long")
def test_check_game_says_what_takes_so_long(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that make up their options until somebody is told of it: in the sample of a new
    plug-in, and in a game."""
    monkeypatch.setattr("pbem.cli.streams.SLOW", 0.01)
    ann = Player("Ann", tmp_path / "Ann", tmp_path, in_process=True)
    change(site.install(source=OLDER) / "game.py", "\n    def draw(self", SLOW)
    site.forget()
    for waits_for in (
        "goofspiel is loaded, and if it is new",
        "nothing wrong in 0 of 1 games, 0 questions; game 0, no options: the rules make up",
    ):
        monkeypatch.setenv("WAITS_FOR", waits_for)
        code, out, told = ann.types("check-game", "goofspiel", "--games", "1")
        assert (code, waits_for in told) == (0, True), out
        assert all(line.startswith("pbem: ") for line in told.splitlines())
    monkeypatch.setenv("WAITS_FOR", "")
    assert ann.types("check-game", "goofspiel", "--games", "1", "--json")[2] == ""


class Clock:
    """So many seconds each time that somebody looks."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_it_ends_when_its_time_is_up_and_says_what_it_has_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check_game, "_mail_game", lambda *_: None)
    verdicts: list[str] = []

    def begun(verdict: Callable[[], str]) -> None:
        verdicts.append(verdict())
        said.append(verdict)

    said: list[Callable[[], str]] = []
    found = check_game.check(StonesRules(), 500, limit=60, clock=Clock(0.1), begun=begun)
    assert 0 < found.games < 500 and found.problems == [] and found.seconds < 90
    assert found.cut[0] == f"{500 - found.games} of 500 games"
    told = check_game.in_words(found, "round")
    assert "no time for" in told and "--seconds 0" in told
    assert verdicts == ["nothing wrong in 0 of 500 games, 0 questions"]
    assert (
        f"nothing wrong in {found.games} of 500 games" in said[0]() and "seconds more" in said[0]()
    )
    monkeypatch.setattr(bench_time, "_SLOW", 3600.0)  # however slow the machine is
    whole = check_game.check(StonesRules(), 3, clock=Clock(0.1))
    assert whole.games == 3 and whole.cut == [] and whole.slow == []


def test_one_game_is_looked_at_even_where_there_is_time_for_no_whole_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check_game, "_mail_game", lambda *_: None)
    found = check_game.check(StonesRules(), 5, limit=8, clock=Clock(0.2))
    assert found.games == 0 and found.questions and found.replayed == 1


class Slow(Stones):
    """Its prompt takes its time, and then all time there is."""

    never_ends = False

    def prompt(self, ask: Ask) -> str:
        end = time.process_time() + 0.001
        while time.process_time() < end:
            pass
        while self.never_ends:
            pass
        return super().prompt(ask)


class SlowRules(StonesRules):
    def begin(self, settings: Settings) -> Game:
        game = super().begin(settings)
        game.__class__ = Slow
        return game


def test_what_is_slow_is_named_with_its_calls_and_milliseconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However fast the machine is: a call is slow here where it takes any time at all."""
    monkeypatch.setattr(check_game, "_mail_game", lambda *_: None)
    monkeypatch.setattr(bench_time, "_SLOW", 0.0)
    monkeypatch.setattr(bench_time, "_SHARE", 0.0)
    monkeypatch.setattr(bench_time, "_MOST", 100)
    found = check_game.check(SlowRules(), 2, limit=1e6)
    (slow,) = [one for one in found.slow if one.name == "prompt" and one.milliseconds]
    assert slow.calls >= found.questions > 0 and slow.share > 0
    assert f"slow: {slow}" in check_game.in_words(found, "round")
    assert f"prompt() {slow.calls:,} times at {slow.milliseconds:g} ms" in str(slow)


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="interrupts the main thread"
)
def test_a_call_without_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slow, "never_ends", True)
    monkeypatch.setattr(bench_time, "GRACE", 0.05)
    found = check_game.check(SlowRules(), 2, limit=0.05, clock=lambda: 0.0)
    (problem,) = found.problems
    assert "had not come to an end" in problem and "the rules make up request 3" in problem
    assert problem.startswith("prompt(), ")


def test_a_golden_playthrough_is_written_and_compared(tmp_path: Path, golden: Golden) -> None:
    path, rules = tmp_path / "stones.txt", StonesRules()
    found = [Findings("stones", 1) for _ in range(3)]
    check_game._golden(found[0], rules, {}, path)
    check_game._golden(found[1], rules, {}, path)
    path.write_text(
        path.read_text(encoding="utf-8").replace("take left", "take right", 1), encoding="utf-8"
    )
    check_game._golden(found[2], rules, {}, path)
    assert [one.golden for one in found] == ["written", "same", "different"]
    golden(*(problem.replace(f"{tmp_path}/", "") for problem in found[2].problems))


# The games that come with the program, and the example


def checked(rules: Rules, games: int, seed: str = "1") -> dict[str, Any]:
    kept = None if rules.name == OPEN else HERE / "golden" / f"{rules.name}.txt"
    places = pairs.known(rules.name)
    found = check_game.check(rules, games, seed, golden_file=kept, places=places)
    assert found.problems == []
    assert found.golden == "same" or kept is None, "there is a golden playthrough of every game"
    assert found.games == found.replayed == games
    assert (
        (found.searched > 100 or not rules.decks({}) or rules.name == OPEN)
        and found.games_per_second > 0
        and found.entries_per_turn > 0
    )
    return {"pairs": found.pairs, "swapped": found.swapped}


@pytest.mark.dear("plays thousands of positions")
@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_game_passes(name: str) -> None:
    assert checked(registry.newest(name), 4 if name == OPEN else 100)["pairs"] >= WANTED


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])  # in halves, since both processors take part
@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_game_passes_thousands_of_times(name: str, seed: str) -> None:
    checked(registry.newest(name), 500 if name == OPEN else 2500, seed)


def test_the_example_passes(site: Site) -> None:
    site.install()
    checked(registry.newest("goofspiel"), 15)


BOARDS = {"hex": {"size": 5}, "einstein": {}, "go": {"size": 9}, "chess": {}}
"""The games of `examples/boards`, with the options of their golden playthroughs."""


@pytest.mark.parametrize("name", BOARDS)
def test_a_game_of_the_boards_is_played_as_it_always_was(boards: None, name: str) -> None:
    rules = registry.newest(name)
    found = Findings(name, rules.version)
    settings, kept = {**rules.defaults, **BOARDS[name]}, HERE / "golden" / f"{name}.txt"
    check_game._golden(found, rules, settings, kept)
    assert (found.golden, found.problems) == ("same", [])


def test_golden_playthroughs_are_of_games_there_are() -> None:
    names = {path.stem for path in (HERE / "golden").glob("*.txt")}
    assert names == {*BUILT_IN, *BOARDS, "goofspiel"} - {OPEN}


def test_two_answers_in_another_order_are_of_one_seat_and_legal_at_both_places() -> None:
    rules = StonesRules()
    table = check_game.Playthrough(rules, {}, check_game.Dealer(3))
    steps = list(table.steps())
    swaps = [swap for _, swap in other_order.swaps_of(steps, random.Random(1))]
    assert swaps
    for first, second, early, late in swaps:
        assert steps[first].result == early != late
        assert late in steps[first].legal and late in steps[second].legal
    assert playthrough.text(rules, {}, 3).startswith(
        "Stones, rules version 1, no options, seed 3\n"
    )


def test_places_of_pairs_are_found_again_and_those_that_are_none_any_more_passed_over() -> None:
    orders, again = OrderCheck(StonesRules()), OrderCheck(StonesRules())
    orders.look_further([{}], 12, "1")
    places = orders.found
    assert len(places) == orders.pairs >= WANTED
    again.look_again([{}], places[:30])
    assert (again.pairs, again.places_tried) == (30, 30)
    none = [
        place._replace(**{what: 99})
        for place in places
        for what in ("first", "second", "late")
        if place.first < 99
    ]
    none += [place._replace(first=place.second, second=place.first) for place in places]
    again.look_again([{}], none)
    assert (again.pairs, again.problems) == (30, [])
    forgetful = OrderCheck(StonesRules("forgets"))
    forgetful.look_again([{}], places)
    assert forgetful.problems


def test_a_game_whose_position_tells_the_order_allows_no_pair_and_the_bench_says_so(
    golden: Golden,
) -> None:
    class Told(StonesRules):
        """Its position holds every stone in the order in which it was taken."""

        def begin(self, settings: Settings) -> Game:
            game = super().begin(settings)
            assert isinstance(game, Stones)
            taken: list[int] = []
            plain = game.position
            game.position = lambda: f"{plain()} {taken}"  # type: ignore[method-assign]
            game.heaps = Heaps(game.heaps, taken)
            return game

    class Heaps(list[int]):
        def __init__(self, heaps: list[int], taken: list[int]) -> None:
            super().__init__(heaps)
            self.taken = taken

        def __setitem__(self, place: Any, stones: Any) -> None:
            super().__setitem__(place, stones)
            self.taken.append(place)

    orders = OrderCheck(Told())
    orders.look_further([{}], 12, "1")
    assert orders.pairs == 0 and orders.swapped > 100 and not orders.problems
    found = Findings("stones", 1, swapped=orders.swapped)
    golden(check_game.in_words(found, "round"), check_game.in_words(Findings("stones", 1), "round"))


def test_when_a_card_was_drawn_is_history_and_no_part_of_the_position() -> None:
    seen = {"hand": [{"back": "a8", "drawn": "Spring 1801"}], "drawn": 3, "pile": ("a9",)}
    assert same_position.without_history(seen) == {
        "hand": [{"back": "a8"}],
        "drawn": 3,
        "pile": ["a9"],
    }
