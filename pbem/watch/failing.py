"""What does not work at the moment. It is reported when it begins and again each day while it
lasts, and forgotten as soon as it works.

Everything that may fail has a name: `fetch`, or `send:` with a game's id. What begins with `look:`
is tried in every round, so it works again when a round ends in which it did not fail. Anything else
works again when `works` is called for it.

`Pause` makes the waits between attempts, which grow with every failure in a row, so that a server
that is down is not called every second.
"""

from __future__ import annotations

import hashlib
import re
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.errors import PbemError
from pbem.games import plugins
from pbem.version import exact

DAY = 86_400.0
"""Seconds after which a failure that lasts is reported again."""
LOOK = "look:"
MOST = 500
"""Failures that are remembered over a restart."""
_CHANGING = re.compile(r"\S*[0-9]\S*")
"""Words in a server's answer that may differ each time: its times, and the numbers of its
sessions."""
_MOST_TRACEBACKS = 20
"""Files with tracebacks in one folder: when there would be more, the oldest are removed."""


def internal_error(error: Exception, folder: Path) -> str:
    """A sentence about a mistake of this program: its kind, and the file in this folder that has
    its traceback, one for each place in the program. If the file cannot be written, the kind
    alone."""
    what = f"something is wrong in pbem itself: {type(error).__name__}"
    place = "".join(traceback.format_tb(error.__traceback__))
    path = folder / f"error-{hashlib.sha256(place.encode()).hexdigest()[:8]}.txt"
    text = f"pbem {exact()}\n{''.join(traceback.format_exception(error))}"
    try:
        if not path.exists():
            older = sorted(folder.glob("error-*.txt"), key=lambda one: one.stat().st_mtime)
            for one in older[: max(0, len(older) - _MOST_TRACEBACKS + 1)]:
                one.unlink(missing_ok=True)
            files.write_new(path, text.encode("utf-8", "replace"), mode=0o600)
    except (PbemError, OSError):
        return what
    return f"{what}; its traceback is in {files.printable(path)}"


@dataclass(frozen=True)
class Failure:
    """What is wrong, in words, when it was reported last and since when it is so (seconds since
    1970; 0: not yet, or not known)."""

    text: str
    told: float = 0.0
    since: float = 0.0


class Failing:
    """Everything that does not work at the moment. `folder` gets the tracebacks of this program's
    own mistakes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: dict[str, Failure] = {}
        self._names: set[str] = set()

    def fails(self, name: str, text: str) -> None:
        """Note that something does not work. It is due to be reported at once if it worked before,
        or if it fails for another reason now."""
        self._names.add(name)
        known = self._now.get(name)
        if known is None or _CHANGING.sub("", known.text) != _CHANGING.sub("", text):
            self._now[name] = Failure(text, since=known.since if known else time.time())

    def breaks(self, name: str, error: Exception, game: str = "") -> None:
        """Note that something does not work because of a mistake in this program, or in a plug-in;
        `game` names the game, if it is about one."""
        known = plugins.failure(error)
        what = internal_error(error, self._folder) if known is None else str(known)
        self.fails(name, f"{game}: {what}" if game else what)

    def is_failing(self, *beginnings: str) -> bool:
        """Whether anything does not work whose name begins with one of these."""
        return any(name.startswith(beginnings) for name in self._now)

    def works(self, name: str) -> None:
        """Note that something works again, or is not wanted any more."""
        self._now.pop(name, None)

    def begin(self) -> None:
        """Begin a round."""
        self._names.clear()

    def end(self) -> None:
        """End a round: what is tried in every round and has not failed in this one works."""
        self._now = {
            name: failure
            for name, failure in self._now.items()
            if name in self._names or not name.startswith(LOOK)
        }

    def due(self, now: float) -> list[str]:
        """The failures that are to be reported now; from then on they count as reported."""
        due = {
            name: one
            for name, one in self._now.items()
            if not (one.told and 0 <= now - one.told < DAY)
        }
        self._now |= {name: replace(one, told=now) for name, one in due.items()}
        return list(dict.fromkeys(one.text for one in due.values()))

    def texts(self) -> list[str]:
        """All that does not work, whether reported or not."""
        return list(dict.fromkeys(one.text for one in self._now.values()))

    def snapshot(self) -> dict[str, Failure]:
        """All that does not work, for `go_back`."""
        return dict([*self._now.items()][-MOST:])

    def go_back(self, snapshot: Mapping[str, Failure]) -> None:
        """Go back to an earlier `snapshot`."""
        self._now = dict(snapshot)


FIRST, LONGEST = 5.0, 900.0
"""Seconds."""


class Pause:
    """The wait after an attempt that failed: 5 seconds, then twice as long each time, at most 15
    minutes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begun = 0.0

    def begin(self) -> float:
        """Note that another attempt has failed; returns how many seconds to wait now."""
        self.seconds = min(LONGEST, 2 * self.seconds) if self.seconds else FIRST
        self._begun = time.monotonic()
        return self.seconds

    def end(self) -> None:
        """Note that an attempt succeeded."""
        self.seconds = 0.0

    def is_over(self) -> bool:
        """Whether the next attempt may be made."""
        return time.monotonic() - self._begun >= self.seconds
