"""What anybody checks of a league: its file through the gate, pairs included, and its results
against the games that are at hand (docs/format.md, section 26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import Invalid
from pbem.league import gate, league_file, league_games
from pbem.league.league import League, LeagueGame
from pbem.league.league_games import GameFile, LeagueShelf

CHECKED, CLAIMED, DECIDED = "checked", "claimed", "decided"
PLAYED, WAITING, OPEN = "played", "waiting", "open"
WRONG, ASTRAY, TWICE = "wrong", "astray", "twice"
"""What is known of a game: its file proves the result; it has one, and no file is here; the
director decided; its file goes on; its file is over, and the league lacks the result; no file is
here and there is no result; its file proves another result than the league has; its file is not
played as the league says; two files of it go on differently."""
BAD = (WRONG, ASTRAY, TWICE)
"""These contradict the league."""


@dataclass(frozen=True)
class CheckedGame:
    """A game of the league, what is known of it, and why in words where that is bad."""

    game: LeagueGame
    state: str
    why: str = ""


@dataclass(frozen=True)
class Fork:
    """Another file of the same league that goes on differently: where it was found, and the number
    of the first entry that differs, with whose keys signed the two."""

    where: str
    entry: int
    directors: tuple[int, int]


@dataclass
class Verdict:
    """What was checked of a league. `longer` is a file of the same league that goes on from this
    one, where one was found; `strangers` counts games between its players that are none of it;
    `problems` are files that could not be read or do not verify."""

    league: League
    games: list[CheckedGame]
    forks: list[Fork] = field(default_factory=list)
    longer: str = ""
    strangers: int = 0
    problems: list[str] = field(default_factory=list)

    def is_bad(self) -> bool:
        """Whether anything contradicts the league."""
        return bool(self.forks) or any(one.state in BAD for one in self.games)

    def count(self, state: str) -> int:
        """How many games are in this state."""
        return sum(1 for one in self.games if one.state == state)


def verify(data: bytes, places: Sequence[Path], *, compare: bool = True) -> Verdict:
    """Check a league and all that is found of it in these places. Raises kinds of `Invalid` where
    its own file does not hold, `NoPlace` for a place that cannot be read."""
    league = gate.read(data, compare=compare)
    shelf = LeagueShelf(league)
    verdict = Verdict(league, [])
    for piece in shelf.take_in(places):
        if piece.problem:
            verdict.problems.append(piece.problem)
        elif not piece.is_join:
            _compare(verdict, piece.data, piece.where)
    verdict.games = [check_game(league, game, shelf) for game in league.games]
    verdict.strangers = len(shelf.strangers)
    verdict.problems += [f"game {number}: {why}" for number, why in sorted(shelf.broken.items())]
    return verdict


def _compare(verdict: Verdict, other: bytes, where: str) -> None:
    """Hold another file of a league against this one."""
    league = verdict.league
    try:
        file = league_file.read(other)
        if file.entries[0].digest != league.id:
            return
        if (theirs := gate.differs(league, file)) is not None:
            ours = league.entries[theirs.number]
            directors = (int(str(ours.fields["director"])), int(str(theirs.fields["director"])))
            verdict.forks.append(Fork(where, ours.number, directors))
        elif len(file.entries) > len(league.entries):
            gate.follow(file)
            verdict.longer = where
    except Invalid as error:
        verdict.problems.append(f"{where}: {error}")


def check_game(league: League, game: LeagueGame, shelf: LeagueShelf) -> CheckedGame:
    """What is known of a game by the files at hand."""
    file = shelf.found.get(game.number)
    if game.number in shelf.versions:
        return CheckedGame(game, TWICE, "two files of it go on differently")
    if game.reason:
        return CheckedGame(game, DECIDED, _against_file(league, game, file))
    if file is None:
        return CheckedGame(game, CLAIMED if game.result else OPEN)
    if why := league_games.why_not(league, game, file.game):
        return CheckedGame(game, ASTRAY, why)
    found = league_games.result_of(league, game, file)
    if not game.result:
        return CheckedGame(game, PLAYED if found is None else WAITING)
    if found is None:
        return CheckedGame(game, CLAIMED)
    if found.result != game.result:
        why = f"its file says that it was {found.result}, the league says {game.result}"
        return CheckedGame(game, WRONG, why)
    if not league_games.is_end(file, game.digest):
        return CheckedGame(game, WRONG, "the league names another end than its file has")
    return CheckedGame(game, CHECKED)


def _against_file(league: League, game: LeagueGame, file: GameFile | None) -> str:
    """What the file of a game proves against the director's decision; empty if nothing."""
    if file is None or league_games.why_not(league, game, file.game):
        return ""
    found = league_games.result_of(league, game, file)
    if found is None or found.result == game.result:
        return ""
    return f"its file proves that it was {found.result}"
