"""What a program wrote by itself in one game: `automatic.json` beside its memory, and the mails that are to be sent.

The order keeps every promise if the program is killed anywhere: an entry is noted here with its digest, then signed for
good (`pbem.home.memory`), then its mail is written to `outgoing/`, sent, and noted as sent. So a mail is sent
again only with the same bytes, and what was noted and never signed is nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pbem import files
from pbem.errors import Damaged, Usage

_FILE = "automatic.json"
MAX_MAIL = 30_000_000


@dataclass(frozen=True)
class Written:
    """An entry that was written by itself: its number, the SHA-256 of the file that ends with it, when (seconds since
    1970), and the addresses it was sent to, none as long as it was not."""

    number: int
    file: str
    when: float
    to: Sequence[str] = ()

    @property
    def is_sent(self) -> bool:
        return bool(self.to)


class Journal:
    """The automatic entries of one game, oldest first. Raises `Damaged` if they cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries = self._read()

    def begin(self, number: int, data: bytes, when: float) -> Written:
        """Note an entry before it is signed for good. Raises `Usage`."""
        entry = Written(number, hashlib.sha256(data).hexdigest(), when)
        self._write([*(other for other in self.entries if other.number != number), entry])
        return entry

    def drop(self, entry: Written) -> None:
        """Forget one that was not signed. Raises `Usage`."""
        self._write([other for other in self.entries if other != entry])

    def sent(self, entry: Written, to: Sequence[str]) -> None:
        """Note that it was sent, and to whom. Raises `Usage`."""
        self._write([replace(entry, to=tuple(to)) if other == entry else other for other in self.entries])
        self.tidy()

    def tidy(self) -> None:
        """Remove mails that are not to be sent any more: those of a program that was killed after it had sent them."""
        due = {self.mail_path(entry) for entry in self.due()}
        for path in files.listed(self.folder / "outgoing"):
            if path.suffix == ".eml" and path not in due:
                path.unlink(missing_ok=True)

    def due(self) -> list[Written]:
        """Those that were not sent yet."""
        return [entry for entry in self.entries if not entry.is_sent]

    def count_since(self, when: float) -> int:
        """How many were written since then."""
        return sum(entry.when > when for entry in self.entries)

    def mail_path(self, entry: Written) -> Path:
        """Where its mail lies as long as it is not sent."""
        return self.folder / "outgoing" / f"{entry.number:04}-{entry.file[:16]}.eml"

    def _read(self) -> list[Written]:
        path = self.folder / _FILE
        if not path.exists():
            return []
        try:
            return [
                Written(int(one["number"]), str(one["file"]), float(one["when"]), tuple(map(str, one["to"])))
                for one in json.loads(files.read_own(path, 10_000_000))
            ]
        except (Usage, ValueError, TypeError, KeyError, RecursionError) as error:
            hint = "remove it; then pbem inbox tells what was not sent"
            raise Damaged("this file cannot be read", where=files.shown(path), hint=hint) from error

    def _write(self, entries: list[Written]) -> None:
        files.replace(self.folder / _FILE, json.dumps([asdict(entry) for entry in entries]).encode())
        self.entries = entries
