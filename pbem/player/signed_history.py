"""What a player has signed and read, so that nobody can make him sign two versions of a turn.

One folder a game: `signed/NNNN.toml` is the whole turn file whose newest entry NNNN this player signed, stored before
anybody sees it; `read/NNNN-<hash>.toml` is every file that was read. Laws (docs/format.md, section 9):

- one entry a game and number, ever; asked again, the player gives the same bytes;
- an entry is signed only on a file that contains all that was signed before;
- a file with an own entry that is not remembered stops the player until he says that nothing newer exists.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pbem import files
from pbem.errors import Conflict
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.player.home import Home

_SIGNED = re.compile(r"([0-9]{4})\.toml\Z")


class Memory:
    """What one home remembers of one game."""

    def __init__(self, home: Home, game_id: bytes) -> None:
        self._home = home
        self._name = game_id.hex()[:32]
        self.folder = home.folder / "games" / self._name

    def signed(self, number: int) -> bytes | None:
        """The turn file that ends with this player's entry `number`, if he signed one."""
        path = self._signed_path(number)
        return files.read_bytes(path, MAX_FILE) if path.exists() else None

    def newest_signed(self) -> int | None:
        """The number of the newest entry this player signed."""
        folder = self.folder / "signed"
        names = [match[1] for path in _listed(folder) if (match := _SIGNED.match(path.name))]
        return max(map(int, names), default=None)

    def keep_signed(self, number: int, data: bytes) -> None:
        """Remember a file before anybody sees it. Raises `Conflict` if another entry of that number was signed."""
        self._home.make_folder("games", self._name, "signed")
        try:
            files.write_new(self._signed_path(number), data, mode=0o600)
        except Conflict as error:
            raise Conflict(
                f"entry {number} was signed already, with other contents",
                hint="one entry a turn, ever: pbem play FILE without answers writes the signed one again",
            ) from error
        self._check_alone(number, data)

    def _check_alone(self, number: int, data: bytes) -> None:
        """Another process may have signed on another branch of the same game meanwhile: then neither has signed."""
        for path in _listed(self.folder / "signed"):
            if not _SIGNED.match(path.name):
                continue  # what a killed process left
            other = files.read_bytes(path, MAX_FILE)
            if not (data.startswith(other) or other.startswith(data)):
                self._signed_path(number).unlink(missing_ok=True)
                raise _other_version(number, self.folder)

    def keep_read(self, file: TurnFile) -> None:
        """Remember a file from outside."""
        folder = self._home.make_folder("games", self._name, "read")
        name = f"{len(file.entries) - 1:04}-{hashlib.sha256(file.data).hexdigest()[:16]}.toml"
        if not (folder / name).exists():
            files.write_new(folder / name, file.data, mode=0o600)

    def other_versions(self, file: TurnFile) -> list[Path]:
        """Files that were read whose newest entry has the same number and other bytes."""
        mine = hashlib.sha256(file.data).hexdigest()[:16]
        prefix = f"{len(file.entries) - 1:04}-"
        found = [path for path in _listed(self.folder / "read") if path.name.startswith(prefix)]
        return [path for path in found if path.name != f"{prefix}{mine}.toml"]

    def check(self, file: TurnFile, own: list[int], *, nothing_newer: bool) -> bool:
        """Hold a verified file against the memory; `own` are the numbers of this player's entries in it.

        True if the file is older than what was signed. Raises `Conflict` if it tells another story than what was
        signed, or holds own entries that are not remembered (with `nothing_newer` they are remembered from now on).
        """
        for number in own:
            signed = self.signed(number)
            if signed is None:
                if not nothing_newer:
                    raise Conflict(
                        f"this file holds your entry {number}, which this home does not remember",
                        hint="if you are sure that you signed nothing newer elsewhere: --i-have-no-newer-file",
                    )
                self.keep_signed(number, file.prefix(number + 1))
            elif signed != file.prefix(number + 1):
                raise _other_version(self._first_difference(file, signed), self.folder)
        newest = self.newest_signed()
        if newest is None or newest in own:
            return False
        signed = self.signed(newest) or b""
        if not signed.startswith(file.data):
            if not own:
                raise Conflict(
                    "you have joined this game on another file, and in this one somebody else joined instead of you",
                    hint="of two joins one counts: ask the others to go on with your file, or for a new game",
                )
            raise _other_version(self._first_difference(file, signed), self.folder)
        return True

    def _signed_path(self, number: int) -> Path:
        return self.folder / "signed" / f"{number:04}.toml"

    def _first_difference(self, file: TurnFile, signed: bytes) -> int:
        return next((entry.number for entry in file.entries if not signed.startswith(file.prefix(entry.number + 1))), 0)


def _other_version(number: int, folder: Path) -> Conflict:
    return Conflict(
        f"entry {number} is another version of a turn that you have answered or signed already",
        hint=f"both versions are kept in {files.shown(folder)}; go on with the one you answered",
    )


def _listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
