"""Chess, Go, Hex and EinStein of `examples/boards` between two homes: by files, by clicks at the
table, and in the page of the whole game, which checks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.home.home import Home
from tests.support.homes import make_home
from tests.support.plugins import Site
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_request import Reader

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]


@dataclass(frozen=True)
class Clicks:
    """A turn at the table: places on the board, or the words of a button. Without any the places of
    the first legal answer."""

    where: tuple[str, ...] = ()


SCRIPTS: dict[str, tuple[tuple[str, ...], list[str | Clicks]]] = {
    "chess": ((), ["f3", "e5", "g4", Clicks(("d8", "h4"))]),
    "hex": (("--size", "3"), ["b2", "swap", "b1", "c3", Clicks(("c1",)), "a2", "a1", "c2", "c1"]),
    "go": (("--size", "9"), [Clicks(("e5",)), "pass", "pass", "count", Clicks(("agree",))]),
    "einstein": ((), [Clicks(), Clicks()]),
}
"""The options of a game, and what is played: by files, and in some turns at the table; once that is
done the first legal answers, to the end."""


@dataclass
class Match:
    """A game of Ann, who has the first seat, and Ben."""

    folder: Path
    game: str
    files: list[str] = field(default_factory=list)
    turn: str | None = None

    def begin(self, options: tuple[str, ...]) -> Match:
        self.players = {
            name: Player(name, self.folder / name, self.folder / "files", in_process=True)
            for name in ("Ann", "Ben")
        }
        (self.folder / "files").mkdir()
        for player in self.players.values():
            player.does("id", "--name", player.name, "--mail", f"{player.name}@example.org")
        self.write("Ann", "new", self.game, *options)
        self.write("Ben", "join", self.files[-1])
        seats = self.players["Ann"].does("show", self.files[-1])["players"]
        self.seats = {one["seat"]: one["name"] for one in seats}
        return self

    def write(self, name: str, *command: str) -> None:
        facts = self.players[name].does(*command, "--no-mail")
        self.files.append(facts["file"])
        self.turn = facts["to_act"] or None

    @property
    def who(self) -> Player:
        assert self.turn is not None
        return self.players[self.seats[self.turn]]

    def play(self, answer: str = "") -> None:
        """An entry of whoever writes next, with the first legal answer unless another is wanted."""
        given = self.who.answers(self.files[-1], lambda legal: answer or legal[0])
        self.write(self.who.name, "play", self.files[-1], "; ".join(given))

    def play_at_table(self, chromium: Any, clicks: Clicks) -> None:
        file = self.who.folder / self.files[-1]
        with served(Home(self.who.home), self.folder / "files", file) as server:
            visitor = Visitor(chromium, server)
            self.files.append(clicked(visitor, clicks))
            assert visitor.problems == []
            visitor.close()
        self.turn = self.who.does("show", self.files[-1])["to_act"] or None


def clicked(visitor: Visitor, clicks: Clicks) -> str:
    """A turn by clicks, signed; the name of its file."""
    visitor.page.locator(".pin.can-go, [data-give]:visible").first.wait_for()
    where = clicks.where or visitor.answers()[0].split()
    # the only piece that may go is chosen already
    for place in [one for one in where if f"place:{one}" not in visitor.chosen()]:
        one = f'.pin.can-go[data-place="{place}"], [data-give="{place}"]:visible'
        visitor.page.locator(one).first.click()
    visitor.page.locator('[data-action="sign"]').wait_for()
    return visitor.sign()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    (tmp_path / "site").mkdir()
    made = Site(tmp_path / "site", monkeypatch)
    made.install_boards()
    yield made
    made.remove()


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("game", SCRIPTS)
def test_two_play_it_and_its_page_verifies(chromium: Any, tmp_path: Path, game: str) -> None:
    options, script = SCRIPTS[game]
    match = Match(tmp_path, game).begin(options)
    for turn in script:
        if match.turn is None:
            break
        if isinstance(turn, Clicks):
            match.play_at_table(chromium, turn)
        else:
            match.play(turn)
    while match.turn is not None:
        assert len(match.files) < 120, "the game does not end"
        match.play()
    for player in match.players.values():
        assert player.does("verify", match.files[-1])["ok"] is True
    page = tmp_path / "game.html"
    match.players["Ann"].does("replay", match.files[-1], "--html", str(page))
    check_page(chromium, page)


@pytest.mark.usefixtures("site")
def test_the_form_says_what_a_game_begins_from(tmp_path: Path) -> None:
    """The position of chess is no setup of any game, and has nothing of dice."""
    page = (
        Reader(make_home(tmp_path / "ann", "Ann"), tmp_path / "files").ask("GET", "/").body.decode()
    )
    labels = {
        name: page.partition(f'for="{name}-setup">')[2][:60] for name in ("chess", "go", "any")
    }
    assert labels["chess"] == labels["go"] and labels["go"].startswith("What it begins from")
    assert labels["any"].startswith("What it is played with")


def check_page(chromium: Any, path: Path) -> None:
    """The page of a whole game finds every signature as it should be, without a network."""
    page = chromium.new_context(offline=True).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    page.locator('html[data-checks="ok"], html[data-checks="failed"]').wait_for(state="attached")
    assert page.locator("html").get_attribute("data-checks") == "ok", page.inner_text("body")
    assert page.locator(".pin").count() > 8 and problems == []
    page.context.close()
