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
from pbem.turn import game_list, remind
from pbem.turn.remind import RemindFacts
from pbem.watch.told import Told, new_round


def send_due(home: Home, settings: MailSettings, told: Told) -> tuple[list[RemindFacts], list[str]]:
    """Remind whoever is late, and has given an address; what was sent, and what went wrong. A reminder is noted before
    it is sent: nobody is reminded twice, whatever happens in between. Raises `Usage` if that cannot be written."""
    sent: list[RemindFacts] = []
    failures: list[str] = []
    can_send = bool(settings.program) or settings.send is not None
    if not settings.remind_after or not can_send:
        return sent, failures
    for game in game_list.games(home, home.identity()).games:
        if not remind.is_due(home, game, settings.remind_after) or not _is_new(game.file, told):
            continue
        try:
            sent.append(remind.send(home, Path(game.file)))
        except PbemError as error:
            failures.append(f"{game.short} was not reminded of: {error}; pbem remind {game.short} writes it")
    return sent, failures


def _is_new(file: str, told: Told) -> bool:
    """Whether this turn was not reminded of yet; it counts as reminded of then."""
    digest = hashlib.sha256(files.read_own(Path(file), MAX_FILE)).hexdigest()
    if not told.add_problem(f"reminded of {digest}"):
        return False
    told.keep(new_round())
    return True
