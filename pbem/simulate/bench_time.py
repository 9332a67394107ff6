"""How long the test bench takes: where the time of the first seconds goes, and an end after a
limit."""

from __future__ import annotations

import _thread
import cProfile
import inspect
import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import CodeType, FrameType

from engine.rules import Rules

FIRST = 5.0
"""Seconds in which it is measured where the time goes: then there is a first verdict."""
LOADING = 15.0
"""Seconds in which a game is loaded and played as a sample."""
GRACE = 10.0
"""Seconds after its limit in which a run comes to its end, unless a call of the game has none."""
PARTS = {"games": 0.5, "orders": 0.7, "mail": 0.9, "figures": 1.0}
"""The parts of a run, each with how much of its time may have gone by at its end."""
_SLOW = 0.001
"""Seconds of a call that is slow,"""
_SHARE = 0.15
"""and how much of the time all calls of it take at least to be named."""
_MOST = 3
_OURS = ("pbem", "engine")


class TimeIsUp(Exception):
    """This part of a run has had its time. `function` is where it was, where it was interrupted."""

    def __init__(self, function: str = "") -> None:
        super().__init__(function)
        self.function = function


@dataclass(frozen=True)
class SlowFunction:
    """A function of the game: so many calls of so many milliseconds each, with all that they call;
    `share` is how much of the time is theirs, from 0 to 1."""

    name: str
    calls: int
    milliseconds: float
    share: float

    def __str__(self) -> str:
        often = f"{self.calls:,} time{'s' if self.calls > 1 else ''}"
        return f"{self.name}() {often} at {self.milliseconds:g} ms, {self.share:.0%} of the time"


class BenchTime:
    """The time of one run of the bench on these rules, of `limit` seconds at most."""

    def __init__(
        self,
        rules: Rules,
        limit: float = math.inf,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.limit = limit
        self._own = _files_of(rules)
        self._clock = clock
        self._start = clock()
        self._end = limit
        self._slow: list[SlowFunction] | None = None
        self._profile: cProfile.Profile | None = None
        self._thread = threading.get_ident()
        if limit < math.inf:
            with suppress(ValueError):  # somebody else measures: a debugger, coverage
                profile = cProfile.Profile()
                profile.enable()
                self._profile = profile

    @property
    def taken(self) -> float:
        """The seconds that have gone by."""
        return self._clock() - self._start

    def begin(self, part: str) -> None:
        """One of the `PARTS` begins."""
        self._end = self.limit * PARTS[part]

    def is_over(self) -> bool:
        """Whether the part has had its time. Called often."""
        if self._profile is not None and self.taken >= FIRST:
            self.end_measuring()
        return self.taken >= self._end

    def tick(self) -> None:
        """A little more is done. Raises `TimeIsUp` where the part has had its time."""
        if self.is_over():
            raise TimeIsUp

    def end_measuring(self) -> None:
        """What is slow is known by now, and measuring costs time."""
        if self._profile is not None:
            self._profile.disable()
            self._slow, self._profile = self.slow(), None

    def slow(self) -> list[SlowFunction]:
        """The functions of the game that took longest in the first seconds."""
        if self._slow is not None or self._profile is None:
            return self._slow or []
        taken = max(self.taken, 1e-9)
        found = [
            SlowFunction(
                one.code.co_name,
                one.callcount,
                round(1000 * one.totaltime / one.callcount, 1),
                round(min(1, one.totaltime / taken), 2),
            )
            for one in self._profile.getstats()
            if isinstance(one.code, CodeType)
            and self._is_own(one.code)
            and one.totaltime >= max(_SLOW * one.callcount, _SHARE * taken)
        ]
        return sorted(found, key=lambda one: -one.share)[:_MOST]

    @contextmanager
    def ending(self) -> Iterator[None]:
        """What is done meanwhile ends some seconds after the limit, even where a call of the game
        has no end. Raises `TimeIsUp`."""
        with ended_after(self.limit + GRACE, self.running):
            yield

    def _is_own(self, code: CodeType) -> bool:
        """Whether a function is the game's. Its generators only put in order what others do."""
        is_named = not code.co_name.startswith("<") and not code.co_flags & inspect.CO_GENERATOR
        return is_named and code.co_filename.startswith(self._own)

    def running(self) -> str:
        """The function of the game that is called just now; empty where none is."""
        return _running_in(self._thread, lambda frame: self._is_own(frame.f_code))


@contextmanager
def ended_after(seconds: float, running: Callable[[], str] | None = None) -> Iterator[None]:
    """What is done meanwhile is interrupted after so many seconds, in the main thread. Raises
    `TimeIsUp` with the function that was `running` then: of a plug-in, unless that is said."""
    was_in, find = list[str](), running or plug_in_running()

    def interrupt() -> None:
        was_in.append(find())
        _thread.interrupt_main()

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and seconds < threading.TIMEOUT_MAX:
        timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if was_in:
            raise TimeIsUp(was_in[0]) from None
        raise
    finally:
        timer.cancel()


def plug_in_running() -> Callable[[], str]:
    """A function that says which function of a plug-in this thread is in, whoever asks."""
    thread = threading.get_ident()
    return lambda: _running_in(thread, _is_foreign)


def _running_in(thread: int, is_own: Callable[[FrameType], bool]) -> str:
    """The outermost function of a game that a thread is in, called by this program."""
    frame: FrameType | None = sys._current_frames().get(thread)
    found = ""
    while frame is not None and not (found and _root(frame) in _OURS and not is_own(frame)):
        if is_own(frame) and not frame.f_code.co_flags & inspect.CO_GENERATOR:
            found = frame.f_code.co_name
        frame = frame.f_back
    return found


def _is_foreign(frame: FrameType) -> bool:
    """Whether this is code of a plug-in, or of what it uses: neither ours nor Python's."""
    return _root(frame) not in (*_OURS, *sys.stdlib_module_names)


def _root(frame: FrameType) -> str:
    """The package at the top that a frame's code is in."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _files_of(rules: Rules) -> tuple[str, ...]:
    """Where the code of a game is: the folder of its package, or its file."""
    file = Path(inspect.getfile(type(rules)))
    package = sys.modules[type(rules).__module__].__package__
    return (f"{file.parent}/" if package else str(file),)
