"""Runs one command again and again, each time killed one step later: before every call that changes
a file or folder, and in the middle of every write.

`python -m tests.support.kill` reads what to do as JSON on standard input, and writes the steps that
it killed at. Each run is a child of its own, forked from a process without threads; it ends by
`os._exit`, so that nothing is cleaned up.
"""

from __future__ import annotations

import builtins
import functools
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from examples.correspondence import Player
from pbem.home import clock
from tests.support import fixed, known_pictures, known_templates, starter
from tests.support.homes import copy_homes

KILLED = 77
_CALLS = ("fsync", "rename", "replace", "link", "unlink", "chmod", "mkdir")


class Clock:
    """Counts steps, and ends the process before one of them."""

    def __init__(self, last: int) -> None:
        self.left = last

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            os._exit(KILLED)


class Torn:
    """A file that is open to be written: half of what is written stands in it before the next
    step."""

    def __init__(self, file: Any, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def write(self, data: Any) -> int:
        self._clock.step()
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._clock.step()
        self._file.write(data[half:])
        return len(data)

    def __enter__(self) -> Torn:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def kill_after(steps: int) -> None:
    """From here on this process lives for so many steps."""
    clock = Clock(steps)

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def step(*given: Any, **more: Any) -> Any:
            clock.step()
            return call(*given, **more)

        return step

    def torn(call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def opens(file: Any, mode: str = "r", *given: Any, **more: Any) -> Any:
            found = call(file, mode, *given, **more)
            return Torn(found, clock) if set(mode) & set("wax+") else found

        return opens

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name)))
    create = os.open

    def opened(path: Any, flags: int, *given: Any, **more: Any) -> int:
        if flags & os.O_CREAT:
            clock.step()
        return create(path, flags, *given, **more)

    os.open = opened
    os.fdopen = torn(os.fdopen)
    builtins.open = torn(builtins.open)


def state_of(folder: Path) -> Path:
    """What is kept outside of the homes in a folder in which a command was killed: the copies are
    of one player and one game, each on a computer of its own."""
    return folder.with_name(f"{folder.name}.state")


def killed_at(
    stage: Path, to: Path, command: Sequence[str], steps: Sequence[int] | None
) -> list[int]:
    """Let Ann run the command in copies of the stage, each in a folder of its own named by the step
    at which it was killed: at every step up to the end of the command, or at these. The steps that
    there were."""
    what = {"stage": str(stage), "to": str(to), "command": list(command), "steps": steps}
    done = starter.run(
        ["-m", "tests.support.kill"],
        given=json.dumps(what),
        cwd=starter.ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: list[int] = json.loads(done.stdout)
    return found


def _main() -> None:
    what = json.load(sys.stdin)
    known_pictures.install()
    wanted = what["steps"] or range(10_000)
    killed = []
    for steps in wanted:
        folder = Path(what["to"]) / str(steps)
        copy_homes(what["stage"], folder)
        known_templates.lay_in(folder / "home-of-ann")
        child = os.fork()
        if child == 0:
            os.environ["PBEM_STATE"] = str(state_of(folder))
            clock.datetime = fixed.FixedClock  # type: ignore[assignment,misc]  # the date of the tests that go on with it
            ann = Player("Ann", folder / "home-of-ann", folder / "mails", in_process=True)
            kill_after(steps)
            code, _, _ = ann.types(*what["command"])
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        known_templates.learn(folder / "home-of-ann")
        if code != KILLED:
            assert code == 0, (steps, code)
            break
        killed.append(steps)
    print(json.dumps(killed))


if __name__ == "__main__":
    _main()
