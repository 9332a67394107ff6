"""What a report tells of time: clocks, absences, dates that contradict each other (docs/format.md,
section 15).

All of it follows from the file alone; `running` adds what depends on the present moment, for
whoever looks now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.ledger.clock import seconds
from pbem.ledger.ledger import Ledger


@dataclass(frozen=True)
class SeatClock:
    """The clock of a seat, in seconds: used, left (negative: overdue by so much), and how much of
    the leave is left; in what everybody may know at the end of the newest entry, for whoever looks
    at their own games at this moment. `is_awaited`: the game waits for this seat. A free seat
    (`name` is null) has used nothing: its clock begins when somebody has taken it."""

    seat: str
    name: str | None
    used: int
    left: int
    leave: int
    is_awaited: bool


@dataclass(frozen=True)
class ClockFacts:
    """A game's clock: days for the whole game, days added with each decision, days of leave, and
    each seat's time."""

    days: int
    added: int
    leave_days: int
    seats: Sequence[SeatClock]


@dataclass(frozen=True)
class Absence:
    """A seat is away until the end of this day (UTC), as its player has announced."""

    seat: str
    name: str | None
    until: str


def clock(game: Ledger) -> ClockFacts | None:
    """The clocks of a game; None if it has none."""
    terms = game.clock.terms
    if terms is None:
        return None
    turn, seats = None if game.is_over() else game.to_act(), []
    for seat, time in game.clock.times(game.invitation.clocked_seats()).items():
        awaited = turn == seat and game.players[seat] is not None
        seats.append(
            SeatClock(
                game.seats[seat], _name(game, seat), time.used, time.left, time.leave, awaited
            )
        )
    return ClockFacts(terms.days, terms.increment, terms.leave, seats)


def running(clock: ClockFacts, away: Sequence[Absence], begun: str, now: str) -> ClockFacts:
    """The clocks at this moment: that of the seat that the game waits for has run since `begun`,
    the date on which the turn reached it. While it is away and has leave left, its clock stands
    still."""
    begin, end = seconds(begun), max(seconds(begun), seconds(now))

    def at_end(one: SeatClock) -> SeatClock:
        if not one.is_awaited:
            return one
        back = next((seconds(absence.until) for absence in away if absence.seat == one.seat), begin)
        still = min(one.leave, max(0, min(end, back) - begin))
        taken = end - begin - still
        return replace(one, used=one.used + taken, left=one.left - taken, leave=one.leave - still)

    return replace(clock, seats=[at_end(one) for one in clock.seats])


def absences(game: Ledger, now: str = "") -> list[Absence]:
    """Who is away after `now`, a date; by default after the newest entry."""
    if game.is_over():
        return []
    since, found = seconds(now or game.entries[-1].date), []
    for seat in range(len(game.seats)):
        end = game.clock.away_until(seat)
        if end is not None and end > since:
            day = next(
                entry.text("leave")
                for entry in reversed(game.entries)
                if "leave" in entry.fields and game.seat_of(entry) == seat
            )
            found.append(Absence(game.seats[seat], _name(game, seat), day))
    return found


def _name(game: Ledger, seat: int) -> str | None:
    player = game.players[seat]
    return None if player is None else player.name
