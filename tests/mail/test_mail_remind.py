"""`pbem remind`: a friendly mail with the newest file, for whoever a game waits for."""

from __future__ import annotations

import email
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import policy
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.errors import Refused, Usage
from pbem.fileformat import turnfile
from pbem.home import clock
from pbem.home.clock import in_words
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.ledger.clock import DAY
from pbem.report import render, time
from pbem.turn import game_list, named_file, remind
from pbem.turn.game_list import GameSummary
from tests.support.players import Pair, prefix


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path, 3, time={"clock": "30+3", "leave-days": 20}).play(4)


def waiting(pair: Pair) -> tuple[Home, Home, Path]:
    """The home of who waits, that of who is waited for, and the newest file, which both know."""
    turn = pair.turn()
    assert turn is not None
    path = pair.homes[0].folder.parent / "newest.toml"
    path.write_bytes(pair.data)
    for seat in (0, 1):
        pair.open(seat)
    return pair.homes[1 - turn], pair.homes[turn], path


class Later:
    """In place of `datetime`: so many days after the entries of the tests."""

    days = 0

    @classmethod
    def now(cls, _zone: object) -> datetime:
        return datetime(2026, 11, 21 + cls.days, 9, 30, tzinfo=UTC)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> type[Later]:
    monkeypatch.setattr(clock, "datetime", Later)
    Later.days = 0
    return Later


def told(home: Home) -> GameSummary:
    (summary,) = game_list.games(home, home.identity()).games
    return summary


def test_a_reminder_goes_to_whom_the_game_waits_for_with_the_newest_file(
    pair: Pair, tmp_path: Path, later: type[Later]
) -> None:
    home, other, path = waiting(pair)
    later.days = 3
    facts = remind.write(home, named_file.find(path, home).turn, tmp_path)
    assert (
        facts.name == other.identity().name
        and facts.to == [other.identity().mail]
        and not facts.sent
    )
    mail = email.message_from_bytes(Path(facts.mail or "").read_bytes(), policy=policy.default)
    assert mail["To"] == other.identity().mail and home.identity().mail in mail["From"]
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert f" {home.identity().name}: since 2026-11-21, 3 days " in " ".join(text.split())
    html = mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert f" {home.identity().name}" in html
    assert named_file.find(Path(facts.mail or "")).turn == pair.data


def test_a_draft_stays_with_what_was_typed_into_it(
    pair: Pair, tmp_path: Path, later: type[Later]
) -> None:
    home, _, path = waiting(pair)
    data = named_file.find(path, home).turn
    draft = Path(remind.write(home, data, tmp_path).mail or "")
    draft.write_bytes(typed := draft.read_bytes().replace(b"friendly reminder", b"gentle reminder"))
    assert remind.write(home, data, tmp_path).mail == str(draft)
    assert draft.read_bytes() == typed
    later.days = 1
    assert remind.write(home, data, tmp_path).mail != str(draft)
    assert len(list(tmp_path.glob("*-reminder-*.eml"))) == 2


def test_nobody_reminds_themselves_or_of_a_game_that_is_over(pair: Pair, tmp_path: Path) -> None:
    _, other, path = waiting(pair)
    with pytest.raises(Refused) as caught:
        remind.reminder(other, named_file.find(path, other).turn)
    assert "pbem play " in str(caught.value)
    while pair.turn() is not None:
        pair.step([], resign=not pair.ledger().is_over())
    path.write_bytes(pair.data)
    with pytest.raises(Refused) as caught:
        remind.reminder(other, named_file.find(path, other).turn)
    assert caught.value.hint == ()


def test_who_does_not_play_reminds_nobody(pair: Pair, tmp_path: Path) -> None:
    from tests.support.homes import make_home

    _, _, path = waiting(pair)
    with pytest.raises(Refused, match="no seat"):
        remind.reminder(
            make_home(tmp_path / "cleo", "Cleo"),
            named_file.find(path).turn,
        )


def test_while_a_seat_is_free_the_inviter_passes_the_file_on(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3)
    path = tmp_path / "newest.toml"
    path.write_bytes(pair.data)
    with pytest.raises(Refused) as caught:
        remind.reminder(pair.homes[0], named_file.find(path, pair.homes[0]).turn)
    assert "--to ADDRESS" in str(caught.value)


def test_a_reminder_is_due_once_and_not_to_who_is_away(
    pair: Pair, tmp_path: Path, later: type[Later]
) -> None:
    home, other, path = waiting(pair)
    later.days = 2
    assert not remind.is_due(home, told(home), 3) and remind.is_due(home, told(home), 2)
    assert not remind.is_due(other, told(other), 2), "it waits for its own player"
    away = replace(told(home), away=[time.Absence(str(told(home).to_act), "", "2026-12-31")])
    assert not remind.is_due(home, away, 2)
    remind.write(home, named_file.find(path, home).turn, tmp_path)
    assert not remind.is_due(home, told(home), 2)
    (folder,) = (home.folder / "games").iterdir()
    for damage in (b"", b"[]", b"\xff", b"[" * 9000):
        (folder / "outbox.json").write_bytes(damage)
        assert remind.is_due(home, told(home), 2)


def test_the_list_says_who_is_overdue_and_who_is_away(pair: Pair, later: type[Later]) -> None:
    home, other, _ = waiting(pair)
    later.days = 9
    at_end = time.clock(pair.ledger())
    assert at_end is not None and told(home).overdue == 0
    (awaited,) = [one for one in at_end.seats if one.is_awaited]
    assert awaited.left > 30 * 86_400
    with patch.object(game_list, "clock") as clock:
        clock.now.return_value = "2027-03-01T09:30:00Z"
        assert told(home).overdue == 100 * 86_400 - awaited.left
        assert told(other).overdue == 100 * 86_400 - awaited.left
        clock.now.return_value = "0001-01-01T00:00:00Z"
        assert told(home).overdue == 0


def left(home: Home) -> int:
    clock = told(home).clock
    assert clock is not None
    return next(one.left for one in clock.seats if one.is_awaited)


def test_a_clock_that_runs_is_told_as_it_stands_now(pair: Pair) -> None:
    """Not as it stood when the turn was written: two minutes before the deadline two are left."""
    home, _, _ = waiting(pair)
    at_end = time.clock(pair.ledger())
    assert at_end is not None
    (awaited,) = [one for one in at_end.seats if one.is_awaited]
    with patch.object(game_list, "clock") as clock:
        sent = datetime.fromisoformat(told(home).since)
        for remaining in (awaited.left, 2 * DAY, 120, 0, -3600):
            clock.now.return_value = in_words(sent + timedelta(seconds=awaited.left - remaining))
            assert left(home) == remaining and told(home).overdue == max(0, -remaining)
    facts = render.render("inbox.txt.j2", game_list.InboxFacts([told(home)], [], 0, ""))
    assert re.search(r"left \(until 20\d\d-\d\d-\d\d \d\d:\d\d\)", facts), facts


def test_hostile_words_of_others_do_not_reach_the_mail_as_marks(pair: Pair, tmp_path: Path) -> None:
    home, _, path = waiting(pair)
    words = remind.in_words(pair.ledger(), 0)
    assert turnfile.HEADER not in words and "\n" not in words
    with pytest.raises(Usage):
        remind.send(home, named_file.find(path, home).turn)


@pytest.mark.parametrize(
    ("until", "still"), [("2026-11-20", 0), ("2026-11-30", 9), ("9999-12-31", 20)]
)
def test_leave_stops_the_clock_of_who_is_away_for_the_days_granted(
    pair: Pair, until: str, still: int
) -> None:
    """A clock of 30 days, 20 days of leave: what is overdue after 90 days, whatever end of the
    absence is announced."""
    home, _, _ = waiting(pair)
    summary = told(home)
    assert summary.clock is not None
    (awaited,) = [one for one in summary.clock.seats if one.is_awaited]
    away = replace(
        summary,
        clock=time.clock(pair.ledger()),
        away=[time.Absence(awaited.seat, "", until)],
    )
    (awaited,) = [one for one in away.clock.seats if one.is_awaited]  # type: ignore[union-attr]
    memory, file = Memory(home, bytes.fromhex(summary.game_id)), turnfile.read(pair.data)
    running = game_list._clock_now(away, memory, file, "2027-02-19T09:30:00Z")
    assert running is not None
    (now,) = [one for one in running.seats if one.is_awaited]
    days = (90 * DAY - awaited.left + now.left) // DAY
    assert (20 * DAY - now.leave) // DAY == still or until == "9999-12-31"
    assert days == still


def test_nobody_is_reminded_with_an_old_file(pair: Pair) -> None:
    home, _, path = waiting(pair)
    pair.step()
    waiting(pair)
    path.write_bytes(prefix(pair, 4))
    with pytest.raises(Refused) as caught:
        remind.reminder(home, named_file.find(path, home).turn)
    assert "pbem remind " in str(caught.value)
