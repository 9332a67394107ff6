"""Berger's tables: who meets whom when all play all (FIDE Handbook, C.05, annex 1)."""

from __future__ import annotations


def rounds(players: int) -> int:
    """How many rounds so many players need."""
    return players - 1 + players % 2


def pairs(players: int, number: int) -> tuple[list[tuple[int, int]], int]:
    """The pairs of a round, from 1, of players 1 to `players`, whoever sits first named first, in
    the order of the tables; and who has a bye (0: nobody)."""
    last = players + players % 2
    others = last - 1
    place = (number - 1) * (last // 2) % others + 1
    found = [(place, last) if number % 2 else (last, place)]
    found += [
        ((place + step - 1) % others + 1, (place - step - 1) % others + 1)
        for step in range(1, last // 2)
    ]
    if players % 2 == 0:
        return found, 0
    return found[1:], place
