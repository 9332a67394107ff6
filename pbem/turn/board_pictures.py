"""The pictures that players made of their board, for the page that replays a game: those that go
with its turns and lie where its file does (docs/format.md, section 22)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.fileformat.attached import AttachedFile, files_of
from pbem.fileformat.bare_picture import BoardPicture, as_board
from pbem.fileformat.turnfile import Entry
from pbem.mail import attached_parts
from pbem.turn.files_beside import places_of

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
    found = _found({file for those in named.values() for file in those}, source)
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


def _found(wanted: set[AttachedFile], source: Path) -> dict[AttachedFile, BoardPicture]:
    found: dict[AttachedFile, BoardPicture] = {}
    for place in places_of(source) if wanted else ():
        for came in attached_parts.in_file(place, frozenset(wanted)) if wanted else ():
            if came.is_it and came.file in wanted:
                wanted.remove(came.file)
                if (picture := as_board(came.data)) is not None:
                    found[came.file] = picture
    return found
