"""Games that the author of a seek says they have finished, held against the reader's own
(docs/format.md, section 24)."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from pbem.errors import PbemError
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.seek.seek_file import Result, Seek


class CheckedClaims(NamedTuple):
    """How many of the games that a seek names are so by files of one's own, and how many are not;
    of all others nothing is known here."""

    held: int = 0
    wrong: int = 0


def check(home: Home, seek: Seek) -> CheckedClaims:
    """Hold the games that a seek names against those of this home."""
    said = [_is_so(home, seek, one) for one in seek.wish.results]
    return CheckedClaims(said.count(True), said.count(False))


def _is_so(home: Home, seek: Seek, result: Result) -> bool | None:
    """Whether a game was over with this entry, and the author played in it; None where the home
    does not have the game so far."""
    folder = home.game_folder(result.game)
    with suppress(PbemError):  # a damaged game says nothing
        game = home.checks.newest_in(folder) if folder.is_dir() else None
        return None if game is None else _is_so_in(game, seek.key, result)
    return None


def _is_so_in(game: Ledger, key: bytes, result: Result) -> bool | None:
    if game.game_id != result.game:
        return None
    if not game.free_seats() and game.seat_with(key) is None:
        return False
    over = game.playing is not None and game.playing.ended is not None
    ended = game.begun().ended if over else None
    for entry in game.entries:
        if entry.digest == result.digest:
            return ended is not None and entry.number >= ended
    more_may_come = game.to_act() is not None or game.to_close() is not None
    return None if more_may_come else False
