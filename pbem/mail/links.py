"""Turns behind a link (docs/format.md, section 20; docs/web.md): the page that the mails of a game
name, the link to it with a turn inside, and the file of the home that goes on with the entry that
came as a link."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import PAGE_ADDRESS, files
from pbem.english import joined
from pbem.errors import Malformed, PbemError
from pbem.fileformat import link, turnfile
from pbem.fileformat.link import TurnLink
from pbem.home import game_index
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.mail import settings
from pbem.mail.find_turns import Found
from pbem.mail.settings import NO_PAGE, Page, check_address


@dataclass(frozen=True)
class PageOfGame:
    """The page that the inviter of a game has chosen for it. Raises `Usage` if the address is
    none."""

    address: str

    def __post_init__(self) -> None:
        check_address(self.address)


_PAGE_FILE = StateFile("web.json", PageOfGame, 10_000)


def remember(home: Home, data: bytes, address: str) -> None:
    """Choose the page for the game of this turn file, which the home keeps. Raises `Usage`."""
    _PAGE_FILE.write(
        home.game_folder(replay(turnfile.read(data)).game_id), PageOfGame(check_address(address))
    )


def page_for(home: Home, game: Ledger, data: bytes) -> Page:
    """The page for the newest entry of a file: the one chosen for its game, else that of mail.toml,
    else the one in which the home itself lies, else that of this release.
    Raises `Usage` if mail.toml cannot be read."""
    choice = _PAGE_FILE.read_if_whole(home.game_folder(game.game_id))
    own = settings.read(home).web or home.page or PAGE_ADDRESS
    address = choice.address if choice is not None else own
    if not address:
        return NO_PAGE
    file = turnfile.read(data)
    is_joining = len(file.entries) == 1 or bool(game.free_seats())
    made = (
        link.join_link(address, data) if is_joining else link.turn_link(address, game.game_id, file)
    )
    return Page(address, made)


_MOST_NAMED = 5


class NotHere(Malformed):
    """The file that a link continues is not in this home."""


def with_files(home: Home, found: Iterable[Found]) -> Iterator[Found]:
    """What was found, where a link that continues a file of this home is replaced by that file with
    its entry. Of any other link it says what is missing."""
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
    """The file that a link continues, with its entry. Raises `NotHere` if the home does not have
    it, and `Malformed` if the link holds no entry that could follow."""
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
    """The files of the home that have the SHA-256 that the link names: the game's newest file up to
    that entry, or another version that was kept."""
    shelf = game_index.shelf_with_number(home, link.game)
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
    """The files that were signed or read in a game."""
    for below in ("signed", "read"):
        try:
            yield from files.listed(folder / below)
        except PbemError:
            continue


def _what_is_missing(home: Home, link: TurnLink) -> str:
    """A sentence that says which turns the link needs and the home does not have."""
    shelf = game_index.shelf_with_number(home, link.game)
    here = 0 if shelf is None else len(shelf.file.entries)
    came = f"turn {link.number} came as a link, which holds no turn before it"
    if here >= link.number:
        return (
            f"{came}, and it goes on from another turn {link.number - 1} than the one that is here"
        )
    numbers = [str(number) for number in range(here, link.number)]
    if len(numbers) == 1:
        return f"{came}, and turn {numbers[0]} is not here"
    numbers_text = (
        f"{numbers[0]} to {numbers[-1]}" if len(numbers) > _MOST_NAMED else joined(numbers)
    )
    return f"{came}, and turns {numbers_text} are not here"
