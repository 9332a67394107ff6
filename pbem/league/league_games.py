"""The turn files of a league's games: whether one is the game that a round has settled, and what
came of it (docs/format.md, section 26)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Invalid
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.league import find_pieces
from pbem.league.find_pieces import LeaguePiece
from pbem.league.league import DRAWN, LOST, WON, League, LeagueGame
from pbem.league.write import LeagueResult
from pbem.ledger.gate import admit
from pbem.ledger.invitation import game_id_of
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import Verifier


class GameFile(NamedTuple):
    """A turn file that verifies: its bytes, its game, and the number of the entry with which the
    game was over and proven (None: it is not)."""

    data: bytes
    game: Ledger
    proven: int | None

    @property
    def size(self) -> int:
        """How many entries it has."""
        return len(self.game.entries)


def read(data: bytes, verifier: Verifier | None = None) -> GameFile:
    """Verify a turn file. Raises kinds of `Invalid`."""
    game, proven = Ledger(verifier), None
    file = turnfile.read(data)
    for entry in file.entries:
        admit(game, entry)
        if proven is None and game.is_proven():
            proven = entry.number
    return GameFile(file.data, game, proven)


def id_of(data: bytes) -> bytes:
    """The game's id that a turn file claims, from entry 0 alone. Raises `Malformed`."""
    first = turnfile.read(data).entries[0]
    return game_id_of(first.blob("key", 32), first.blob("nonce", 32))


def why_not(league: League, game: LeagueGame, played: Ledger) -> str:
    """Why a game with the id of this one is not played as the league says; empty if it is."""
    terms, entry = league.terms, played.entries[0]
    seats = [played.seats[seat] for seat in played.invitation.clocked_seats()]
    if played.rules.name != terms.game:
        return f"it is a game of {played.rules.name}"
    if played.rules.version < terms.rules:
        return f"it is played by version {played.rules.version} of the rules"
    if tuple(entry.list("options")) != terms.options or entry.list("data"):
        return "it has other options"
    if (entry.text("clock"), entry.fields.get("leave-days", 0)) != (terms.clock, terms.leave_days):
        return "it has another clock"
    if len(seats) != 2 or played.seats[played.invitation.host] != seats[0]:
        return "the seats are changed"
    if played.invitation.invites.get(seats[1]) != league.player(game.second).key:
        return "its other seat is not kept for whom the league names"
    return ""


def result_of(league: League, game: LeagueGame, file: GameFile) -> LeagueResult | None:
    """What came of a game that is played as the league says; None where that is not proven yet."""
    if file.proven is None or file.game.outcome is None:
        return None
    winners = {file.game.player_of(seat).key for seat in file.game.outcome.winners}
    first, second = league.player(game.first).key, league.player(game.second).key
    result = DRAWN
    if (first in winners) != (second in winners):
        result = WON if first in winners else LOST
    return LeagueResult(game.number, result, file.game.entries[file.proven].digest)


def is_end(file: GameFile, digest: bytes) -> bool:
    """Whether this is the digest of an entry at which the game was over and proven."""
    return file.proven is not None and any(
        entry.digest == digest for entry in file.game.entries[file.proven :]
    )


def cannot_play(game: str, version: int, options: tuple[str, ...]) -> str:
    """Why a league of this game cannot be played: it is not for two; empty if it can. Raises
    `Usage` or `Invalid` for a game or options that are not known here."""
    rules = registry.newest(game)
    settings = registry.completed(rules, registry.read_settings(rules, options, "the league"))
    players = registry.players_of(rules, settings)
    if len(registry.keyed_seats(rules, settings)) != 2 or len(players) != 2:
        return "a league is for games of two, and this one with these options is not"
    if rules.is_by_hand(settings):
        return "a league takes results that are proven, and dice thrown by hand prove nothing"
    return "" if rules.version >= version else "the league needs a newer version of the rules"


class LeagueShelf:
    """The newest turn file of each game of a league, of all that were found."""

    def __init__(self, league: League, verifier: Verifier | None = None) -> None:
        self._league = league
        self._by_id = {game.game_id: game for game in league.games}
        self._keys = {player.key for player in league.players}
        self._verifier = verifier or Verifier()
        self._seen: set[bytes] = set()
        self.found: dict[int, GameFile] = {}
        """By the number of the game."""
        self.versions: dict[int, GameFile] = {}
        """Of games of which two files go on differently, the other one."""
        self.broken: dict[int, str] = {}
        """Games of which a file does not verify, and why."""
        self.strangers: dict[bytes, GameFile] = {}
        """Games of this kind between two players of the league that are none of it, by their
        ids."""

    def take_in(self, places: Iterable[Path]) -> Iterator[LeaguePiece]:
        """Take in the turn files of these places; what else lies there comes out: joins, and files
        of leagues. Raises `NoPlace`."""
        for place in places:
            yield from find_pieces.look(place, self.add)

    def add(self, data: bytes) -> None:
        """Take one turn file in; what is no game of the league changes nothing."""
        if data in self._seen:
            return
        self._seen.add(data)
        with suppress(Invalid):
            game_id = id_of(data)
            game = self._by_id.get(game_id)
            if game is None:
                self._add_stranger(game_id, data)
            else:
                self._add(game, data)

    def _add(self, game: LeagueGame, data: bytes) -> None:
        try:
            file = read(data, self._verifier)
        except Invalid as error:
            self.broken[game.number] = str(error)
            return
        known = self.found.get(game.number)
        if known is not None:
            longer, shorter = sorted((file, known), key=lambda one: -one.size)
            if not longer.data.startswith(shorter.data):
                self.versions[game.number] = shorter
                if known.proven is not None:  # what was complete first stays
                    self.versions[game.number] = file
                    return
        if known is None or file.size > known.size:
            self.found[game.number] = file

    def _add_stranger(self, game_id: bytes, data: bytes) -> None:
        file = turnfile.read(data)
        keys = {entry.blob("key", 32) for entry in file.entries if "key" in entry.fields}
        is_like = file.entries[0].text("game") == self._league.terms.game and len(keys) == 2
        if is_like and keys <= self._keys and len(self.strangers) < MOST_STRANGERS:
            self.strangers[game_id] = read(data, self._verifier)


MOST_STRANGERS = 100
"""Other games of the league's players that are told."""
