"""The games in places, for whoever has no seat in them: of each the longest file that verifies
(docs/design.md, "Somebody who watches")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import TurnFile
from pbem.ledger.evidence import Evidence, evidence, signed_chain
from pbem.ledger.gate import replay
from pbem.ledger.invitation import game_id_of
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import Verifier
from pbem.mail.turn_files import look

MOST = 2000
"""Different files that are looked at in one look."""


@dataclass
class FoundGame:
    """A game as the longest of its files tells it, where that file was found, and what its files
    prove of a key that has signed two versions of it."""

    file: TurnFile
    ledger: Ledger
    where: str
    versions: list[Evidence] = field(default_factory=list)


@dataclass
class FoundGames:
    """What was found: the games by their ids, and what did not hold or could not be read."""

    games: dict[bytes, FoundGame] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def look_for_games(places: Iterable[Path], verifier: Verifier | None = None) -> FoundGames:
    """The games in files, folders, mails and links. A file that does not verify counts up to
    nothing: it is told, and a shorter one that holds is taken. Raises `NoPlace`."""
    found, by_game = FoundGames(), dict[bytes, list[tuple[TurnFile, str]]]()
    seen: set[bytes] = set()
    for place in places:
        for one in look(place):
            if one.data is None:
                found.problems.append(f"{one.where}: {one.problem}")
            elif one.data not in seen:
                if len(seen) == MOST:
                    more = f"{one.where}: more than {MOST} files, and the rest was not read"
                    found.problems.append(more)
                    break
                seen.add(one.data)
                _sort(one.data, one.where, by_game, found.problems)
    for game_id, several in by_game.items():
        several.sort(key=lambda pair: len(pair[0].entries), reverse=True)
        _take_longest(game_id, several, found, verifier)
    return found


def _sort(
    data: bytes,
    where: str,
    by_game: dict[bytes, list[tuple[TurnFile, str]]],
    problems: list[str],
) -> None:
    """One file to the others of its game."""
    try:
        file = turnfile.read(data)
        first = file.entries[0]
        game_id = game_id_of(first.blob("key", 32), first.blob("nonce", 32))
    except PbemError as error:
        problems.append(f"{where}: {error.what}")
    else:
        by_game.setdefault(game_id, []).append((file, where))


def _take_longest(
    game_id: bytes,
    several: list[tuple[TurnFile, str]],
    found: FoundGames,
    verifier: Verifier | None,
) -> None:
    """The longest of the files of a game that holds."""
    for file, where in several:
        try:
            ledger = replay(file, verifier)
        except PbemError as error:
            found.problems.append(f"{where}: {error.what}")
            continue
        chains = (signed_chain(one.data, ledger.verifier) for one, _ in several)
        versions = evidence(chains) if len(several) > 1 else []
        found.games[game_id] = FoundGame(file, ledger, where, versions)
        return
