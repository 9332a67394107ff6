"""Finds names in a sentence of a game: what an answer is about, for games whose sentences spell
names out."""

from __future__ import annotations

from collections.abc import Iterable


def names_in(sentence: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these names that the sentence has as whole words, in its order. Of two that begin at
    one place the longer one counts, and none inside another."""
    text, found, start = f" {sentence.casefold()} ", [], 0
    spellings = sorted(
        {name.casefold(): name for name in names}.items(), key=lambda pair: -len(pair[0])
    )
    while start < len(text):
        for spelling, name in spellings:
            if text.startswith(f" {spelling} ", start):
                found.append(name)
                start += len(spelling)
                break
        start += 1
    return tuple(dict.fromkeys(found))
