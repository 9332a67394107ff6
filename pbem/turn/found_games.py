"""The games in places, for whoever has no seat in them: of each the longest file that verifies
(docs/design.md, "Somebody who watches")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.packed import in_page
from pbem.fileformat.turnfile import MAX_MESSAGE, TurnFile
from pbem.ledger.evidence import Evidence, evidence, signed_chain
from pbem.ledger.gate import replay
from pbem.ledger.invitation import id_of_game
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import Verifier
from pbem.mail import web_file
from pbem.mail.find_turns import Found, turns_in
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


def files_in(place: Path) -> Iterator[Found]:
    """The turns in a file, a folder, a mail, a link, an https address, or a page that shows a game.
    Raises `NoPlace`, or `Refused` where nothing is served at an address."""
    address = web_file.address_in(place)
    if address:
        yield from _in_bytes(web_file.fetch(address), address)
    elif place.suffix.lower() in (".html", ".htm") and not files.is_folder(place):
        yield from _in_bytes(files.read_bytes(place, MAX_MESSAGE), files.printable(place))
    else:
        yield from look(place)


def _in_bytes(data: bytes, where: str) -> Iterator[Found]:
    """The turns in what is served or saved as one file."""
    found = [Found(where, page)] if (page := in_page(data)) else list(turns_in(data, where))
    yield from found or [Found(where, None, "there is no game in it")]


def look_for_games(
    places: Iterable[Path],
    verifier: Verifier | None = None,
    known: Mapping[bytes, FoundGame] | None = None,
) -> FoundGames:
    """The games in these places. Of a file that does not verify nothing counts: it is told, and a
    shorter one that holds is taken. Of a game that is `known` from the look before, only what is
    new is checked. Raises `NoPlace` or `Refused`."""
    found, by_game = FoundGames(), dict[bytes, dict[bytes, tuple[TurnFile, str]]]()
    for number, one in enumerate(one for place in places for one in files_in(place)):
        if number == MOST:
            found.problems.append(f"{one.where}: more than {MOST} files, and the rest was not read")
            break
        if one.data is None:
            found.problems.append(f"{one.where}: {one.problem}")
            continue
        try:
            file = turnfile.read(one.data)
            game_id = id_of_game(file.entries[0])
        except PbemError as error:
            found.problems.append(f"{one.where}: {error.what}")
        else:
            by_game.setdefault(game_id, {}).setdefault(file.data, (file, one.where))
    for game_id, several in by_game.items():
        before = None if known is None else known.get(game_id)
        if (game := _longest(several, found.problems, verifier, before)) is not None:
            found.games[game_id] = game
    return found


def _longest(
    several: Mapping[bytes, tuple[TurnFile, str]],
    problems: list[str],
    verifier: Verifier | None,
    before: FoundGame | None,
) -> FoundGame | None:
    """The longest of the files of a game that holds; None if none does."""
    for file, where in sorted(several.values(), key=lambda one: len(one[0].entries), reverse=True):
        datas = [*several, *([] if before is None else [before.file.data])]
        strays = [data for data in datas if not file.data.startswith(data)]
        if before is not None and before.file.data == file.data and not strays:
            return before
        try:
            ledger = replay(file, verifier)
        except PbemError as error:
            problems.append(f"{where}: {error.what}")
            continue
        chains = [signed_chain(data, ledger.verifier) for data in (file.data, *strays)]
        return FoundGame(file, ledger, where, evidence(chains) if strays else [])
    return None
