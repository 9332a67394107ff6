"""The lines of a report's story (answers, orders, cards and dice, and what only a game's own rules
can tell), and how the lines of an entry become sentences (`deeds`).

A deed is one event, and becomes one sentence: a line that leads (a card is played, a fight begins)
with the lines that follow from it (pieces that moved, dice). Which kinds follow, and which are left
out, says the `words.j2` of each game (docs/write-a-game.md, section 6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

GameData: TypeAlias = Mapping[str, object]
"""Plain data of one game, for its own templates and pictures: `Game.view` and `Rules.tell` say what
is in it."""


@dataclass(frozen=True)
class AnswerLine:
    """An answer in words; `ordered`: given by a standing order."""

    kind: str = field(default="answer", init=False)
    seat: str
    text: str
    ordered: bool


@dataclass(frozen=True)
class AcceptedLine:
    """A seat's standing order accepted a draw."""

    kind: str = field(default="accepted", init=False)
    seat: str


@dataclass(frozen=True)
class OrderLine:
    """A standing order as everybody may read it."""

    kind: str = field(default="ordered", init=False)
    seat: str
    text: str


@dataclass(frozen=True)
class ChoiceLine:
    """A seat sealed an answer that nobody else can read yet, or opened it: `text` is the answer
    then, and null when it is sealed. `choice` names it: the number of the entry that sealed it, and
    its place there from 0."""

    kind: str = field(default="choice", init=False)
    seat: str
    choice: str
    text: str | None


@dataclass(frozen=True)
class OpenedLine:
    """A hidden card was opened."""

    kind: str = field(default="opened", init=False)
    seat: str | None
    back: str
    card: str


@dataclass(frozen=True)
class DiceLine:
    """Dice of so many sides were thrown by or for a seat. `hits` are the faces that the rules count
    as a hit; `entry` is E, the decision that the witnesses' proofs are over."""

    kind: str = field(default="dice", init=False)
    seat: str
    why: str
    sides: int
    dice: Sequence[int]
    hits: Sequence[int]
    witnesses: Sequence[str]
    entry: int


@dataclass(frozen=True)
class PickLine:
    """Chance took cards: `cards` are the names that the viewer knows, `backs` all of them."""

    kind: str = field(default="pick", init=False)
    why: str
    witnesses: Sequence[str]
    entry: int
    count: int
    cards: Sequence[str]
    backs: Sequence[str]


@dataclass(frozen=True)
class DrawLine:
    """A seat drew cards."""

    kind: str = field(default="draw", init=False)
    seat: str
    witnesses: Sequence[str]
    entry: int
    count: int
    cards: Sequence[str]
    backs: Sequence[str]


Line: TypeAlias = (
    AnswerLine
    | ChoiceLine
    | AcceptedLine
    | OrderLine
    | OpenedLine
    | DiceLine
    | PickLine
    | DrawLine
    | GameData
)
"""One thing that happened; a mapping is a line of the game's own story."""


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
    """The lines as deeds, in order. Left out are lines of a kind in `silent`, and answers whose
    text stands there after `answer: `. A line of a kind in `follows` belongs to the deed before it:
    to any deed, or, if `follows` names kinds for it, only to one that a line of such a kind leads
    and that is of no other seat. Without `answers` an answer is a deed only where nothing of the
    game's own story follows from it."""
    found: list[Deed] = []
    ordered = False
    for number, line in enumerate(lines):
        if isinstance(line, AnswerLine):
            if f"answer: {line.text}" in silent:
                continue
            ordered = line.ordered
            if not answers and _has_story(lines[number + 1 :], silent):
                continue
        kind = kind_of(line)
        if kind in silent:
            continue
        if kind in follows and found and _takes(found[-1], line, follows[kind]):
            found[-1] = found[-1]._replace(details=_with(found[-1].details, line))
            ordered = ordered and not isinstance(line, AnswerLine)
        elif kind in follows and not follows[kind]:
            found.append(Deed(None, (line,)))
        else:
            found.append(Deed(line, (), ordered and not isinstance(line, AnswerLine)))
            ordered = ordered and isinstance(line, AnswerLine)
    return found


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
    """The details and one more. If it differs in its `count` alone from the last one that is no
    answer, the two become one with the sum."""
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


def _has_story(later: Sequence[Line], silent: Collection[str]) -> bool:
    """Whether a line of the game's own story comes before the next answer."""
    for line in later:
        if isinstance(line, AnswerLine):
            return False
        if isinstance(line, Mapping) and kind_of(line) not in silent:
            return True
    return False


IN_A_LIST: Final = 84
"""Characters of what is told of a turn in a list: two lines of it."""
_AND_MORE: Final = ", and more"
_LEAST_SAID: Final = 2
"""Words before a colon that say nothing alone, at most."""


def shortened(deeds: Sequence[str], when: str | None = None, longest: int = IN_A_LIST) -> str:
    """These deeds in so many characters at most, never cut amid a sentence: all of them, but that
    it is `when` it is; or the last ones, which lead to what is asked; or those in short; or the
    last one alone up to the end of a clause, and if no clause is so short, up to a word."""
    now = (when or "").partition(",")[0].lower()
    deeds = [deed for deed in deeds if not now or not deed.lower().startswith(now)] or deeds
    short = [_in_short(deed) for deed in deeds]
    for first in range(max(1, len(deeds))):
        for told in (deeds[first:], short[first:]):
            if len(words := "; ".join(told)) <= longest:
                return words
    begins = short[-1][: longest - len(_AND_MORE) + 1]
    clause = max(begins.rpartition(end)[0] for end in (", ", " and "))
    return (clause or begins.rpartition(" ")[0] or begins[:-1]).rstrip(",;:") + _AND_MORE


def _in_short(deed: str) -> str:
    """A deed without remarks in parentheses; of what follows its colon only how it ends, if what
    stands before says something."""
    head, colon, rest = re.sub(r" \([^()]*\)", "", deed).partition(": ")
    if len(head.split()) <= _LEAST_SAID:
        return head + colon + rest
    return head + colon + rest.rpartition("; ")[2] if "; " in rest else head
