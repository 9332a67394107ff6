"""Mails that lost their turn on the way: their headers say which entry of which game they should have carried."""

from __future__ import annotations

from pbem.mail.find_turns import Lost
from pbem.player.game_index import Shelf, game_folders, shelf_of
from pbem.player.home import Home


def is_here(home: Home, lost: Lost) -> bool:
    """Whether the home holds that entry by another way."""
    shelf = _shelf(home, lost)
    return shelf is not None and len(shelf.file.entries) > lost.entry


def in_words(home: Home, lost: Lost, problem: str) -> tuple[str, str]:
    """The short name of the game (empty if it is not here), and what is missing and whom to ask."""
    shelf = _shelf(home, lost)
    short = f"{shelf.file.entries[0].text('game')}-{lost.game[:8]}" if shelf is not None else ""
    game = short or f"a game that is not here (number {lost.game[:8]})"
    whom = lost.sender or "whoever sent it"
    command = f"pbem send {short or lost.game[:8]} --to YOUR-ADDRESS"
    return short, f"{problem}: entry {lost.entry} of {game} is missing; ask {whom} to send it again ({command})"


def _shelf(home: Home, lost: Lost) -> Shelf | None:
    folder = next((path for path in game_folders(home) if path.name.startswith(lost.game)), None)
    return None if folder is None else shelf_of(folder)
