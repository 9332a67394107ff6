"""A plug-in whose code raises amid a game: a watcher tells which line of its author's it was, loses
nothing, tells it as long as it lasts, and goes on with all other games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch.failing import DAY
from pbem.watch.spectator import Spectator
from pbem.watch.watcher import Round
from tests.support.hex_match import hex_installed
from tests.support.plugins import change
from tests.support.table_kit import Client, served
from tests.support.watch_kit import Stage, of_two
from tests.watch.test_watch_failing import Days, problems

BREAKS = {
    "the rules": (
        "                self.stones[said] = seat\n",
        '                if said == "b2" and self.grid.rows == 5:\n',
    ),
    "what it is called": (
        '        return f"stone {self.period()}"\n',
        '        if self.grid.rows == 5 and "b2" in self.stones:\n',
    ),
}
"""A line of Hex, before which it raises something in a game that no sample is, and under
which condition. The one stops whoever verifies the turn, the other whoever tells
of it."""


PLACE = "'nothing' (pbem_hex/game.py, line "


@dataclass
class Broken:
    """Ann watches; Ben has laid a stone at b2 in Hex and joined another game, and both came to her,
    when a new version of the plug-in stops at that stone; `stops` says what of it stops."""

    stops: str
    stage: Stage
    file: Path
    breaks: Callable[[], None]
    mend: Callable[[], None]


@pytest.fixture(params=BREAKS)
def broken(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Broken]:
    line, condition = BREAKS[request.param]
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "state"))
    with hex_installed(tmp_path / "site-packages") as site:
        stage, data = of_two(tmp_path, "hex", {"size": 5})
        ann, ben = stage.one, stage.other
        data = take_turn.next_entry(open_game.open_file(data, ann.home), Intent(("c3",)))
        data = take_turn.next_entry(open_game.open_file(data, ben.home), Intent(("b2",)))
        ann.look()
        other = joining.invite(ann.home, joining.NewGame("tripoli"))
        ann.receive(data)
        ann.receive(joining.join(open_game.open_file(other, ben.home), ben.home))
        rules = site.folder / "pbem_hex" / "game.py"
        raising = f"{condition}                    raise KeyError('nothing')\n{line}"

        def swap(old: str, new: str) -> None:
            change(rules, old, new)
            site.forget()

        (folder := tmp_path / "public").mkdir()
        (folder / "hex.toml").write_bytes(data)
        yield Broken(
            request.param,
            stage,
            folder / "hex.toml",
            lambda: swap(line, raising),
            lambda: swap(raising, line),
        )
        for who in (ann, ben):
            who.restart()


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


def told(done: Round) -> list[str]:
    return [one.text for one in done.news if one.kind == "turn"]


def test_other_games_go_on_and_nothing_is_lost(broken: Broken, days: Days) -> None:
    broken.breaks()
    ann = broken.stage.one
    done = ann.look()
    (problem,) = problems(done)
    assert "pbem_hex/game.py, line" in problem and "check-game hex" in problem
    assert len(told(done)) == 1, "the other game is told"
    assert any(PLACE in one for one in done.failed)
    again = ann.look()
    assert problems(again) == [] and any(PLACE in one for one in again.failed)
    days.later += DAY + 60
    assert len(problems(ann.look())) == 1, "it lasts"
    ann.restart()
    assert any(PLACE in one for one in ann.look().failed), "to the next watcher, too"
    broken.mend()
    done = ann.look()
    assert len(told(done)) == 1 and done.failed == []
    assert told(ann.look()) == []


def test_whoever_watches_others_is_told_the_line_too(broken: Broken) -> None:
    """And the turn, once the plug-in is mended."""
    ann = broken.stage.one
    broken.breaks()
    other = broken.file.with_name("other.toml")
    other.write_bytes(joining.invite(ann.home, joining.NewGame("tripoli")))
    spectator = Spectator([broken.file.parent])
    look = spectator.look()
    assert [game.report.about.game for game in look.games] == ["tripoli"]
    assert any(PLACE in problem for problem in look.problems)
    assert spectator.look().problems == []
    broken.mend()
    assert [game.report.about.game for game in spectator.look().games] == ["hex"]


def test_the_table_says_so_and_shows_all_other_games(broken: Broken, tmp_path: Path) -> None:
    ann = broken.stage.one
    broken.breaks()
    ann.look()
    with served(ann.home, tmp_path / "table") as server:
        client = Client(server)
        client.enter()
        taken = client.ask("POST", "/take?name=hex.toml", broken.file.read_bytes()).body.decode()
        page = client.ask("GET", "/")
        assert page.status == 200 and b"The Shores of Tripoli" in page.body
        assert "pbem_hex/game.py" in taken + page.body.decode()
        names = {path.name for path in (ann.home.folder / "games").iterdir()}
        for name in names:
            game = client.ask("GET", f"/game/{name[:8]}")
            assert game.status == 200 or b"pbem_hex/game.py" in game.body
    types = Player("Ann", ann.home.folder, broken.file.parent, in_process=True)
    code, said, _ = types.types("inbox", broken.file.name)
    assert code == 2 and PLACE in said and "Shores of Tripoli" in said
    assert ("flow" in said) == (broken.stops == "the rules")
    if broken.stops == "the rules":
        found = types.asks("verify", broken.file.name)
        assert (found["ok"], found["exit"], found["layer"]) == (False, 2, "program")
    broken.mend()
    assert types.does("verify", broken.file.name)["ok"] is True
    code, said, _ = types.types("inbox", broken.file.name)
    assert code == 0 and "Hex" in said and PLACE not in said
