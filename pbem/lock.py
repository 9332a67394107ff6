"""A file that one process at a time holds, where the system can tell: without locks every process
holds it."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Usage

msvcrt: Any = files.system_module("msvcrt")


class Lock:
    """Held from `take` until `release` or the end of the process, however it ends: the system lets
    it go. A `passing` one leaves no file behind."""

    def __init__(self, path: Path, *, passing: bool = False) -> None:
        self.path = path
        self._passing = passing
        self._handle: int | None = None

    def take(self, *, wait: bool = False) -> bool:
        """Whether the lock is held now; with `wait`, as soon as another process lets it go. Raises
        `Usage` if the file cannot be made."""
        while self._handle is None:
            try:
                handle = os.open(
                    self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600
                )
            except OSError as error:
                what = f"cannot write {files.printable(self.path)}: {error.strerror or error}"
                raise Usage(what, hint="check the folder") from error
            if not _locked(handle, wait):
                os.close(handle)
                return False
            self._handle = handle
            # the file was removed meanwhile, and another process may hold its successor
            if not self.is_held():
                self.release()
        return True

    def is_held(self) -> bool:
        """Whether the file that is locked is still the one of that name."""
        try:
            return self._handle is not None and os.path.samestat(
                os.fstat(self._handle), os.stat(self.path)
            )
        except OSError:
            return False

    def release(self) -> None:
        """Let it go."""
        if self._handle is not None:
            if self._passing and self.is_held():
                with contextlib.suppress(OSError):
                    os.unlink(self.path)
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Lock:
        self.take(wait=True)
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def _locked(handle: int, wait: bool) -> bool:
    try:
        if files.fcntl is not None:
            files.fcntl.flock(handle, files.fcntl.LOCK_EX | (0 if wait else files.fcntl.LOCK_NB))
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    except OSError as error:
        # there waiting ends after ten seconds, with this error
        return wait and error.errno == errno.EDEADLK and _locked(handle, wait)
    return True
