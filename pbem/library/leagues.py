"""Leagues in a library: those that lie in its folder, and the page of one (docs/league.md)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.english import counted, listed
from pbem.errors import Invalid, PbemError, Usage
from pbem.fileformat.packed import in_page
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.league import gate, report, table
from pbem.league.league import NONE, League
from pbem.league.league_file import MAX_FILE
from pbem.league.league_games import id_of
from pbem.league.report import LeagueFacts, LeagueGameFacts
from pbem.library import pages, walk
from pbem.replay.page import page as page_of_game
from pbem.replay.page import write_page as write_page_of_game
from pbem.replay.scenes import Replayed

CROSS = 40
"""Players up to which the page has a cross table; more are listed by rounds alone."""

MOST = 100
"""Leagues of a folder that are looked at."""


@dataclass(frozen=True)
class HeldLeague:
    """A league whose file lies in the folder of a library: its id in hexadecimal, how far it is,
    who leads, and how many of its games are in the library. `pbem league verify` checks it."""

    file: str
    league: str
    name: str
    method: str
    rounds: int
    ended: bool
    players: int
    leaders: Sequence[str]
    games: int
    here: int


def held(
    connection: sqlite3.Connection, folder: Path, paths: Sequence[str]
) -> tuple[list[HeldLeague], list[str]]:
    """The leagues among the files of a folder that hold no turn, and all others of these."""
    found: list[HeldLeague] = []
    others: list[str] = []
    for path in paths:
        one = None
        with suppress(Invalid, Usage):
            if len(found) < MOST:
                league = gate.read(files.read_bytes(folder / path, MAX_FILE))
                one = _held(connection, path, league)
        if one is None:
            others.append(path)
        else:
            found.append(one)
    return found, others


def _held(connection: sqlite3.Connection, path: str, league: League) -> HeldLeague:
    ids = [game.game_id.hex() for game in league.games]
    here = sum(
        connection.execute("SELECT count(*) FROM games WHERE game_id = ?", (one,)).fetchone()[0]
        for one in ids
    )
    lines = table.table(league) if league.rounds else []
    return HeldLeague(
        path,
        league.id.hex(),
        league.terms.name,
        str(league.terms.method),
        len(league.rounds),
        league.ended,
        len(league.players),
        [league.player(line.player).name for line in lines if line.place == 1],
        len(ids),
        here,
    )


def in_words(one: HeldLeague) -> str:
    """A league in a line."""
    far = "it has ended" if one.ended else f"round {one.rounds}" if one.rounds else "not begun"
    verb = "won by" if one.ended else "led by"
    leads = f", {verb} {listed(one.leaders)}" if one.leaders else ""
    return (
        f"league: {one.file}: {one.name}, {one.method}, {counted(one.players, 'player')}, {far}"
        f"{leads}; {one.here} of {counted(one.games, 'game')} here"
    )


def page(facts: LeagueFacts, links: dict[int, str]) -> str:
    """The page of a league; `links` has the addresses of its games' files, or
    pages, by number."""
    words = report.words(facts)
    words.update(
        links=links,
        films=any(one.endswith(".html") for one in links.values()),
        cross=_cross(facts) if len(facts.players) <= CROSS else {},
        rounds=[
            (one, [game for game in facts.games if game.round == one.number])
            for one in reversed(facts.rounds)
        ],
        none=NONE,
    )
    return pages.html("league", words, "page.css")


def _cross(facts: LeagueFacts) -> dict[tuple[int, int], list[tuple[LeagueGameFacts, str]]]:
    """For each player and opponent the games, with this player's share of each."""
    found: dict[tuple[int, int], list[tuple[LeagueGameFacts, str]]] = {}
    for game in facts.games:
        one, other = report.MARKS[game.result] if game.result else ("·", "·")
        found.setdefault((game.first, game.second), []).append((game, one))
        found.setdefault((game.second, game.first), []).append((game, other))
    return found


def write_page(
    path: Path, facts: LeagueFacts, places: Sequence[Path], *, films: bool = False
) -> list[str]:
    """Write the page of a league, with links to the turn files that lie below it in these folders;
    with `films` each game becomes a page that shows and checks it, beside its file, and is linked
    in its place. Returns what is wrong with pages that could not be written: their files are linked
    then, so that nobody's game, nor what lies in its place, stops the table. Raises `Conflict` if
    something else stands where the table should."""
    links, problems = {}, []
    by_short = {game.game[:8]: game for game in facts.games}
    below = path.resolve().parent
    for place in places:
        for one in sorted(place.glob("*.toml")) if place.is_dir() else ():
            game = by_short.get(one.stem.rpartition("-")[2])
            if game and one.resolve().is_relative_to(below) and _is_of(one, game.game):
                shown = one
                if films:
                    try:
                        shown = _film(one)
                    except PbemError as error:
                        problems.append(f"no page of game {game.number}: {error}")
                links[game.number] = shown.resolve().relative_to(below).as_posix()
    pages.write(path, page(facts, links))
    return problems


def _is_of(file: Path, game_id: str) -> bool:
    """Whether a file is of this game, whatever it is called."""
    with suppress(Invalid, Usage):
        return id_of(walk.read(file)).hex() == game_id
    return False


def _film(file: Path) -> Path:
    """The page of a game beside its file, made anew where it shows less of the game. Raises what is
    wrong with the file, and `Conflict` if something else stands there."""
    film, data = file.with_suffix(".html"), walk.read(file)
    with suppress(Usage):
        if in_page(files.read_own(film, MAX_MESSAGE)) == data:
            return film
    replayed = Replayed(data)
    if replayed.failure is not None:
        raise replayed.failure
    write_page_of_game(film, page_of_game(data, replayed), data)
    return film
