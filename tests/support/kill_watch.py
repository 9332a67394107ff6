"""Watchers that are killed at one step after the other, and looked at again: what was signed, sent
and told then.

`python -m tests.support.kill_watch` reads what to do as JSON on standard input. A child of its own
looks once, and is killed before one of its changes to a file (`tests.support.kill`); a second one
looks to the end. Whatever the first one has started to tell goes on, and is waited for.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pbem.home.home import Home
from pbem.watch.watcher import Watcher
from tests.support import known_pictures, known_templates, starter
from tests.support.homes import copy_homes
from tests.support.kill import KILLED, kill_after
from tests.support.watch_kit import moved

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER, prctl(2): what a killed child has started becomes ours, and can be waited
for."""


def killed_looks(stage: Path, to: Path, name: str, steps: Sequence[int]) -> list[int]:
    """Let the watcher of this name look in copies of a stage, each in a folder named by the step at
    which it is killed. Those steps that it came to."""
    what = {"stage": str(stage), "to": str(to), "name": name, "steps": list(steps)}
    done = starter.run(
        ["-m", "tests.support.kill_watch"],
        given=json.dumps(what),
        cwd=starter.ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    found: list[int] = json.loads(done.stdout)
    return found


def _look(home: Path, steps: int | None) -> int:
    """The exit code of a child that looks once, and is killed after so many steps."""
    known_templates.lay_in(home)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if steps is not None:
                kill_after(steps)
            watcher = Watcher(Home(home), answers=True)
            watcher.finish(watcher.round())
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    known_templates.learn(home)
    return code


def _wait_for_all() -> None:
    """Until every process is done that was started by a killed one."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _main() -> None:
    what = json.load(sys.stdin)
    known_pictures.install()
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    killed = []
    for steps in what["steps"]:
        folder = Path(what["to"]) / str(steps)
        copy_homes(what["stage"], folder)
        home = moved(Path(what["stage"]), folder, what["name"])
        os.environ["PBEM_STATE"] = str(folder / "state")
        code = _look(home, steps)
        assert code in (0, KILLED), (steps, code)
        _wait_for_all()
        assert _look(home, None) == 0, steps
        _wait_for_all()
        if code == KILLED:
            killed.append(steps)
    print(json.dumps(killed))


if __name__ == "__main__":
    _main()
