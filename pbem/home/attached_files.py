"""The files that came with a turn, or go with it (docs/format.md, section 22): where a home keeps
them, which of them are here, and which are awaited.

`files_with` answers which files go with an entry, and whether they are here. A game's folder has
them in `files`, by the number of the entry, the digest and the name. What is kept there was named
in an entry of a file that verifies, or is chosen for the turn that its player is writing; nothing
of it is ever opened or run."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from pbem import files
from pbem.errors import Refused, Usage
from pbem.fileformat import attached, bare_picture
from pbem.fileformat.attached import MOST_BYTES, AttachedFile
from pbem.fileformat.bare_picture import NotWhole
from pbem.fileformat.turnfile import Entry, TurnFile
from pbem.home.home import Home
from pbem.home.store import StateFile

FOLDER = "files"
MOST_AWAITED = 500
"""Files that are awaited in all games of a home; the oldest are forgotten first."""


class KeptFile(NamedTuple):
    """A file that goes with entry `number`: where it lies in the home, or would lie, and whether it
    is `here`, `missing`, or `other` bytes lie in its place."""

    file: AttachedFile
    number: int
    path: Path
    state: Literal["here", "missing", "other"]


class AwaitedFile(NamedTuple):
    """A file of a game (32 digits of its id) that an entry names and that has not come; `digest` in
    hexadecimal."""

    game: str
    number: int
    name: str
    size: int
    digest: str

    def file(self) -> AttachedFile:
        """The file as its entry names it."""
        return AttachedFile(self.name, self.size, bytes.fromhex(self.digest))


_AWAITED = StateFile("awaited-files.json", list[AwaitedFile], 1_000_000)


def kept_name(number: int, file: AttachedFile) -> str:
    """What a file is called that is kept as going with this entry."""
    name = "".join(letter if letter.isprintable() else "_" for letter in file.name)
    return f"{number:04}-{file.digest.hex()[:16]}-{name}"


def path_of(folder: Path, number: int, file: AttachedFile) -> Path:
    """Where the folder of a game keeps a file that goes with this entry."""
    return folder / FOLDER / kept_name(number, file)


def files_with(folder: Path, entry: Entry) -> list[KeptFile]:
    """Which files go with an entry of the game in this folder, and whether they are here."""
    found = []
    for file in attached.files_of(entry):
        path = path_of(folder, entry.number, file)
        found.append(KeptFile(file, entry.number, path, state_of(path, file)))
    return found


def contents_with(folder: Path, entry: Entry) -> list[tuple[AttachedFile, bytes]]:
    """The bytes of all files that go with an entry and are here."""
    found = []
    for kept in files_with(folder, entry):
        with suppress(Usage):
            data = files.read_own(kept.path, kept.file.size)
            if kept.file.is_file(data):
                found.append((kept.file, data))
    return found


def state_of(path: Path, file: AttachedFile) -> Literal["here", "missing", "other"]:
    """Whether this file lies at a path, nothing does, or other bytes do."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return "missing"
    same = found.st_size == file.size and _digest(path, found.st_size, found.st_mtime_ns)
    return "here" if same == file.digest else "other"


@lru_cache(maxsize=1000)
def _digest(path: Path, size: int, _changed: int) -> bytes:
    """The SHA-256 of a file that was changed at this time; empty if it cannot be read."""
    with suppress(Usage):
        return sha256(files.read_own(path, size)).digest()
    return b""


def keep(folder: Path, number: int, file: AttachedFile, data: bytes) -> Path:
    """Keep a file that goes with this entry of the game in this folder, over whatever lies in its
    place. Raises `Usage`."""
    files.make_folder(folder / FOLDER)
    path = path_of(folder, number, file)
    if not files.holds(path, data):
        files.replace(path, data)
    return path


# The turn that is being written


class ChosenFile(NamedTuple):
    """A file that a player chose to go with their turn, with its bytes."""

    file: AttachedFile
    data: bytes


def chosen(path: Path) -> ChosenFile:
    """A file on this computer as it would go with a turn. Raises `Refused` or `Usage`."""
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise _too_large(files.printable(path))
    return chosen_bytes(path.name, files.read_own(path, MOST_BYTES))


def chosen_bytes(name: str, data: bytes) -> ChosenFile:
    """Bytes with a name as they would go with a turn: a PNG or a JPEG without what was written
    beside the picture. Raises `Refused`, also for pictures of other kinds."""
    name = unicodedata.normalize("NFC", name)
    if problem := attached.problem_of_name(name):
        shown = files.printable(Path(name[:100]))
        raise Refused(f'"{shown}" cannot go with a turn: {problem}', hint="rename it, or a copy")
    if not data:
        raise Refused(f"{name} is empty", hint="nothing of it could be read: choose it again")
    if len(data) > MOST_BYTES:
        raise _too_large(name)
    if kind := bare_picture.other_kind(data):
        raise Refused(
            f"{name} is a {kind} picture, and what a camera wrote into it, the place say, cannot be"
            " left out",
            hint="save or export it as JPEG or PNG, or take a screenshot of it; packed (.zip) it"
            " goes as it is",
        )
    try:
        data = bare_picture.bare(data)
    except NotWhole as error:
        raise Refused(
            f"{name} begins like a picture, and what a camera wrote into it, the place say, cannot"
            f" be left out: {error}",
            hint="save it anew with a program for pictures; packed (.zip) it goes as it is",
        ) from error
    return ChosenFile(AttachedFile(name, len(data), sha256(data).digest()), data)


def _too_large(name: str) -> Refused:
    return Refused(
        f"{name} has more than {MOST_BYTES:,} bytes, and no more can go with a turn",
        hint="give it another way, or pack it smaller",
    )


def check_chosen(folder: Path, number: int, lines: Sequence[str]) -> None:
    """Raise `Refused` unless all files that go with the entry to be signed lie here as they were
    chosen."""
    for line in lines:
        file = attached.read_line(line, "")
        state = state_of(path_of(folder, number, file), file)
        if state != "here":
            what = "is gone" if state == "missing" else "was changed"
            raise Refused(
                f"{file.name} {what} since it was chosen: nothing was signed",
                hint="choose it again, or leave it out",
            )


def forget_chosen(folder: Path, number: int, lines: Iterable[str]) -> None:
    """Remove what was chosen for an entry, but for the files that these lines name."""
    named = {path_of(folder, number, attached.read_line(line, "")).name for line in lines}
    with suppress(Usage, OSError):
        for path in files.listed(folder / FOLDER):
            if path.name.startswith(f"{number:04}-") and path.name not in named:
                path.unlink()


# Files that have not come


def awaited(home: Home) -> list[AwaitedFile]:
    """The files of all games that have not come, as far as it is remembered."""
    return _AWAITED.read_if_whole(home.folder) or []


def await_missing(home: Home, folder: Path, file: TurnFile) -> None:
    """Remember which files are missing that go with the entries of a verified file, and forget
    those that are here. Where that cannot be written, they are not awaited."""
    if not any("files" in entry.fields for entry in file.entries):
        return
    named = [kept for entry in file.entries for kept in files_with(folder, entry)]
    lacking = [
        AwaitedFile(folder.name, one.number, one.file.name, one.file.size, one.file.digest.hex())
        for one in named
        if one.state != "here"
    ]
    before = awaited(home)
    here = {
        (folder.name, one.number, one.file.digest.hex()) for one in named if one.state == "here"
    }
    kept = [one for one in before if (one.game, one.number, one.digest) not in here]
    _write_awaited(home, before, [*kept, *(one for one in lacking if one not in kept)])


def take(home: Home, data: bytes) -> list[KeptFile]:
    """Keep these bytes under every entry that awaits them, if one does; where they lie now. Raises
    `Usage`."""
    waiting = [one for one in awaited(home) if one.file().is_file(data)]
    taken = []
    for one in waiting:
        path = keep(home.folder / "games" / one.game, one.number, one.file(), data)
        taken.append(KeptFile(one.file(), one.number, path, "here"))
    if waiting:
        before = awaited(home)
        _write_awaited(home, before, [one for one in before if one not in waiting])
    return taken


def _write_awaited(home: Home, before: list[AwaitedFile], after: list[AwaitedFile]) -> None:
    if after != before:
        with suppress(Usage):
            _AWAITED.write(home.folder, after[-MOST_AWAITED:])
