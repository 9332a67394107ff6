"""Files that are written whole or not at all, and never over another."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from pbem.errors import Conflict, Usage


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a file of at most `limit`. Raises `Usage` if it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it has no usable name"
        raise Usage(f"cannot read {shown(path)}: {reason}", hint="check the path") from error
    if len(data) > limit:
        raise Usage(f"{shown(path)} is larger than {limit} bytes", hint="this is not a turn file")
    return data


def shown(path: Path) -> str:
    """A path for a message: without characters that a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in str(path))


def write_new(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file that does not exist yet: temporary file, fsync, then its name, so that a crash at any point leaves
    no file or a whole one. The same bytes again are no conflict.

    Raises `Conflict` if other bytes stand there, `Usage` if the folder cannot be written.
    """
    try:
        _write(path, data, mode)
    except FileExistsError as error:
        if not path.is_file() or path.read_bytes() != data:
            raise Conflict(
                f"{shown(path)} exists and holds something else",
                hint="nothing was overwritten; move it away or choose another folder with --dir",
            ) from error
    except OSError as error:
        raise Usage(f"cannot write {shown(path)}: {error.strerror or error}", hint="check the folder") from error


def replace(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write a file of our own in place of its older self, whole or not at all. Raises `Usage`."""
    try:
        os.replace(_temporary(path, data, mode), path)
        _sync_folder(path.parent)
    except OSError as error:
        raise Usage(f"cannot write {shown(path)}: {error.strerror or error}", hint="check the folder") from error


def _write(path: Path, data: bytes, mode: int) -> None:
    temporary = _temporary(path, data, mode)
    try:
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links: the name is tested first, the move itself is whole
            if path.exists():
                raise FileExistsError(path) from None
            os.replace(temporary, path)
        _sync_folder(path.parent)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _temporary(path: Path, data: bytes, mode: int) -> str:
    handle, name = tempfile.mkstemp(prefix=".pbem-", suffix=".tmp", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(name, mode)
    return name


def _sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that no file can have is none."""
    try:
        return path.is_dir()
    except OSError:
        return False
