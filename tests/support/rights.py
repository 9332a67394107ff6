"""Rights of files that hold for root too, as long as a test needs it."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator

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
