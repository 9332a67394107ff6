"""How a game stands: who may write next, and how it ended.

A module of its own because `pbem verify` tells no more of a game than this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Seat
from pbem.english import listed
from pbem.ledger.game_end import RESIGNED
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.playing import Playing


@dataclass(frozen=True)
class SideTotal:
    """The points of one side: seats that win and lose together."""

    side: str
    points: int
    seats: Sequence[str] = ()


@dataclass(frozen=True)
class Ending:
    """How a game ended. `proven`: nothing is missing that would prove the result; `rests_on` says
    what that is: "roots", secrets that were opened and checked; "turns", since nobody had a secret
    to open; "one player" who was alone with the dice, whatever was opened; "hand", dice that were
    entered; or "nothing yet". `by_hand`: players threw the dice themselves and entered them, so
    that nothing proves the result. `unproven` are the seats whose roots are missing, `unaudited`
    those that left, whose shuffles were proven and are not made again."""

    winners: Sequence[str]
    how: str
    points: Mapping[str, int]
    totals: Sequence[SideTotal]
    unit: str
    proven: bool
    rests_on: str
    by_hand: bool
    unproven: Sequence[str]
    unaudited: Sequence[str]


def to_act(game: Ledger) -> str | list[str]:
    """The seat that may write next; an empty list when nothing is left to write."""
    seat = game.to_act()
    return [] if seat is None else game.seats[seat]


def over(game: Ledger) -> Ending | None:
    """How the game ended, and whether that is proven; None while it goes on."""
    playing = game.playing
    if playing is None or playing.outcome is None:
        return None
    outcome = playing.outcome
    return Ending(
        winners=[game.seats[seat] for seat in outcome.winners],
        how=_how(game, outcome.how),
        points=dict(zip(game.seats, outcome.points, strict=False)),
        totals=_totals(game, outcome.points),
        unit=game.rules.unit,
        proven=playing.is_proven(),
        rests_on=_rests_on(playing),
        by_hand=playing.is_by_hand(),
        unproven=[game.seats[seat] for seat in playing.unrevealed()],
        unaudited=[game.seats[seat] for seat in playing.unaudited()],
    )


def _rests_on(playing: Playing) -> str:
    """What a result rests on."""
    if playing.is_by_hand():
        return "hand"
    if playing.unrevealed():
        return "nothing yet"
    if not playing.invitation.is_witnessed():
        return "one player"
    return (
        "roots" if any(playing.owes_root(seat) for seat in range(len(playing.seats))) else "turns"
    )


def _how(game: Ledger, how: str) -> str:
    """How it ended, as the rules or the players have it; who resigned is a person."""
    for seat, name in zip(game.seats, player_names(game), strict=True):
        if how == RESIGNED.format(seat):
            return RESIGNED.format(name)
    return how


def _totals(game: Ledger, points: Sequence[int]) -> list[SideTotal]:
    """The points once for each side: seats that win and lose together have the same."""
    sides: dict[int, list[Seat]] = {}
    for seat in range(len(points)):
        sides.setdefault(game.rules.side(game.settings, seat), []).append(seat)
    names = [[game.seats[seat] for seat in of] for of in sides.values()]
    return [SideTotal(listed(of), points[game.seats.index(of[0])], of) for of in names]
