"""A file is read as it stands at one moment, and only if it is a plain one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.errors import Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.library import walk
from pbem.library.walk import is_turn_file, read


def test_a_file_that_changes_meanwhile_is_read_again_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looked, fstat = tmp_path / "a.toml", 0, os.fstat
    path.write_bytes(b"old")

    def look(handle: int) -> os.stat_result:
        nonlocal looked
        looked += 1
        if looked == writes:
            path.write_bytes(b"new bytes")
        if writes == 0:
            path.write_bytes(b"x" * looked)
        return fstat(handle)

    monkeypatch.setattr(walk.os, "fstat", look)
    writes = 2  # after the old bytes were read
    assert read(path) == b"new bytes"
    writes = 0
    with pytest.raises(Usage):
        read(path)


@pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX's")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", tmp_path):
        with pytest.raises(Usage):
            read(path)


def test_a_file_too_large_for_any_mail_is_not_read_to_its_end(tmp_path: Path) -> None:
    with open(tmp_path / "a.toml", "wb") as file:
        file.truncate(MAX_MESSAGE + 1)
    with pytest.raises(Usage, match="larger than"):
        read(tmp_path / "a.toml")


def test_what_a_turn_file_has_lost_makes_it_no_other_file() -> None:
    whole = b'format = "pbem/1"\n\n[[entry]]\nseat = "american"\n'
    for damaged in (
        whole,
        b"\xef\xbb\xbf" + whole,
        whole[1:],
        b"",
        b"\n\n",
        whole.replace(b"\n", b"\r\n")[3:],
    ):
        assert is_turn_file(damaged)
    assert not is_turn_file(b'[project]\nname = "other"\n')
