"""Two versions of an entry: whether another one was read, and why a file contradicts what its
player has signed, in words for them: somebody has signed two versions of an entry, another player
took the seat, or the inviter went on with two tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Do, PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, Entry, TurnFile
from pbem.home.joins import has_gone_on
from pbem.home.shelf import READ_FILE


def contradiction(file: TurnFile, signed: bytes, number: int, paths: Sequence[Path]) -> Conflict:
    """Why a file contradicts the one that ends with the own entry `number`: somebody signed two
    versions of an entry, or another player took the seat. They lie at these `paths`, the signed one
    first."""
    ours = turnfile.read(signed).entries
    pairs = zip(ours, file.entries, strict=False)
    mine, theirs = next(
        ((a, b) for a, b in pairs if a.after != b.after), (ours[-1], file.entries[-1])
    )
    if {mine.number, theirs.number} & {number} and theirs.fields.get("key") != mine.fields.get(
        "key"
    ):
        return Conflict(
            "you have joined this game on another file, and in this one somebody else joined"
            " instead of you",
            hint=(
                "of two joins one counts: ask the others to go on with your file, or for a new game"
            ),
        )
    files_of_both = [files.printable(path) for path in paths]
    if has_gone_on(file) and has_gone_on(own := turnfile.read(signed)) and "key" in mine.fields:
        return Conflict(
            f"{_whose(ours[0], own)}, who invited, has gone on with two tables of this game:"
            f" you play at the one in {files_of_both[0]}, and others sit at the one in"
            f" {files_of_both[1]}",
            hint=(
                "go on with the one you play at",
                Do("verify", "FILE", "FILE", does="says what the two prove of that key"),
            ),
        )
    if theirs.fields.get("key") != mine.fields.get("key"):
        what = (
            f"turn {mine.number} is of two players who want the seat {mine.seat}: you have"
            " signed on the one in"
        )
        return Conflict(
            f"{what} {files_of_both[0]}, and the one in {files_of_both[1]} is another",
            hint=(
                "of two joins one counts: ask the others to go on with your file, or for a new game"
            ),
        )
    whose = _whose(mine, turnfile.read(signed))
    what = (
        f"turn {mine.number} is another version of a turn that you have answered or signed already"
    )
    return Conflict(
        f"{what}: two versions of it exist, both signed with the key of {whose}, one in"
        f" {files_of_both[0]} and the other in {files_of_both[1]}",
        hint=(
            "go on with the one you answered",
            Do("verify", "FILE", "FILE", does="says what the two prove of that key"),
        ),
    )


def _whose(entry: Entry, file: TurnFile) -> str:
    """The author of an entry: the name in their first entry, and their seat."""
    names = [
        one.text("name") for one in file.entries if one.seat == entry.seat and one.text("name")
    ]
    return f"{names[0]} ({entry.seat})" if names and names[0].isprintable() else entry.seat


def second_version(folder: Path, file: TurnFile) -> tuple[int | None, bool]:
    """The number of the first entry of which another version lies in this folder of files that were
    read, None if there is none, and whether the file continues everything that was read.

    A player who wanted the same seat and was not accepted is no second version: their join is
    signed by another key, and anybody who has an invitation can write one.
    """
    is_extended = True
    newest_join = max(entry.number for entry in file.entries if "key" in entry.fields)
    for path in files.listed(folder):
        match = READ_FILE.match(path.name)
        if match is None:
            continue
        number = int(match[1])
        if number < len(file.entries) and file.entries[number].after.hex().startswith(match[2]):
            continue
        difference = _difference(path, file)
        if difference is None:
            is_extended = False
        else:
            first, here, there = difference
            keys = here.fields.get("key"), there.fields.get("key")
            are_rivals = None not in keys and keys[0] != keys[1]
            if first > newest_join or not are_rivals:
                return first, is_extended
    return None, is_extended


def _difference(path: Path, file: TurnFile) -> tuple[int, Entry, Entry] | None:
    """The number of the first entry in which the file at this path differs, and both versions of
    the entry; None if one file continues the other, or the kept one is damaged."""
    try:
        other = turnfile.read(files.read_own(path, MAX_FILE))
    except PbemError:
        return None
    pairs = zip(file.entries, other.entries, strict=False)
    return next(((a.number, a, b) for a, b in pairs if a.after != b.after), None)
