"""The pictures that players made of their board, for the page that replays a game: those that go
with its turns and lie where its file does (docs/format.md, section 22)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.fileformat.attached import files_of
from pbem.fileformat.bare_picture import BoardPicture, as_board
from pbem.fileformat.turnfile import Entry
from pbem.turn.files_beside import find_beside

MOST_BYTES = 12_000_000
"""Of all pictures in one page; where there are more the newest stand in it."""
_NAMES = (".png", ".jpg", ".jpeg")
"""How the name of a file ends that is looked at."""


def board_pictures(entries: Sequence[Entry], source: Path) -> dict[int, BoardPicture]:
    """The picture of each entry that has one, by the entry's number, looked for where the turn file
    `source` lies."""
    named = {
        entry.number: [one for one in files_of(entry) if one.name.lower().endswith(_NAMES)]
        for entry in entries
    }
    wanted = {file for those in named.values() for file in those}
    looked_at = ((file, as_board(data)) for file, data in find_beside(source, wanted))
    found = {file: picture for file, picture in looked_at if picture is not None}
    pictures: dict[int, BoardPicture] = {}
    room = MOST_BYTES
    for number in sorted(named, reverse=True):
        one = next((found[file] for file in named[number] if file in found), None)
        if one is None:
            continue
        room -= len(one.data)
        if room < 0:
            break
        pictures[number] = one
    return pictures
