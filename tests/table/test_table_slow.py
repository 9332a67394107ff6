"""Whole stretches of play at the table, in a real browser: `./run slow`."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.plugins import Site
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [needs_browser, pytest.mark.slow]

GAMES = 10
MOST_ENTRIES = 400


def click_something(visitor: Visitor, chance: random.Random) -> None:
    """One click on a card, a place of the board, or a button beside the question or beside what was
    clicked: whatever a player sees without the list of all answers."""
    page = visitor.page
    assert page.locator("#all[open]").count() == 0 or not page.locator("[data-path]").count()
    clicks = [f'.pin[data-place="{name}"].can-go' for name in visitor.places()]
    clicks += [
        f'.held [data-card="{name}"]'
        for name in visitor.cards()
        if f"card:{name}" not in visitor.chosen()
    ]
    clicks += [f'[data-give="{answer}"]:visible' for answer in visitor.offered()]
    clicks += [".word:visible"] * min(3, page.locator(".word:visible").count())
    clicks += ["[data-step]:visible"] * page.locator("[data-step]:visible").count()
    assert clicks, f"nothing can be clicked: {visitor.chosen()}, {visitor.answers()[:5]}"
    found = page.locator(chance.choice(clicks))
    before = page.locator("main").get_attribute("data-mark")
    one = found.nth(chance.randrange(found.count()))
    # of a card of a large hand the next one covers all but its left side
    one.click(position={"x": 12, "y": 20} if "card" in (one.get_attribute("class") or "") else None)
    page.locator("main:not([aria-busy])").wait_for()
    if page.locator("main").get_attribute("data-mark") == before:
        assert visitor.chosen() or page.locator("#besides").count()  # it is half of an answer


class Meeting:
    """Homes that play one game, each at a table of its own; what one signs is dropped on the
    others' tables."""

    def __init__(
        self, chromium: Any, folder: Path, game: str, count: int, stack: ExitStack, **settings: int
    ) -> None:
        names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal")[:count]
        self.homes = [make_home(folder / name.lower(), name) for name in names]
        self.data = joining.invite(self.homes[0], joining.NewGame(game, options=settings))
        for home in self.homes[1:]:
            self.data = joining.join(open_game.open_file(self.data, home), home)
        self.folder, self.chromium, self.stack = folder, chromium, stack
        self.visitors: dict[int, Visitor] = {}

    def visitor(self, seat: int) -> Visitor:
        """The browser of a seat, at the newest file."""
        path = self.folder / f"newest-{seat}.toml"
        path.write_bytes(self.data)
        if seat not in self.visitors:
            home = self.homes[seat]
            server = self.stack.enter_context(served(home, self.folder / f"files-{seat}", path))
            self.visitors[seat] = Visitor(self.chromium, server, beside=True)
        else:
            # as `pbem inbox` beside it takes the file in
            open_game.open_file(self.data, self.homes[seat])
            self.visitors[seat].page.reload()
        return self.visitors[seat]

    def to_act(self) -> int | None:
        return replay(turnfile.read(self.data)).to_act()

    def entry(self, chance: random.Random, *, by_board: bool) -> bool:
        """One entry of whoever writes next; False when nothing is left to write."""
        seat = self.to_act()
        if seat is None:
            return False
        visitor = self.visitor(seat)
        assert visitor.turn() == "yours"
        while answers := visitor.answers():
            if by_board:
                click_something(visitor, chance)
            else:
                visitor.give(chance.choice(answers))
        name = visitor.sign()
        self.data = (self.folder / f"files-{seat}" / name).read_bytes()
        assert visitor.problems == []
        return True


@pytest.mark.parametrize("by_board", [True, False])
def test_a_season_of_tripoli_by_two_homes(chromium: Any, tmp_path: Path, by_board: bool) -> None:
    with ExitStack() as stack:
        meeting, chance = Meeting(chromium, tmp_path, "tripoli", 2, stack), random.Random(5)
        for _ in range(MOST_ENTRIES):
            assert meeting.entry(chance, by_board=by_board)
            playing = replay(turnfile.read(meeting.data)).playing
            if playing is not None and playing.referee.game.when().startswith("Summer"):
                return
    raise AssertionError("the season does not end")


def test_loot_with_eight_seats(chromium: Any, tmp_path: Path) -> None:
    with ExitStack() as stack:
        meeting, chance = (
            Meeting(chromium, tmp_path, "loot", 8, stack, players=8, partners=1),
            random.Random(6),
        )
        for _ in range(24):
            assert meeting.entry(chance, by_board=False)


@pytest.mark.parametrize(
    ("game", "count", "settings"),
    [
        ("tripoli", 2, {}),
        ("tripoli-solitaire", 1, {}),
        ("loot", 3, {"players": 3}),
        ("paradise", 1, {}),
    ],
)
def test_whole_games_by_clicks_on_board_and_cards(
    chromium: Any, tmp_path: Path, game: str, count: int, settings: dict[str, int]
) -> None:
    with ExitStack() as stack:
        meeting, chance = (
            Meeting(chromium, tmp_path, game, count, stack, **settings),
            random.Random(9),
        )
        entries = 0
        while entries < MOST_ENTRIES and meeting.entry(chance, by_board=True):
            entries += 1
        assert replay(turnfile.read(meeting.data)).is_over()


@pytest.mark.parametrize("game", ["tripoli-solitaire", "paradise"])
def test_alone(chromium: Any, tmp_path: Path, game: str) -> None:
    with ExitStack() as stack:
        meeting, chance = Meeting(chromium, tmp_path, game, 1, stack), random.Random(7)
        entries = 0
        while entries < 12 and meeting.entry(chance, by_board=False):
            entries += 1
        assert entries >= 4  # a game that is lost at once has not many


@pytest.mark.parametrize("by_board", [True, False])
def test_the_plugin_of_the_examples(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_board: bool
) -> None:
    site = Site(tmp_path / "site", monkeypatch)
    site.install()
    with ExitStack() as stack:
        stack.callback(site.remove)
        meeting, chance = Meeting(chromium, tmp_path, "goofspiel", 2, stack), random.Random(8)
        for _ in range(MOST_ENTRIES):
            if not meeting.entry(chance, by_board=by_board):
                break
        assert replay(turnfile.read(meeting.data)).is_proven()
        meeting.visitor(0)
        assert meeting.visitors[0].turn() == "over"


@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_to_the_end_by_buttons(chromium: Any, tmp_path: Path, number: int) -> None:
    with ExitStack() as stack:
        game, settings = ("loot", {"players": 2}) if number % 2 else ("tripoli-solitaire", {})
        meeting = Meeting(chromium, tmp_path, game, 2 if number % 2 else 1, stack, **settings)
        chance = random.Random(number)
        for _ in range(MOST_ENTRIES):
            if not meeting.entry(chance, by_board=False):
                break
        assert replay(turnfile.read(meeting.data)).is_proven()
