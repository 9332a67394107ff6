"""The lines of an entry put together as they are told: one event is one sentence, and is told once.

A deed is a line that leads (a card is played, a fight begins) with what followed from it (pieces that moved, dice).
Which kinds follow and which are left out says the `words.j2` of each game; docs/write-a-game.md, section 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pbem.report.model import AnswerLine, Line


class Deed(NamedTuple):
    """One event. `lead` is None where an entry goes on with what an earlier one began. `ordered`: an answer by standing
    order led to it."""

    lead: Line | None
    details: Sequence[Line]
    ordered: bool = False


def deeds(
    lines: Sequence[Line],
    silent: Collection[str],
    follows: Mapping[str, Collection[str]],
    *,
    answers: bool = True,
) -> list[Deed]:
    """The lines as deeds, in order. Lines of a kind in `silent` are left out. A line of a kind in `follows` is part of
    the deed before it: of any, or, where kinds are named, of one that such a kind leads, by no other seat. Without
    `answers` the game says nothing of its own about answers: one is told only where no story follows from it."""
    told: list[Deed] = []
    ordered = False
    for number, line in enumerate(lines):
        if isinstance(line, AnswerLine):
            ordered = line.ordered
            if not answers and _is_told_by_story(lines[number + 1 :], silent):
                continue
        kind = kind_of(line)
        if kind in silent:
            continue
        if kind in follows and _continues(line, follows[kind], told):
            last = told.pop() if told else Deed(None, ())
            told.append(last._replace(details=(*last.details, line)))
        else:
            told.append(Deed(line, (), ordered and not isinstance(line, AnswerLine)))
            ordered = ordered and isinstance(line, AnswerLine)
    return told


def kind_of(line: Line) -> str:
    """What a line tells of: `answer`, `dice`, or a kind of the game's own story."""
    return str(line["kind"] if isinstance(line, Mapping) else line.kind)


def _continues(line: Line, leads: Collection[str], told: Sequence[Deed]) -> bool:
    if not leads:
        return True
    if not told or (lead := told[-1].lead) is None:
        return bool(told)
    return kind_of(lead) in leads and len({_seat(lead), _seat(line)} - {None}) < 2


def _seat(line: Line) -> object:
    return line.get("seat") if isinstance(line, Mapping) else getattr(line, "seat", None)


def _is_told_by_story(later: Sequence[Line], silent: Collection[str]) -> bool:
    """Whether something of the game's own follows before the next answer."""
    for line in later:
        if isinstance(line, AnswerLine):
            return False
        if isinstance(line, Mapping) and kind_of(line) not in silent:
            return True
    return False
