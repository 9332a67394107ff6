"""The games of a match out of its story, as formats of other programs tell them: who did what, one
after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.backgammon.plays import MOVE, Play, as_play
from engine.backgammon.position import NOBODY
from engine.backgammon.tables import SEATS
from engine.flow import Seat
from pbem.games.record import GameRecord

_LONGEST_NAME = 30
_PLAYED = ("plays", "must play", "cannot move")


@dataclass(frozen=True)
class Action:
    """What a player did: `play` with the dice of the throw, `double` or `beaver` with the value
    that the cube would have, `take` or `drop`."""

    seat: Seat
    kind: str
    dice: tuple[int, ...] = ()
    play: Play = ()
    value: int = 0


@dataclass
class MatchGame:
    """One game: its number from 1, the score before it, what was done, and who won it and how many
    points (nobody while it goes on)."""

    number: int
    score: tuple[int, int]
    crawford: bool
    actions: list[Action] = field(default_factory=list)
    winner: Seat = NOBODY
    points: int = 0
    is_resigned: bool = False
    """Whether it ended because the other one gave it up for so much."""


def games_of(record: GameRecord) -> list[MatchGame]:
    """All games of a record, the last one perhaps not played to its end."""
    games: list[MatchGame] = []
    score = [0, 0]
    for kind, *values in record.story:
        if kind == "game":
            games.append(MatchGame(values[0], (score[0], score[1]), bool(values[1])))
        elif kind in _PLAYED:
            seat, first, second, *numbers = values
            play = as_play((MOVE, *numbers))
            games[-1].actions.append(Action(seat, "play", (first, second), play))
        elif kind in ("doubles", "beavers"):
            games[-1].actions.append(Action(values[0], kind.removesuffix("s"), value=values[1]))
        elif kind in ("takes", "drops"):
            games[-1].actions.append(Action(values[0], kind.removesuffix("s")))
        elif kind in ("resigns", "plays on"):
            games[-1].is_resigned = kind == "resigns"
        elif kind == "won":
            games[-1].winner, games[-1].points = values[0], values[1]
            score[values[0]] += values[1]
    return games


def plain_names(record: GameRecord) -> list[str]:
    """The names with letters and digits only, so that no program takes anything in them for a sign
    of its own; two that differ."""
    names = [_plain(name) or SEATS[seat] for seat, name in enumerate(record.names)]
    return (
        names
        if names[0] != names[1]
        else [f"{name}_{SEATS[seat]}" for seat, name in enumerate(names)]
    )


def _plain(name: str) -> str:
    return "_".join("".join(_kept(name)).split())[:_LONGEST_NAME]


def _kept(name: str) -> Iterable[str]:
    return (letter if letter.isalnum() else " " for letter in name)
