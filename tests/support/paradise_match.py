"""A game of Conquest of Paradise through the real ledger: players with homes, whose answers a
policy gives."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.game_data import DataLine
from pbem.home.home import Home
from pbem.turn import joining as invitations
from tests.support.solitaire_kit import key_of


def invite(
    home: Home, witness: Home | None = None, data: Sequence[DataLine] = (), **settings: int
) -> bytes:
    """Entry 0."""
    chosen = {name.replace("_", "-"): value for name, value in settings.items()} | (
        {"witness": 1} if witness else {}
    )
    witnesses = [key_of(witness)] if witness else []
    new = invitations.NewGame("paradise", options=chosen, witnesses=witnesses, filled_in=data)
    return invitations.invite(home, new)
