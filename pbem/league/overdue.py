"""Games of a league in which a clock has run out by their newest file. A clock shows and never
decides (docs/format.md, section 15): what follows from it the director says, and is marked so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.english import spell
from pbem.league.league import LOST, NONE, WON, League
from pbem.league.league_games import GameFile
from pbem.league.verify import PLAYED, CheckedGame
from pbem.report.time import absences, clock, running


@dataclass(frozen=True)
class OverdueGame:
    """A game that goes on, though the clock of a player has run out: its number, the player's
    number and name (null: those of both have), since how many seconds, how many entries its newest
    file has, and the decision that may be typed."""

    game: int
    player: int | None
    name: str | None
    seconds: int
    entries: int
    decide: str

    def in_words(self, file: str) -> str:
        """What the director is told, and what they may do."""
        whose = "both clocks" if self.name is None else f"the clock of {self.name}"
        return (
            f"game {self.game}: {whose} ran out {spell(self.seconds)} ago, by the dates in its"
            " newest file that is here. Nothing follows from that by itself; if you decide it:"
            f' pbem league round {file} --decide "{self.decide}"'
        )


def overdue(
    league: League, games: Iterable[CheckedGame], files: Mapping[int, GameFile], now: str
) -> list[OverdueGame]:
    """The games that go on by these files, in which a clock has run out now."""
    found = []
    for game in (one.game for one in games if one.state == PLAYED):
        file = files[game.number]
        clocks = clock(file.game)
        if clocks is None:
            continue
        times = running(clocks, absences(file.game), file.game.entries[-1].date, now).seats
        over = [
            (number, -seat.left)
            for number, seat in zip((game.first, game.second), times, strict=True)
            if seat.left < 0
        ]
        if len(over) == 2:
            decide = f"{game.number} {NONE}: both clocks have run out"
            found.append(
                OverdueGame(
                    game.number, None, None, min(seconds for _, seconds in over), file.size, decide
                )
            )
        elif over:
            number, seconds = over[0]
            name = league.player(number).name
            # no name of theirs in what is typed into a shell
            result, which = (LOST, "first") if number == game.first else (WON, "second")
            decide = f"{game.number} {result}: the clock of the {which} player has run out"
            found.append(OverdueGame(game.number, number, name, seconds, file.size, decide))
    return found
