"""The files in which a player's state is kept. Each is read and written by the type of what it
holds.

Whoever keeps something names its file and type once (`StateFile`). A file is written whole or not
at all. A file that does not hold what was written is `Damaged`, or counts as missing where it is
only a help.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from pbem import files
from pbem.errors import Damaged, Hint, PbemError, Usage

Contents = TypeVar("Contents")

EMPTY = "the file is empty"
"""What is wrong with a file that was emptied."""


@dataclass(frozen=True)
class StateFile(Generic[Contents]):
    """A kind of state file: its name in a folder, which ends in `.json` or `.toml`; the type of
    what it holds, made of dataclasses, named tuples and structs; and its largest size in bytes.
    `damage` and `hint` are for a damaged file: what is wrong, and what to do.
    What only helps (`is_help`) is written without waiting for the disk."""

    name: str
    holds: type[Contents]
    largest: int
    damage: str = "this file cannot be read"
    hint: Hint = ""
    is_help: bool = False

    def read(self, folder: Path) -> Contents | None:
        """What the file of a folder holds; None if there is none. Raises `Damaged`."""
        path = folder / self.name
        if not os.path.lexists(path):
            return None
        try:
            data = files.read_own(path, self.largest)
        except Usage as error:
            raise Damaged(error.what, hint=self.hint) from error
        try:
            return self.decode(data)
        except ValueError as error:
            raise self.damage_error(folder, str(error)) from error

    def read_if_whole(self, folder: Path) -> Contents | None:
        """What the file holds; None if there is none, or only a damaged one. For files that are
        only a help."""
        try:
            return self.read(folder)
        except Damaged:
            return None

    def damage_error(self, folder: Path, why: str = "") -> Damaged:
        """The error that the file of a folder does not hold what was written, for whoever finds
        that out; of the reasons only that it is empty is told."""
        what = f"{self.damage}: {why}" if why == EMPTY else self.damage
        return Damaged(what, where=files.printable(folder / self.name), hint=self.hint)

    def write(self, folder: Path, value: Contents) -> None:
        """Replace the file. Raises `Usage`."""
        files.replace(folder / self.name, self.encode(value), survives=not self.is_help)

    def encode(self, value: Contents) -> bytes:
        """The bytes of a file with these contents: never none, which an emptied file has."""
        return (
            msgspec.toml.encode(value) or b"# nothing\n"
            if self.name.endswith(".toml")
            else msgspec.json.encode(value)
        )

    def decode(self, data: bytes) -> Contents:
        """The contents of a file of these bytes. Raises `ValueError` if its type does not allow
        them, or if there is nothing in it: no file is written so, but TOML would take it."""
        if not data.strip():
            raise ValueError(EMPTY)
        try:
            if self.name.endswith(".toml"):
                return msgspec.toml.decode(data, type=self.holds)
            return msgspec.json.decode(data, type=self.holds)
        except RecursionError as error:
            raise ValueError("too many brackets") from error
        except (msgspec.MsgspecError, PbemError) as error:
            raise ValueError(str(error)) from error

    def layout(self) -> str:
        """A digest of the names, types and defaults of the fields in the file's type, and in the
        types that it uses. A file that was written with other fields has another one, and is made
        anew."""
        schema = msgspec.json.schema(self.holds)
        return hashlib.sha256(msgspec.json.encode(schema, order="sorted")).hexdigest()[:16]


def digest(value: object) -> str:
    """The SHA-256 of a value as a file would hold it."""
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()
