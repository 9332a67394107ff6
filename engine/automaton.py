"""A seat whose answers come from the rules and are explained: the opponent of a solitaire game.

A game for several players becomes a game against a table of rules by `played_by`: every question to
that seat is answered on the spot, so that nobody is ever asked for it, and each answer is held
against the legal ones, so that it keeps the rules that a player has to keep. The answers follow
from public facts and dice only.

Explanations are lines of the story, the same for every such game (`KEYS`):

===========  =======================================================================================
kind         keys
===========  =======================================================================================
passed over  seat, line, why, needs: this line of the seat's table was looked at and did not fire:
             what it needs, or nothing where it never fires, and the fact against it
fired        seat, line, why: this line did, and nothing below it was looked at
tie          seat, why, die, among, chosen: a die chose; `chosen` is empty if it fell on nobody and
             is thrown again
===========  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from engine.flow import Answer, Ask, Card, Flow, Handle, Roll, Seat
from engine.rules import Game

T = TypeVar("T")
TIE: Final = "tie"
"""The reason of a roll that breaks a tie (`Rules.reasons`)."""


class HasStory(Protocol):
    """A game, or the part of one, that has a story."""

    story: list[tuple[Any, ...]] | None


KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "passed over": ("seat", "line", "why", "needs"),
    "fired": ("seat", "line", "why"),
    "tie": ("seat", "why", "die", "among", "chosen"),
}
"""The keys of each kind of line that this module adds to the story."""


class Verdict(NamedTuple):
    """Whether a line of a table fires, and the facts that decide it, in words; `needs` is what does
    not hold."""

    fires: bool
    why: str
    needs: str = ""


def says(game: Game, seat: Seat, line: str, verdict: Verdict) -> bool:
    """Put the verdict on a line of the seat's table into the story. Returns whether the line
    fires."""
    if game.story is not None:
        if verdict.fires:
            game.story.append(("fired", seat, line, verdict.why))
        else:
            game.story.append(("passed over", seat, line, verdict.why, verdict.needs))
    return verdict.fires


def break_tie(
    game: HasStory, seat: Seat, tied: Sequence[T], why: str, name: Callable[[T], str]
) -> Flow[T]:
    """Choose one of up to 216 equal things by dice that everybody sees: one die for up to six, two
    dice read as a number from 1 to 36 for more, three dice for more than 36.

    Each thing gets the same number of faces, in the order given. If the dice show a number that is
    left over, they are thrown again.
    """
    if len(tied) == 1:
        return tied[0]
    dice_needed, share = _faces(len(tied))
    while True:
        dice: tuple[int, ...] = yield Roll(seat, dice_needed, why, reason=TIE)
        face = 0
        for die in dice:
            face = 6 * face + die - 1
        face += 1
        place = (face - 1) // share
        if game.story is not None:
            among = tuple(name(thing) for thing in tied)
            game.story.append(
                ("tie", seat, why, face, among, among[place] if place < len(tied) else "")
            )
        if place < len(tied):
            return tied[place]


def faces_of(names: Sequence[str]) -> str:
    """Which faces of `break_tie` mean which of these things, in words, for a player who throws the
    die: "1 to 3 Samoa, 4 to 6 Hiva"."""
    dice_needed, share = _faces(len(names))
    spans = [(share * number + 1, share * (number + 1)) for number in range(len(names))]
    ranges = [
        f"{first} {name}" if first == last else f"{first} to {last} {name}"
        for (first, last), name in zip(spans, names, strict=True)
    ]
    if share * len(names) < 6**dice_needed:
        ranges.append(f"above {share * len(names)} again")
    return _READING[dice_needed] + ", ".join(ranges)


_READING: Final = {
    1: "",
    2: "two dice, 6 x (first - 1) + second: ",
    3: "three dice, 36 x (first - 1) + 6 x (second - 1) + third: ",
}


def _faces(count: int) -> tuple[int, int]:
    """How many dice so many things need, and how many of their faces each thing has."""
    for dice_needed in _READING:
        if count <= 6**dice_needed:
            return dice_needed, 6**dice_needed // count
    raise ValueError(f"three dice cannot choose among {count} things")


def is_legal(ask: Ask, answer: Answer, faces: Mapping[Handle, Card]) -> bool:
    """Whether a player in that seat might give this answer. Cards it uses must lie face up."""
    option, handle = answer
    if handle is None:
        return option in ask.options
    return handle in ask.hand and (option in ask.spend or option in ask.allows(faces[handle]))


def played_by(
    game: Game, seat: Seat, decide: Callable[[Ask], Flow[Answer]], flow: Flow[T]
) -> Flow[T]:
    """Run `flow` so that `decide` answers every question to `seat`. All other requests are passed
    on."""
    try:
        request = next(flow)
        while True:
            value: Any
            if isinstance(request, Ask) and request.seat == seat:
                value = yield from decide(request)
                assert is_legal(request, value, game.faces()), f"{value} answers {request.rule}"
            else:
                value = yield request
            request = flow.send(value)
    except StopIteration as end:
        result: T = end.value
        return result
