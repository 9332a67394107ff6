"""What the line of a led turn may become: commands and legal answers, found by their words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.words import tokens

MOST = 200
"""Candidates that are offered at once; more would be no help."""


def candidates(text: str, known: Sequence[str], most: int = MOST) -> list[str]:
    """The sentences whose words begin as these do, in their order; words may be left out."""
    wanted = tokens(text)
    return [sentence for sentence in known if _fits(wanted, tokens(sentence))][:most]


def _fits(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(token) for word in rest) for token in wanted)
