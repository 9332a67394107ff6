"""The heartbeat of `pbem watch`: `watch/heartbeat.json` of the home says when it last looked, when
each server last answered it, and which turn it sent last. Where automatic turns are on and it is
silent, the lists of games say so.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pbem.english import spell
from pbem.errors import Damaged, with_hint
from pbem.home import outside
from pbem.home.store import StateFile

DAY = 86_400.0
"""Seconds without a look after which the watcher counts as silent, unless its rounds are longer."""
_ROUNDS = 3
"""Rounds that are remembered, and that may be missed."""
_START = "start it again: pbem watch --answer, or as a service; pbem help mail"


class LastSent(NamedTuple):
    """The turn that was sent last: the game's short name, the turn's number, when (seconds since
    1970)."""

    game: str
    entry: int
    when: float


@dataclass(frozen=True)
class Heartbeat:
    """When the watcher worked. `looked` is when any watcher looked last (0: never), `answered` when
    one did that writes automatic turns. `rounds` are the newest times between two looks of such a
    watcher, in seconds. `servers` says when each mail server answered last, by its name; `sent` is
    the turn sent last. Times are in seconds since 1970."""

    looked: float = 0.0
    answered: float = 0.0
    rounds: Sequence[float] = ()
    servers: Mapping[str, float] = field(default_factory=dict)
    sent: LastSent | None = None

    def after_look(self, now: float, *, answers: bool) -> Heartbeat:
        """The heartbeat after one more look, by a watcher that writes automatic turns or by one
        that does not."""
        if not answers:
            return replace(self, looked=now)
        rounds = (*self.rounds, max(0.0, now - self.answered))[-_ROUNDS:] if self.answered else ()
        return replace(self, looked=now, answered=now, rounds=rounds)

    def silent_for(self, now: float) -> float | None:
        """For how many seconds no automatic turn can have been written, if that is longer than a
        day and than three rounds; None otherwise. A round counts as long as the shortest of the
        last three, since a long one may be an earlier silence. Less than 0 if the last look is
        dated more than a day in the future."""
        age, round_time = (
            now - self.answered,
            min(self.rounds) if len(self.rounds) == _ROUNDS else 0.0,
        )
        return age if age > max(DAY, _ROUNDS * round_time) or age < -DAY else None


_HEARTBEAT = StateFile("heartbeat.json", Heartbeat, 100_000)


def read(home: Path) -> Heartbeat:
    """The heartbeat in a home's folder; an empty one if there is none, or only a damaged one."""
    return _HEARTBEAT.read_if_whole(home / "watch") or Heartbeat()


def write(home: Path, beat: Heartbeat) -> None:
    """Raises `Usage`."""
    _HEARTBEAT.write(home / "watch", beat)


def silence(home: Path, public: bytes, games: Collection[str]) -> str:
    """A line that says that nobody looks, if automatic turns are on in one of these games (the
    first 32 digits of their ids); else empty."""
    try:
        kept = outside.read(public)
    except Damaged:  # then nothing is on; whoever watches says so
        return ""
    if not any(map(kept.is_on, games)):
        return ""
    beat = read(home)
    if not beat.answered:
        return (
            "automatic turns are on, but pbem watch --answer, which writes them, has not looked"
            " here yet"
        )
    age = beat.silent_for(time.time())
    if age is None:
        return ""
    when = f"was {spell(int(age))} ago" if age > 0 else "is dated in the future"
    return with_hint(
        f"automatic turns are on, but the last look of pbem watch --answer {when}", _START
    )
