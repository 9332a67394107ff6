"""The record of a game: what happened during which entry, for reports, archives and whoever checks
a die."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.flow import Answer, Draw, Handle, Option, Pick, Request, Roll, Seat


@dataclass(slots=True)
class ChanceUse:
    """One use of chance: what was asked, and how it came out. `entry` is E, `offset` where in E's
    stream it began.

    `when` is the game's own date. `sources` are the seats whose proofs settle it: the witnesses, or
    D alone. `result` is None while proofs are missing: dice, or handles in the order taken.
    """

    request: Roll | Pick | Draw
    when: str
    entry: int
    witnesses: tuple[Seat, ...]
    sources: tuple[Seat, ...]
    offset: int = 0
    result: tuple[int, ...] | None = None


class Event(NamedTuple):
    """One line of the record: during which entry, what (`answer`, `chance`, `choice`, `opened`,
    `story`), and the facts."""

    entry: int
    kind: str
    facts: Any


class ChoiceEvent(NamedTuple):
    """A sealed choice: of which seat; `words` are None when it is sealed, and the answer when it is
    opened. `label` names it (`pbem.ledger.sealed_choices`)."""

    seat: Seat
    label: str
    words: str | None = None


class RequestContext(NamedTuple):
    """A request of the rules with what the gate must know of the position to answer it
    (docs/format.md, section 18): the hand of the asked seat in a game with a common deck, whether
    nothing is left to decide, whether a lone player may end an entry here, the sealed choices
    that are to be shown, by their labels, and the words of the options of a sealed question."""

    request: Request
    hand: tuple[Handle, ...] = ()
    played_out: bool = False
    may_pause: bool = False
    labels: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()


class Reply(NamedTuple):
    """A request of the rules with its answer: a `GivenAnswer` to a question, `ShownChoices` where
    sealed ones are shown, for any other request the value with which the rules were resumed."""

    request: Request
    value: Any


class GivenAnswer(NamedTuple):
    """An answer as it was given, by the player or by a standing order; `words` are those of its
    option in the position in which it was given (`engine.rules.words_of`)."""

    seat: Seat
    answer: Answer
    words: str
    by_order: bool = False


class ShownChoices(NamedTuple):
    """Sealed answers that everybody sees from here on, with the words in which they were sealed."""

    options: tuple[Option, ...]
    words: tuple[str, ...]
