"""Seats in acts, and the players who sit there: the words of the rules have seats, people say
names."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from pbem.games.any.stage_board import name_of

_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_JOINS = {"and", "then", "to", "turn", "win", "wins", "draw"}
"""Words that mean something between names."""


def said(text: str, called: Mapping[str, str]) -> str:
    """An act with names for seats: `Ben's turn` for `second's turn`. What a player wrote stands in
    quotes and stays as it is."""
    seats = "|".join(map(re.escape, called))
    return re.sub(
        rf'"[^"]*"|(?<![\w-])(?:{seats})(?![\w-])',
        lambda found: (
            found[0] if found[0].startswith('"') else name_of({"called": called}, found[0])
        ),
        text,
    )


def meant(text: str, called: Mapping[str, str], words: Container[str]) -> str:
    """What a player wrote, with seats for names. A name that is not letters alone, that
    has a word of the game (`words`) in it, or that two players have, stays; so does what is asked
    or answered."""
    names = {name.casefold(): seat for seat, name in called.items()}
    usable = [
        name
        for name in names
        if len(names) == len(called)
        and _NAME.fullmatch(name)
        and not any(
            part in words or part in called or part in _JOINS for part in re.split("[ -]", name)
        )
    ]
    if not usable or text.casefold().lstrip().startswith("answer"):
        return text
    either = "|".join(re.escape(name) for name in sorted(usable, key=len, reverse=True))
    is_question = re.match(rf"\s*(?:ask\s|(?:{either})\s*[:,])", text, re.IGNORECASE)
    return re.sub(
        rf"(?<![\w-])(?:{either})(?![\w-])",
        lambda found: names[found[0].casefold()],
        text,
        count=1 if is_question else 0,
        flags=re.IGNORECASE,
    )
