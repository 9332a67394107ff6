"""What the clock shows, from dates that anybody may have made up (docs/format.md, section 15)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.english import spell
from pbem.fileformat.turnfile import is_date
from pbem.ledger.clock import (
    DAY,
    Moment,
    SeatTime,
    Terms,
    disagreement,
    read_terms,
    seconds,
    time_of,
)

TERMS = Terms(30, 3, 10)
START = seconds("2026-11-01T00:00:00Z")


def day(number: float) -> int:
    return START + round(number * DAY)


def first(seat: int, date: float) -> Moment:
    return Moment(seat, day(date), None, is_first=True)


def wrote(
    seat: int, date: float, received: float, *, leave: float | None = None, grant: int = 0
) -> Moment:
    until = None if leave is None else day(leave)
    return Moment(seat, day(date), day(received), until, grant, has_decision=True)


def time(*moments: Moment, seat: int = 0, terms: Terms = TERMS) -> SeatTime:
    return time_of(terms, moments, seat)


def test_time_runs_from_when_a_turn_was_received_to_its_answer() -> None:
    found = time(first(0, 0), first(1, 5), wrote(0, 9, 7), wrote(1, 12, 10), wrote(0, 13, 12.5))
    assert found == SeatTime(int(2.5 * DAY), int((30 + 2 * 3 - 2.5) * DAY), 10 * DAY)
    assert time(first(0, 0), first(1, 5), wrote(0, 9, 7), wrote(1, 12, 10), seat=1).used == 2 * DAY


def test_the_first_entry_takes_no_time_and_adds_none() -> None:
    late = Moment(1, day(100), day(3), is_first=True, has_decision=False)
    assert time(first(0, 0), late, seat=1) == SeatTime(0, 30 * DAY, 10 * DAY)


def test_an_entry_that_decides_nothing_takes_time_and_adds_none() -> None:
    proof = Moment(0, day(9), day(7))
    assert time(first(0, 0), first(1, 5), proof) == SeatTime(2 * DAY, 28 * DAY, 10 * DAY)


def test_grants_go_to_the_others() -> None:
    moments = (first(0, 0), first(1, 1), wrote(0, 1, 1, grant=7), wrote(1, 1, 1, grant=2))
    assert time(*moments).left == (33 + 2) * DAY
    assert time(*moments, seat=1).left == (33 + 7) * DAY


def test_the_clock_stands_still_in_an_absence_for_the_days_granted() -> None:
    announced = (first(0, 0), first(1, 1), wrote(0, 2, 2, leave=20))
    assert time(*announced, wrote(0, 12, 5)) == SeatTime(0, 36 * DAY, 3 * DAY)
    assert time(*announced, wrote(0, 19, 5)) == SeatTime(4 * DAY, 32 * DAY, 0)
    assert time(*announced, wrote(0, 25, 18)) == SeatTime(5 * DAY, 31 * DAY, 8 * DAY)


def test_leave_is_used_up_once_and_for_all() -> None:
    moments = [first(0, 0), first(1, 1)]
    for number in range(5):
        moments.append(wrote(0, 10 + 20 * number, 2 + 20 * number, leave=10_000))
    found = time(*moments)
    assert found.leave == 0 and found.used == (5 * 8 - 10) * DAY


def test_a_later_announcement_takes_the_place_of_an_earlier_one() -> None:
    back = (first(0, 0), first(1, 1), wrote(0, 2, 2, leave=20), wrote(0, 4, 3, leave=4))
    assert time(*back, wrote(0, 9, 6)) == SeatTime(3 * DAY, (39 - 3) * DAY, 9 * DAY)


def test_no_leave_granted_no_time_stands_still() -> None:
    announced = (first(0, 0), first(1, 1), wrote(0, 2, 2, leave=20))
    assert time(*announced, wrote(0, 12, 5), terms=Terms(30, 0, 0)) == SeatTime(
        7 * DAY, 23 * DAY, 0
    )


def test_an_absence_of_one_stops_nobody_elses_clock() -> None:
    assert (
        time(first(0, 0), first(1, 1), wrote(0, 2, 2, leave=20), wrote(1, 12, 5), seat=1).used
        == 7 * DAY
    )


def test_who_has_used_all_is_overdue() -> None:
    found = time(first(0, 0), first(1, 1), wrote(0, 41, 2), terms=Terms(30, 0, 0))
    assert found.left == -9 * DAY


def test_a_clock_that_runs_backwards_takes_no_time_and_gives_none() -> None:
    assert time(first(0, 0), first(1, 1), wrote(0, 2, 9)) == SeatTime(0, 33 * DAY, 10 * DAY)
    assert (
        time(first(0, 0), first(1, 1), wrote(0, 2, 2, leave=-50), wrote(0, 9, 8)).leave == 10 * DAY
    )


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        ([(0, None), (1, 0.5), (2, 1.5)], 0),
        ([(0, None), (1, -0.9)], 0),
        ([(0, None), (1, -1)], 1),
        ([(0, None), (1, -5), (2, -7)], 8),
        ([(0, None), (1, 4)], 3),
        ([(9, None), (2, None)], 7),
        ([(0, None)], 0),
    ],
)
def test_dates_that_contradict_each_other(
    dates: list[tuple[float, float | None]], days: int
) -> None:
    moments = [
        Moment(0, day(date), None if received is None else day(received))
        for date, received in dates
    ]
    assert disagreement(moments) == days


@pytest.mark.parametrize("text", ["30+3", "1+0", "9999+999"])
def test_a_clock_as_it_is_written(text: str) -> None:
    days, added = read_terms(text)
    assert f"{days}+{added}" == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30",
        "30+",
        "+3",
        "0+3",
        "030+3",
        "30+03",
        "10000+1",
        "30+1000",
        "30 + 3",
        "30-3",
        "30+3\n",
        "３0+3",
    ],
)
def test_no_clock_is_written_otherwise(text: str) -> None:
    with pytest.raises(ValueError, match="30"):
        read_terms(text)


def test_dates_that_no_calendar_has() -> None:
    assert seconds("2026-02-31T00:00:00Z") == seconds("2026-03-03T00:00:00Z")
    assert (
        seconds("0000-01-01T00:00:00Z")
        == seconds("0001-01-01T00:00:00Z")
        < seconds("9999-12-31T23:59:59Z")
    )
    assert seconds("2026-12-31") == seconds("2027-01-01T00:00:00Z")
    assert seconds("9999-12-31") > seconds("9999-12-31T23:59:59Z")


dates = st.builds(
    "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format,
    st.sampled_from([0, 1, 1970, 2026, 2027, 9999]),
    st.integers(1, 12),
    st.integers(1, 31),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(0, 59),
)
moments = st.builds(
    Moment,
    st.integers(0, 2),
    dates.map(seconds),
    st.none() | dates.map(seconds),
    st.none() | dates.map(seconds),
    st.integers(0, 999),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(moments, max_size=12), st.integers(0, 50))
def test_no_dates_upset_the_count(found: list[Moment], leave: int) -> None:
    """Whatever is claimed: time used is not negative, leave is never more than granted, and words
    are found for it."""
    terms = Terms(30, 3, leave)
    for seat in range(3):
        result = time_of(terms, found, seat)
        assert result.used >= 0 and 0 <= result.leave <= leave * DAY
        mine = [one for one in found if one.seat == seat]
        given_days = (
            30
            + 3 * sum(one.has_decision for one in mine)
            + sum(one.grant for one in found if one.seat != seat)
        )
        assert result.left == given_days * DAY - result.used
        taken = [
            max(0, one.date - one.received)
            for one in mine
            if one.received is not None and not one.is_first
        ]
        assert sum(taken) - result.used == leave * DAY - result.leave
        assert spell(result.used) and spell(abs(result.left))
    assert disagreement(found) >= 0


@given(dates)
def test_every_date_of_the_format_has_its_second(date: str) -> None:
    assert is_date(date) and -70_000_000_000 < seconds(date) < 260_000_000_000


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "less than a minute"),
        (119, "1 minute"),
        (7200, "2 hours"),
        (DAY, "1 day"),
        (DAY + 4 * 3600, "1 day 4 hours"),
        (5 * DAY + 3600, "5 days"),
        (400 * DAY, "400 days"),
    ],
)
def test_a_time_in_words(number: int, words: str) -> None:
    assert spell(number) == words
