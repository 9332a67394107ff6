"""The news of a home: what a notification says of a turn that came, in one title and one line of
text, and the record of what was reported (`watch/told.json`), so that each new turn is reported
once.

Notifications go to programs and services of the player's choice. They hold nothing that one seat
alone knows, for they are made from the public game, before the player's own proof settles anything.
Other people choose names, and the words of a game's own data. So only letters, digits and a few
signs pass that no program takes for anything else.

What is new follows from the home's memory and this record, and not from what one round happened to
take in: a watcher that is killed in between reports it later. The record is written before the
notifications go out, and each of them looks into it first (`pbem.watch.teller`). So nothing is
reported twice, and nothing is lost.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.english import numbered
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, Entry
from pbem.home import outbox
from pbem.home.game_index import game_folders, short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.shelf import READ_FILE, Shelf, kept_in
from pbem.home.store import StateFile
from pbem.ledger.ledger import Ledger
from pbem.turn import open_game
from pbem.turn.game_list import GameSummary, summary
from pbem.turn.inbox import seat_open_to
from pbem.watch.failing import Failing, Failure

LONGEST = 300
"""Characters of a title or a text."""
LONGEST_NAME = 40
_PLAIN = " .,:+-/_@×’"


@dataclass(frozen=True)
class News:
    """One thing that is reported. `kind` is turn, invitation, version (another version of an entry
    that is here), or problem, which may belong to no game. `text` is one line."""

    kind: str
    game: str
    entry: int | None
    title: str
    text: str


def of_game(home: Home, key: bytes, folder: Path, record: NewsRecord) -> list[News]:
    """What is new in one game, the oldest first. It is added to the record, which `NewsRecord.keep`
    writes down."""
    names = record.unreported(folder)
    before = record.newest(folder.name)
    shelf = kept_in(folder).shelf if names else None
    if shelf is None:
        record.add(folder.name, names)
        return []
    found = _told(home, key, folder, names, shelf, before)
    record.add(folder.name, names)  # what cannot be told now is told once it can
    return found


def _told(
    home: Home, key: bytes, folder: Path, names: Sequence[str], shelf: Shelf, before: int
) -> list[News]:
    """What these files of a game bring that is new since entry `before`."""
    game, _ = home.checks.follow(shelf.file.data)
    signed = Memory(home, bytes.fromhex(folder.name)).newest_signed()
    before = max(before, -1 if signed is None else signed - 1)
    found = []
    for name in names:
        number = int(name[:4])
        is_part = number < len(game.entries) and game.entries[number].after.hex().startswith(
            name[5:21]
        )
        if not is_part:
            found.append(_version(game, folder / "read" / name))
        elif game.seat_of(game.entries[number]) != game.seat_with(key):
            is_answered = _is_answered(folder, number)
            if number > before or is_answered:  # what the player has answered by hand they know
                found.append(_turn(game, number, key, is_answered))
    return found


def problem(text: str, game: str = "") -> News:
    """A notification about something that went wrong."""
    return News("problem", game, None, "pbem watch", plain(text))


def plain(text: str) -> str:
    """The text as one line of letters, digits and harmless signs that begins with a letter or a
    digit."""
    text = text.replace("'", "’").replace(";", ",").replace("(", ", ")
    kept = "".join(c if c.isalnum() or c in _PLAIN else " " for c in text)
    return re.sub(r"\s+(?=[ ,.:])", "", kept).strip(" .,:+-/")[:LONGEST]


def _is_answered(folder: Path, number: int) -> bool:
    """Whether the program has answered this entry by itself."""
    try:
        return any(turn.written and turn.number == number + 1 for turn in outbox.read(folder))
    except PbemError:
        return False


def _turn(game: Ledger, number: int, key: bytes, is_answered: bool) -> News:
    """The news of another player's turn."""
    facts, entry = summary(game, key), game.entries[number]
    author, named = _author(game, entry), numbered(number, game.rules.measure)
    if facts.seat is None:
        if seat_open_to(game, key) is None:
            return _news("turn", facts, number, "a turn", [f"{named} by {author}"])
        return _news("invitation", facts, number, "an invitation", [f"{author} invites you"])
    what = f"{author} has joined" if "key" in entry.fields else f"{named} by {author}"
    if "end" in entry.fields:
        what = f"{author} says that their program has verified the end"
    if number == len(game.entries) - 1 and open_game.dated_ahead(game, game.seat_with(key)):
        what += f", dated {entry.date[:10]} by their clock"
    if number < len(game.entries) - 1 and not is_answered:
        return _news("turn", facts, number, "a turn", [what])
    if is_answered:
        return _news("turn", facts, number, "a turn", [what, "answered by itself"])
    title = "your turn" if facts.yours else "a turn"
    waits = f"waits for {facts.to_act_name or facts.to_act}: {facts.due}" if facts.to_act else ""
    if facts.yours:
        waits = facts.due
    if facts.over is not None:
        title, waits = "the game is over", facts.over.how
    return _news("turn", facts, number, title, [what, waits])


def _version(game: Ledger, path: Path) -> News:
    """The news of another version of an entry: two players want the same seat, or somebody has
    signed an entry twice."""
    number = int(path.name[:4])
    try:
        other = turnfile.read(files.read_own(path, MAX_FILE))
        number = next(
            a.number
            for a, b in zip(game.entries, other.entries, strict=False)
            if a.after != b.after
        )
    except (PbemError, StopIteration):
        pass
    text = (
        f"{short_name(game)}: another version of {numbered(number, game.rules.measure)} has come,"
        " and both are kept: pbem inbox"
    )
    title = f"{game.rules.title}: two versions"
    return News("version", short_name(game), number, plain(title), plain(text))


def _author(game: Ledger, entry: Entry) -> str:
    """The author's name, or their seat if the name is not a plain one."""
    player = game.players[game.seat_of(entry)]
    name = "" if player is None else player.name
    is_plain = len(name) <= LONGEST_NAME and all(c.isalnum() or c in " .-’'" for c in name)
    return name if is_plain and name else entry.seat


def _news(kind: str, facts: GameSummary, number: int, title: str, parts: Sequence[str]) -> News:
    text = f"{facts.short}, {facts.when}: {'. '.join(part for part in parts if part)}"
    return News(kind, facts.short, number, plain(f"{facts.title}: {title}"), plain(text))


MAX_PROBLEMS, MAX_ROUNDS = 2000, 50
"""Problems and rounds that are remembered; of more, the newest."""


@dataclass(frozen=True)
class Record:
    """What was reported: the names of files by game, the digests of problems, the rounds of
    notifications, and what fails."""

    games: dict[str, list[str]]
    problems: list[str]
    rounds: list[str]
    failing: dict[str, Failure] = field(default_factory=dict)


_RECORD = StateFile("told.json", Record, 50_000_000)


class NewsRecord:
    """The record of what was reported in one home. Raises `Usage` if it cannot be written."""

    def __init__(self, home: Home) -> None:
        self.path = home.make_folder("watch") / _RECORD.name
        self._games: dict[str, list[str]] = {}
        self._problems: list[str] = []
        self._rounds: list[str] = []
        self.failing = Failing(self.path.parent)
        self._kept: dict[str, Failure] = {}
        self.is_changed = False
        """Whether there is something that `keep` has to write down, but for what fails."""
        if not self.read():  # the first time: what is here already is no news
            for folder in game_folders(home):
                self._games[folder.name] = names_in(folder)
            self.keep(new_round())

    def unreported(self, folder: Path) -> list[str]:
        """The names of the files read in a game that were not reported yet, the oldest entry
        first."""
        known = set(self._games.get(folder.name, ()))
        return [name for name in names_in(folder) if name not in known]

    def newest(self, game: str) -> int:
        """The number of the newest entry that was reported in a game; -1 if none was."""
        return max((int(name[:4]) for name in self._games.get(game, ())), default=-1)

    def add(self, game: str, names: Iterable[str]) -> None:
        """These files are reported, or need not be. `keep` writes that down."""
        new_names = list(names)
        if new_names:
            self._games[game] = [*self._games.get(game, ()), *new_names]
            self.is_changed = True

    def add_problem(self, text: str) -> bool:
        """Add a problem to the record; returns whether it was new."""
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        if digest in self._problems:
            return False
        self._problems = [*self._problems, digest][-MAX_PROBLEMS:]
        return True

    def is_to_be_kept(self) -> bool:
        """Whether `keep` has anything to write down."""
        return self.is_changed or self._kept != self.failing.snapshot()

    def keep(self, name: str) -> None:
        """Write the record down, with the name of this round: a notification of the round goes out
        only if it finds it there."""
        self._rounds = [*self._rounds, name][-MAX_ROUNDS:]
        self._kept = self.failing.snapshot()
        _RECORD.write(
            self.path.parent, Record(self._games, self._problems, self._rounds, self._kept)
        )
        self.is_changed = False

    def read(self) -> bool:
        """Go back to the record as it was written down. Returns False if there is none, or only a
        damaged one, which begins anew."""
        found = _RECORD.read_if_whole(self.path.parent)
        if found is None:
            return False
        self._games = found.games
        self._problems = found.problems
        self._rounds = found.rounds
        self._kept, self.is_changed = found.failing, False
        self.failing.go_back(found.failing)
        return True


def new_round() -> str:
    """A new name for a round of notifications."""
    return secrets.token_hex(8)


def names_in(folder: Path) -> list[str]:
    """The names of the files that were read in a game. Raises `Usage`."""
    return [path.name for path in files.listed(folder / "read") if READ_FILE.match(path.name)]
