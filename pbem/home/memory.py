"""What a player has signed and read, so that nobody can make them sign two versions of a turn.

One folder a game: `signed/NNNN.toml` is the whole turn file whose newest entry NNNN this player signed, stored before
anybody sees it; `read/NNNN-<hash>.toml` is every file that was read, and `seen/NNNN-<hash>` the date on which it was
read first, in a game with a clock. Laws (docs/format.md, section 9):

- one entry a game and number, ever; asked again, the player gives the same bytes;
- an entry is signed only on a file that contains all that was signed before;
- a file with an own entry that is not remembered stops the player until they say that nothing newer exists.

A remembered file that is damaged still counts as signed: it is mended from a verified file that holds the entry, and
until then nothing is signed in its game.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Damaged, Invalid, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.entries import Entry, TurnFile
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home import clock, place
from pbem.home.home import Home
from pbem.ledger import replay

_SIGNED = re.compile(r"([0-9]{4})\.toml\Z")


class Forgotten(Conflict):
    """A file holds an entry of the player that their home does not remember: they may have signed others too."""


class Memory:
    """What one home remembers of one game."""

    def __init__(self, home: Home, game_id: bytes) -> None:
        self._home = home
        self.game = game_id.hex()[:32]
        self.folder = home.folder / "games" / self.game
        self.notes: list[str] = []
        """What was mended or taken back, to be told to the player."""

    def check_open(self) -> None:
        """Raise `Conflict` if the home was moved away: then it signs nothing."""
        place.check_open(self._home.folder)

    def check_clock(self, own: Iterable[str]) -> None:
        """Raise `ClockDoubt` if the clock of this machine counts as wrong; `own` are the dates of own entries."""
        clock.check(self._home.folder, own)

    def tidy(self) -> None:
        """Remove what killed processes have left in the folders of this game and in the home."""
        for folder in (self._home.folder, self.folder, *(self.folder / name for name in ("signed", "read", "seen"))):
            files.remove_leftovers(folder)

    def signed(self, number: int) -> bytes | None:
        """The turn file that ends with this player's entry `number`, if they signed one. Raises `Damaged`."""
        data = self._stored(number)
        if data is not None and self._is_damaged(data, number):
            raise self._damaged(number, data)
        return data

    def signed_as(self, number: int, digest: str) -> bytes | None:
        """The same, if its SHA-256 is this one: then it is whole without being replayed. None if another entry was
        signed. Raises `Damaged`."""
        data = self._stored(number)
        if data is not None and hashlib.sha256(data).hexdigest() == digest:
            return data
        self.signed(number)
        return None

    def _stored(self, number: int) -> bytes | None:
        """What is stored as that file, whole or not. Raises `Damaged` if it cannot be read at all."""
        path = self._signed_path(number)
        if not os.path.lexists(path):
            return None
        try:
            return files.read_own(path, MAX_FILE)
        except Usage as error:
            hint = f"it remembers your turn {number}: make it readable again, or restore it from your copy"
            raise Damaged(error.what, hint=hint) from error

    def _damaged(self, number: int, data: bytes) -> Damaged:
        how = "damaged" if data else "empty"
        hint = (
            f"the newest file of this game mends it, with your turn {number} or a later one; pbem show FILE takes it in"
        )
        return Damaged(f"what you signed as turn {number} is {how}", where=str(self._signed_path(number)), hint=hint)

    def newest_signed(self) -> int | None:
        """The number of the newest entry this player signed."""
        folder = self.folder / "signed"
        names = [match[1] for path in _listed(folder) if (match := _SIGNED.match(path.name))]
        return max(map(int, names), default=None)

    def keep_signed(self, number: int, data: bytes, date: str = "") -> None:
        """Remember a file before anybody sees it; `date` is that of its newest entry where it is signed now. Raises
        `Conflict` if another entry of that number was signed."""
        self._home.make_folder("games", self.game, "signed")
        try:
            files.write_new(self._signed_path(number), data, mode=0o600)
        except Conflict as error:
            raise Conflict(
                f"turn {number} was signed already, with other contents",
                hint="a turn is signed once; pbem play FILE without answers writes the signed one again",
            ) from error
        self._check_alone(number, data)
        if date:
            clock.note_signed(self._home.folder, date)

    def _check_alone(self, number: int, data: bytes) -> None:
        """Another process may have signed on another branch of the same game meanwhile: then neither has signed."""
        for path in _listed(self.folder / "signed"):
            if (match := _SIGNED.match(path.name)) is None:
                continue  # what a killed process left
            other = files.read_own(path, MAX_FILE)
            if not (data.startswith(other) or other.startswith(data)):
                self._signed_path(number).unlink(missing_ok=True)
                is_damaged = self._is_damaged(other, int(match[1]))
                raise self._damaged(int(match[1]), other) if is_damaged else _signed_elsewhere(number, self.folder)

    def keep_read(self, file: TurnFile) -> None:
        """Remember a file from outside."""
        self._home.make_folder("games", self.game, "read")
        path = self._read_path(file)
        if not files.holds(path, file.data):  # its name has its digest: what else stands there is damaged
            files.replace(path, file.data)

        if "clock" in file.entries[0].fields:
            self._keep_time(file)

    def _keep_time(self, file: TurnFile) -> None:
        """Remember when this very file was seen for the first time: an entry says so in a game with a clock
        (docs/format.md, section 15)."""
        path = self._seen_path(file.data, len(file.entries) - 1)
        if not os.path.lexists(path):
            self._home.make_folder("games", self.game, "seen")
            with suppress(Conflict):  # another process has just seen it
                files.write_new(path, clock.now().encode(), mode=0o600)

    def first_seen(self, data: bytes, number: int) -> str:
        """The date on which this file, which ends with entry `number`, was first read; empty if nothing tells."""
        try:
            date = files.read_own(self._seen_path(data, number), 100).decode()
        except (Usage, UnicodeDecodeError):
            return ""
        return date if turnfile.is_date(date) else ""

    def _seen_path(self, data: bytes, number: int) -> Path:
        return self.folder / "seen" / f"{number:04}-{hashlib.sha256(data).hexdigest()[:16]}"

    def other_versions(self, file: TurnFile) -> list[Path]:
        """Files that were read whose newest entry has the same number and other bytes."""
        mine = hashlib.sha256(file.data).hexdigest()[:16]
        prefix = f"{len(file.entries) - 1:04}-"
        try:
            found = [path for path in files.listed(self.folder / "read") if path.name.startswith(prefix)]
        except Usage:  # told already, where the file was to be kept
            return []
        return [path for path in found if path.name != f"{prefix}{mine}.toml"]

    def check(self, file: TurnFile, own: list[int], *, nothing_newer: bool) -> bool:
        """Hold a verified file against the memory; `own` are the numbers of this player's entries in it.

        True if the file is older than what was signed. Raises `Conflict` if it tells another story than what was
        signed, or holds own entries that are not remembered (with `nothing_newer` they are remembered from now on);
        `Damaged` if the memory cannot be read.
        """
        _listed(self.folder / "signed")  # a memory that cannot be read remembers all the same
        for number in own:
            mine, stored = file.prefix(number + 1), self._stored(number)
            if stored is None:
                if not nothing_newer:
                    raise Forgotten(
                        f"this file holds your turn {number}, which this home does not remember",
                        hint="say so if you are sure that you signed nothing newer elsewhere; --i-have-no-newer-file",
                    )
                self.keep_signed(number, mine)
            elif stored != mine:
                if not self._is_damaged(stored, number):
                    raise self._other_version(file, stored, number)
                self._mend(number, stored, mine)
        newest = self.newest_signed()
        if newest is None or newest in own:
            return False
        signed = self.signed(newest) or b""
        if not signed.startswith(file.data):
            raise self._other_version(file, signed, newest)
        return True

    def take_over(self, other: Memory) -> None:
        """Remember what another memory of this game has signed: that of a home in whose place this one comes, from an
        older backup perhaps. Raises `Conflict` if the two have signed two versions of an entry, `Damaged`."""
        for path in _listed(other.folder / "signed"):
            number = int(match[1]) if (match := _SIGNED.match(path.name)) else None
            data = None if number is None else other._stored(number)
            if number is None or data is None or (mine := self._stored(number)) == data:
                continue
            if mine is None:
                self._home.make_folder("games", self.game, "signed")
                files.write_new(self._signed_path(number), data, mode=0o600)
            elif self._is_damaged(mine, number):
                files.replace(self._signed_path(number), data)
            elif not other._is_damaged(data, number):
                raise Conflict(
                    f"turn {number} of game {self.game[:8]} was signed here, and what is packed has another version",
                    hint="nothing was unpacked; go on in the home whose version the others have",
                )

    def _other_version(self, file: TurnFile, signed: bytes, number: int) -> Conflict:
        """Why a file contradicts the one that ends with the own entry `number`: somebody signed two versions of an
        entry, or another player took the seat."""
        ours = turnfile.read(signed).entries
        pairs = zip(ours, file.entries, strict=False)
        mine, theirs = next(((a, b) for a, b in pairs if a.after != b.after), (ours[-1], file.entries[-1]))
        if {mine.number, theirs.number} & {number} and theirs.fields.get("key") != mine.fields.get("key"):
            return Conflict(
                "you have joined this game on another file, and in this one somebody else joined instead of you",
                hint="of two joins one counts: ask the others to go on with your file, or for a new game",
            )
        files_of_both = [files.shown(path) for path in (self._signed_path(number), self._read_path(file))]
        if theirs.fields.get("key") != mine.fields.get("key"):
            what = f"turn {mine.number} is of two players who want the seat {mine.seat}: you have signed on the one in"
            return Conflict(
                f"{what} {files_of_both[0]}, and the one in {files_of_both[1]} is another",
                hint="of two joins one counts: ask the others to go on with your file, or for a new game",
            )
        whose = _whose(mine, turnfile.read(signed))
        what = f"turn {mine.number} is another version of a turn that you have answered or signed already"
        return Conflict(
            f"{what}: two versions of it exist, both signed with the key of {whose}, one in {files_of_both[0]} and the "
            f"other in {files_of_both[1]}",
            hint=f"go on with the one you answered; the two files together prove that {whose} signed twice",
        )

    def take_back(self, file: TurnFile, own: list[int], where: str) -> None:
        """Remember the own entries of a verified file that was found at `where`: this player signed them, before the
        home was lost or restored. Raises `Conflict` if the file tells another story than what is remembered."""
        known = self.newest_signed()
        self.check(file, own, nothing_newer=True)
        newest = max(own)
        if known is None or known < newest:
            self.notes.append(f"your turn {newest} stands in {where}: it is remembered now, and none was signed anew")

    def _mend(self, number: int, stored: bytes, mine: bytes) -> None:
        """Put the entry of a verified file in place of a damaged one, whose rest is kept beside it."""
        path = self._signed_path(number)
        if stored:
            files.replace(path.with_suffix(".damaged"), stored)
        files.replace(path, mine)
        self.notes.append(f"{files.shown(path)} was damaged, and is mended from this file")

    def _is_damaged(self, data: bytes, number: int) -> bool:
        """Whether this is no turn file that ends with entry `number` and verifies."""
        try:
            file = turnfile.read(data)
            replay.replay(file, self._home.checks.verifier)
        except Invalid:
            return True
        return len(file.entries) != number + 1

    def _read_path(self, file: TurnFile) -> Path:
        return self.folder / "read" / f"{len(file.entries) - 1:04}-{hashlib.sha256(file.data).hexdigest()[:16]}.toml"

    def _signed_path(self, number: int) -> Path:
        return self.folder / "signed" / f"{number:04}.toml"


def _whose(entry: Entry, file: TurnFile) -> str:
    """The player who signed an entry, by the name in their first one, and their seat."""
    names = [one.text("name") for one in file.entries if one.seat == entry.seat and one.text("name")]
    return f"{names[0]} ({entry.seat})" if names and names[0].isprintable() else entry.seat


def _signed_elsewhere(number: int, folder: Path) -> Conflict:
    return Conflict(
        f"turn {number} is another version of a turn that you have answered or signed already",
        hint=f"both versions are kept in {files.shown(folder)}; go on with the one you answered",
    )


def _listed(folder: Path) -> list[Path]:
    """Raises `Damaged`."""
    try:
        return files.listed(folder)
    except Usage as error:
        raise Damaged(error.what, hint=error.hint) from error
