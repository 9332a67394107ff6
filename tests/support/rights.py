"""Rights of files that hold for root too, as long as a test needs it; and what another user of the machine meets."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_VERSION = 0x20080522
_OVERRIDE = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of Linux: with them root reads and writes what nobody may."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


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
    """A folder that every user may go through, as those of tests are not."""
    with tempfile.TemporaryDirectory(prefix="pbem-open-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def as_nobody(call: Callable[[], Any]) -> Any:
    """What a call gives in a process of the user "nobody"; skips the test where this one is not root. What is imported
    in it must have been imported before, for that user may not see this Python at all."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root can become another user")
    import pwd

    try:
        user = pwd.getpwnam("nobody")
    except KeyError:
        pytest.skip('this system has no user "nobody"')
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that the child does not have
        child = os.fork()
    if child == 0:
        answer: Any = None
        try:
            os.close(reads)
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            answer = call()
        except BaseException:
            answer = traceback.format_exc()
        finally:
            with os.fdopen(writes, "wb") as told:
                told.write(pickle.dumps(answer))
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as answers:
        given = pickle.loads(answers.read())
    os.waitpid(child, 0)
    if isinstance(given, str):
        raise AssertionError(given)
    return given
