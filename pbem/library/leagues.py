"""Leagues in a library: the page of one (docs/league.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.league import report
from pbem.league.league import NONE
from pbem.league.report import LeagueFacts, LeagueGameFacts
from pbem.library import pages

CROSS = 40
"""Players up to which the page has a cross table; more are listed by rounds alone."""


def page(facts: LeagueFacts, links: dict[int, str]) -> str:
    """The page of a league; `links` has the addresses of its games' files, by number."""
    words = report.words(facts)
    words.update(
        links=links,
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


def write_page(path: Path, facts: LeagueFacts, places: Sequence[Path]) -> None:
    """Write the page of a league, with links to the turn files that lie below it in these folders.
    Raises `Conflict` if something else stands there."""
    links = {}
    by_short = {game.game[:8]: game.number for game in facts.games}
    for place in places:
        for one in sorted(place.glob("*.toml")) if place.is_dir() else ():
            number = by_short.get(one.stem.rpartition("-")[2])
            if number and one.resolve().is_relative_to(path.resolve().parent):
                links[number] = one.resolve().relative_to(path.resolve().parent).as_posix()
    pages.write(path, page(facts, links))
