"""A league as the entries of its file tell it so far: who plays, who met whom, and what came of it.
Every question about it is a function of a `League`; `pbem.league.gate` alone changes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem import FORMAT
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.turnfile import Entry
from pbem.league.terms import LeagueTerms
from pbem.ledger.invitation import game_id_of

WON, DRAWN, LOST, NONE = "won", "drawn", "lost", "none"
"""What came of a game for the player who is named first; `NONE`: nobody has a point."""
TURNED = {WON: LOST, LOST: WON, DRAWN: DRAWN, NONE: NONE}
"""The same for the other one."""


@dataclass
class LeaguePlayer:
    """Somebody who plays, by their number from 1; `since` is the first round they can be in, and
    `left` the director's reason if they play no more."""

    number: int
    name: str
    mail: str
    key: bytes
    since: int
    left: str = ""


@dataclass
class LeagueGame:
    """A pair of a round. `first` invites and sits first. `result` is empty until there is one;
    `digest` is that of the end of a verified game, and `reason` stands where the director has
    decided instead; `noted` is the number of the entry that has it."""

    number: int
    round: int
    first: int
    second: int
    nonce: bytes
    game_id: bytes
    result: str = ""
    digest: bytes = b""
    reason: str = ""
    noted: int = 0

    def of(self, player: int) -> str:
        """The result as this player's."""
        return self.result if player == self.first else TURNED.get(self.result, "")

    def other(self, player: int) -> int:
        """Whom this player meets."""
        return self.second if player == self.first else self.first


class Pairs(NamedTuple):
    """The pairs of a round by the players' numbers, whoever sits first named first, and who has a
    bye."""

    games: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


class Bracket(NamedTuple):
    """A knock-out as a round of it finds it: its players by their strength, the best one first, and
    who is in each line from top to bottom (`NOBODY`: there never was anybody, or both have
    lost)."""

    seeds: tuple[int, ...]
    lines: tuple[int, ...]

    def pairs(self) -> list[tuple[int, int]]:
        """The lines that meet."""
        return list(zip(self.lines[::2], self.lines[1::2], strict=True))


NOBODY = 0
"""In a line of a bracket."""


@dataclass
class LeagueRound:
    """A round: its number, the entry in which it began, the games, who has a bye, who is absent and
    why, and why the pairs are not those of the method (empty: they are); in a knock-out the
    bracket as it was then."""

    number: int
    entry: int
    games: list[LeagueGame]
    byes: list[int]
    absent: dict[int, str] = field(default_factory=dict)
    by_hand: str = ""
    bracket: Bracket | None = None

    def is_complete(self) -> bool:
        """Whether every game of it has a result."""
        return all(game.result for game in self.games)


@dataclass
class League:
    """A league so far. `compared`: whether each round's pairs were held against the method."""

    terms: LeagueTerms
    id: bytes
    entries: list[Entry]
    players: list[LeaguePlayer] = field(default_factory=list)
    rounds: list[LeagueRound] = field(default_factory=list)
    games: list[LeagueGame] = field(default_factory=list)
    ended: bool = False
    compared: bool = True

    @property
    def short(self) -> str:
        """The digits by which people name it."""
        return self.id.hex()[:8]

    def player(self, number: int) -> LeaguePlayer:
        """The player of a number that there is."""
        return self.players[number - 1]

    def with_key(self, key: bytes) -> LeaguePlayer | None:
        """Who plays by this key."""
        return next((one for one in self.players if one.key == key), None)

    def is_complete(self) -> bool:
        """Whether every game so far has a result."""
        return all(one.is_complete() for one in self.rounds)

    def open_games(self) -> list[LeagueGame]:
        """The games without a result, the oldest first."""
        return [game for game in self.games if not game.result]

    def games_of(self, player: int) -> Iterator[LeagueGame]:
        """The games of a player, in the order of the rounds."""
        return (game for game in self.games if player in (game.first, game.second))

    def new_game(self, entry: Entry, first: int, second: int) -> LeagueGame:
        """The next game, between these players, of the round that this entry begins."""
        number = len(self.games) + 1
        nonce = game_nonce(entry.digest, number)
        game_id = game_id_of(self.player(first).key, nonce)
        return LeagueGame(number, len(self.rounds) + 1, first, second, nonce, game_id)


@dataclass(frozen=True)
class OpenLeague:
    """A league and the bytes of its file."""

    data: bytes
    league: League


def game_nonce(entry: bytes, number: int) -> bytes:
    """The nonce of entry 0 of a league's game: it follows from the digest of the entry that began
    its round, and from its number."""
    return tagged_hash(f"{FORMAT} league game", entry, str(number).encode("ascii"))
