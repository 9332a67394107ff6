"""Every other game led at a terminal: Loot, solitaire, Paradise, and a plug-in."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from pbem.home.home import Home
from pbem.turn import joining as invitations
from tests.support import read_game
from tests.support.homes import make_home
from tests.support.led import Led
from tests.support.loot_homes import Table
from tests.support.loot_match import Match, anything
from tests.support.paradise_match import invite
from tests.support.plugins import Site
from tests.support.screen import COLOUR, at_a_screen

WIDTHS = pytest.mark.parametrize(
    "columns", [80, *(pytest.param(columns, marks=pytest.mark.slow) for columns in (60, 120))]
)
COLOURS = pytest.mark.parametrize(
    "colour",
    [pytest.param(True, marks=pytest.mark.slow, id="colour"), pytest.param(False, id="no colour")],
)


def terminal(colour: bool) -> dict[str, str]:
    return {} if colour else {"NO_COLOR": "1"}


def file_in(folder: Path, data: bytes) -> Path:
    """A turn file in a folder of its own."""
    (folder / "mails").mkdir(parents=True)
    file = folder / "mails" / "turn.toml"
    file.write_bytes(data)
    return file


@WIDTHS
@COLOURS
def test_a_turn_of_loot(tmp_path: Path, columns: int, colour: bool) -> None:
    match, rng = Match(3), random.Random(2)
    match.until(12, anything(rng))
    while match.checker.to_act() != 0:
        match.step(anything(rng))
    table = Table.of(match, tmp_path)
    game = Led({"first": table.homes[0]}, file_in(tmp_path, table.data), **terminal(colour))
    shown = game.turn(columns=columns)
    for words in ("Loot", "Pile", "You are asked:", "Your file", "Sign it?"):
        assert words in shown, words
    assert max(map(len, shown.splitlines())) <= columns and "…" not in shown


def alone(tmp_path: Path, game: str) -> tuple[Home, Path]:
    """A game that Ann plays alone, just begun."""
    home = make_home(tmp_path / "Ann")
    data = (
        invite(home, own_dice=1)
        if game == "paradise"
        else invitations.invite(home, invitations.NewGame(game))
    )
    return home, file_in(tmp_path, data)


@pytest.mark.dear("plays in a pseudo-terminal")
@WIDTHS
@COLOURS
def test_solitaire_goes_on_from_entry_to_entry(tmp_path: Path, columns: int, colour: bool) -> None:
    """One command leads through one entry after the other, until the player leaves. One game in
    sixty is lost with the third entry, by dice that nobody can choose: then the same is done in
    another one."""
    options = {"columns": columns, **terminal(colour)}
    for number in range(9):
        home, file = alone(tmp_path / str(number), "tripoli-solitaire")
        with at_a_screen(home.folder, file.parent, "play", "turn.toml", **options) as seat:  # type: ignore[arg-type]
            while len(written := sorted(file.parent.glob("tripoli*.toml"))) < 3:
                seat.types("yes" if "Sign it?" in seat.waits().last() else "2")
            if read_game.replay_bytes(written[-1].read_bytes()).is_over():
                continue
            seat.types("quit")
            assert seat.ends() == 0
            shown = seat.text()
        break
    assert shown.count("Signed: ") == shown.count("Sign it?") and "Nothing is signed" in shown
    assert max(map(len, shown.splitlines())) <= columns
    assert bool(COLOUR.search(seat.raw)) is colour


@WIDTHS
@COLOURS
def test_paradise(tmp_path: Path, columns: int, colour: bool) -> None:
    """Its realm is drawn; an answer from hundreds is found by its words; an entry may end between
    two questions."""
    home, file = alone(tmp_path, "paradise")
    options = {"columns": columns, **terminal(colour)}
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", **options) as seat:  # type: ignore[arg-type]
        seat.types("samoa has 4").types("samoa starts with 2 warriors 1 war canoe")
        assert "3  discover" in seat.text()
        seat.types("list discover 1 tonga 1 samoa atoll")
        seat.types("discover 1 tonga 2 samoa 3 boxes 1 green").types("sign")
        assert "Sign it?" in seat.last()
        seat.types("yes").types("quit").ends()
        shown = seat.text()
    for words in ("★ Samoa", "2 warriors (+2)", "In the cup 11"):
        assert words in shown, words
    assert max(map(len, shown.splitlines())) <= columns
    assert len(list(file.parent.glob("paradise*.toml"))) == 1


@WIDTHS
def test_a_plug_in(site: Site, tmp_path: Path, columns: int) -> None:
    """Its board is drawn."""
    site.install()
    ann, ben = make_home(tmp_path / "Ann"), make_home(tmp_path / "Ben", "Ben")
    from pbem.turn import joining, open_game

    data = invitations.invite(ann, invitations.NewGame("goofspiel", options={"cards": 5}))
    data = joining.join(open_game.open_file(data, ben), ben)
    path = os.pathsep.join([str(Path(__file__).parents[3]), str(site.folder)])
    game = Led({"first": ann, "second": ben}, file_in(tmp_path, data), PYTHONPATH=path)
    for _ in range(3):
        shown = game.turn(columns=columns)
        assert "Your turn" in shown and max(map(len, shown.splitlines())) <= columns
        assert "Ann" in shown and "Prize" in shown
    assert "Your hand:" in shown
