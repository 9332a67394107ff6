"""The clock of a game: what its entries claim about time, and what follows for everybody to see.

docs/format.md, section 15. The clock shows and never decides: no entry is refused for a number that
it gives, and all dates are claims.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.flow import Seat
from pbem.errors import Malformed, RulesBroken
from pbem.fileformat.turnfile import TABLE, Entry, is_date

DAY = 86_400
_CLOCK = re.compile(r"([1-9][0-9]{0,3})\+(0|[1-9][0-9]{0,2})\Z")
MOST = TABLE["grant"].most
"""Days of leave, or given with one entry."""


class Terms(NamedTuple):
    """What entry 0 gives: days for the whole game, days added with each entry that holds a
    decision, and days for which absences stop the clock."""

    days: int
    increment: int
    leave: int


class Moment(NamedTuple):
    """What one entry claims about time, in seconds. `received` is None where it says nothing of it;
    `leave` is when an announced absence ends, None if none is announced; `grant` are days given to
    the others. `has_decision`: it held a decision and is not its seat's first entry; `first`: it
    is."""

    seat: Seat
    date: int
    received: int | None = None
    leave: int | None = None
    grant: int = 0
    has_decision: bool = False
    is_first: bool = False


class SeatTime(NamedTuple):
    """What a seat has used, what is left (less than nothing: it is overdue), and how much of its
    leave is left, in seconds."""

    used: int
    left: int
    leave: int


def read_terms(text: str) -> tuple[int, int]:
    """Days and days added, from `30+3`. Raises `ValueError`."""
    match = _CLOCK.match(text)
    if match is None:
        raise ValueError(
            "a clock is written 30+3: days for the whole game, and days added with a decision"
        )
    return int(match[1]), int(match[2])


def seconds(date: str) -> int:
    """A date of the file, or the end of a day, in seconds since 1970. A day that no calendar has
    counts on."""
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:10])
    midnight = calendar.timegm((max(year, 1), month, 1, 0, 0, 0)) + (day - 1) * DAY
    if len(date) == 10:
        return midnight + DAY
    return midnight + int(date[11:13]) * 3600 + int(date[14:16]) * 60 + int(date[17:19])


class Clock:
    """What the entries of one game claim about time. `terms` is None in a game without a clock."""

    def __init__(self) -> None:
        self.terms: Terms | None = None
        self.moments: list[Moment] = []

    def check(self, entry: Entry, seat: Seat, seats: Sequence[Seat], *, first: bool) -> None:
        """Whether the fields of an entry stand where they may; `seats` are those that have a
        clock. Raises `Malformed` or `RulesBroken`."""
        where = entry.where
        if entry.number == 0:
            self.terms = _terms_of(entry, where)
        if "received" in entry.fields and (self.terms is None or entry.number == 0):
            raise RulesBroken('"received" stands in games with a clock alone, and not in entry 0')
        if "received" not in entry.fields and self.terms is not None and entry.number:
            raise RulesBroken(
                "in a game with a clock each later entry says when its author first saw the file"
                " before it"
            )
        for name, rest in (("received", ""), ("leave", "T00:00:00Z")):
            if name in entry.fields and not is_date(entry.text(name) + rest):
                raise Malformed(f'"{name}" is no date as pbem writes it', where=where)
        if "grant" in entry.fields:
            _number(entry, "grant", where)
            others = [other for other in seats if other != seat]
            if first or self.terms is None or seat not in seats or not others:
                raise RulesBroken(
                    "days are granted in a game with a clock, by a seat that has one to another one"
                )

    def add(self, entry: Entry, seat: Seat, *, has_decision: bool, first: bool) -> None:
        """Remember what an entry claims that was checked."""
        received, leave, grant = (
            entry.text("received"),
            entry.text("leave"),
            entry.fields.get("grant", 0),
        )
        moment = Moment(
            seat,
            seconds(entry.date),
            seconds(received) if received else None,
            seconds(leave) if leave else None,
            grant if isinstance(grant, int) else 0,
            has_decision and not first,
            first,
        )
        self.moments.append(moment)

    def times(self, seats: Iterable[Seat]) -> dict[Seat, SeatTime]:
        """What each of these seats has used and left at the end of the newest entry; nothing
        without a clock."""
        return (
            {}
            if self.terms is None
            else {seat: time_of(self.terms, self.moments, seat) for seat in seats}
        )

    def away_until(self, seat: Seat) -> int | None:
        """When the absence ends that this seat announced last; None if it announced none."""
        ends = [
            moment.leave
            for moment in self.moments
            if moment.seat == seat and moment.leave is not None
        ]
        return ends[-1] if ends else None

    def disagreement(self) -> int:
        """By how many whole days two dates contradict each other; 0 if they do not."""
        return disagreement(self.moments)


def time_of(terms: Terms, moments: Sequence[Moment], seat: Seat) -> SeatTime:
    """What one seat has used and left."""
    used, leave = 0, terms.leave * DAY
    left = terms.days * DAY
    begin = end = 0
    for moment in moments:
        if moment.seat != seat:
            left += moment.grant * DAY
            continue
        if not moment.is_first and moment.received is not None and moment.received < moment.date:
            taken = moment.date - moment.received
            still = min(leave, max(0, min(moment.date, end) - max(moment.received, begin)))
            used, leave = used + taken - still, leave - still
        left += terms.increment * DAY if moment.has_decision else 0
        if moment.leave is not None:
            begin, end = moment.date, moment.leave
    return SeatTime(used, left - used, leave)


def disagreement(moments: Sequence[Moment]) -> int:
    """The greatest difference of two dates that contradict each other, in whole days."""
    most = 0
    for before, moment in pairwise(moments):
        received = before.date if moment.received is None else moment.received
        most = max(most, before.date - received, received - moment.date)
    return most // DAY


def _terms_of(entry: Entry, where: str) -> Terms | None:
    if "clock" not in entry.fields:
        if "leave-days" in entry.fields:
            raise RulesBroken("days of leave belong to a game with a clock")
        return None
    try:
        days, increment = read_terms(entry.text("clock"))
    except ValueError as error:
        raise Malformed(str(error), where=where) from error
    return Terms(
        days, increment, _number(entry, "leave-days", where) if "leave-days" in entry.fields else 0
    )


def _number(entry: Entry, name: str, where: str) -> int:
    number = entry.fields[name]
    if not isinstance(number, int) or not TABLE[name].holds(number):
        raise Malformed(f'"{name}" is a number of days from 1 to {TABLE[name].most}', where=where)
    return number
