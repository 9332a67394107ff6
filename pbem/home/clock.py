"""The clock of this machine, which dates what a player writes and keeps, and what contradicts it.

A wrong clock is signed for good: in a game with a clock it costs days. An age alone is no sign, for
turns are read weeks late. So the clock is doubted only where it is behind what this player has
signed, or what their server has dated; or where it moved away from a clock that only goes on, while
a program was looking. `clock.json` in the home keeps these moments. A wrong clock that nothing
contradicts is not found (docs/trust.md).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pbem.english import spell
from pbem.errors import Do, Refused, Usage
from pbem.home.store import StateFile
from pbem.ledger.clock import DAY, seconds

HOUR = 3600
SERVER_IS_AHEAD = 600
"""Seconds by which a server's clock may differ: its mails come with its date."""


class ClockDoubt(Refused):
    """The clock of this machine contradicts what is known: nothing is signed before the player says
    that it is right."""


@dataclass(frozen=True)
class Moments:
    """The moments that the clock is compared with. `signed` is the date of the newest entry that
    was signed in this home, `server` the server's date of the newest mail (empty: not known).
    `jumped` is when a watcher found that the clock had moved ahead, by this clock (empty: it has
    not), and `jump` by how many seconds. `is_ahead` is by how many seconds the server's date may be
    ahead, as the player has allowed."""

    signed: str = ""
    server: str = ""
    jumped: str = ""
    jump: int = 0
    is_ahead: int = 0


_MOMENTS = StateFile("clock.json", Moments, 10_000)


def now() -> str:
    """The date of an entry that is written now, in UTC (docs/format.md, section 4)."""
    return in_words(datetime.now(UTC))


def today() -> str:
    """The day, for a contact that is met or compared, and a home that is moved away."""
    return now()[:10]


def in_words(moment: datetime) -> str:
    """A moment in the form that an entry has."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def steady() -> float:
    """Seconds of a clock that nobody sets and that goes on while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    # where time.monotonic stands still in sleep, and this one does not
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


def doubt(home: Path, own: Iterable[str] = ()) -> str:
    """Why the clock of this machine counts as wrong, in words; empty if nothing contradicts it.
    `own` are the dates of the player's own entries in a game, for a home that has noted none
    yet."""
    known, moment = moments(home), now()
    if known.jumped and known.jumped <= moment:
        return f"it moved ahead by {spell(known.jump)} while pbem watch looked on"
    signed = known.signed or max(own, default="")
    late = seconds(signed) - seconds(moment) if signed else 0
    # who knows which machine has dated what was not noted here
    if late > (0 if known.signed else DAY):
        return f"it is {spell(late)} behind the date of your newest turn"
    behind = seconds(known.server) - seconds(moment) if known.server else 0
    if behind > known.is_ahead + SERVER_IS_AHEAD:
        return (
            f"it is {spell(behind)} behind the date that your mail server gave to the newest mail"
        )
    return ""


def check(home: Path, own: Iterable[str] = ()) -> None:
    """Raise `ClockDoubt` if the clock counts as wrong."""
    if why := doubt(home, own):
        what = (
            f"the clock of this machine says {now()[:16].replace('T', ' ')} UTC, and that may be"
            f" wrong: {why}"
        )
        raise ClockDoubt(
            what,
            hint=(
                "set the clock, or say that it is right",
                Do("play", "GAME", "--my-clock-is-right", does="does"),
            ),
        )


def confirm(home: Path) -> None:
    """The player says that the clock is right: nothing known so far contradicts it any more. Raises
    `Usage`."""
    known, moment = moments(home), now()
    ahead = max(0, seconds(known.server) - seconds(moment)) if known.server else 0
    _MOMENTS.write(home, Moments(signed=moment, is_ahead=max(known.is_ahead, ahead)))


def note_signed(home: Path, date: str) -> None:
    """Remember the date of an entry that was signed. This is only a help: it raises nothing."""
    _note(home, replace(moments(home), signed=date))


def note_server(home: Path, moment: datetime) -> None:
    """Remember the server's date of the newest mail. This is only a help: it raises nothing."""
    _note(home, replace(moments(home), server=in_words(moment)))


class Jumps:
    """Notices that the clock moves ahead while a program is running."""

    def __init__(self) -> None:
        self._begun = time.time() - steady()
        self._was_behind = False

    def look(self, home: Path) -> None:
        """Note that the clock is more than an hour ahead of where it should be, or that it is right
        again."""
        ahead = int(time.time() - steady() - self._begun)
        known = moments(home)
        if known.jumped and now() < known.jumped:
            known = replace(known, jumped="", jump=0)
        # one that was behind is set right so
        elif ahead > HOUR and not known.jumped and not self._was_behind:
            known = replace(known, jumped=now(), jump=ahead)
        if self._was_behind or known.jumped:
            self._begun = time.time() - steady()
        _note(home, known)
        self._was_behind = bool(doubt(home)) and not known.jumped


def _note(home: Path, known: Moments) -> None:
    if known != moments(home):
        with suppress(Usage):
            _MOMENTS.write(home, known)


def moments(home: Path) -> Moments:
    """The moments that a home's clock is compared with."""
    return _MOMENTS.read_if_whole(home) or Moments()
