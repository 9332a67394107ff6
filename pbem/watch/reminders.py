"""Friendly reminders that the program sends by itself, where the player has set a number of days
(`remind-after` in mail.toml): one for each turn that is waited for."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import PbemError
from pbem.home.home import Home
from pbem.mail.settings import MailSettings
from pbem.turn import game_list, remind
from pbem.turn.remind import RemindFacts
from pbem.watch.failing import Failing


def send_due(home: Home, settings: MailSettings, failing: Failing) -> list[RemindFacts]:
    """Remind everybody who is late and has given an address; returns the reminders that were
    sent."""
    sent: list[RemindFacts] = []
    can_send = settings.can_send
    if not settings.remind_after or not can_send:
        return sent
    for game in game_list.games(home, home.identity()).games:
        thing = f"remind:{game.game_id[:32]}"
        if not remind.is_due(home, game, settings.remind_after):
            failing.works(thing)
            continue
        try:
            sent.append(remind.send(home, Path(game.file), automatic=True))
            failing.works(thing)
        except PbemError as error:
            failing.fails(
                thing,
                f"{game.short} was not reminded of: {error}; pbem remind {game.short} writes it",
            )
    return sent
