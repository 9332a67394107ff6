"""The same rounds without keys, rules and disks, thousands of them in a minute: a file is a list of
names. Which chain goes on, who may join once more, what may be signed and what is refused are asked
of the program (`pbem.home.joins`, `pbem.home.memory`)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.errors import Conflict
from pbem.fileformat import turnfile
from pbem.home import joins, memory
from pbem.home.joins import goes_before, has_gone_on, is_full, may_give_way
from pbem.home.memory import Memory
from pbem.home.outside import NO_TURN
from pbem.home.read_files import ReadFiles
from tests.support.rounds import Grinder, Person, Stranger


class LightEntry(SimpleNamespace):
    """What `joins` and `memory` ask of an entry."""

    def blob(self, _name: str, _size: int) -> bytes:
        return bytes(self.fields["key"])

    def text(self, _name: str) -> str:
        return str(self.fields.get("key", b"").decode())


class LightFile:
    """A file whose lines are its entries: seats, seat, key and a number that nobody repeats."""

    def __init__(self, data: bytes) -> None:
        self.data, self.entries = data, _entries(data)

    @cached_property
    def has_gone_on(self) -> bool:
        """What the program says of it; it is asked again and again."""
        return has_gone_on(self)  # type: ignore[arg-type]

    def prefix(self, number: int) -> bytes:
        return b"".join(line + b"\n" for line in self.data.split(b"\n")[:number])


def _entries(data: bytes) -> tuple[LightEntry, ...]:
    made, so_far, seen = list[LightEntry](), b"", set[bytes]()
    for number, line in enumerate(data.splitlines()):
        _, seat, key, _ = line.split()
        so_far += line + b"\n"
        fields = {"seat": seat} if seat in seen else {"seat": seat, "key": key}
        seen.add(seat)
        after = hashlib.sha256(so_far).digest()
        made.append(LightEntry(number=number, seat=seat, fields=fields, after=after, key=key))
    return tuple(made)


read = cache(LightFile)
"""A file, read once."""


def forget() -> None:
    """A round is over: nothing of its files is needed any more."""
    read.cache_clear()


def take_light_files(patch: pytest.MonkeyPatch) -> None:
    """From now on turn files are those of this module."""
    patch.setattr(turnfile, "read", read)
    patch.setattr(memory, "_list_files", lambda _folder: [])

    def next_seat(file: Any) -> tuple[bytes, None] | None:
        seats, joined = int(file.data.split()[0]), len(file.entries)
        return (b"%d" % joined, None) if joined < seats else None

    patch.setattr(joins, "_next_seat", next_seat)


class LightReadFiles(ReadFiles):
    """What was read, none of which is kept here."""

    def __init__(self) -> None:
        self._folder = Path("memory")

    def path_of(self, file: Any) -> Path:
        return self._folder / f"{len(file.entries)}"


class LightMemory(Memory):
    """The memory, with what it has stored in a dictionary."""

    def __init__(self) -> None:
        self.stored: dict[int, bytes] = {}
        self.folder, self.notes = Path("memory"), []
        self.read = LightReadFiles()

    def newest_signed(self) -> int | None:
        return max(self.stored, default=None)

    def _read_signed(self, number: int) -> bytes | None:
        return self.stored.get(number)

    def _known_here(self) -> Any:
        return NO_TURN

    def _is_damaged(self, _data: bytes, _number: int) -> bool:
        return False

    def keep(self, number: int, data: bytes) -> None:
        """Sign once, on a file that goes on with all that was signed but joins."""
        assert number not in self.stored, "a number is signed once"
        for other in self.stored.values():
            assert data.startswith(other) or memory._is_join(other)
        self.stored[number] = data


class LightPerson(Person):
    """Somebody with such a memory; `read_files` are in the order in which they came."""

    count = 0

    def __init__(self, _folder: Path, name: str, chance: random.Random) -> None:
        LightPerson.count += 1
        self.name, self.chance, self.memory = name, chance, LightMemory()
        self.key = b"%s-%d" % (name.replace(" ", "-").encode(), LightPerson.count)
        self.inbox, self.faults, self.known, self.signed = [], [], set(), []
        self.read_files: list[bytes] = []

    def invite(self, seats: int, keys: Sequence[str]) -> bytes:
        self.seats = seats
        return self._sign(b"", b"0")

    def files(self) -> list[bytes]:
        return self.read_files

    def read(self) -> None:
        for data in self.inbox:
            if data not in self.read_files:
                self.read_files.append(data)
        self.inbox = []

    def newest(self) -> bytes | None:
        """As `pbem.home.shelf.kept_in` chooses."""
        number = self.memory.newest_signed()
        own = read(self.memory.stored[number]) if number is not None else None
        bytes_of_own = own.data if own else b""
        files = [read(data) for data in [*self.signed, *self.read_files]]
        mine = [file for file in files if file.data.startswith(bytes_of_own)]
        if own is not None and len(own.entries) > 1 and "key" not in own.entries[-1].fields:
            return max(mine, key=lambda file: len(file.entries)).data
        if gone_on := [file for file in files if file.has_gone_on]:
            return max(gone_on, key=lambda file: len(file.entries)).data
        best = max(mine, key=lambda file: len(file.entries), default=None)
        for file in files:
            if own is not None and may_give_way(own, file) and goes_before(file, best or own):
                best = file
        return best.data if best is not None else None

    def join(self, data: bytes) -> bytes:
        return self._sign(data, b"%d" % len(read(data).entries))

    def act(self, data: bytes | None) -> bytes | None:
        if data is None:
            return None
        file = read(data)
        own = [entry.number for entry in file.entries if entry.key == self.key]
        try:
            is_old = self.memory.check(file, own, nothing_newer=False)  # type: ignore[arg-type]
        except Conflict as error:
            self.faults.append(str(error))
            return None
        count, seats = len(file.entries), int(file.data.split()[0])
        if not own and not is_full(file):
            if self.memory.newest_signed() is None or self.memory.gives_way(file):  # type: ignore[arg-type]
                return self.join(data)
        elif own and not is_old and seats <= count < 2 * seats:
            seat = b"%d" % (count - seats)
            if file.entries[int(seat)].key == self.key:
                return self._sign(data, seat)
        return None

    def _sign(self, before: bytes, seat: bytes) -> bytes:
        seats = int(before.split()[0]) if before else self.seats
        line = b"%d %s %s %d\n" % (seats, seat, self.key, self.chance.getrandbits(60))
        made = before + line
        self.memory.keep(len(read(made).entries) - 1, made)
        return made


class LightStranger(Stranger, LightPerson):
    """The same stranger."""

    def another(self) -> LightPerson:
        return LightPerson(Path(), self.name, self.chance)


class LightGrinder(Grinder, LightStranger):
    """The same, who tries more keys."""
