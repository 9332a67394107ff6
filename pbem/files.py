"""Files that are written whole or not at all, and never over another. With `pbem.lock` the only
module that knows how systems differ in files: everything else opens and writes them through it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem.errors import Conflict, Typed, Usage

_PREFIX, _SUFFIX = ".pbem-", ".tmp"


def system_module(name: str) -> Any:
    """A module that only some systems have; None on any other."""
    try:
        return import_module(name)
    except ImportError:
        return None


fcntl: Any = system_module("fcntl")
"""Locks of files, as POSIX has them."""


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a file of at most `limit`, or of a pipe; one that nobody writes to is empty, and
    nobody waits for it. Raises `Usage` if it cannot be read."""
    return _read(path, limit, is_plain=False)


def read_own(path: Path, limit: int) -> bytes:
    """The bytes of a file of the program's own, of at most `limit`. Raises `Usage` if it cannot be
    read, or is a pipe or a device."""
    return _read(path, limit, is_plain=True)


def _read(path: Path, limit: int, *, is_plain: bool) -> bytes:
    try:
        with open(path, "rb", opener=at_once) as file:
            if is_plain and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Usage(
                    f"cannot read {printable(path)}: it is no plain file", hint="check the path"
                )
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it has no usable name"
        )
        raise Usage(f"cannot read {printable(path)}: {reason}", hint="check the path") from error
    if len(data) > limit:
        raise Usage(
            f"{printable(path)} is larger than {limit} bytes", hint="this is not a turn file"
        )
    return data


def at_once(name: str, flags: int) -> int:
    """The opener (of `open`) of a file that may be a pipe: it is opened at once, and read to its
    end all the same. A device, which may do something when it is opened, never is: raises
    `OSError`."""
    mode = os.stat(name).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.ENODEV, "it is a device", name)
    if os.name != "posix":
        return os.open(name, flags)
    handle = os.open(name, flags | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return handle


def printable(path: Path) -> str:
    """A path for a message: without characters that a terminal would obey."""
    text = str(path)
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def shipped() -> Path:
    """The folder of templates that came with the program: inside the package if it is installed,
    beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def example(game: str) -> Path | None:
    """The turn file of a whole game that came with the program; None for a game without one."""
    path = shipped() / game / "example.toml"
    return path if path.is_file() else None


def state_folder() -> Path:
    """Where the system keeps the state of programs, for what concerns this computer and no single
    home (`PBEM_STATE` chooses another folder)."""
    chosen = os.environ.get("PBEM_STATE")
    if chosen:
        return Path(chosen)
    import platformdirs  # few commands ask

    return Path(platformdirs.user_state_dir("pbem", appauthor=False))


def make_folder(folder: Path) -> None:
    """The folder, and those above it, if they are not there. Raises `Usage`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else "it has no usable name"
        raise Usage(
            f"cannot make the folder {printable(folder)}: {what}", hint="choose another one"
        ) from error


def write_new(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file that does not exist yet: temporary file, fsync, then its name, so that a crash
    at any point leaves no file or a whole one. The same bytes again are no conflict, and need no
    room on the disk.

    Raises `Conflict` if other bytes stand there, `Usage` if the folder cannot be written.
    """
    if holds(path, data):
        return
    try:
        _write(path, data, mode)
    except FileExistsError as error:
        if not holds(path, data):
            raise Conflict(
                f"{printable(path)} exists and holds something else",
                hint=(
                    "nothing was overwritten",
                    Typed("move it away or choose another folder with --dir"),
                ),
            ) from error
    except OSError as error:
        raise Usage(
            f"cannot write {printable(path)}: {error.strerror or error}", hint=_remedy(error)
        ) from error


def holds(path: Path, data: bytes) -> bool:
    """Whether a file holds exactly these bytes; one that cannot be read does not."""
    try:
        return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
    except (OSError, ValueError):
        return False


def replace(path: Path, data: bytes, *, mode: int = 0o600, survives: bool = True) -> None:
    """Write a file of our own in place of its older self, whole or not at all. What only helps need
    not wait until it `survives` a power cut. Raises `Usage`."""
    try:
        with _temporary(path, data, mode, survives=survives) as name:
            os.replace(name, path)
        if survives:
            _sync_folder(path.parent)
    except OSError as error:
        raise Usage(
            f"cannot write {printable(path)}: {error.strerror or error}", hint=_remedy(error)
        ) from error


def move(path: Path, to: Path) -> None:
    """Give a file of our own another name, over whatever has it. Raises `Usage`."""
    try:
        os.replace(path, to)
        _sync_folder(path.parent)
    except OSError as error:
        raise Usage(
            f"cannot move {printable(path)}: {error.strerror or error}", hint=_remedy(error)
        ) from error


def private(name: str, flags: int) -> int:
    """The opener (of `open`) of a file that nobody else may read."""
    return os.open(name, flags, 0o600)


def sync_all() -> None:
    """Make all that was written survive a power cut, where the system can."""
    if hasattr(os, "sync"):
        os.sync()


@contextlib.contextmanager
def made_beside(path: Path) -> Iterator[Path]:
    """The name of a file that is written inside, by whatever writes it, and takes the place of
    `path` when it is whole; otherwise it is gone. Raises `OSError`."""
    half = path.with_name(f".{path.name}.half")
    try:
        yield half
        os.replace(half, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(half)


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder that nobody else reads, removed at the end: for another program to work in."""
    import tempfile  # few commands write

    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def draw_names_anew() -> None:
    """Let such folders get other names than they would have: where the memory of a program is put
    back that ran before, they come out of what it drew."""
    import tempfile  # few commands write

    vars(tempfile)["_name_sequence"] = None


def _remedy(error: OSError) -> str:
    return (
        "make room on the disk"
        if error.errno in (errno.ENOSPC, errno.EDQUOT)
        else "check the folder"
    )


def _write(path: Path, data: bytes, mode: int) -> None:
    with _temporary(path, data, mode) as name:
        try:
            os.link(name, path)
        except FileExistsError:
            raise
        # no links here: the name is tested first, the move itself is whole
        except (OSError, AttributeError):
            if path.exists():
                raise FileExistsError(path) from None
            os.replace(name, path)
    _sync_folder(path.parent)


@contextlib.contextmanager
def _temporary(path: Path, data: bytes, mode: int, *, survives: bool = True) -> Iterator[str]:
    """The name of a file beside `path` that holds the data. It is gone afterwards, also where the
    disk is full; what a killed process leaves, the next one to write there removes."""
    remove_leftovers(path.parent)
    handle, name = _locked_temporary(path.parent)
    try:
        with os.fdopen(handle, "wb", closefd=False) as file:
            file.write(data)
            file.flush()
            if survives:
                os.fsync(handle)
        os.chmod(name, mode)
        # such a system moves no file that is open, and needs no lock: nor does it remove one
        if fcntl is None:
            os.close(handle)
        yield name
    finally:
        if fcntl is not None:
            os.close(handle)
        with contextlib.suppress(OSError):
            os.unlink(name)


def _locked_temporary(folder: Path) -> tuple[int, str]:
    """A new file that `remove_leftovers` of other processes leaves alone as long as it is open."""
    import tempfile  # few commands write

    while True:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        if fcntl is not None:
            # a file system without locks: there nothing is removed either
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            # another process took it for a leftover before it was locked
            if os.fstat(handle).st_nlink == 0:
                os.close(handle)
                continue
        return handle, name


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed processes have left in a folder: those that nobody
    holds open."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for name in [
            one.path
            for one in entries
            if one.name.startswith(_PREFIX) and one.name.endswith(_SUFFIX)
        ]:
            with contextlib.suppress(OSError):
                _remove_unless_open(name)


def _remove_unless_open(name: str) -> None:
    """Raises `OSError` if another process is writing this file, or the system cannot tell."""
    if fcntl is None:
        os.unlink(name)
        return
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def warning_if_others_read(path: Path) -> str:
    """What to tell of a secret file that others on this machine can read; nothing if they
    cannot."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    if os.name != "posix" or not mode & 0o077 or not stat.S_ISREG(mode):
        return ""
    return f"others can read your key {printable(path)} (hint: chmod 600, if that was not meant)"


def listed(folder: Path) -> list[Path]:
    """What lies in a folder, in order; nothing if there is no such folder. Raises `Usage` if it
    cannot be read, or if something else stands in its place or in that of a folder above it."""
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        dangling = next(
            (path for path in (folder, *folder.parents) if path.is_symlink() and not path.exists()),
            None,
        )
        if dangling is None:
            return []
        what = f"cannot read the folder {printable(dangling)}: it is a link to nothing"
        raise Usage(what, hint="restore it from your copy") from None
    except OSError as error:
        what = f"cannot read the folder {printable(folder)}: {error.strerror or error}"
        raise Usage(what, hint="give it back its rights, or restore it from your copy") from error


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that no file can have is none."""
    try:
        return path.is_dir()
    except OSError:
        return False
