"""Answers with the names of those who play, where the rules of a game write its seats."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games import registry
from pbem.games.descriptor import load
from pbem.ledger.ledger import Ledger, player_names


def said(game: Ledger, text: str) -> str:
    """An answer or a question with names for seats, where the game has words for that."""
    reference = registry.descriptor(game.rules.name).said
    if reference is None:
        return text
    found: Callable[..., str] = load(reference)
    return found(text, _called(game))


def meant(game: Ledger, text: str) -> str:
    """What a player wrote, with seats for names."""
    reference = registry.descriptor(game.rules.name).meant
    if reference is None:
        return text
    found: Callable[..., str] = load(reference)
    return found(text, _called(game), game.rules.vocabulary())


def _called(game: Ledger) -> dict[str, str]:
    return dict(zip(game.seats, player_names(game), strict=True))
