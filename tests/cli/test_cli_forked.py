"""A program that `tests.support.starter` forks is what Python itself would have started."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support import starter
from tests.support.begun_game import BegunGame
from tests.support.effort import PATIENCE

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere every program starts in the ordinary way"
)

LOOK = """
import gc, json, locale, os, signal, sys, threading
def stream(one):
    raw = getattr(one.buffer, "raw", one.buffer)
    kinds = [type(part).__name__ for part in (one, one.buffer, raw)]
    return [repr(one), kinds, one.errors, one.line_buffering, one.write_through, one.mode, raw.name, raw.mode,
            raw.closefd, one.fileno(), one.isatty()]
def disposition(number):
    found = signal.getsignal(number)
    return getattr(found, "__name__", str(found))
print(json.dumps({
    "streams": [stream(one) for one in (sys.stdin, sys.stdout, sys.stderr)],
    "same": [sys.stdin is sys.__stdin__, sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__],
    "signals": [disposition(number) for number in range(1, signal.NSIG)],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "descriptors": [place for place in range(256) if os.path.exists(f"/proc/self/fd/{place}") and place != 3],
    "threads": [threading.active_count(), len(os.listdir("/proc/self/task")), threading.main_thread().name],
    "arguments": [sys.argv, sys.orig_argv, sys.executable, sys.flags, __name__],
    "places": [os.getcwd(), sys.path],
    "environment": dict(os.environ),
    "encodings": [locale.getpreferredencoding(), sys.getfilesystemencoding(), locale.setlocale(locale.LC_ALL)],
    "mask": os.umask(0), "leads": os.getsid(0) == os.getpid(), "waits": gc.get_threshold(),
    "children": len(open("/proc/self/task/%d/children" % os.getpid()).read().split()),
}))
"""  # noqa: E501
ENDS = {
    "code": "raise SystemExit(7)",
    "words": "raise SystemExit('that is all')",
    "nothing": "raise SystemExit",
    "error": "1 / 0",
    "interrupted": "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
    "ended": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "killed": "import os; os.kill(os.getpid(), 9)",
    "at the end": "import atexit; atexit.register(print, 'last'); print('first', end='')",
    "not written": "import os, sys; sys.stdout = open('/dev/full', 'w'); print('lost')",
    "another thread": "import threading; threading.Timer(0.01, print, ['done']).start()",
    "chance": (
        "import random, os; assert os.fork() or not print(len({random.random(), random.random()}));"
        " os.wait()"
    ),
    "a child": (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1)'], check=True)"
    ),
}


def truly(arguments: list[str], **how: Any) -> subprocess.CompletedProcess[Any]:
    """The same from a Python that starts anew."""
    return subprocess.run([sys.executable, *arguments], check=False, timeout=PATIENCE, **how)


def without_frames(text: str) -> list[str]:
    """What an uncaught exception prints, without the calls that led there."""
    return [line for line in text.splitlines() if not line.startswith("  ")]


def test_a_forked_program_finds_itself_as_one_that_starts_anew(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "MINE": "ä b"}
    del environment["PATH"]
    how: dict[str, Any] = {
        "cwd": tmp_path,
        "env": environment,
        "text": True,
        "stdin": subprocess.DEVNULL,
    }
    (tmp_path / "look.py").write_text(LOOK, encoding="utf-8")
    for arguments, session, buffering in (
        (["-c", LOOK, "a", "--b"], False, ""),
        (["-m", "look"], True, "1"),
    ):
        environment["PYTHONUNBUFFERED"] = buffering
        forked = starter.run(arguments, capture_output=True, start_new_session=session, **how)
        anew = truly(arguments, capture_output=True, start_new_session=session, **how)
        assert (forked.returncode, forked.stderr) == (0, "")
        assert json.loads(forked.stdout) == json.loads(anew.stdout)


def test_a_forked_program_finds_the_same_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    look = LOOK.replace(
        '"leads":',
        '"foreground": os.tcgetpgrp(os.open("/dev/tty", os.O_RDWR)) == os.getpid(), "leads":',
    )
    found = []
    for start in (starter.start, starter.start_anew):
        leader, follower = pty.openpty()
        how: dict[str, Any] = {
            "stdin": follower,
            "stdout": follower,
            "stderr": follower,
            "env": dict(os.environ),
        }
        process = start(["-c", look], at_terminal=True, start_new_session=True, cwd=tmp_path, **how)
        os.close(follower)
        with open(leader, "rb", 0) as screen:
            shown = b""
            while not shown.endswith(b"\n"):
                shown += screen.read(65536)
            assert process.wait(PATIENCE) == 0
        found.append(json.loads(shown))
    assert found[0] == found[1]
    assert found[0]["foreground"] and found[0]["streams"][1][-1]


@pytest.mark.dear("starts each program anew")
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_a_forked_program_ends_as_one_that_starts_anew(end: str) -> None:
    forked = starter.run(["-c", end], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    anew = truly(["-c", end], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (forked.returncode, forked.stdout) == (anew.returncode, anew.stdout)
    assert without_frames(forked.stderr) == without_frames(anew.stderr)


@pytest.mark.dear("starts each program anew")
def test_a_forked_command_does_what_one_does_that_starts_anew(
    begun: BegunGame, tmp_path: Path
) -> None:
    commands = (
        [],
        ["verify", "no-such-file.toml"],
        ["play", begun.last, "event swedish", "--dry-run"],
    )
    environment = {**os.environ, "PBEM_HOME": str(begun.ann.home)}
    how: dict[str, Any] = {"cwd": begun.folder, "env": environment, "stdin": subprocess.DEVNULL}
    for command in commands:
        arguments = ["-m", "pbem", *command]
        forked = starter.run(arguments, capture_output=True, **how)
        anew = truly(arguments, capture_output=True, **how)
        assert (forked.returncode, forked.stderr) == (anew.returncode, anew.stderr), command
        assert forked.stdout == anew.stdout, command
    told = []
    for buffering, run in itertools.product(("", "1"), (starter.run, truly)):
        environment["PYTHONUNBUFFERED"] = buffering
        with open("/dev/full", "wb") as stream:
            done = run(
                ["-m", "pbem", "verify", begun.last], stdout=stream, stderr=subprocess.PIPE, **how
            )
        told.append((done.returncode, done.stderr))
    assert len(set(told)) == 1 and told[0][1].startswith(
        b"pbem: cannot write to standard output: No space left"
    )


def test_a_forked_program_is_a_process_of_its_own() -> None:
    """It is waited for, signalled and killed as any other, and two of them at a time."""
    waits = ["-c", "print('here', flush=True); input()"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        starter.start(waits, **pipes) as one,
        starter.start(waits, stderr=subprocess.DEVNULL, **pipes) as other,
    ):
        assert one.stdout is not None and other.stdout is not None
        assert isinstance(one, starter.Forked) and one.pid != other.pid
        assert [one.stdout.readline(), other.stdout.readline()] == ["here\n", "here\n"]
        assert one.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            one.wait(0)
        # Python overlooks one that comes just before it waits for a line
        while other.poll() is None:
            other.send_signal(signal.SIGINT)
            time.sleep(0.01)
        assert other.returncode == -signal.SIGINT and one.poll() is None
        assert one.communicate("\n", PATIENCE) == ("", None) and one.poll() == 0
    with starter.start(waits, **pipes) as third:
        third.kill()
    assert third.returncode == -9
    with pytest.raises(subprocess.CalledProcessError):
        starter.run(["-c", "raise SystemExit(3)"], check=True)


@pytest.mark.parametrize(
    "name", ["PYTHONIOENCODING", "PYTHONHASHSEED", "PYTHONUTF8", "LC_ALL", "LANG"]
)
def test_what_python_reads_at_its_start_starts_it_anew(name: str) -> None:
    for other in ({name: "x" + os.environ.get(name, "")}, {}):
        kept = {variable: value for variable, value in os.environ.items() if variable != name}
        assert starter.can_fork({**kept, **other}) is (name not in os.environ and not other)
    assert starter.can_fork({**os.environ, "PYTHONPATH": "elsewhere", "LANGUAGES": "x"})


def test_the_process_that_forks_ends_with_whoever_started_it() -> None:
    """Also where that one is killed, and while a program runs that it has forked, which needs no
    modules here."""
    process = "from tests.support import starter_process as one; one.load = int; one.main()"
    script = (
        "import os, subprocess; from tests.support import starter\n"
        f"starter.PROCESS = ('-c', {process!r})\n"
        "goes_on = starter.start(['-c', 'input()'], stdin=subprocess.PIPE)\n"
        "print(starter._at_hand().process.pid, goes_on.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = truly(["-c", script], cwd=starter.ROOT, stdout=subprocess.PIPE, text=True)
    assert done.returncode == -9
    for process in done.stdout.split():
        _gone(int(process))


def _gone(process: int) -> None:
    """Wait until this process has ended."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(process)
        assert select.select([handle], [], [], PATIENCE)[0]
        os.close(handle)
