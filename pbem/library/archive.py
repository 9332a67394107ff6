"""A folder of finished games: the last turn file of each, its story, its page, and an index of them
all.

The turn file is what counts and is written first; everything else can be made from it again. So
whatever stops the program on the way (a full disk, a power cut), running it once more completes the
folder, and nothing that was there is lost: each file is written whole under another name before it
takes its own.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE
from pbem.library import archive_index
from pbem.lock import Lock
from pbem.replay.page import page
from pbem.replay.scenes import Replayed
from pbem.report import log, render, standing


@dataclass(frozen=True)
class Archived:
    """What `archive` wrote: the turn file, its account in Markdown, its page, the index in both
    forms. `replaced`: an earlier file of the game lay there. `games` are the lines of the index;
    `left_out` the turn files of the folder that have no line, each with the reason."""

    game: str
    file: str
    account: str
    page: str
    index: Sequence[str]
    ending: str
    proven: bool
    by_hand: bool
    replaced: bool
    games: int
    left_out: Mapping[str, str]


def archive(data: bytes, folder: Path) -> Archived:
    """Put a finished game into a folder, which is made if need be. Of a game that lies there
    already the longer file stays.

    Raises a kind of `Invalid` for a file that does not verify, `Refused` for a game that goes on,
    `Conflict` where a file of the folder is not what this would replace, `Usage` if it cannot be
    written.
    """
    data = turnfile.read(data).data
    replayed = Replayed(data)
    if replayed.failure is not None:
        raise replayed.failure
    ended = standing.over(replayed.game)
    if ended is None:
        raise Refused(
            "the game is not over: only its last turn file belongs in an archive",
            hint="archive it when the last turn has come",
        )
    line = archive_index.line_of(data, replayed)
    files.make_folder(folder)
    with _alone(folder):
        archive_index.check_own(folder)
        place = folder / f"{line.name}.toml"
        old = _there(place, data)
        _write(place, data, old)
        account = _written(place.with_suffix(".md"), _account(replayed), old)
        shown = _written(place.with_suffix(".html"), page(data, replayed).encode(), old)
        lines, left_out = archive_index.renew(folder, line)
    index = [files.printable(folder / name) for name in archive_index.PAGES]
    return Archived(
        game=line.name,
        file=files.printable(place),
        account=account,
        page=shown,
        index=index,
        ending=line.ending,
        proven=line.proven,
        by_hand=ended.by_hand,
        replaced=old is not None and old != data,
        games=len(lines),
        left_out=left_out,
    )


def in_words(facts: Archived) -> str:
    """What `pbem archive` prints."""
    what = "in place of an earlier file of the game" if facts.replaced else "the turn file"
    count = "1 game" if facts.games == 1 else f"{facts.games} games"
    lines = [
        f"{facts.file}: {what}",
        f"{facts.account}: its story",
        f"{facts.page}: a page that shows and checks it",
        f"{facts.index[0]}: the index, {count}; the same as Markdown in {facts.index[1]}",
    ]
    if facts.by_hand:
        lines.append(
            "The result is unproven: the player threw the dice at the table and entered them."
        )
    elif not facts.proven:
        lines.append(
            "The result is unproven: archive the game again when the last turns have come."
        )
    return "\n".join(lines)


def _account(replayed: Replayed) -> bytes:
    """The whole story as everybody may know it."""
    game = replayed.game
    known = game.public_faces()
    return render.render("log.md.j2", log.log(game, None, known, None, None)).encode()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two processes that archive into one folder write its index one after the other."""
    lock = Lock(folder / ".pbem-archive-lock", passing=True)
    with contextlib.suppress(Usage):  # nothing can be written here, and perhaps nothing has to be
        lock.take(wait=True)
    try:
        yield
    finally:
        lock.release()


def _there(place: Path, data: bytes) -> bytes | None:
    """The file of the game that lies in the archive, if one does. Raises `Conflict` unless it is an
    earlier one."""
    if not os.path.lexists(place):
        return None
    old = files.read_own(place, MAX_FILE)
    if data.startswith(old):
        return old
    if old.startswith(data):
        raise Conflict(
            f"{files.printable(place)} is a later file of this game",
            hint="the archive was left as it is",
        )
    what = f"{files.printable(place)} is another version of this game, or another game"
    raise Conflict(
        what,
        hint="nothing was overwritten; look which of the two is right, or choose another folder",
    )


def _written(path: Path, data: bytes, old: bytes | None) -> str:
    _write(path, data, old)
    return files.printable(path)


def _write(path: Path, data: bytes, old: bytes | None) -> None:
    """A file of a game that is new here is never written over another one. Raises `Conflict` or
    `Usage`."""
    if old is None:
        files.write_new(path, data)
    elif not files.holds(path, data):
        files.replace(path, data, mode=0o644)
