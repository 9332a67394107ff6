"""Watches games of others: files that their players share in a folder, at an address or in a page,
as they go or long after. It needs no home and keeps nothing (docs/design.md, "Somebody who
watches")."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pbem.errors import PbemError, with_hint
from pbem.games import registry
from pbem.home.game_index import short_name
from pbem.ledger.signatures import Verifier
from pbem.report import render
from pbem.report.facts import report
from pbem.report.model import Report
from pbem.turn.found_games import FoundGame, FoundGames, look_for_games
from pbem.watch.waiting import FolderWaiter

EVERY = 60.0
"""Seconds between two looks, where no event of a folder comes before."""


@dataclass(frozen=True)
class WatchedGame:
    """A game of others of which turns have come: `entries` are those, told as everybody may know
    them (of a game that is seen for the first time the newest one). `where` the file was found,
    `versions` what the files prove of a key that has signed two versions of the game, in words, and
    `page` the page that shows it (null: none was written)."""

    KEYS = (
        *("title", "game", "game_id", "called", "series", "measure", "players", "when"),
        *("entries", "asked", "over", "short", "where", "versions", "page"),
    )
    report: Report
    short: str
    where: str
    versions: Sequence[str]
    page: str | None

    def in_words(self) -> str:
        """The lines that are told."""
        return render.render("spectated.txt.j2", self).rstrip("\n")


@dataclass(frozen=True)
class SpectatorLook:
    """What came of one look: games with new turns, and what does not hold or cannot be read; each
    is told once."""

    games: Sequence[WatchedGame]
    problems: Sequence[str]


@dataclass
class Spectator:
    """Whoever watches these places. `film` writes the page of a game that has gone on, and returns
    its file (None: no page is written)."""

    places: Sequence[Path]
    film: Callable[[FoundGame], Path] | None = None
    _known: dict[bytes, FoundGame] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)
    _verifier: Verifier = field(default_factory=Verifier)

    def look(self) -> SpectatorLook:
        """Look once. Raises `NoPlace` or `Refused` at the first look, if a place cannot be read;
        later that is a problem that is told."""
        try:
            found = look_for_games(self.places, self._verifier, self._known)
        except PbemError as error:
            if not self._said and not self._known:
                raise
            found = FoundGames(problems=[with_hint(error.what, error.hint)])
        games, problems = [], found.problems
        for game_id, game in found.games.items():
            before = self._known.get(game_id)
            if before is not None and not _has_more(game, before):
                continue
            page = None
            try:
                with registry.plugins_told():
                    told = self._told(game, before)
                    self._known[game_id] = game  # what cannot be told now is told once it can
                    page = None if self.film is None else self.film(game)
            except PbemError as error:  # the game is told all the same, and those that follow
                problems.append(with_hint(error.what, error.hint))
            if self._known.get(game_id) is game:
                games.append(replace(told, page=None if page is None else str(page)))
        new = [one for one in dict.fromkeys(problems) if one not in self._said]
        self._said.update(new)
        return SpectatorLook(games, new)

    def _told(self, game: FoundGame, before: FoundGame | None) -> WatchedGame:
        """What is told of a game that is new or has gone on; no page of it is written yet."""
        since = len(game.file.entries) - 1 if before is None else _in_common(game, before)
        return WatchedGame(
            report(game.ledger, None, game.ledger.public_faces(), since),
            short_name(game.ledger),
            game.where,
            [one.in_words() for one in game.versions],
            None,
        )

    def run(self, show: Callable[[SpectatorLook], None]) -> None:
        """Look whenever something comes, until the process is ended. Raises `KeyboardInterrupt`."""
        woken = threading.Event()
        waiter = FolderWaiter([one for one in self.places if one.exists()], lambda _: woken.set())
        waiter.start()
        try:
            while True:
                woken.clear()
                show(self.look())
                woken.wait(EVERY)
        finally:
            waiter.stop()


def _has_more(game: FoundGame, before: FoundGame) -> bool:
    """Whether there is more than was told: the file goes on, or there is another version."""
    goes_on = not before.file.data.startswith(game.file.data)
    return goes_on or game.versions != before.versions


def _in_common(game: FoundGame, before: FoundGame) -> int:
    """How many entries two files of a game have in common."""
    pairs = zip(game.file.entries, before.file.entries, strict=False)
    return next(
        (number for number, (one, other) in enumerate(pairs) if one.after != other.after),
        min(len(game.file.entries), len(before.file.entries)),
    )
