"""A turn that came as a link, with which the home's own file of the game goes on (docs/format.md,
section 20).

The link names the file that it continues by its SHA-256; that file is among those the home keeps,
or the link is of no use yet. What comes out is a whole file, to be verified like any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pbem import files
from pbem.english import joined
from pbem.errors import Malformed, PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.link import TurnLink
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail.find_turns import Found

_MOST_NAMED = 5


class NotHere(Malformed):
    """The file that a link continues is not in this home."""


def with_files(home: Home, found: Iterable[Found]) -> Iterator[Found]:
    """What was found, with the whole file in place of each link that goes on with one of this home;
    of any other link, what is missing."""
    for one in found:
        if one.link is None:
            yield one
            continue
        try:
            yield replace(one, data=whole_file(home, one.link), problem="", lost=None)
        except NotHere as error:
            yield replace(one, problem=error.what)
        except PbemError as error:
            yield replace(one, problem=str(error), lost=None)


def whole_file(home: Home, link: TurnLink) -> bytes:
    """The file that a link continues, and its entry. Raises `NotHere`, or `Malformed` where the
    link holds no entry that could follow there."""
    before = next(_files_before(home, link), None)
    if before is None:
        raise NotHere(_what_is_missing(home, link))
    file = turnfile.read(before + link.entry)
    if len(file.entries) != link.number + 1:
        raise Malformed(
            "the link holds no single entry", hint="ask for the file itself, as an attachment"
        )
    return file.data


def _files_before(home: Home, link: TurnLink) -> Iterator[bytes]:
    """The files of the home whose SHA-256 the link names: the newest of its game as far as that
    entry, or another version."""
    shelf = game_index.shelf_numbered(home, link.game)
    if shelf is None:
        return
    if (
        len(shelf.file.entries) >= link.number
        and shelf.file.entries[link.number - 1].after == link.before
    ):
        yield shelf.file.prefix(link.number)
    for path in _kept(shelf.path.parent.parent):
        if path.name.startswith(f"{link.number - 1:04}") and path.suffix == ".toml":
            try:
                data = files.read_own(path, turnfile.MAX_FILE)
            except PbemError:
                continue
            if hashlib.sha256(data).digest() == link.before:
                yield data


def _kept(folder: Path) -> Iterator[Path]:
    for below in ("signed", "read"):
        try:
            yield from files.listed(folder / below)
        except PbemError:
            continue


def _what_is_missing(home: Home, link: TurnLink) -> str:
    """Which turns the link needs and the home has not."""
    shelf = game_index.shelf_numbered(home, link.game)
    here = 0 if shelf is None else len(shelf.file.entries)
    came = f"turn {link.number} came as a link, which holds no turn before it"
    if here >= link.number:
        return (
            f"{came}, and it goes on from another turn {link.number - 1} than the one that is here"
        )
    numbers = [str(number) for number in range(here, link.number)]
    if len(numbers) == 1:
        return f"{came}, and turn {numbers[0]} is not here"
    told = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > _MOST_NAMED else joined(numbers)
    return f"{came}, and turns {told} are not here"
