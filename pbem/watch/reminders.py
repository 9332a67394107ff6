"""Friendly reminders by themselves, where the player has chosen a number of days (`remind-after` in mail.toml): once
for each turn that is waited for."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pbem import files
from pbem.errors import PbemError
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home.home import Home
from pbem.mail.settings import MailSettings
from pbem.mail.transport import Doubtful
from pbem.turn import game_list, remind
from pbem.turn.remind import RemindFacts
from pbem.watch.told import Told, new_round


def send_due(home: Home, settings: MailSettings, told: Told) -> list[RemindFacts]:
    """Remind whoever is late, and has given an address; what was sent. A reminder is noted before it is sent, and only
    one that nobody can have is sent again: nobody is reminded twice, whatever happens in between. Raises `Usage` if
    that cannot be written."""
    sent: list[RemindFacts] = []
    can_send = bool(settings.program) or settings.send is not None
    if not settings.remind_after or not can_send:
        return sent
    for game in game_list.games(home, home.identity()).games:
        thing = f"remind:{game.game_id[:32]}"
        if not remind.is_due(home, game, settings.remind_after) or not _is_new(game.file, told):
            told.failing.works(thing)
            continue
        try:
            sent.append(remind.send(home, Path(game.file), automatic=True))
            told.failing.works(thing)
        except PbemError as error:
            told.failing.fails(thing, f"{game.short} was not reminded of: {error}; pbem remind {game.short} writes it")
            if not isinstance(error, Doubtful):
                told.take_back(_mark(game.file))
                told.keep(new_round())
    return sent


def _mark(file: str) -> str:
    """By which the record of what was told knows that this turn was reminded of."""
    return f"reminded of {hashlib.sha256(files.read_own(Path(file), MAX_FILE)).hexdigest()}"


def _is_new(file: str, told: Told) -> bool:
    """Whether this turn was not reminded of yet; it counts as reminded of then."""
    if not told.add_problem(_mark(file)):
        return False
    told.keep(new_round())
    return True
