"""What a home holds of one game: its newest file, files that contradict it, and those that are
damaged."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from pbem import files
from pbem.errors import Do, Hint, Newer, PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.home import own_name
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

_KEPT = re.compile(r"([0-9]{4})(?:-([0-9a-f]{16}))?\.toml\Z")

READ_FILE = re.compile(r"([0-9]{4})-([0-9a-f]{16})\.toml\Z")
"""The name of a file that was read: the number of its newest entry and the beginning of its
SHA-256."""

_ID = re.compile(r"[0-9a-f]{64}\Z")

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


def signed_path(folder: Path, number: int) -> Path:
    """Where the file with the player's own entry of this number lies in a game's folder."""
    return folder / "signed" / f"{number:04}.toml"


def read_path(folder: Path, number: int, digest: str) -> Path:
    """Where a file lies that was read, which ends with the entry of this number and has this
    SHA-256 in hexadecimal digits."""
    return folder / "read" / f"{number:04}-{digest[:16]}.toml"


def holds_file(folder: Path, file: TurnFile) -> bool:
    """Whether the memory of a game holds this very file, read or signed."""
    number, digest = len(file.entries) - 1, hashlib.sha256(file.data).hexdigest()
    return files.holds(read_path(folder, number, digest), file.data) or files.holds(
        signed_path(folder, number), file.data
    )


def is_short_for(name: str, game: str, number: str) -> bool:
    """Whether the short name (`GAME-1a2b3c4d`) or the id of a game begins with this text; of the
    id's 64 digits `number` has 32."""
    is_whole_id = (
        len(name) > len(number) and _ID.match(name) is not None and name.startswith(number)
    )
    return is_whole_id or number.startswith(name) or f"{game}-{number}".startswith(name)
