"""What a home holds of its games: the newest file of each, found by a short name in place of a
path."""

from __future__ import annotations

import re
from pathlib import Path

from pbem import files
from pbem.english import listed
from pbem.errors import Conflict, Damaged, Do, Hint, Newer, Usage
from pbem.fileformat.characters import is_name, without_hidden
from pbem.fileformat.turnfile import TurnFile
from pbem.home import own_name
from pbem.home.home import Home
from pbem.home.shelf import READ_FILE, KeptGame, Shelf, kept_in, shelf_of
from pbem.ledger.ledger import Ledger

_SHORT = re.compile(r"(?:[a-z][a-z0-9-]{0,63}|[0-9a-f]{4,64})(?:@[a-z0-9]{1,40})?\Z")
MAX_NAMED = 6
"""Games that a message names; `pbem inbox` lists them all."""
GAME = re.compile(r"[0-9a-f]{32}\Z")
"""The name of a game's folder in the memory."""


def short_name(game: Ledger) -> str:
    """The name that the commands take instead of a file: `GAME-1a2b3c4d`."""
    return f"{game.rules.name}-{game.game_id.hex()[:8]}"


def short_name_in(file: TurnFile, number: str) -> str:
    """The short name of a file that is not replayed, with the number of its game."""
    return f"{file.entries[0].text('game')}-{number[:8]}"


def game_folders(home: Home) -> list[Path]:
    """The folder of each game that a home remembers. Raises `Usage`."""
    return [path for path in files.listed(home.folder / "games") if GAME.match(path.name)]


def shelf_with_number(home: Home, digits: str) -> Shelf | None:
    """What a home holds of the game whose id begins with these digits; None if it holds nothing
    that can be read."""
    folder = next((path for path in game_folders(home) if path.name.startswith(digits)), None)
    return None if folder is None else shelf_of(folder)


def holds_entry(home: Home, digits: str, number: int) -> bool:
    """Whether the home holds this entry of the game whose id begins with these digits."""
    shelf = shelf_with_number(home, digits)
    return shelf is not None and len(shelf.file.entries) > number


def newest_path(home: Home | None, name: str, *, asks: bool = True) -> Path:
    """The newest file of the game whose short name, number or title begins with this text; with
    "@" and a name behind it that of one of several tables. Raises `Usage` if there is no such game
    or more than one, and `Conflict` if there are two versions of it, or several tables and nothing
    says which; where a page shows who sits there (not `asks`) that is the one that came first."""
    known = game_folders(home or Home())
    beginning, at, label = name.rpartition("@")
    name = beginning if at else name
    folders = [path for path in known if path.name.startswith(name)] or known
    kept = [kept_in(path) for path in folders]
    shelves = [one.shelf for one in kept if one.shelf is not None]
    found = [shelf for shelf in shelves if shelf.is_named_by(name)]
    found = found or [shelf for shelf in shelves if own_name.begins_so(shelf.title(), name)]
    if not found:
        for path, one in zip(folders, kept, strict=True):
            if one.shelf is None and one.damages and path.name.startswith(name.rpartition("-")[2]):
                first = one.damages[0]
                raise (Newer if first.is_newer else Damaged)(
                    first.what, where=files.printable(first.path), hint=first.hint
                )
        raise Usage(
            f'there is no file "{name}", and no game of this home begins so',
            hint=_hint_about(shelves),
        )
    if len(found) > 1:
        raise Usage(
            f'{len(found)} games begin with "{name}": {_name_some(found)}',
            hint="type more of the name",
        )
    _check_newest(found[0], kept)
    if (tables := found[0].tables) and not asks:
        return found[0].path
    if tables:
        short = short_name_in(found[0].file, found[0].number)
        chosen = [one for one in tables if at and one.label.startswith(label)]
        if len(chosen) == 1:
            return Path(chosen[0].path)
        several = "; ".join(f"{one.in_words()}: {short}@{one.label}" for one in tables[:MAX_NAMED])
        raise Conflict(
            f"several want to play this game, and you choose: {several}",
            hint=Do("play", f"{short}@{tables[0].label}", when="name it so, as in"),
        )
    if found[0].rivals:
        versions = [files.printable(path) for path in (found[0].path, *found[0].rivals)]
        count = "two" if len(versions) == 2 else len(versions)
        more = [f"{len(versions) - MAX_NAMED} more"] if len(versions) > MAX_NAMED else []
        versions_in_words = listed(versions[:MAX_NAMED] + more)
        raise Conflict(
            f"there are {count} versions of this game: {versions_in_words}",
            hint="name the one you go on with",
        )
    return found[0].path


def _check_newest(shelf: Shelf, kept: list[KeptGame]) -> None:
    """Raise `Damaged` if a file that goes on from this newest one was read, and is damaged since:
    the game is not where it seems."""
    damages = next(one.damages for one in kept if one.shelf is shelf)
    for one in damages:
        match = READ_FILE.match(one.path.name)
        if match is not None and not one.is_newer and int(match[1]) >= len(shelf.file.entries):
            raise Damaged(
                f"what came as turn {int(match[1])} is {one.what}",
                where=files.printable(one.path),
                hint=one.hint,
            )


def _hint_about(shelves: list[Shelf]) -> Hint:
    if not shelves:
        return Do("inbox", "PLACE", does="takes in the turns that lie there")
    return Do("inbox", does=f"lists the games this home knows: {_name_some(shelves)}")


def _name_some(shelves: list[Shelf]) -> str:
    """A few games by their short names, with their players."""
    names = []
    for shelf in shelves[:MAX_NAMED]:
        first = shelf.file.entries[0]
        players = ", ".join(
            entry.text("name")[:30] for entry in shelf.file.entries if "key" in entry.fields
        )
        by_name = f'"{without_hidden(title)}", ' if (title := shelf.title()) else ""
        names.append(f"{first.text('game')}-{shelf.number[:8]} ({by_name}{players})")
    more = f" and {len(shelves) - MAX_NAMED} more" if len(shelves) > MAX_NAMED else ""
    return ", ".join(names) + more


def is_short(path: Path) -> bool:
    """Whether a text looks like the beginning of a game's short name or title, and not like a file
    that exists."""
    text = str(path)
    may_be_title = (
        len(path.parts) == 1 and len(text) <= own_name.LONGEST and not path.suffix and is_name(text)
    )
    return (_SHORT.match(text) is not None or may_be_title) and not path.exists()
