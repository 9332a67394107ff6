"""A game as its turn file tells it."""

from __future__ import annotations

from pbem.fileformat import turnfile
from pbem.ledger.ledger import Ledger
from pbem.ledger.replay import replay


def replay_bytes(data: bytes) -> Ledger:
    """The game of these bytes. Raises a kind of `Invalid` for what does not verify."""
    return replay(turnfile.read(data))
