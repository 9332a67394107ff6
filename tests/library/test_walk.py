"""Which files a command with many files and folders reads, whatever lies in their way."""

from __future__ import annotations

import errno
import inspect
import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.errors import Usage
from pbem.library.walk import FoundFile, Skipped, read, walk
from tests.support.rights import rights_hold

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and these names are POSIX's")


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")


def names(folder: Path, found: Iterable[FoundFile | Skipped]) -> list[str]:
    return [str(one.path.relative_to(folder)) for one in found if isinstance(one, FoundFile)]


def told(found: Iterable[FoundFile | Skipped]) -> dict[str, str]:
    return {one.path.name: one.reason for one in found if isinstance(one, Skipped)}


def test_a_folders_turn_files_come_by_name_with_its_folders(tmp_path: Path) -> None:
    touch(
        tmp_path,
        "b.toml",
        "a/2.toml",
        "a/1.TOML",
        "c/deep/er/x.toml",
        "mail.eml",
        "a/toml",
        "notes.txt",
    )
    assert names(tmp_path, walk([tmp_path])) == [
        "a/1.TOML",
        "a/2.toml",
        "b.toml",
        "c/deep/er/x.toml",
    ]


def test_what_is_named_comes_as_named_and_once(tmp_path: Path) -> None:
    touch(tmp_path, "b.toml", "a.toml", "saved.eml")
    asked = [
        tmp_path / "saved.eml",
        tmp_path / "b.toml",
        tmp_path,
        tmp_path / "b.toml",
        tmp_path / "gone.toml",
    ]
    found = list(walk(asked))
    assert names(tmp_path, found) == ["saved.eml", "b.toml", "a.toml"]
    assert [one.is_named for one in found if isinstance(one, FoundFile)] == [True, True, False]
    assert told(found) == {"gone.toml": os.strerror(errno.ENOENT)}


def test_a_folder_below_one_that_was_read_is_told_and_is_nothing_unread(tmp_path: Path) -> None:
    touch(tmp_path, "a/x.toml")
    found = list(walk([tmp_path, tmp_path / "a"]))
    assert names(tmp_path, found) == ["a/x.toml"]
    (skipped,) = [one for one in found if isinstance(one, Skipped)]
    assert (skipped.path, skipped.is_unread) == (tmp_path / "a", False)


@POSIX
def test_links_are_followed_and_never_round_in_a_circle(tmp_path: Path) -> None:
    touch(tmp_path, "games/x.toml", "other/y.toml")
    (tmp_path / "games" / "back").symlink_to(tmp_path / "games")
    (tmp_path / "games" / "other").symlink_to(tmp_path / "other")
    (tmp_path / "games" / "z.toml").symlink_to(tmp_path / "other" / "y.toml")
    (tmp_path / "games" / "self").symlink_to("self")
    (tmp_path / "games" / "gone").symlink_to("nowhere")
    found = list(walk([tmp_path / "games"]))
    assert names(tmp_path, found) == ["games/other/y.toml", "games/x.toml", "games/z.toml"]
    unread = {one.path.name: one.is_unread for one in found if isinstance(one, Skipped)}
    assert unread == {"back": False, "self": True, "gone": True}


@POSIX
def test_pipes_devices_and_sockets_are_told_and_never_opened(tmp_path: Path) -> None:
    touch(tmp_path, "x.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    os.mkfifo(tmp_path / "quiet")
    (tmp_path / "null.toml").symlink_to(os.devnull)
    with socket.socket(socket.AF_UNIX) as there:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's name is short
        try:
            there.bind("socket.toml")
        finally:
            os.chdir(here)
    found = list(walk([tmp_path]))
    assert names(tmp_path, found) == ["x.toml"]
    kinds = {name: reason.split()[-1] for name, reason in told(found).items()}
    assert kinds == {"pipe.toml": "pipe", "null.toml": "device", "socket.toml": "socket"}
    assert told(walk([tmp_path / "quiet"])).keys() == {"quiet"}


def test_a_file_as_large_as_any_mail_is_read_and_none_above_that(tmp_path: Path) -> None:
    """docs/mail.md: of a mail of more than 26 MB nothing is looked at."""
    path = tmp_path / "large.toml"
    path.touch()
    os.truncate(path, 26_000_000)
    assert len(read(path)) == 26_000_000
    os.truncate(path, 26_000_001)
    with pytest.raises(Usage, match="larger than 26000000 bytes"):
        read(path)


def test_a_folder_that_may_not_be_read_is_told_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path, "a/x.toml", "b/y.toml", "c/z.toml")
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "b":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = list(walk([tmp_path]))
    assert names(tmp_path, found) == ["a/x.toml", "c/z.toml"] and told(found) == {
        "b": "Permission denied"
    }


@POSIX
def test_names_that_no_terminal_should_see_are_names_like_others(tmp_path: Path) -> None:
    for name in (b"\x1b[2Jx.toml", b"\xff\xfe.toml", b"a\nb.toml"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"x")
    assert len(names(tmp_path, walk([tmp_path]))) == 3


def test_a_name_that_no_file_can_have_is_told() -> None:
    [one] = walk([Path("a\0b.toml")])
    assert isinstance(one, Skipped) and one.is_unread


def test_folders_deeper_than_pythons_stack_are_read(tmp_path: Path) -> None:
    touch(tmp_path, "d/" * 80 + "x.toml")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 60)
    try:
        found = list(walk([tmp_path]))
    finally:
        sys.setrecursionlimit(limit)
    assert len(names(tmp_path, found)) == 1


@POSIX
def test_what_lies_in_a_folder_that_may_be_listed_and_not_entered_is_named_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    touch(tmp_path, "a/x.toml", "b/below/y.toml", "b/z.toml", "b/mail.eml", "c/z.toml")
    (tmp_path / "b" / "link").symlink_to("below")
    (tmp_path / "b").chmod(0o400)
    try:
        with rights_hold() as do_hold:
            if not do_hold:
                pytest.skip("root's rights cannot be laid down here")
            found = list(walk([tmp_path, tmp_path / "b" / "z.toml"]))
    finally:
        (tmp_path / "b").chmod(0o700)
    assert names(tmp_path, found) == ["a/x.toml", "c/z.toml"]
    assert told(found) == dict.fromkeys(("below", "link", "z.toml"), "Permission denied")


def long_path(folder: Path, named: Path) -> Path:
    """Make, step by step, a folder with a turn file whose path is longer than the system takes.

    `named` is how the walk is given `folder`: the path, which is returned, is counted from there.
    """
    name, path = "d" * 200, named
    handle = os.open(folder, os.O_RDONLY)
    while len(os.fsencode(path)) < os.pathconf(folder, "PC_PATH_MAX"):
        os.mkdir(name, dir_fd=handle)
        below = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle, path = below, path / name
    os.close(os.open("x.toml", os.O_WRONLY | os.O_CREAT, dir_fd=handle))
    os.close(handle)
    return path


@POSIX
def test_a_path_that_is_longer_than_the_system_takes_is_named_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    touch(tmp_path, "a/x.toml", "z/y.toml")
    longest = long_path(tmp_path, tmp_path)
    found = list(walk([tmp_path, longest]))
    assert names(tmp_path, found) == ["a/x.toml", "z/y.toml"]
    assert [one.path for one in found if isinstance(one, Skipped)] == [longest, longest]
    assert set(told(found).values()) == {os.strerror(errno.ENAMETOOLONG)}
