"""A game as its turn file tells it."""

from __future__ import annotations

from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger


def replay_bytes(data: bytes) -> Ledger:
    """The game of these bytes. Raises a kind of `Invalid` for what does not verify."""
    return replay(turnfile.read(data))
