"""Rights of files that hold for root too, as long as a test needs it; and what another user of the
machine meets."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
import pbem
from tests.support.effort import PATIENCE

_CHECKOUT = Path(__file__).parents[2]
_PROGRAMS = {one.__name__: Path(one.__path__[0]) for one in (pbem, engine)}
_VERSION = 0x20080522
_OVERRIDE = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of Linux: with them root reads and writes what nobody
may."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextlib.contextmanager
def rights_hold() -> Iterator[bool]:
    """Let this thread obey the rights of files, root or not; False where that cannot be had."""
    if os.name != "posix":
        yield False
        return
    if os.geteuid() != 0:
        yield True
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "capset"):
        yield False
        return
    header, sets = _Header(_VERSION, 0), (_Sets * 2)()
    if libc.capget(ctypes.byref(header), sets) != 0:
        yield False
        return
    before = sets[0].effective
    sets[0].effective = before & ~_OVERRIDE
    is_changed = libc.capset(ctypes.byref(header), sets) == 0
    try:
        yield is_changed
    finally:
        if is_changed:
            sets[0].effective = before
            libc.capset(ctypes.byref(header), sets)


@contextlib.contextmanager
def open_to_all() -> Iterator[Path]:
    """A folder that every user may go through, as those of tests are not, and whose name is short
    enough for a socket in it (100 bytes), wherever TMPDIR points to. What a program that was killed
    was about to write may stay."""
    where = "/tmp" if os.name == "posix" else None
    with tempfile.TemporaryDirectory(prefix="pbem-", dir=where, ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o755)
        yield Path(name)


_PROGRAM = """
import json, os, pwd, sys
from pathlib import Path
from examples.correspondence import Player

home, folder = map(Path, sys.argv[1:])
player = Player("nobody", home, folder, in_process=True)
for line in sys.stdin:
    given = json.loads(line)
    if given["as nobody"] and os.geteuid() == 0:
        user = pwd.getpwnam("nobody")
        os.chdir(folder)
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
        os.environ["PBEM_STATE"] = given["state"]
    print(json.dumps([player.types(*command) for command in given["commands"]]), flush=True)
"""
"""Takes commands line by line, as the user who has started it and then as nobody."""


class Stranger:
    """The user "nobody" with a home of somebody else, who works in this folder, which all may
    enter.

    What they run is a copy of the program where all may read it, for nobody may enter a checkout in
    `/root` or one that was cloned under `mktemp -d`. Python itself, and the packages that the
    program needs, may be as private: what a command imports of them is loaded as the user who runs
    the tests (`prepare`).
    """

    def __init__(self, home: Path, folder: Path, program: Path) -> None:
        for name in (
            "pbem",
            "engine",
            "templates",
            "examples/__init__.py",
            "examples/correspondence.py",
        ):
            target = program / name
            target.parent.mkdir(exist_ok=True)
            # A wheel may be what is tested: then the program lies beside the tests no more.
            source = _PROGRAMS.get(name, _CHECKOUT / name)
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, target)
        for path in program.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, os.fspath(home), os.fspath(folder)],
            cwd=program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self._state = folder / "state-of-nobody"

    def prepare(self, *commands: list[str]) -> None:
        """Run commands as the user who runs the tests."""
        self._run(commands, as_nobody=False)

    def types(self, *commands: list[str]) -> list[tuple[int, str, str]]:
        """Run commands as nobody: of each its exit code, and what it says on standard output and
        standard error."""
        return [(code, out, err) for code, out, err in self._run(commands, as_nobody=True)]

    def _run(
        self, commands: tuple[list[str], ...], *, as_nobody: bool
    ) -> list[tuple[int, str, str]]:
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {"commands": commands, "as nobody": as_nobody, "state": os.fspath(self._state)}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: list[tuple[int, str, str]] = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        """End their program."""
        self._process.communicate(timeout=PATIENCE)


@contextlib.contextmanager
def stranger(home: Path, folder: Path) -> Iterator[Stranger]:
    """The user "nobody", as long as a test needs them; skips the test where this user is not
    root."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root can become another user")
    import pwd

    try:
        pwd.getpwnam("nobody")
    except KeyError:
        pytest.skip('this system has no user "nobody"')
    with open_to_all() as program:
        nobody = Stranger(home, folder, program)
        try:
            yield nobody
        finally:
            nobody.end()
