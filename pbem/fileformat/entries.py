"""The entries of a turn file (docs/format.md, section 3), and the files that were read last."""

from __future__ import annotations

from typing import NamedTuple

from pbem.errors import Malformed
from pbem.fileformat.encoding import unb64
from pbem.fileformat.toml_subset import Fields

NEXT = b"\n[[entry]]\n"
"""What follows an entry, unless it is the last one."""


class Entry(NamedTuple):
    """One player's signed contribution, as it stands in the file: its fields mean nothing until the
    ledger takes them.

    `digest` is the SHA-256 that the signature covers; `end` is where the entry ends in the file.
    `before` and `after` are the SHA-256 of the file up to where the entry begins, and up to where
    it ends.
    """

    number: int
    fields: Fields
    digest: bytes
    signature: bytes
    end: int
    before: bytes = b""
    after: bytes = b""

    @property
    def seat(self) -> str:
        return self.text("seat")

    @property
    def date(self) -> str:
        return self.text("date")

    def text(self, key: str) -> str:
        """The string under `key`, empty if there is none."""
        value = self.fields.get(key, "")
        assert isinstance(value, str)
        return value

    def list(self, key: str) -> list[str]:
        """The strings under `key`, none if there is no such key."""
        value = self.fields.get(key, [])
        assert isinstance(value, list)
        return value

    def blob(self, key: str, size: int) -> bytes:
        """The `size` bytes spelled in base64 under `key`. Raises `Malformed`."""
        return blob(self.text(key), size, self.where, key)

    @property
    def where(self) -> str:
        """What a refusal calls it."""
        return f"turn {self.number}, {self.seat}"


class TurnFile(NamedTuple):
    """The bytes of a file, exact to the last one, and the entries they spell."""

    data: bytes
    entries: tuple[Entry, ...]

    def prefix(self, entries: int) -> bytes:
        """The file as it was with that many entries."""
        return self.data[: self.entries[entries - 1].end]


def blob(text: str, size: int, where: str, name: str) -> bytes:
    """The bytes spelled by `text`, or `Malformed` with the place and the name of what they should
    have been."""
    try:
        return unb64(text, size)
    except ValueError as error:
        raise Malformed(
            f"{name}: {error}", where=where, hint="the sender's file is damaged or was edited"
        ) from error


class NewestFiles:
    """The last files that were read without an error, `count` of them, whose entries need not be
    read again in a file that begins with them.

    A program reads the files of one game, each the last one with an entry more, and what it has
    just written. An entry follows from the bytes of the file up to its end alone (docs/format.md,
    section 3), so the same bytes have the same entries, and only what comes after them is read.
    Where another entry does not begin there, the last is read again: the next line stands in its
    table still.
    """

    def __init__(self, count: int = 2) -> None:
        self.count = count
        self._files: tuple[TurnFile, ...] = ()

    def shared(self, data: bytes) -> list[Entry]:
        """The entries with which these bytes and one of the files begin, as many as there are."""
        most: tuple[Entry, ...] = ()
        for file in self._files:
            most = max(most, _shared(file, data), key=len)
        return list(most)

    def keep(self, file: TurnFile) -> TurnFile:
        """Remember this file, and forget the one that was read longest ago."""
        others = [other for other in self._files if other.data != file.data]
        self._files = (file, *others)[: self.count]
        return file


def _shared(file: TurnFile, data: bytes) -> tuple[Entry, ...]:
    least, most = 0, len(file.entries)
    while least < most:
        middle = (least + most + 1) // 2
        if data.startswith(file.prefix(middle)):
            least = middle
        else:
            most = middle - 1
    if (
        least
        and (end := file.entries[least - 1].end) < len(data)
        and not data.startswith(NEXT, end)
    ):
        least -= 1
    return file.entries[:least]
