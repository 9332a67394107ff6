"""What sentences call the players of a game: by name, where that can do nothing in any kind of text, else by seat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pbem.ledger.ledger import Ledger

_PLAIN_NAME = re.compile(r"[^\W\d_](?:[ '’-]?[^\W_]){0,29}\Z")
"""Letters and digits, with single spaces, apostrophes or hyphens between them: a name that means nothing else in
Markdown, HTML or a terminal."""


def called(game: Ledger) -> list[str]:
    """How sentences call the players, by seat: by name if nobody else is called so, else by the seat's own word."""
    return names_in_sentences(["" if player is None else player.name for player in game.players], game.seats)


def names_in_sentences(names: Sequence[str], seats: Sequence[str]) -> list[str]:
    """How sentences call players of these names in these seats."""
    names = [" ".join(name.split()) for name in names]
    taken = Counter(name.casefold() for name in [*names, *seats])
    return [
        name if _PLAIN_NAME.match(name) and taken[name.casefold()] == 1 and "PBEM" not in name else seat
        for name, seat in zip(names, seats, strict=True)
    ]
