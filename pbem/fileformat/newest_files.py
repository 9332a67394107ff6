"""The turn files that were read last, whose entries need not be read again in a file that begins with them.

A program reads the files of one game, each the last one with an entry more, and what it has just written. An entry
follows from the bytes of the file up to its end alone (docs/format.md, section 3), so the same bytes have the same
entries, and only what comes after them is read. Where another entry does not begin there, the last is read again: the
next line stands in its table still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.fileformat.turnfile import Entry, TurnFile


NEXT = b"\n[[entry]]\n"
"""What follows an entry, unless it is the last one."""


class NewestFiles:
    """The last files that were read without an error, `count` of them."""

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
    if least and (end := file.entries[least - 1].end) < len(data) and not data.startswith(NEXT, end):
        least -= 1
    return file.entries[:least]
