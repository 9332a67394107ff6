"""How the acts of a turn are listed: each with its form, and what can stand in it now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

FEW: Final = 12
"""Answers that are listed one by one."""
_CARD: Final = re.compile(
    r"(play|discard face down|discard|remove|show|put on the deck|put under the deck)"
    r" ([a-z0-9-]+)\Z"
)
_ROLL: Final = re.compile(r"roll 1(d[0-9]+| [a-z0-9-]+)(?: ([a-z0-9-]+))?\Z")
_FIXED: Final = re.compile(r"roll \S+(?: keep [0-9]+)? ([a-z0-9-]+)\Z")
_DRAW: Final = re.compile(r"draw 1 from ([a-z0-9-]+)\Z")
_LOOK: Final = re.compile(r"look at top [0-9]+ of ([a-z0-9-]+)\Z")
_TOP: Final = re.compile(r"put top [0-9]+ of ([a-z0-9-]+) ")
_WINS: Final = re.compile(r"end: (\w+) wins")
_COUNT: Final = re.compile(r"(.+) [+-]1\Z")
_TURN: Final = re.compile(r"([a-z]+)'s turn\Z")
_LEFT_OUT: Final = re.compile(r"roll |draw |look at |end: |ask |put top ")
"""How sentences begin of which the forms say all."""


def forms(sentences: Sequence[str]) -> Sequence[str]:
    """The legal acts of one question, few of them as they are, many by their forms: a word in
    capital letters stands for one of those that follow."""
    if len(sentences) <= FEW:
        return sentences
    seats = _found(_TURN, sentences)
    then = " [then SEAT's turn]" if seats else ""
    return [
        *_lines("roll DICE [NAME]" + then, _dice(sentences)),
        *_lines("draw NUMBER from DECK" + then, _found(_DRAW, sentences)),
        *_cards(sentences),
        *_lines("look at top NUMBER of DECK", _found(_LOOK, sentences)),
        *_lines(
            "put top NUMBER of DECK on the deck, under the deck, in the hand, in the discard",
            _found(_TOP, sentences),
        ),
        *_lines("COUNTER +NUMBER, -NUMBER, = NUMBER", _found(_COUNT, sentences)),
        *(one for one in sentences if not _is_told(one)),
        *_lines("SEAT's turn", seats),
        *_lines("SEAT: QUESTION", seats),
        *_lines("SEAT wins, POINTS to POINTS; a draw", _found(_WINS, sentences)),
    ]


def _lines(form: str, words: Iterable[str]) -> Iterator[str]:
    """A form with what can stand in it; none where nothing can."""
    if listed := ", ".join(words):
        yield f"{form}: {listed}"


def _found(pattern: re.Pattern[str], sentences: Iterable[str]) -> dict[str, None]:
    """What the pattern's group is in these sentences, each once."""
    return dict.fromkeys(match[1] for one in sentences if (match := pattern.match(one)))


def _dice(sentences: Sequence[str]) -> Iterator[str]:
    thrown = [match for one in sentences if (match := _ROLL.match(one))]
    yield from dict.fromkeys(f"2{match[1]}" for match in thrown)
    if thrown:
        yield "with 2d6+1, 3x2d6, 4d6 keep 3"
    names = dict.fromkeys(match[2] for match in thrown if match[2])
    names |= _found(_FIXED, [one for one in sentences if not _ROLL.match(one)])
    if names:
        yield f"for {', '.join(names)}"


def _cards(sentences: Sequence[str]) -> Iterator[str]:
    """What is done with cards of the hand: verbs that all of them share in one line."""
    verbs: dict[str, list[str]] = {}
    for one in sentences:
        if match := _CARD.match(one):
            verbs.setdefault(match[1], []).append(match[2])
    for cards in dict.fromkeys(map(tuple, verbs.values())):
        sharing = [verb for verb, others in verbs.items() if tuple(others) == cards]
        yield from _lines(", ".join(f"{verb} CARD" for verb in sharing), cards)


def _is_told(sentence: str) -> bool:
    patterns = (_CARD, _COUNT, _TURN, _LEFT_OUT)
    return any(pattern.match(sentence) for pattern in patterns)
