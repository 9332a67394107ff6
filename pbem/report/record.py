"""A game as formats of its own get it (`pbem.games.record`)."""

from __future__ import annotations

from pbem.games.record import GameRecord
from pbem.ledger.ledger import Ledger


def record_of(game: Ledger) -> GameRecord:
    """Everything that happened so far, as everybody may know it."""
    playing = game.playing
    happened = playing.referee.record if playing is not None else []
    return GameRecord(
        names=tuple("" if player is None else player.name for player in game.players),
        settings=game.settings,
        date=game.entries[0].date[:10],
        story=tuple(one.facts for one in happened if one.kind == "story"),
        outcome=None if playing is None else playing.outcome,
    )
