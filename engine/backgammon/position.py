"""One match in progress: the men, the cube, the score."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.backgammon.plays import Board, is_race, pips
from engine.backgammon.tables import (
    BACKGAMMON,
    BAR,
    GAMMON,
    HOME,
    MEN,
    NEWEST,
    OFF,
    SEATS,
    SINGLE,
    START,
    WHITE,
    Men,
    Stakes,
)
from engine.flow import Seat
from engine.rules import Game

NOBODY: Final[Seat] = -1


class SealedDouble(NamedTuple):
    """A sealed answer to whether a player doubles before their next throw. It counts only if the
    cube still has this value and owner (backgammon ruling 13)."""

    token: int
    cube: int
    owner: Seat


class Position(Game):
    """The public position of a match. `turn` is the seat whose turn it is, `dice` the throw that is
    being played (empty if there is none), `cube` the cube's value and `owner` the seat that may
    turn it (`NOBODY`: either)."""

    def __init__(self, stakes: Stakes, version: int = NEWEST) -> None:
        self.stakes: Final = stakes
        self.version: Final = version
        self.men: list[Men] = [START, START]
        self.score = [0, 0]
        self.game = 0
        self.turns = 0
        self.turn: Seat = WHITE
        self.dice: tuple[int, ...] = ()
        self.cube = 1
        self.owner: Seat = NOBODY
        self.doubled = 0
        """The value to which the cube has just been offered; 0 if it has not."""
        self.beaver = False
        """Whether it was offered back by a beaver."""
        self.crawford = False
        """Whether this is Crawford's game, in which nobody doubles."""
        self.had_crawford = False
        self.resigned = 0
        """What the player whose turn it is offers to lose (`WORTH`); 0 if nothing."""
        self.refused = 0
        """The most that the other one would not take of that in this turn."""
        self.sealed: dict[Seat, SealedDouble] = {}
        """What the players have sealed for their next turn."""

    def set_up(self) -> None:
        """Place men and cube for a new game, and decide whether it is Crawford's."""
        self.game += 1
        self.men = [START, START]
        self.cube = 1
        self.owner = NOBODY
        self.doubled = 0
        self.beaver = False
        self.sealed = {}
        self.resigned = 0
        self.refused = 0
        near = self.stakes.match - 1
        self.crawford = self.stakes.match > 1 and not self.had_crawford and near in self.score
        self.had_crawford = self.had_crawford or self.crawford
        self.note("game", self.game, int(self.crawford))

    def board(self, seat: Seat) -> Board:
        """The men as a player counts them."""
        return Board(self.men[seat], self.men[1 - seat])

    def put(self, seat: Seat, board: Board) -> None:
        """Place the men as this board says."""
        self.men[seat], self.men[1 - seat] = board

    def ahead(self, seat: Seat) -> int:
        """By how many pips a player is ahead; below 0 if they are behind."""
        return pips(self.men[1 - seat]) - pips(self.men[seat])

    def is_race(self) -> bool:
        """Whether no man can be hit or blocked any more."""
        return is_race(self.board(WHITE))

    def lacks(self, seat: Seat) -> int:
        """How many points a player of a match still lacks."""
        return self.stakes.match - self.score[seat]

    def may_double(self, seat: Seat) -> bool:
        """Whether a player may turn the cube before their throw. In a match they may not if the
        cube's present value already wins it for them (backgammon rulings 5 and 6)."""
        if self.crawford or self.owner not in (NOBODY, seat):
            return False
        return not self.stakes.match or self.lacks(seat) > self.cube

    def worth(self, winner: Seat) -> int:
        """What a game counts that ends because `winner` has borne off all men: single, gammon or
        backgammon (backgammon rulings 4 and 9)."""
        loser = self.men[1 - winner]
        if loser[OFF] or (self.stakes.jacoby and self.owner == NOBODY):
            return SINGLE
        return BACKGAMMON if loser[BAR] or any(loser[BAR - HOME :]) else GAMMON

    def cost(self, loser: Seat) -> int:
        """The most that a player may still lose with this game: single, gammon or backgammon
        (backgammon ruling 15)."""
        men = self.men[loser]
        if men[OFF] or (self.stakes.jacoby and self.owner == NOBODY):
            return SINGLE
        behind = men[BAR] or any(men[BAR - HOME : BAR]) or not self.is_race()
        return BACKGAMMON if behind else GAMMON

    def has_won(self, seat: Seat) -> bool:
        """Whether all men of a player are off."""
        return self.men[seat][OFF] == MEN

    def is_over(self) -> bool:
        """Whether the match, or the last game for points, is over."""
        if self.stakes.match:
            return max(self.score) >= self.stakes.match
        return self.game == self.stakes.games and self.turn == NOBODY

    # What the program asks of every game

    def when(self) -> str:
        turn = f"turn {self.turns}" if self.turns else "first throw"
        is_one = self.stakes.match <= 1 and self.stakes.games == 1
        return turn if is_one else f"game {self.game}, {turn}"

    def period(self) -> int:
        return self.turns

    def position(self) -> str:
        men = " / ".join(" ".join(map(str, men)) for men in self.men)
        turn = SEATS[self.turn] if self.turn != NOBODY else "none"
        owner = SEATS[self.owner] if self.owner != NOBODY else "centre"
        flags = "".join(
            letter
            for letter, is_so in (
                ("c", self.crawford),
                ("h", self.had_crawford),
                ("b", self.beaver),
            )
            if is_so
        )
        names = "".join(
            f" {SEATS[seat]} {one.cube} {one.owner}" for seat, one in sorted(self.sealed.items())
        )
        sealed = f" sealed{names}" if self.stakes.sealed else ""
        given_up = self.resigned or self.refused
        sealed += f" resigned {self.resigned} refused {self.refused}" if given_up else ""
        return (
            f"{men} | game {self.game} score {self.score[0]} {self.score[1]} turn {self.turns}"
            f" {turn} dice {' '.join(map(str, self.dice)) or '-'} | cube {self.cube} {owner}"
            f" offered {self.doubled} {flags or '-'}{sealed}"
        )
