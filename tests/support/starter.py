"""Python programs that start without loading their modules anew: each is forked from one process in
which they are loaded already (`tests.support.starter_process`).

What such a program does, prints and ends with is that of `python -m pbem` started in the ordinary
way, as `tests/cli/test_cli_forked.py` compares; it is a true process, which can be killed. A test
starts it in the ordinary way where its point is how Python itself starts (options, variables,
closed streams, which modules a command loads) or another `pbem` than that of this checkout. So does
every program where the system is not Linux.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from tests.support import known_templates
from tests.support.effort import PATIENCE

ROOT = Path(__file__).parents[2]
READ_AT_THE_START = re.compile("PYTHON(?!PATH$|UNBUFFERED$)|LC_|LANG$|LANGUAGE$|MALLOC|LD_")
"""Variables that a process reads before any of its Python: where they are others, Python has to
start anew."""

PROCESS = ("-m", "tests.support.starter_process")
"""What the process that forks is started with."""
seconds = 0.0
"""Processor seconds of the forked programs that have ended, which are no children of this
process."""


class _Starter:
    """The process that forks, and the socket to it. It ends when the socket is closed, at the
    latest with us."""

    def __init__(self) -> None:
        self.owner, self.variables = os.getpid(), _read_at_the_start(os.environ)
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen(
            [sys.executable, *PROCESS, str(theirs.fileno())],
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        atexit.register(self.close)

    def close(self) -> None:
        """End it; what it has started goes on."""
        self.requests.close()
        if self.owner == os.getpid():
            self.process.wait(PATIENCE)


_starter: _Starter | None = None


def _at_hand() -> _Starter:
    global _starter
    if _starter is None or _starter.owner != os.getpid():
        _starter = _Starter()
    return _starter


def _read_at_the_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if READ_AT_THE_START.match(name)}


PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
"""What `subprocess.Popen` calls the ends of the standard streams that it has opened."""


def _own(streams: Sequence[int]) -> list[int]:
    """These descriptors, and ours where a program is to have ours (-1)."""
    return [own if stream == -1 else stream for own, stream in enumerate(streams)]


class Forked(subprocess.Popen[Any]):
    """A forked program. Only how it starts and how its end is known are other than those of one
    that is executed."""

    def __init__(self, arguments: Sequence[str], *, at_terminal: bool = False, **how: Any) -> None:
        self._at_terminal = at_terminal
        super().__init__(list(arguments), **how)

    def _execute_child(self, *given: Any) -> None:
        how = signature(subprocess.Popen._execute_child).bind(self, *given).arguments  # type: ignore[attr-defined]
        streams = [how["p2cread"], how["c2pwrite"], how["errwrite"]]
        request = {
            "arguments": how["args"],
            "environment": dict(os.environ if how["env"] is None else how["env"]),
            "folder": os.fspath(how["cwd"] or Path.cwd()),
            "session": bool(how["start_new_session"]),
            "terminal": self._at_terminal,
        }
        told, telling = os.pipe()
        socket.send_fds(
            _at_hand().requests, [json.dumps(request).encode()], [*_own(streams), telling]
        )
        os.close(telling)
        self._close_pipe_fds(*(how[name] for name in PIPES))  # type: ignore[attr-defined]
        self._told = open(told, "rb", 0)  # noqa: SIM115 - closed at the end of the program
        self.pid = int(self._read()["process"])
        self._child_created = True

    def _internal_poll(self, _deadstate: int | None = None, **_how: Any) -> int | None:
        return (
            self.returncode
            if self.returncode is not None or not self._has_ended(0)
            else self._end()
        )

    def _wait(self, timeout: float | None) -> int:
        if self.returncode is None:
            if not self._has_ended(timeout):
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self._end()
        return int(self.returncode)

    def _has_ended(self, timeout: float | None) -> bool:
        return bool(select.select([self._told], [], [], timeout)[0])

    def _end(self) -> int:
        global seconds
        facts = self._read()
        self._told.close()
        self.returncode = os.waitstatus_to_exitcode(facts["status"])
        seconds += facts["seconds"]
        return self.returncode

    def _read(self) -> dict[str, Any]:
        line = self._told.readline()
        if not line:
            raise RuntimeError("the process that starts programs has ended: see its error above")
        facts: dict[str, Any] = json.loads(line)
        return facts


def start(
    arguments: Sequence[str], *, at_terminal: bool = False, **how: Any
) -> subprocess.Popen[Any]:
    """`python ARGUMENTS`, that is -m or -c and what follows, with the keywords of
    `subprocess.Popen`.

    `at_terminal`: its standard input is the terminal that interrupts it and hangs up (with
    `start_new_session`).
    """
    if home := (how.get("env") or {}).get("PBEM_HOME"):
        known_templates.lay_in(Path(home))
    if can_fork(how.get("env")):
        return Forked(arguments, at_terminal=at_terminal, **how)
    return start_anew(arguments, at_terminal=at_terminal, **how)


def start_anew(
    arguments: Sequence[str], *, at_terminal: bool = False, **how: Any
) -> subprocess.Popen[Any]:
    """The same in the ordinary way."""
    return subprocess.Popen(
        [sys.executable, *arguments], preexec_fn=take_terminal if at_terminal else None, **how
    )


def types(home: Path, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """A command of the player with this home, as `examples.correspondence.Player.types` runs it, in
    a process of its own."""
    environment = {**os.environ, "PBEM_HOME": str(home)}
    how: dict[str, Any] = {
        "cwd": folder,
        "env": environment,
        "stdin": subprocess.DEVNULL,
        "encoding": "utf-8",
    }
    done = run(["-m", "pbem", *arguments], capture_output=True, **how)
    return done.returncode, done.stdout, done.stderr


def can_fork(environment: Mapping[str, str] | None) -> bool:
    """Whether a program with this environment can be forked."""
    if sys.platform != "linux":
        return False
    return environment is None or _read_at_the_start(environment) == _at_hand().variables


def take_terminal() -> None:
    """In a new session: standard input is its terminal."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def run(
    arguments: Sequence[str], *, given: str | bytes | None = None, check: bool = False, **how: Any
) -> subprocess.CompletedProcess[Any]:
    """The same to its end, with what it is given on standard input. Raises
    `subprocess.CalledProcessError` where `check` says that it must succeed."""
    if how.pop("capture_output", False):
        how |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if given is not None:
        how["stdin"] = subprocess.PIPE
    with start(arguments, **how) as process:
        try:
            out, err = process.communicate(given, PATIENCE)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(process.args, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done
