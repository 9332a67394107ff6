"""Temporary files, full disks and killed processes: what a write leaves behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem import files, lock
from pbem.errors import Conflict, Usage
from pbem.lock import Lock

POSIX = pytest.mark.skipif(os.name != "posix", reason="locks, limits and signals are POSIX's")

KILLED = """
import os, signal, sys
from pathlib import Path
from pbem import files
setattr(os, sys.argv[2], lambda *given, **more: os.kill(os.getpid(), signal.SIGKILL))
files.write_new(Path(sys.argv[1]), b"data")
"""

WAITS = """
import os, sys
from pathlib import Path
from pbem import files

def wait(*given):
    print("writing", flush=True)
    sys.stdin.readline()

os.fsync, fsync = wait, os.fsync
files.write_new(Path(sys.argv[1]), b"data")
"""

FULL = """
import resource, sys
from pathlib import Path
from pbem import files
from pbem.errors import Usage
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for write in (files.write_new, files.replace):
    try:
        write(Path(sys.argv[1]), bytes(2000))
    except Usage as error:
        print(error)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@POSIX
@pytest.mark.parametrize("step", ["fsync", "chmod", "link"])
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path, step: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "file"), step], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1 and names(tmp_path)[0].startswith(".pbem-")
    files.write_new(tmp_path / "other", b"data")
    assert names(tmp_path) == ["other"]


@POSIX
def test_a_file_that_is_being_written_is_no_leftover(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITS, str(tmp_path / "file")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        files.write_new(tmp_path / "other", b"data")
        assert len(names(tmp_path)) == 2
        process.stdin.write(b"go\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"writing\n"  # the folder's own fsync
        process.stdin.close()
        assert process.wait() == 0
    assert names(tmp_path) == ["file", "other"]


def test_a_name_that_only_looks_like_a_leftover_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".pbem-folder.tmp").mkdir()
    (tmp_path / ".pbem-notes").write_bytes(b"mine")
    (tmp_path / "x.tmp").write_bytes(b"mine")
    files.write_new(tmp_path / "file", b"data")
    assert names(tmp_path) == [".pbem-folder.tmp", ".pbem-notes", "file", "x.tmp"]


@POSIX
def test_a_full_disk_keeps_no_temporary_file(tmp_path: Path) -> None:
    """The limit of a file's size stands for the end of the disk: the write itself is cut short by
    the system."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "file")], capture_output=True, check=True
    )
    assert done.stdout.decode().count("cannot write") == 2
    assert names(tmp_path) == []


@pytest.mark.parametrize("step", ["fsync", "chmod", "link"])
def test_whatever_step_finds_the_disk_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_given: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "link":
        monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(os, step, full)
    for write in (files.write_new, files.replace):
        if (write, step) != (files.replace, "link"):
            with pytest.raises(Usage, match=os.strerror(errno.ENOSPC)):
                write(tmp_path / "file", b"data")
        assert names(tmp_path) == []


def test_the_same_bytes_again_need_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write_new(tmp_path / "file", b"data")

    def full(*_given: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    files.write_new(tmp_path / "file", b"data")
    with pytest.raises(Usage, match="make room"):
        files.write_new(tmp_path / "other", b"data")
    with pytest.raises((Conflict, Usage)):
        files.write_new(tmp_path / "file", b"atad")


def test_without_locks_and_links_files_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a browser: a lock is held by whoever takes it, and nothing is written over another
    file."""
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(lock, "msvcrt", None)
    monkeypatch.delattr(os, "link")
    with Lock(tmp_path / "lock", passing=True) as held, Lock(tmp_path / "lock") as other:
        assert held.is_held() and other.is_held()
        files.write_new(tmp_path / "file", b"one")
        with pytest.raises(Conflict):
            files.write_new(tmp_path / "file", b"two")
    files.replace(tmp_path / "file", b"three")
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"three"


def test_a_file_that_another_library_writes_takes_its_place_whole(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with files.made_beside(path) as half:
            half.write_bytes(b"ha")
            assert path.read_bytes() == b"old"
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        interrupted()
    assert names(tmp_path) == ["table"] and path.read_bytes() == b"old"
    with files.made_beside(path) as half:
        half.write_bytes(b"new")
    assert names(tmp_path) == ["table"] and path.read_bytes() == b"new"
