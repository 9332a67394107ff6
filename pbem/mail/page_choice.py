"""Which page a game's mails speak of, and the link to it with their turn (docs/web.md).

An inviter names it for one game (`pbem new --web`) or for all (`web` in mail.toml); a home that
lies in a page has that one. The link holds what the mail's attachment holds, as far as it fits
(`pbem.fileformat.link`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbem.fileformat import link, turnfile
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.mail import settings
from pbem.mail.web_page import NO_PAGE, Page, check_address


@dataclass(frozen=True)
class PageOfGame:
    """The page that an inviter has named for one game. Raises `Usage`."""

    address: str

    def __post_init__(self) -> None:
        check_address(self.address)


_CHOSEN = StateFile("web.json", PageOfGame, 10_000)


def remember(home: Home, data: bytes, address: str) -> None:
    """Name the page for the game of a turn file that is kept in this home. Raises `Usage`."""
    _CHOSEN.write(_folder(home, replay(turnfile.read(data))), PageOfGame(address))


def page_for(home: Home, game: Ledger, data: bytes) -> Page:
    """The page for the newest entry of a file. Raises `Usage` if mail.toml cannot be read."""
    chosen = _CHOSEN.read_if_whole(_folder(home, game))
    address = chosen.address if chosen is not None else settings.read(home).web or home.page
    if not address:
        return NO_PAGE
    file = turnfile.read(data)
    is_joining = len(file.entries) == 1 or bool(game.free_seats())
    made = (
        link.join_link(address, data) if is_joining else link.turn_link(address, game.game_id, file)
    )
    return Page(address, made)


def _folder(home: Home, game: Ledger) -> Path:
    return home.folder / "games" / game.game_id.hex()[:32]
