"""The fields of time at the gate: where they may stand, and that they move nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.toml_subset import Value
from pbem.ledger.clock import DAY
from pbem.ledger.gate import replay
from pbem.report import render
from pbem.report.facts import report
from pbem.turn.draft_lines import Intent
from pbem.turn.extras import check_leave, clock_fields
from tests.support.golden_words import Golden
from tests.support.players import Pair, accepted, prefix, refused


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(
        tmp_path_factory.mktemp("timed"), 21, time={"clock": "30+3", "leave-days": 20}
    ).play(10)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(tmp_path_factory.mktemp("plain"), 21).play(6)


def test_each_later_entry_says_when_the_file_was_received(timed: Pair) -> None:
    first, *later = turnfile.read(timed.data).entries
    assert "received" not in first.fields and all(entry.text("received") for entry in later)
    for entries in (2, 3, 10):
        refused(timed.cheat(prefix(timed, entries), received=None), "each later entry says when")
    refused(timed.cheat(prefix(timed, 1), received="2026-11-21T09:30:00Z"), '"received"')


def test_without_a_clock_there_is_nothing_of_it(plain: Pair) -> None:
    for entries in (1, 2, 6):
        refused(
            plain.cheat(prefix(plain, entries), received="2026-11-21T09:30:00Z"),
            '"received" stands in games',
        )
    refused(plain.cheat(prefix(plain, 6), grant=3), "days are granted in a game with a clock")
    refused(
        plain.cheat(prefix(plain, 1), **{"leave-days": 3}),
        "days of leave belong to a game with a clock",
    )
    for name, value in (("clock", "30+3"), ("leave-days", 3)):
        refused(plain.cheat(prefix(plain, 2), **{name: value}), f'"{name}" does not belong')
        refused(plain.cheat(prefix(plain, 6), **{name: value}), f'"{name}" does not belong')


@pytest.mark.parametrize(
    "date", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-02-31T00:00:00Z"]
)
@pytest.mark.parametrize("name", ["date", "received", "leave"])
def test_no_claimed_date_decides_anything(timed: Pair, name: str, date: str) -> None:
    """The position, whose turn it is and what may be written are the same whatever the dates
    say."""
    for entries in (2, 6, 10):
        data = prefix(timed, entries)
        cheated = timed.cheat(data, **{name: date[:10] if name == "leave" else date})
        game, honest = replay(turnfile.read(cheated)), replay(turnfile.read(data))
        assert (
            game.position_digest() == honest.position_digest() and game.to_act() == honest.to_act()
        )
        assert game.is_over() == honest.is_over()
        facts = report(game, None, game.public_faces(), 0)
        for template in ("report.md.j2", "report.txt.j2"):
            assert "Clock of Ann" in render.render(template, facts)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("received", "2026-11-21"),
        ("received", "2026-11-21T09:30:00"),
        ("received", "yesterday"),
        ("received", "2026-13-21T09:30:00Z"),
        ("leave", "2026-11-32"),
        ("leave", "2026-00-01"),
        ("leave", "Christmas"),
        ("leave", "26-12-24"),
        ("grant", 0),
        ("grant", 1000),
    ],
)
def test_what_is_no_date_and_no_number_of_days_is_refused(
    timed: Pair, name: str, value: Value
) -> None:
    refused(timed.cheat(**{name: value}), f'"{name}" is')


@pytest.mark.parametrize("clock", ["0+3", "30", "30+03", "99999+1", "30+1000"])
def test_a_clock_has_one_spelling(timed: Pair, clock: str) -> None:
    refused(timed.cheat(prefix(timed, 1), clock=clock), "a clock is written 30")


def test_days_of_leave_have_bounds(timed: Pair) -> None:
    for days in (0, 1000):
        refused(
            timed.cheat(prefix(timed, 1), **{"leave-days": days}),
            '"leave-days" is a number of days',
        )
    accepted(timed.cheat(prefix(timed, 1), **{"leave-days": 999}))


def test_nobody_grants_days_with_a_first_entry(timed: Pair) -> None:
    for entries in (1, 2):
        refused(timed.cheat(prefix(timed, entries), grant=3), "days are granted")
    accepted(timed.cheat(grant=3))


def test_an_absence_is_announced_in_any_entry_of_any_game(timed: Pair, plain: Pair) -> None:
    for pair in (timed, plain):
        for entries in (1, 2, 6):
            accepted(pair.cheat(prefix(pair, entries), leave="2026-12-31"))


def test_the_fields_are_no_decision(timed: Pair) -> None:
    """With them or without: the same E, and the same witnesses over it."""
    seat = timed.turn()
    assert seat is not None
    answers = timed.choose(seat)
    files = [
        timed.next(answers),
        timed.next(answers, note="a thought", leave="2026-12-31", grant=7),
    ]
    games = [replay(turnfile.read(data)) for data in files]
    newest = [game.begun().referee.randomness.newest for game in games]
    assert newest[0] == newest[1] and games[0].position_digest() == games[1].position_digest()
    assert games[0].to_act() == games[1].to_act()
    assert (
        games[1].clock.times([0, 1])[1 - seat].left - games[0].clock.times([0, 1])[1 - seat].left
        == 7 * DAY
    )


def test_an_entry_that_brings_no_decision_adds_no_days(tmp_path: Path) -> None:
    """Days are added for answers, not for a proof alone."""
    pair = Pair(tmp_path, 3, time={"clock": "30+3"}).play(30)
    game = pair.ledger()
    decisions = {0: 0, 1: 0}
    for entry in game.entries[2:]:
        decisions[game.seat_of(entry)] += bool({"answers", "orders", "seals"} & entry.fields.keys())
    times = game.clock.times([0, 1])
    assert {seat: (time.left + time.used) // DAY for seat, time in times.items()} == {
        seat: 30 + 3 * number for seat, number in decisions.items()
    }
    written = [sum(game.seat_of(entry) == seat for entry in game.entries[2:]) for seat in (0, 1)]
    assert written != [decisions[0], decisions[1]], "some entry of this game holds a proof alone"


def test_received_is_when_the_file_was_first_seen_and_never_a_later_opening(tmp_path: Path) -> None:
    from datetime import UTC, datetime
    from unittest.mock import patch

    from pbem.home import clock
    from pbem.turn import open_game, take_turn

    pair = Pair(tmp_path, 5, time={"clock": "30+3"}).play(2)

    class At:
        day = 1

        @staticmethod
        def now(_zone: object) -> datetime:
            return datetime(2027, 1, At.day, tzinfo=UTC)

    seat = pair.turn()
    assert seat is not None
    with patch.object(clock, "datetime", At):
        for At.day in (3, 5, 9):
            opened = open_game.open_file(pair.data, pair.homes[seat])
        draft = opened.draft()
        assert draft is not None
        answers = pair.choose(seat)
        At.day = 11
        data = take_turn.next_entry(pair.open(seat), Intent(answers))
    newest = turnfile.read(data).entries[-1]
    assert (newest.text("received"), newest.date) == (
        "2027-01-03T00:00:00Z",
        "2027-01-11T00:00:00Z",
    )
    seen = list((pair.homes[seat].folder / "games").glob("*/seen/*"))
    assert len(seen) >= 1


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x" * 5000, b"2026-11-21"])
def test_a_damaged_memory_of_the_time_stops_nobody(tmp_path: Path, content: bytes) -> None:
    pair = Pair(tmp_path, 5, time={"clock": "30+3"}).play(2)
    seat = pair.turn()
    assert seat is not None
    pair.open(seat)
    for path in (pair.homes[seat].folder / "games").glob("*/seen/*"):
        path.write_bytes(content)
    newest = turnfile.read(pair.step()).entries[-1]
    assert newest.text("received") == newest.date


def test_contradictions_are_told_and_nobody_is_named(timed: Pair, golden: Golden) -> None:
    game = replay(
        turnfile.read(timed.cheat(date="2026-11-30T09:30:00Z", received="2026-12-09T09:30:00Z"))
    )
    facts = report(game, None, {}, 9)
    told = [
        line for line in render.render("report.md.j2", facts).splitlines() if "disagree" in line
    ]
    golden(*told)
    assert facts.progress.disagree == 9


@pytest.mark.parametrize(
    "text",
    ["", "tomorrow", "2026-02-30", "20261231", "2026-12-31T00:00:00Z", "0001-01-01", "x" * 999],
)
def test_a_day_to_be_away_until_is_a_day_to_come(text: str) -> None:
    with pytest.raises((Usage, Refused)):
        check_leave(text)


@pytest.mark.parametrize(
    ("clock", "leave"), [("", 5), ("x", 0), ("30+3", -1), ("30+3", 1000), ("30+3\n", 0)]
)
def test_what_is_no_clock_is_refused_before_anything_is_signed(clock: str, leave: int) -> None:
    with pytest.raises(Usage):
        clock_fields(clock, leave)
