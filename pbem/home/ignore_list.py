"""What the player of a home does not want to see: single games, the games of a key, and those of
all strangers. It is kept in `ignore.toml`.

A game that is ignored is left out of lists and notifications, and nothing else: its files are taken
in, remembered, and looked at before anything is signed, as those of every game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from pbem.crypto import group
from pbem.errors import Damaged, Do, Hint, Refused, Usage
from pbem.home import contacts, own_name
from pbem.home.contacts import Contact, matching
from pbem.home.game_index import GAME, MAX_NAMED, game_folders, short_name_in
from pbem.home.home import Home
from pbem.home.known_names import players_of
from pbem.home.shelf import shelf_of
from pbem.home.store import StateFile
from pbem.lock import Lock

BY_GAME, BY_PLAYER, BY_STRANGER = "game", "player", "stranger"
"""Why a game is hidden: by itself, by a player's key, or since only strangers play it."""


class IgnoreList(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Games by 32 digits of their ids, keys, and whether all strangers are ignored. Raises
    `ValueError`."""

    games: tuple[str, ...] = ()
    keys: tuple[bytes, ...] = ()
    strangers: bool = False

    def __post_init__(self) -> None:
        if not all(map(GAME.match, self.games)) or not all(map(group.is_point, self.keys)):
            raise ValueError("a game or a key")

    def why(self, game: str, players: Sequence[bytes], own: bytes, known: Collection[bytes]) -> str:
        """Why a game is hidden from the player with the key `own`; empty if it is not. `players`
        are the keys in it, the inviter's first; `known` are those with whom the player has a game,
        and their contacts."""
        if game in self.games:
            return BY_GAME
        others = {key for key in players if key != own}
        is_invited = own not in players and players[0] in self.keys
        if is_invited or (others and others.issubset(self.keys)):
            return BY_PLAYER
        return (
            BY_STRANGER
            if self.strangers and own not in players and others.isdisjoint(known)
            else ""
        )


_FILE = StateFile(
    "ignore.toml",
    IgnoreList,
    largest=2_000_000,
    damage="what you ignore cannot be read, and nothing is hidden",
    hint=("restore it from your copy, or remove it", Do("ignore", does="makes it anew")),
)


def read(folder: Path) -> IgnoreList:
    """What is ignored in a home. Raises `Damaged`."""
    return _FILE.read(folder) or IgnoreList()


def change(home: Home, how: Callable[[IgnoreList], IgnoreList]) -> None:
    """Change what is stored now, which another process may have changed meanwhile. Raises `Damaged`
    or `Usage`."""
    home.make_folder()
    with Lock(home.folder / "ignore.lock"):
        _FILE.write(home.folder, how(read(home.folder)))


def hidden_games(
    home: Home, own: bytes, games: Callable[[], Mapping[str, Sequence[bytes]]]
) -> dict[str, str]:
    """The hidden games of a home, by 32 digits of their ids, and why. `games` gives all games, each
    with the keys in it, the inviter's first; it is called only if anything is ignored. Raises
    `Damaged`."""
    ignore_list = read(home.folder)
    if ignore_list == IgnoreList():
        return {}
    all_games = games()
    known = {key for players in all_games.values() if own in players for key in players}
    with suppress(Damaged):  # told wherever contacts are
        known.update(contacts.read(home.folder))
    reasons = {
        game: ignore_list.why(game, players, own, known)
        for game, players in all_games.items()
        if players
    }
    return {game: why for game, why in reasons.items() if why}


def keys_by_game(home: Home) -> dict[str, Sequence[bytes]]:
    """Every game of the home by 32 digits of its id, with the keys in it, the inviter's first."""
    shelves = [shelf for folder in game_folders(home) if (shelf := shelf_of(folder)) is not None]
    return {shelf.number: [met.key for met in players_of(shelf.file.entries)] for shelf in shelves}


class Nameable:
    """What can be named to be ignored: all games of the home, by 32 digits of their ids, and all
    their players and the contacts, by key. Raises `Damaged` or `Usage`."""

    def __init__(self, home: Home, own: bytes) -> None:
        shelves = [
            shelf for folder in game_folders(home) if (shelf := shelf_of(folder)) is not None
        ]
        self.games = {shelf.number: shelf for shelf in shelves}
        self.people = contacts.read(home.folder)
        for shelf in shelves:
            for met in players_of(shelf.file.entries):
                self.people.setdefault(met.key, Contact(met.key, met.name, met.mail))
        self.people.pop(own, None)

    def find(self, who: str, among: IgnoreList | None = None) -> str | bytes:
        """The one game whose short name, number or title begins with a text, or the one key with
        this name, address, key or beginning of a fingerprint. With a list, only what is on the
        list. Raises `Usage` or `Refused`."""
        games = {
            number: short_name_in(one.file, number)
            for number, one in self.games.items()
            if one.is_named_by(who) or own_name.begins_so(one.title(), who)
        }
        people = {
            one.key: f'"{one.name}" {one.fingerprint}'
            for one in matching(who, self.people.values())
        }
        if among is not None:  # what is on the list may be here no more
            gone = [
                number
                for number in among.games
                if number not in self.games and who in (number, number[:8])
            ]
            games = {number: short for number, short in games.items() if number in among.games} | {
                n: n for n in gone
            }
            lost = matching(who, [Contact(key, "") for key in among.keys if key not in self.people])
            people = {key: name for key, name in people.items() if key in among.keys}
            people |= {one.key: one.fingerprint for one in lost}
        found: list[tuple[str | bytes, str]] = [*games.items(), *people.items()]
        if not found:
            what = (
                "no game and no player of this home" if among is None else "nothing that you ignore"
            )
            hint: Hint = (
                (Do("inbox", does="lists games"), Do("show", "GAME", does="has keys"))
                if among is None
                else Do("ignore", does="lists it")
            )
            raise Usage(f'"{who[:60]}" is {what}', hint=hint)
        if len(found) > 1:
            several = "; ".join(name for _, name in found[:MAX_NAMED])
            more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
            hint = "type more of it, or the fingerprint's first digits"
            raise Refused(
                f'{len(found)} games and players fit "{who[:60]}": {several}{more}', hint=hint
            )
        return found[0][0]


def ignore(home: Home, one: str | bytes, *, back: bool = False) -> None:
    """Ignore a game, by 32 digits of its id, or a key; with `back`, do so no longer. Raises
    `Damaged` or `Usage`."""

    def with_change(now: IgnoreList) -> IgnoreList:
        games = tuple(other for other in now.games if other != one)
        keys = tuple(other for other in now.keys if other != one)
        if isinstance(one, str):
            return replace(now, games=games if back else (*games, one))
        return replace(now, keys=keys if back else (*keys, one))

    change(home, with_change)
