"""What does not work for now: told when it begins, again each day while it lasts, and forgotten as
soon as it works.

A thing that may fail has a name: `fetch`, or `send:` with a game's number. Those that begin with
`look:` are looked at in every round, so one that is not named again works; any other one works when
somebody says so.

Pauses that grow with every failure in a row, so that nobody calls a server that is down every
second, and nobody has the same mail a hundred times a day."""

from __future__ import annotations

import hashlib
import re
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import __version__, files
from pbem.errors import PbemError

DAY = 86_400.0
"""Seconds after which what still fails is told again."""
LOOK = "look:"
MOST = 500
"""Things of which it is remembered when they were told."""
_CHANGING = re.compile(r"\S*[0-9]\S*")
"""Words of a server that may differ each time: its times, and the numbers of its sessions."""
_MOST_TRACEBACKS = 20
"""Files with tracebacks that a folder holds: of more the oldest go."""


def internal_error(error: Exception, folder: Path) -> str:
    """What is said of a mistake of this program: its kind, and the file in this folder with its
    traceback, one for each place where it may happen. Where that cannot be written its kind
    alone."""
    what = f"something is wrong in pbem itself: {type(error).__name__}"
    place = "".join(traceback.format_tb(error.__traceback__))
    path = folder / f"error-{hashlib.sha256(place.encode()).hexdigest()[:8]}.txt"
    text = f"pbem {__version__}\n{''.join(traceback.format_exception(error))}"
    try:
        if not path.exists():
            older = sorted(folder.glob("error-*.txt"), key=lambda one: one.stat().st_mtime)
            for one in older[: max(0, len(older) - _MOST_TRACEBACKS + 1)]:
                one.unlink(missing_ok=True)
            files.write_new(path, text.encode("utf-8", "replace"), mode=0o600)
    except (PbemError, OSError):
        return what
    return f"{what}; its traceback is in {files.shown(path)}"


@dataclass(frozen=True)
class Failure:
    """What is wrong in words, and when it was told last (seconds since 1970; 0: not yet)."""

    text: str
    told: float = 0.0


class Failing:
    """All that does not work for now; `folder` is for the tracebacks of this program's own
    mistakes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: dict[str, Failure] = {}
        self._names: set[str] = set()

    def fails(self, name: str, text: str) -> None:
        """A thing does not work. It is told at once if it did before, or if something else is wrong
        with it now."""
        self._names.add(name)
        known = self._now.get(name)
        if known is None or _CHANGING.sub("", known.text) != _CHANGING.sub("", text):
            self._now[name] = Failure(text)

    def breaks(self, name: str, error: Exception, game: str = "") -> None:
        """A thing does not work, in a game perhaps, for a mistake of this program."""
        what = internal_error(error, self._folder)
        self.fails(name, f"{game}: {what}" if game else what)

    def is_failing(self, *beginnings: str) -> bool:
        """Whether anything does not work whose name begins so."""
        return any(name.startswith(beginnings) for name in self._now)

    def works(self, name: str) -> None:
        """A thing works again, or is not wanted any more."""
        self._now.pop(name, None)

    def begin(self) -> None:
        """A round begins."""
        self._names.clear()

    def end(self) -> None:
        """A round has ended: what is looked at in each and was not named works."""
        self._now = {
            name: failure
            for name, failure in self._now.items()
            if name in self._names or not name.startswith(LOOK)
        }

    def due(self, now: float) -> list[str]:
        """What is to be told now; it counts as told then."""
        due = {
            name: one
            for name, one in self._now.items()
            if not (one.told and 0 <= now - one.told < DAY)
        }
        self._now |= {name: replace(one, told=now) for name, one in due.items()}
        return list(dict.fromkeys(one.text for one in due.values()))

    def texts(self) -> list[str]:
        """All that does not work, told or not."""
        return list(dict.fromkeys(one.text for one in self._now.values()))

    def snapshot(self) -> dict[str, Failure]:
        """What `go_back` takes."""
        return dict([*self._now.items()][-MOST:])

    def go_back(self, snapshot: Mapping[str, Failure]) -> None:
        """Go back to what is written down."""
        self._now = dict(snapshot)


FIRST, LONGEST = 5.0, 900.0
"""Seconds."""
_REFUSED = 60.0
"""Times as long as `FIRST` is the first pause of an address that was refused: five minutes."""


class Pause:
    """Begun with each attempt that failed: 5 seconds, twice as long each time, at most 15
    minutes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begun = 0.0

    def begin(self) -> float:
        """One more attempt has failed; how long to wait now, in seconds."""
        self.seconds = min(LONGEST, 2 * self.seconds) if self.seconds else FIRST
        self._begun = time.monotonic()
        return self.seconds

    def end(self) -> None:
        """An attempt went well."""
        self.seconds = 0.0

    def is_over(self) -> bool:
        """Whether the next attempt may be made."""
        return time.monotonic() - self._begun >= self.seconds


def of_doubtful(tries: int) -> float:
    """Seconds after so many attempts that may have sent a mail: 5, 10, 20, ... up to a day, so
    fifteen on the first day, and then one a day."""
    return min(DAY, FIRST * 2.0 ** min(tries - 1, 40))


def of_refused(tries: int) -> float:
    """Seconds after so many attempts at an address that was refused: 5 minutes, 10, 20, ... up to a
    day."""
    return min(DAY, _REFUSED * FIRST * 2.0 ** min(tries - 1, 40))
