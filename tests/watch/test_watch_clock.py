"""A wrong clock signs nothing before its player says that it is right; another player's clock stops
nobody."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.home import clock
from pbem.home.clock import ClockDoubt, Jumps
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch.failing import DAY
from tests.mail.test_mail_servers import NEEDS_DOVECOT, printing
from tests.support import read_game
from tests.support.homes import complete_answers, make_home
from tests.support.mail_servers import PASSWORD, dovecot, fetch_settings
from tests.support.watch_kit import Stage, solitaire, tripoli


class Moving:
    """The clock of this machine, set forward or back; the steady one goes on as ever."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off = 0.0
        true, test = time.time, self

        class Moved(datetime):
            @classmethod
            def now(cls, zone: object = None) -> datetime:  # type: ignore[override]
                return datetime.fromtimestamp(true() + test.off, UTC)

        monkeypatch.setattr(time, "time", lambda: true() + self.off)
        monkeypatch.setattr(clock, "datetime", Moved)


@pytest.fixture
def moving(monkeypatch: pytest.MonkeyPatch) -> Moving:
    return Moving(monkeypatch)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[Stage, bytes]]:
    """Ann has made her first play of a game that Ben witnesses."""
    stage, data = solitaire(tmp_path)
    yield stage, stage.write(stage.one, data)
    for who in (stage.one, stage.other):
        who.restart()


def player(home: Home, folder: Path) -> Player:
    return Player("Ann", home.folder, folder, in_process=True)


def test_a_clock_behind_ones_own_entry_signs_nothing_until_it_is_said_to_be_right(
    tmp_path: Path, moving: Moving
) -> None:
    stage, data = tripoli(tmp_path)
    ann = stage.one
    typed = player(ann.home, tmp_path)
    (tmp_path / "turn.toml").write_bytes(data)
    answers = "; ".join(stage.chosen(ann, data))
    moving.off = -40 * DAY - 7200
    for given in ((), ("--yes",), ("--json",)):
        code, out, said = typed.types("play", "turn.toml", answers, *given)
        said += out
        assert code == 1 and "--my-clock-is-right" in said
    assert [path.name for path in ann.home.folder.glob("games/*/signed/*")] == ["0000.toml"]
    (ann.home.folder / "clock.json").unlink()
    assert typed.types("play", "turn.toml", answers)[0] == 1, (
        "the dates of own entries tell it as well"
    )
    assert typed.types("resign", "turn.toml", "--yes")[0] == 1
    assert typed.types("play", "turn.toml", answers, "--my-clock-is-right")[0] == 0
    assert clock.doubt(ann.home.folder) == "", "what contradicted it counts no more"
    moving.off = -41 * DAY - 9000
    assert "1 day behind" in clock.doubt(ann.home.folder)


def test_a_clock_that_is_right_is_asked_nothing(tmp_path: Path, moving: Moving) -> None:
    """Turns are read weeks late."""
    stage, data = tripoli(tmp_path)
    moving.off = 400 * DAY + 600
    (tmp_path / "turn.toml").write_bytes(data)
    typed = player(stage.one.home, tmp_path)
    assert typed.types("play", "turn.toml", "; ".join(stage.chosen(stage.one, data)))[0] == 0


def test_an_automatic_entry_waits_while_the_clock_is_behind(
    alone: tuple[Stage, bytes], moving: Moving
) -> None:
    stage, data = alone
    ben = stage.other
    ben.receive(data)
    moving.off = -40 * DAY
    done = ben.look()
    assert done.sent == [] and any("clock" in text for text in done.failed)
    assert any("clock" in one.text for one in done.news)
    assert all("clock" not in one.text for one in ben.look().news)
    moving.off = 0.0
    done = ben.look()
    assert [one.entry for one in done.sent] == [3] and done.failed == []


def test_a_clock_that_jumps_while_watching_is_ahead_until_it_is_set_back_or_said_to_be_right(
    alone: tuple[Stage, bytes], moving: Moving, tmp_path: Path
) -> None:
    stage, data = alone
    ben = stage.other
    ben.look()
    moving.off = 3000.0
    ben.look()
    assert clock.doubt(ben.home.folder) == "", "less than an hour"
    moving.off = 400 * DAY + 600
    ben.receive(data)
    done = ben.look()
    assert done.sent == [] and any("ahead by 400 days" in text for text in done.failed)
    ben.restart()
    assert ben.look().sent == [], "another watcher knows it too"
    (tmp_path / "turn.toml").write_bytes(data)
    code, _, said = player(ben.home, tmp_path).types("play", "turn.toml", "--yes")
    assert code == 1 and "ahead by 400 days" in said
    moving.off = 0.0
    assert [one.entry for one in ben.look().sent] == [3], "it is set back"
    clock.confirm(ben.home.folder)


def test_a_jump_that_sets_a_clock_right_is_none(tmp_path: Path, moving: Moving) -> None:
    """A machine without a battery begins in 1970, and is told the time by the network."""
    home = make_home(tmp_path / "home")
    clock.note_signed(home.folder, clock.now())
    moving.off = -400 * DAY - 600
    jumps = Jumps()
    jumps.look(home.folder)
    assert "400 days behind" in clock.doubt(home.folder)
    moving.off = 0.0
    jumps.look(home.folder)
    assert clock.doubt(home.folder) == ""
    moving.off = 2 * DAY + 600
    jumps.look(home.folder)
    assert "ahead by 2 days" in clock.doubt(home.folder)
    clock.confirm(home.folder)
    jumps.look(home.folder)
    assert clock.doubt(home.folder) == ""


def test_a_machine_that_slept_has_a_clock_that_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(tmp_path / "home")
    jumps, steady, true = Jumps(), clock.steady, time.time
    monkeypatch.setattr(clock, "steady", lambda: steady() + 8 * 3600)
    monkeypatch.setattr(time, "time", lambda: true() + 8 * 3600)
    jumps.look(home.folder)
    assert clock.doubt(home.folder) == ""
    before = steady()
    assert 0 <= steady() - before < 60


@NEEDS_DOVECOT
def test_the_servers_date_of_the_newest_mail_tells_that_the_clock_is_behind(
    tmp_path: Path, moving: Moving
) -> None:
    home = make_home(tmp_path / "home")
    with dovecot() as (_, tls, cert, mails):
        (home.folder / "mail.toml").write_text(fetch_settings(tls, cert, printing(PASSWORD)))
        path = mails / "new" / "1.host"
        path.write_bytes(b"Subject: hello\r\n\r\nno turn\r\n")
        came = datetime.now(UTC) + timedelta(minutes=5)
        os.utime(path, (came.timestamp(), came.timestamp()))
        typed = player(home, tmp_path)
        assert typed.types("watch", "--once")[0] == 0
        assert clock.doubt(home.folder) == "", "five minutes are nothing"
        moving.off = -1 * DAY
        assert "mail server" in clock.doubt(home.folder)
        code, _, said = typed.types("new", "tripoli")
        assert code == 1 and "mail server" in said and not [*home.folder.glob("games/*/signed/*")]
        assert typed.types("new", "tripoli", "--my-clock-is-right")[0] == 0
        assert typed.types("watch", "--once")[0] == 0
        assert clock.doubt(home.folder) == "", "so far the player let it be ahead"
        moving.off = -3 * DAY
        with pytest.raises(ClockDoubt):
            clock.check(home.folder)


def test_another_players_date_is_told_as_theirs_and_stops_nothing(
    tmp_path: Path, moving: Moving
) -> None:
    ann, ben = make_home(tmp_path / "ann", "Ann"), make_home(tmp_path / "ben", "Ben")
    data = joining.invite(ann, joining.NewGame("tripoli"))
    moving.off = 400 * DAY + 600
    data = joining.join(open_game.open_file(data, ben), ben)
    moving.off = 0.0
    opened = open_game.open_file(data, ann)
    assert any("turn 1 by Ben " in text and " 400 days " in text for text in opened.warnings)
    name = short_name(read_game.replay_bytes(data))
    code, said, _ = player(ann, tmp_path).types("show", name)
    assert code == 0 and "clock of Ben" in said
    assert clock.doubt(ann.folder) == ""
    chosen = complete_answers(opened, random.Random(1).choice)
    assert take_turn.next_entry(opened, Intent(chosen)), "it stops nothing"
