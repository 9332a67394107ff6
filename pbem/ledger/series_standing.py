"""How a series stands, computed from the files of its games (docs/format.md, section 25).

Of each number there is one game, whose id follows from the first one. What its file says counts;
where it is not at hand, or goes less far, what entry 0 of a later game says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.flow import Seat
from pbem.ledger.invitation import game_id_of
from pbem.ledger.ledger import Ledger
from pbem.ledger.series import GameResult, SeriesPlace, SeriesTerms, nonce_of, result_of, tally

Source = Literal["file", "signed", "said", ""]
"""Whose word a result is: computed from the file of the game; signed by both players in a later
one; said by the inviter of a later one which nobody has joined; or there is none."""
_SAME = ("series", "game", "options", "data", "clock", "leave-days")
"""Fields of entry 0 that all games of a series have alike."""


@dataclass(frozen=True)
class SeriesGame:
    """One game of a series. `game` is None where its file is not at hand, `result` is for the
    inviter of the series and None where it is not known, `problem` is why the file does not count
    or what contradicts it (empty: nothing)."""

    number: int
    game_id: bytes
    game: Ledger | None
    result: GameResult | None
    source: Source
    problem: str = ""


@dataclass(frozen=True)
class Standing:
    """A series as far as it can be computed. `keys` are those of the inviter and of the other one
    (empty: not known yet); `ids` are those of all games that it may have, `games` the games up to
    the newest that is known of, `strays` files that only say that they belong to it, in words."""

    terms: SeriesTerms
    keys: tuple[bytes, bytes]
    ids: Sequence[bytes]
    games: Sequence[SeriesGame]
    strays: Sequence[str] = ()

    @property
    def results(self) -> list[GameResult]:
        """The results that count: of games in their files, and those that both have signed."""
        return [
            one.result
            for one in self.games
            if one.result is not None and one.source in ("file", "signed")
        ]

    @property
    def first(self) -> bytes:
        """The id of the first game, which is that of the series."""
        return self.ids[0]

    @property
    def halves(self) -> tuple[int, int]:
        """Half points of the inviter and of the other one."""
        return tally(self.results)

    @property
    def is_over(self) -> bool:
        """Whether the series is at its end."""
        return self.terms.is_over(self.results)

    @property
    def problems(self) -> list[str]:
        """What does not fit together, in words."""
        return [*self.strays, *(one.problem for one in self.games if one.problem)]


def first_of(game: Ledger) -> bytes:
    """The id of the first game of the series that a game says it is of."""
    return _place(game).first or game.game_id


def other_seat(game: Ledger) -> Seat:
    """The seat of whoever does not invite to a game of a series."""
    return next(seat for seat in game.invitation.order_of_joining() if seat != game.invitation.host)


def ids_of(game: Ledger) -> Iterator[tuple[int, bytes]]:
    """The number and the id of each game of the series of this one."""
    place, key = _place(game), game.player_of(game.invitation.host).key
    first = first_of(game)
    yield 1, first
    for number in range(2, place.terms.most + 1):
        yield number, game_id_of(key, nonce_of(first, number))


def standing(games: Sequence[Ledger]) -> Standing:
    """How a series stands by games that may be of it: the first of them says of which. One that
    has the id of a game of it, and does not say that it belongs to it, is told."""
    first = first_of(games[0])
    own = [one for one in games if one.invitation.series is not None and first_of(one) == first]
    base = min(own, key=lambda one: _place(one).number)
    ids, keys = dict(ids_of(base)), _keys(base)
    at_hand = {one.game_id: one for one in games}
    files = {number: at_hand[one] for number, one in ids.items() if one in at_hand}
    strays = [
        f"game {_place(one).number} of this series, {one.game_id.hex()[:8]}, is one that another"
        " player invites to"
        for one in own
        if one.game_id not in ids.values()
    ]
    problems = {
        number: _disagrees(one, number, base, keys, files.get(number - 1))
        for number, one in files.items()
    }
    claims = _Claims(files[number] for number in sorted(files) if not problems[number])
    newest = max([*files, *claims.by_number], default=1)
    found = []
    for number in range(1, newest + 1):
        one = files.get(number)
        counts = one is not None and not problems[number]
        result, source, problem = claims.settle(number, one if counts else None)
        found.append(
            SeriesGame(number, ids[number], one, result, source, problems.get(number) or problem)
        )
    return Standing(_place(base).terms, keys, list(ids.values()), found, strays)


def result_in(game: Ledger) -> GameResult | None:
    """How a game of a series ended for the inviter by its own file; None while anything is owed."""
    if game.outcome is None or game.to_act() is not None:
        return None
    host = game.invitation.host
    return result_of(game.outcome, host, other_seat(game))


def end_of(game: Ledger) -> bytes:
    """The digest of the entry with which nothing more was owed in a game that is over: of the last
    one, but for those that say that the end was seen."""
    return next(entry.digest for entry in reversed(game.entries) if "end" not in entry.fields)


class _Claims:
    """What later games say of earlier ones."""

    def __init__(self, games: Iterator[Ledger]) -> None:
        self.by_number: dict[int, list[tuple[Ledger, bytes, GameResult]]] = {}
        for game in games:
            for number, one in enumerate(_place(game).earlier, 1):
                self.by_number.setdefault(number, []).append((game, one.digest, one.result))

    def settle(self, number: int, game: Ledger | None) -> tuple[GameResult | None, Source, str]:
        """The result of a game by its file, if it is at hand and over, else by what later games
        say; whose word that is; and what contradicts it."""
        claims = self.by_number.get(number, [])
        result = None if game is None else result_in(game)
        if game is not None and result is not None:
            problems = [_contradicts(game, result, one) for one in claims]
            return result, "file", next(filter(None, problems), "")
        signed = [one for one in claims if not one[0].free_seats()]
        if not claims:
            return None, "", ""
        result = (signed or claims)[-1][2]
        differ = next((one for one in claims if one[2] != result), None)
        problem = (
            ""
            if differ is None
            else f"game {_place(differ[0]).number} says that game {number} was {differ[2]}, and a"
            f" later one that it was {result}"
        )
        return result, "signed" if signed else "said", problem


def _contradicts(game: Ledger, result: GameResult, claim: tuple[Ledger, bytes, GameResult]) -> str:
    """What a later game says of this one that its file contradicts, in words; empty if nothing."""
    later, digest, said = claim
    own, number = _place(game).number, _place(later).number
    if said != result:
        return (
            f"game {number} says that whoever invites to this series has {said} game {own};"
            f" by its file it is {result}"
        )
    if digest != end_of(game):
        return f"game {number} names an end of game {own} that its file does not have"
    return ""


def _disagrees(
    game: Ledger, number: int, base: Ledger, keys: tuple[bytes, bytes], before: Ledger | None
) -> str:
    """Why a file is no game of this series, in words; empty if it is one."""
    place = game.invitation.series
    if place is None or place.number != number:
        return f"game {number} does not say that it belongs to this series"
    if game is base:
        return ""
    differs = [
        name
        for name in _SAME
        if game.entries[0].fields.get(name) != base.entries[0].fields.get(name)
    ]
    if differs:
        return f"game {number} has another {differs[0]} than game {_place(base).number}"
    if keys[1] and _other_key(game) not in (b"", keys[1]):
        return f"game {number} is with another player"
    if before is not None and game.rules.version < before.rules.version:
        return f"game {number} has older rules than the game before"
    changed = (number - _place(base).number) % 2 == 1
    if (game.invitation.host != base.invitation.host) != changed:
        return f"in game {number} the seats are not changed as they have to be"
    return ""


def _keys(base: Ledger) -> tuple[bytes, bytes]:
    return base.player_of(base.invitation.host).key, _other_key(base)


def _other_key(game: Ledger) -> bytes:
    """The key of whoever does not invite: they sit there, or the seat is kept for them; empty if
    anybody may come."""
    player = game.players[other_seat(game)]
    if player is not None:
        return player.key
    return next(iter(game.invitation.invites.values()), b"")


def _place(game: Ledger) -> SeriesPlace:
    place = game.invitation.series
    assert place is not None, "a game of a series"
    return place
