"""A turn file that was cut off: told as incomplete, wherever the cut is. One that only lost the end
of its last line on the way is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import TurnFile
from pbem.turn import named_file
from tests.support.begun_game import BegunGame


def cuts(data: bytes) -> list[int]:
    """Before, at and after every line end, and some places within each line."""
    ends = [match.start() for match in re.finditer(rb"\n", data)]
    places = {end + step for end in ends for step in (-30, -1, 0, 1, 2)}
    return sorted(place for place in places if 0 < place < len(data))


def result(path: Path) -> tuple[TurnFile | None, Malformed | None]:
    try:
        return turnfile.read(named_file.find(path).turn), None
    except Malformed as error:
        return None, error


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_a_cut_is_told_wherever_it_is(begun: BegunGame, tmp_path: Path, ends: bytes) -> None:
    data = (begun.folder / begun.files[1]).read_bytes()
    turns = [turnfile.read(data).prefix(entries) for entries in (1, 2)]
    whole, path = data.replace(b"\n", ends), tmp_path / "cut.toml"
    seen = set()
    for place in cuts(whole):
        path.write_bytes(whole[:place])
        read, error = result(path)
        if error is not None:
            if place < len(turnfile.START):  # so little of it could be anything
                continue
            assert "incomplete" in str(error), (place, whole[:place][-60:], str(error))
            seen.add(error.what)
        elif read is not None:
            assert (
                read.data in turns
                and whole[:place].replace(b"\r", b"").rstrip() == read.data.rstrip()
            ), place
    assert len(seen) == 3, "no turn at all, a line that does not end, and a turn that does not"


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n\n", b"\r\n\r\n", b"\r"])
def test_the_end_of_the_last_line_may_be_lost_or_doubled(
    begun: BegunGame, tmp_path: Path, end: bytes
) -> None:
    data, path = (begun.folder / begun.last).read_bytes(), tmp_path / "mailed.toml"
    for ends in (b"\n", b"\r\n"):
        path.write_bytes(data.rstrip(b"\n").replace(b"\n", ends) + end)
        assert turnfile.read(named_file.find(path).turn).data == data
