"""What is told of a turn that came: what everybody may know, in one title and one line of text.

Both go to programs and services of the player's choice. They hold nothing that one seat alone
knows: they are made from the public game, before the player's own proof settles anything. Names are
other people's choice, and so are words of a game's own data: only letters, digits and a few signs
pass that no program takes for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, Entry
from pbem.home.game_index import kept_in, short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.ledger.ledger import Ledger
from pbem.turn import open_game
from pbem.turn.game_list import GameSummary, summary
from pbem.turn.inbox import may_join
from pbem.watch.journal import Journal
from pbem.watch.told import NewsRecord

LONGEST = 300
"""Characters of a title or a text."""
LONGEST_NAME = 40
_PLAIN = " .,:+-/_@×’"


@dataclass(frozen=True)
class News:
    """One thing that is told. `kind` is turn, invitation, version (another one of an entry that is
    here), or problem (then there may be no game); `text` is one line."""

    kind: str
    game: str
    entry: int | None
    title: str
    text: str


def of_game(home: Home, key: bytes, folder: Path, told: NewsRecord) -> list[News]:
    """What is new in one game, the oldest first; it is noted as told, for `Told.keep` to write
    down."""
    names = told.untold(folder)
    before = told.newest(folder.name)
    told.add(folder.name, names)
    shelf = kept_in(folder).shelf if names else None
    if shelf is None:
        return []
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
    """Something that went wrong."""
    return News("problem", game, None, "pbem watch", plain(text))


def plain(text: str) -> str:
    """One line of letters, digits and harmless signs, that begins with a letter or a digit."""
    text = text.replace("'", "’").replace(";", ",").replace("(", ", ")
    kept = "".join(c if c.isalnum() or c in _PLAIN else " " for c in text)
    return re.sub(r"\s+(?=[ ,.:])", "", kept).strip(" .,:+-/")[:LONGEST]


def _is_answered(folder: Path, number: int) -> bool:
    try:
        return any(entry.number == number + 1 for entry in Journal(folder).entries)
    except PbemError:
        return False


def _turn(game: Ledger, number: int, key: bytes, is_answered: bool) -> News:
    """A turn of another player."""
    facts, entry = summary(game, key), game.entries[number]
    author = _author(game, entry)
    if facts.seat is None:
        if not may_join(game, key):
            return _news("turn", facts, number, "a turn", [f"turn {number} by {author}"])
        return _news("invitation", facts, number, "an invitation", [f"{author} invites you"])
    what = f"{author} has joined" if "key" in entry.fields else f"turn {number} by {author}"
    if "end" in entry.fields:
        what = f"{author} says that their program has verified the end"
    if number == len(game.entries) - 1 and open_game.dated_ahead(game, game.seat_with(key)):
        what += f", dated {entry.date[:10]} by their clock"
    if number < len(game.entries) - 1 and not is_answered:
        return _news("turn", facts, number, "a turn", [what])
    if is_answered:
        return _news("turn", facts, number, "a turn", [what, "answered by itself"])
    title = "your turn" if facts.yours else "a turn"
    waits = (
        facts.due
        if facts.yours
        else f"waits for {facts.to_act_name or facts.to_act}: {facts.due}"
        if facts.to_act
        else ""
    )
    if facts.over is not None:
        title, waits = "the game is over", facts.over.how
    return _news("turn", facts, number, title, [what, waits])


def _version(game: Ledger, path: Path) -> News:
    """Another version of something that is here: two players want one seat, or somebody has signed
    an entry twice."""
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
        f"{short_name(game)}: another version of turn {number} has come, and both are kept: pbem"
        " inbox"
    )
    title = f"{game.rules.title}: two versions"
    return News("version", short_name(game), number, plain(title), plain(text))


def _author(game: Ledger, entry: Entry) -> str:
    """Their name; the seat where the name is anything but a plain one."""
    player = game.players[game.seat_of(entry)]
    name = "" if player is None else player.name
    is_plain = len(name) <= LONGEST_NAME and all(c.isalnum() or c in " .-’'" for c in name)
    return name if is_plain and name else entry.seat


def _news(kind: str, facts: GameSummary, number: int, title: str, parts: Sequence[str]) -> News:
    text = f"{facts.short}, {facts.when}: {'. '.join(part for part in parts if part)}"
    return News(kind, facts.short, number, plain(f"{facts.title}: {title}"), plain(text))
