"""What a home holds of its games: the newest file of each, found by a short name in place of a
path."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from pbem import files
from pbem.english import listed
from pbem.errors import Conflict, Damaged, Do, Hint, Newer, PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.characters import is_name, without_hidden
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.home import own_name
from pbem.home.home import Home
from pbem.home.joins import (
    Offered,
    came_first,
    differ_in_join,
    ends_with_join,
    first_come,
    goes_before,
    has_gone_on,
    may_give_way,
    offered,
    went_on_without,
)
from pbem.ledger.ledger import Ledger

_KEPT = re.compile(r"([0-9]{4})(?:-([0-9a-f]{16}))?\.toml\Z")
READ_FILE = re.compile(r"([0-9]{4})-([0-9a-f]{16})\.toml\Z")
"""The name of a file that was read: the number of its newest entry and the beginning of its
SHA-256."""
_SHORT = re.compile(r"(?:[a-z][a-z0-9-]{0,63}|[0-9a-f]{4,64})(?:@[a-z0-9]{1,40})?\Z")
_ID = re.compile(r"[0-9a-f]{64}\Z")
MAX_NAMED = 6
"""Games that a message names; `pbem inbox` lists them all."""
GAME = re.compile(r"[0-9a-f]{32}\Z")
"""The name of a game's folder in the memory."""


NEWER = (
    "made by a newer pbem: update this one, and until then play this game where it was made; the"
    " file is to stay"
)
"""The reason for a file that is not damaged, but that this program is too old to read."""


@dataclass
class Shelf:
    """What a home holds of one game: the newest file, and files that contradict it and are not
    settled yet."""

    path: Path
    file: TurnFile
    rivals: list[Path] = field(default_factory=list)
    tables: list[Offered] = field(default_factory=list)
    """Where the rivals are joins of others: what the inviter may go on with."""

    @property
    def number(self) -> str:
        """The first 32 digits of the game id."""
        return self.path.parent.parent.name

    def title(self) -> str:
        """What the player calls the game, or else its inviter; empty if neither has named it."""
        return own_name.read(self.path.parent.parent) or self.file.entries[0].text("called")

    def is_named_by(self, name: str) -> bool:
        """Whether the short name or the number of this game begins with this text."""
        return is_short_for(name, self.file.entries[0].text("game"), self.number)


@dataclass(frozen=True)
class Damage:
    """A file of the memory that cannot be read, or does not hold what was written; nothing is taken
    from it."""

    path: Path
    what: str
    """What is wrong, in words."""
    hint: Hint = ""
    """What to do."""
    is_newer: bool = False
    """Whether nothing is wrong with the file: a newer program made it."""


@dataclass
class KeptGame:
    """One game's folder of the memory: what can be read of it (None: nothing), and the damaged
    files."""

    shelf: Shelf | None
    damages: list[Damage]


def shelf_of(folder: Path) -> Shelf | None:
    """What the home holds of the game in this folder of the memory; None if no file of it can be
    read."""
    return kept_in(folder).shelf


def kept_in(folder: Path) -> KeptGame:
    """What the home holds of the game in this folder, with every damaged file that was tried before
    the newest one that can be read."""
    damages: list[Damage] = []
    shelf = _newest_in(folder, damages)
    return KeptGame(shelf, [_with_remedy(one, shelf) for one in damages])


def _newest_in(folder: Path, damages: list[Damage]) -> Shelf | None:
    """The newest file of a game that can be read; each damaged one that was tried before it is
    added to the damages."""
    found = [
        (int(m[1]), path) for path in _list_files(folder, damages) if (m := _KEPT.match(path.name))
    ]
    first = first_come(folder)
    found.sort(key=lambda pair: (-pair[0], pair[1].parent.name == "read", pair[1].name))
    signed = (
        (path, _turn_file(path, damages)) for _, path in found if path.parent.name == "signed"
    )
    own_path, own = next(((path, file) for path, file in signed if file is not None), (None, None))
    bytes_of_own = own.data if own is not None else b""
    damaged = {damage.path for damage in damages}
    read = [path for _, path in found if path.parent.name == "read"]
    is_bound = own is not None and len(own.entries) > 1 and not ends_with_join(own)
    mine: Shelf | None = None
    other: Shelf | None = None
    for _, path in found:
        if path in damaged:
            continue
        file = own if path == own_path else _turn_file(path, damages)
        if file is None:
            continue
        if file.data.startswith(bytes_of_own):
            if is_bound or has_gone_on(file):
                mine = Shelf(path, file)
                break
            if mine is None or (
                len(file.entries) == len(mine.file.entries)
                and came_first(file, first)
                and not came_first(mine.file, first)
            ):
                mine = Shelf(path, file)
        elif own is not None and (went_on_without(own, file) or may_give_way(own, file)):
            other = Shelf(path, file) if other is None or _goes_on(file, other.file) else other
    if other is not None and (mine is None or _goes_on(other.file, mine.file)):
        return other
    if mine is not None:
        mine.rivals = [path for path in read if _is_rival(path, mine.file, bytes_of_own)]
        _settle_joins(mine, is_inviter=own is not None and len(own.entries) == 1)
    return mine


def _with_remedy(damage: Damage, shelf: Shelf | None) -> Damage:
    """What is wrong with a file of the memory, and what to do, by what can be read besides (None:
    nothing)."""
    match = _KEPT.match(damage.path.name)
    if match is None or damage.is_newer:
        return damage
    number = int(match[1])
    if match[2] is None:
        remedy = signed_remedy(number)
    elif shelf is not None and number < len(shelf.file.entries):
        remedy = (
            f"nothing is missing: the game has gone on to turn {len(shelf.file.entries) - 1}, which"
            " is whole; this file can be removed"
        )
    else:
        remedy = (
            f"turn {number} is missing until it comes once more: take it in again from its mail or"
            " file",
            Do("inbox", "FILE", does="does"),
            "or ask whoever wrote it to send it again",
        )
    return replace(damage, hint=remedy)


def signed_remedy(number: int) -> Hint:
    """What to do where the stored file with the player's own entry of this number is damaged."""
    return (
        f"a whole file of this game with your turn {number} mends it: the one that you sent, or any"
        " later one",
        Do("inbox", "FILE", does="takes it in"),
        "if you have none, ask the others for theirs",
        Do(
            "show",
            "GAME",
            "--i-have-no-newer-file",
            when="only if that turn never left this computer, and is not to count",
        ),
    )


def _goes_on(file: TurnFile, other: TurnFile) -> bool:
    """Whether of two files of which one begins with the player's join the first goes on."""
    if has_gone_on(file) or has_gone_on(other):
        return not has_gone_on(other)
    return goes_before(file, other)


def _turn_file(path: Path, damages: list[Damage]) -> TurnFile | None:
    """A file of the memory; None if it does not hold what was written, which adds to the
    damages."""
    match = _KEPT.match(path.name)
    assert match is not None
    try:
        data = files.read_own(path, MAX_FILE)
    except Usage as error:
        damages.append(Damage(path, error.what))
        return None
    try:
        file = turnfile.read(data)
    except Newer as error:
        damages.append(Damage(path, f"{NEWER} ({error.what})", is_newer=True))
        return None
    except PbemError:
        damages.append(Damage(path, "damaged" if data else "empty"))
        return None
    if len(file.entries) != int(match[1]) + 1 or (
        match[2] and hashlib.sha256(data).hexdigest()[:16] != match[2]
    ):
        damages.append(Damage(path, "damaged"))
        return None
    return file


def _is_rival(path: Path, newest: TurnFile, own: bytes) -> bool:
    """Whether a kept file is not part of the newest one, and is not settled by what the player has
    signed since."""
    match = _KEPT.match(path.name)
    assert match is not None
    number = int(match[1])
    if number < len(newest.entries):
        known = hashlib.sha256(newest.prefix(number + 1)).hexdigest()[:16]
        if known == match[2]:
            return False
    other = _turn_file(path, [])
    return (
        other is not None
        and other.data.startswith(own)
        and (has_gone_on(other) or not has_gone_on(newest))
    )


def _settle_joins(shelf: Shelf, *, is_inviter: bool) -> None:
    """Of rivals that are joins of several players: they are the inviter's to choose from, once a
    table is full; nobody else is to do anything about them."""
    if not shelf.rivals or has_gone_on(shelf.file):
        return
    files = [(path, file) for path in shelf.rivals if (file := _turn_file(path, [])) is not None]
    if any(has_gone_on(file) or not differ_in_join(file, shelf.file) for _, file in files):
        return
    tables = offered([(shelf.path, shelf.file), *files]) if is_inviter else []
    shelf.tables = tables if len(tables) > 1 and any(one.full for one in tables) else []
    shelf.rivals = [Path(one.path) for one in shelf.tables if one.path != str(shelf.path)]


def _list_files(folder: Path, damages: list[Damage]) -> list[Path]:
    """The names in both folders of a game's memory."""
    names: list[Path] = []
    for below in (folder / "signed", folder / "read"):
        try:
            names += files.listed(below)
        except Usage as error:
            damages.append(Damage(below, error.what, error.hint))
    return names


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


def holds_file(folder: Path, file: TurnFile) -> bool:
    """Whether the memory of a game holds this very file, read or signed."""
    number = len(file.entries) - 1
    digest = hashlib.sha256(file.data).hexdigest()[:16]
    return files.holds(folder / "read" / f"{number:04}-{digest}.toml", file.data) or files.holds(
        folder / "signed" / f"{number:04}.toml", file.data
    )


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


def is_short_for(name: str, game: str, number: str) -> bool:
    """Whether the short name (`GAME-1a2b3c4d`) or the id of a game begins with this text; of the
    id's 64 digits `number` has 32."""
    is_whole_id = (
        len(name) > len(number) and _ID.match(name) is not None and name.startswith(number)
    )
    return is_whole_id or number.startswith(name) or f"{game}-{number}".startswith(name)


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
