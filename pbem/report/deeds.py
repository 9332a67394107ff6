"""The lines of an entry put together as they are told: one event is one sentence, and is told once.

A deed is a line that leads (a card is played, a fight begins) with what followed from it (pieces
that moved, dice). Which kinds follow and which are left out says the `words.j2` of each game;
docs/write-a-game.md, section 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pbem.report.lines import AnswerLine, Line


class Deed(NamedTuple):
    """One event. `lead` is None where an entry goes on with what an earlier one began. `ordered`:
    an answer by standing order led to it."""

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
    """The lines as deeds, in order. Lines of a kind in `silent` are left out, and answers in the
    words after `answer: ` there. A line of a kind in `follows` is part of the deed before it: of
    any, or, where kinds are named, of one that such a kind leads, by no other seat. Without
    `answers` the game says nothing of its own about answers: one is told only where no story
    follows from it."""
    told: list[Deed] = []
    ordered = False
    for number, line in enumerate(lines):
        if isinstance(line, AnswerLine):
            if f"answer: {line.text}" in silent:
                continue
            ordered = line.ordered
            if not answers and _is_told_by_story(lines[number + 1 :], silent):
                continue
        kind = kind_of(line)
        if kind in silent:
            continue
        if kind in follows and told and _takes(told[-1], line, follows[kind]):
            told[-1] = told[-1]._replace(details=_with(told[-1].details, line))
        elif kind in follows and not follows[kind]:
            told.append(Deed(None, (line,)))
        else:
            told.append(Deed(line, (), ordered and not isinstance(line, AnswerLine)))
            ordered = ordered and isinstance(line, AnswerLine)
    return told


def kind_of(line: Line) -> str:
    """What a line tells of: `answer`, `dice`, or a kind of the game's own story."""
    return str(line["kind"] if isinstance(line, Mapping) else line.kind)


def _takes(deed: Deed, line: Line, leads: Collection[str]) -> bool:
    """Whether a line is part of this deed; nothing is part of an answer."""
    lead = deed.lead
    if lead is None or isinstance(lead, AnswerLine):
        return lead is None
    return not leads or (kind_of(lead) in leads and len({_seat(lead), _seat(line)} - {None}) < 2)


def _with(details: Sequence[Line], line: Line) -> Sequence[Line]:
    """The details and one more; what differs in its `count` only from the last that happened is
    added to that."""
    happened = [
        number for number, detail in enumerate(details) if not isinstance(detail, AnswerLine)
    ]
    last = details[happened[-1]] if happened else None
    if isinstance(last, Mapping) and isinstance(line, Mapping):
        before, now = last.get("count"), line.get("count")
        if (
            isinstance(before, int)
            and isinstance(now, int)
            and {**last, "count": 0} == {**line, "count": 0}
        ):
            return (
                *details[: happened[-1]],
                {**last, "count": before + now},
                *details[happened[-1] + 1 :],
            )
    return (*details, line)


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
