"""The players whose games the player of a home witnesses: how many games each of them began,
finished, and dropped.

Only a witness can see this. Whoever begins ten games and continues the one that begins well has
thrown the dice of that game ten times (docs/trust.md, "Choosing among games").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.errors import PbemError
from pbem.fileformat.encoding import b64, fingerprint
from pbem.home.game_index import game_folders, short_name
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger

SILENT = timedelta(days=30)
"""A game that waits for its player counts as dropped after so long without an entry."""


@dataclass(frozen=True)
class WitnessedGame:
    """A game: when it was begun and when its newest entry was written, by the dates of the entries;
    `state` is finished, going on, or dropped."""

    short: str
    begun: str
    newest: str
    state: str


@dataclass(frozen=True)
class WitnessedPlayer:
    """A player, by their key, whose games this home witnesses. A game is dropped if it waits for
    its player and they have begun another one since, or written nothing for 30 days."""

    name: str
    key: str
    fingerprint: str
    begun: int
    finished: int
    going_on: int
    dropped: int
    games: Sequence[WitnessedGame]


@dataclass(frozen=True)
class WitnessFacts:
    """All players whose games this home witnesses; `damaged` names games that could not be read."""

    players: Sequence[WitnessedPlayer]
    damaged: Sequence[str]


def facts(home: Home, today: datetime | None = None) -> WitnessFacts:
    """The players whose games the player of this home witnesses."""
    public = home.identity().public
    found: dict[bytes, list[Ledger]] = {}
    damaged = []
    for folder in game_folders(home):
        try:
            game = _game_witnessed(home, folder, public)
        except PbemError as error:
            damaged.append(f"{folder.name[:8]}: {error}")
            continue
        if game is None:
            continue
        bystanders = game.rules.bystanders(game.settings)
        for player in game.players:
            if player is not None and player.key and player.seat not in bystanders:
                found.setdefault(player.key, []).append(game)
    home.checks.keep()
    players = [_player(key, games, today or datetime.now(UTC)) for key, games in found.items()]
    return WitnessFacts(sorted(players, key=lambda one: (one.name, one.key)), damaged)


def in_words(facts: WitnessFacts) -> str:
    """What `pbem witness` prints."""
    lines = []
    for one in facts.players:
        lines.append(f"{one.name}, {one.fingerprint}")
        lines.append(
            f"  {one.begun} begun: {one.finished} finished, {one.going_on} going on, {one.dropped}"
            " dropped"
        )
        lines += [
            f"    {game.short}  {game.begun[:10]} to {game.newest[:10]}, {game.state}"
            for game in one.games
        ]
    lines += [f"cannot be read: {text}" for text in facts.damaged]
    return "\n".join(lines) or "You witness no game."


def _game_witnessed(home: Home, folder: Path, public: bytes) -> Ledger | None:
    """The newest file of a game, if this key is a mere witness in it; else None."""
    game = home.checks.newest_in(folder)
    if game is None:
        return None
    seat = game.seat_with(public)
    return game if seat is not None and seat in game.rules.bystanders(game.settings) else None


def _player(key: bytes, games: list[Ledger], today: datetime) -> WitnessedPlayer:
    """A player by their key, with all their games."""
    games = sorted(games, key=lambda game: game.entries[0].date)
    states = [
        _game(key, game, [other for other in games if other is not game], today) for game in games
    ]
    seat = games[-1].seat_with(key)
    assert seat is not None
    count = [game.state for game in states].count
    sums = (count("finished"), count("going on"), count("dropped"))
    return WitnessedPlayer(
        games[-1].player_of(seat).name, b64(key), fingerprint(key), len(states), *sums, states
    )


def _game(key: bytes, game: Ledger, others: list[Ledger], today: datetime) -> WitnessedGame:
    """One game of a player; `others` are the other games that they began."""
    first, newest = game.entries[0].date, game.entries[-1].date
    seat = game.seat_with(key)
    state = "going on"
    if game.is_over():
        state = "finished"
    elif game.to_act() == seat and (
        any(other.entries[0].date > newest for other in others) or _age(newest, today) > SILENT
    ):
        state = "dropped"
    return WitnessedGame(short_name(game), first, newest, state)


def _age(date: str, today: datetime) -> timedelta:
    """The time since a date; none for a date that does not exist."""
    try:
        return today - datetime.fromisoformat(date)
    except ValueError:  # the 31st of February, say
        return timedelta()
