"""The heartbeat of `pbem watch`: `watch/heartbeat.json` of the home says when it last looked, when
each server last answered it, which turn it sent last, and what failed. `pbem.turn.stopped` tells
the player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pbem.errors import PbemError
from pbem.home.home import Home
from pbem.home.store import StateFile

DAY = 86_400.0
"""Seconds without a look after which the watcher counts as silent, unless its rounds are longer."""
_ROUNDS = 3
"""Rounds that are remembered, and that may be missed."""


class LastSent(NamedTuple):
    """The turn that was sent last: the game's short name, the turn's number, when (seconds since
    1970)."""

    game: str
    entry: int
    when: float


class Trouble(NamedTuple):
    """What fails, in words, and since when (seconds since 1970)."""

    text: str
    since: float


@dataclass(frozen=True)
class Heartbeat:
    """When the watcher worked. `looked` is when any watcher looked last (0: never), `answered` when
    one did that writes automatic turns. `rounds` are the newest times between two looks of such a
    watcher, in seconds. `servers` says when each mail server answered last, by its name; `sent` is
    the turn sent last. `failing` is what failed at the last look, by a name of each, and `had` the
    ways in `mail.toml` by which turns have come in. Times are in seconds since 1970."""

    looked: float = 0.0
    answered: float = 0.0
    rounds: Sequence[float] = ()
    servers: Mapping[str, float] = field(default_factory=dict)
    sent: LastSent | None = None
    failing: Mapping[str, Trouble] = field(default_factory=dict)
    had: Sequence[str] = ()

    def after_look(self, now: float, *, answers: bool) -> Heartbeat:
        """The heartbeat after one more look, by a watcher that writes automatic turns or by one
        that does not."""
        if not answers:
            return replace(self, looked=now)
        rounds = (*self.rounds, max(0.0, now - self.answered))[-_ROUNDS:] if self.answered else ()
        return replace(self, looked=now, answered=now, rounds=rounds)

    def after_answer(self, server: str, name: str, now: float) -> Heartbeat:
        """The heartbeat after this server answered: what failed under this name works again."""
        failing = {other: trouble for other, trouble in self.failing.items() if other != name}
        return replace(self, servers={**self.servers, server: now}, failing=failing)

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


def change(home: Home, changed: Callable[[Heartbeat], Heartbeat]) -> None:
    """Change the heartbeat of a home, which is only a help: where it cannot be written it stays."""
    with suppress(PbemError):
        write(home.make_folder("watch").parent, changed(read(home.folder)))
