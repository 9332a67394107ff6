"""The turn file: bytes to entries and back (docs/format.md, section 3).

A file is a line that names the format, then entries. An entry is only ever appended, so an older
file is a prefix of a newer one and the file is its own hash chain: what an entry signs is the
SHA-256 of every byte before its signature.

`fields.json` beside this module is the table of fields: each key that an entry may hold, in their
order, with the kind of its value and its bounds, where it may stand, since which version of the
program it exists, and the section about it. Both verifiers and the specification read that table.

Nothing here knows what a field means. `pbem.ledger.gate` does, and it checks each signature before
it looks."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from pbem import FORMAT
from pbem.errors import Malformed, Newer
from pbem.fileformat.characters import has_marks, is_message
from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.toml_subset import (
    NO_TURN,
    TORN,
    Fields,
    Lines,
    Value,
    read_fields,
    write_fields,
    write_string,
)

PATH = Path(__file__).with_name("fields.json")


class Field(NamedTuple):
    """One key. `longest` counts the characters of a string, or of each string of a list; `least`
    and `most` bound a number. `where`: in every entry, in entry 0, in first entries, or as its
    section says."""

    key: str
    kind: Literal["string", "number", "list"]
    where: Literal["always", "invitation", "first", "any"]
    since: str
    section: int
    longest: int = 0
    least: int = 0
    most: int = 0

    def holds(self, number: object) -> bool:
        """Whether this is a number within the bounds of the field."""
        return isinstance(number, int) and self.least <= number <= self.most


TABLE: dict[str, Field] = {
    row["key"]: Field(**row) for row in json.loads(PATH.read_text(encoding="utf-8"))
}


def keys_where(where: Literal["always", "invitation", "first", "any"]) -> tuple[str, ...]:
    """The keys whose fields stand in this kind of entry and in no other."""
    return tuple(key for key, field in TABLE.items() if field.where == where)


NEXT = b"\n[[entry]]\n"
"""What follows an entry, unless it is the last one."""


class Entry(NamedTuple):
    """One player's signed contribution as it stands in the file. Its fields are not interpreted
    here.

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
        """How messages name the entry: `turn 3, first seat`."""
        return f"turn {self.number}, {self.seat}"


class TurnFile(NamedTuple):
    """The bytes of a file, exact to the last one, and the entries they spell."""

    data: bytes
    entries: tuple[Entry, ...]

    def prefix(self, entries: int) -> bytes:
        """The file as it was with that many entries."""
        return self.data[: self.entries[entries - 1].end]


def blob(text: str, size: int, where: str, name: str) -> bytes:
    """The `size` bytes spelled in base64 by `text`. Raises `Malformed` with the place (`where`) and
    the `name` of the value."""
    try:
        return unb64(text, size)
    except ValueError as error:
        raise Malformed(
            f"{name}: {error}", where=where, hint="the sender's file is damaged or was edited"
        ) from error


class NewestFiles:
    """A cache of the last `count` files that were read without an error: a file that begins with
    the bytes of one of them has the same entries there, and only the rest is read.

    This helps because a program mostly reads files of one game, each with one entry more than the
    last. What an entry is depends on nothing but the bytes of the file up to its end
    (docs/format.md, section 3). If no new entry begins where the known ones end, the last of them
    is read again, since the next line may belong to it.
    """

    def __init__(self, count: int = 2) -> None:
        self.count = count
        self._files: tuple[TurnFile, ...] = ()

    def entries_in_common(self, data: bytes) -> list[Entry]:
        """The entries that these bytes have in common with one of the files, from the start; of the
        file that shares most."""
        most: tuple[Entry, ...] = ()
        for file in self._files:
            most = max(most, _entries_in_common(file, data), key=len)
        return list(most)

    def keep(self, file: TurnFile) -> TurnFile:
        """Remember this file in place of the one that was read longest ago, and return it."""
        others = [other for other in self._files if other.data != file.data]
        self._files = (file, *others)[: self.count]
        return file


def _entries_in_common(file: TurnFile, data: bytes) -> tuple[Entry, ...]:
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


HEADER = f'format = "{FORMAT}"'
DIGEST_OF_NONE = hashlib.sha256(f"{HEADER}\n".encode()).digest()
"""The SHA-256 of a file before its first entry."""
ENTRY = "[[entry]]"
SIGNATURE = "[entry.signature]"
MAX_FILE = 8_000_000
"""Bytes of a whole file."""
MAX_MESSAGE = 26_000_000
"""Bytes of the largest mail or other file in which a turn is looked for: the limit of large mail
services."""
START = b'format = "pbem/'
"""How a turn file of any version begins."""
LEAGUE = 'format = "pbem-league/'
"""How a league of any version begins, and a join to one (docs/format.md, section 26)."""
SHOW_LEAGUE = "pbem league table FILE shows a league"
BOM = b"\xef\xbb\xbf"
MAX_ENTRIES = 9_999

_KINDS: dict[str, type] = {"string": str, "number": int, "list": list}
KEYS: dict[str, tuple[type, int]] = {
    key: (_KINDS[field.kind], field.longest) for key, field in TABLE.items()
}
"""Every key an entry may hold, in the order in which they stand, with the longest value: characters
of a string or of each string of a list."""
_RANK = {key: rank for rank, key in enumerate(KEYS)}
_LAST_LINE = re.compile(rb'\ned25519 = "[A-Za-z0-9+/]{86}=="\Z')
_LONGEST_LAST = 120
_LONGEST_HEAD = 200_000
"""Bytes in which a line end is looked for: those of the headers of a mail."""
_newest = NewestFiles()
_ALWAYS = keys_where("always")
_DATE = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z\Z"
)


def as_lf(data: bytes) -> bytes:
    """The file with LF at its line ends if all of them are CRLF, as mail programs make them; any
    other file as it is."""
    if data.count(b"\r\n") == data.count(b"\n") > 0:
        return data.replace(b"\r\n", b"\n")
    return data


def single_ends(data: bytes) -> bytes:
    """A text whose first line ends with CR CR LF, or with CR alone, as programs make them that turn
    line ends twice or not at all, with LF in their place; any other as it is."""
    end = data.find(b"\n", 0, _LONGEST_HEAD)
    if data[max(0, end - 2) : end] == b"\r\r":
        for _ in range(4):
            data = data.replace(b"\r\r\n", b"\r\n")
        return data.replace(b"\r\n", b"\n")
    if end < 0 and b"\r" in data[:_LONGEST_HEAD]:
        return data.replace(b"\r", b"\n")
    return data


def whole_line(turn: bytes) -> bytes:
    """The turn with exactly one line end after its last line: programs drop that line end, or add
    empty lines. A turn that does not end with a signature stays as it is, but for `single_ends`."""
    turn = single_ends(turn)
    lines = turn.rstrip(b"\r\n")
    if not _LAST_LINE.search(lines[-_LONGEST_LAST:]):
        return turn
    return lines + (b"\r\n" if b"\r\n" in turn[:200] else b"\n")


_ANY_HEADER = re.compile(r'format = "pbem/([2-9]|[1-9][0-9]{1,8})"')
_NEWER = "the file was made by a newer pbem; update yours"


def read(data: bytes) -> TurnFile:
    """Read a whole file, strictly: what our writer would not have written is refused with the line.

    Raises `Malformed`.
    """
    data = as_lf(data)
    if len(data) > MAX_FILE:
        raise Malformed(f"a file of {len(data)} bytes, {MAX_FILE} are allowed", layer="limit")
    entries = _newest.entries_in_common(data)
    position = entries[-1].end if entries else 0
    number = data.count(b"\n", 0, position)
    try:
        lines = Lines(data[position:].decode("utf-8"), number)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, position + error.start) + 1
        raise Malformed("not UTF-8 text", where=f"line {line}", hint=TORN) from error
    if not entries:
        first = lines.take()
        if _ANY_HEADER.fullmatch(first):
            raise Newer(f"a turn file begins with {HEADER}", where=lines.where(), hint=_NEWER)
        if first != HEADER:
            hint = SHOW_LEAGUE if first.startswith(LEAGUE) else NO_TURN
            raise Malformed(f"a turn file begins with {HEADER}", where=lines.where(), hint=hint)
        position = len(HEADER) + 1
    chain = hashlib.sha256(data[:position])
    while lines:
        try:
            if len(entries) == MAX_ENTRIES:
                raise lines.error(f"more than {MAX_ENTRIES} entries", "limit")
            entry = read_entry(lines, data, len(entries), position, chain, _check_fields)
        except Malformed as error:
            error.entry = len(entries)
            raise
        entries.append(entry)
        position = entry.end
    if not entries:
        raise Malformed("there is no turn in it", where="line 1", hint=TORN)
    return _newest.keep(TurnFile(data, tuple(entries)))


def read_entry(
    lines: Lines,
    data: bytes,
    number: int,
    start: int,
    chain: hashlib._Hash,
    check: Callable[[Lines, Fields], None],
) -> Entry:
    """The entry that begins at `start` of a file, whose bytes up to there `chain` has hashed, and
    its own after that; `check` knows which fields there are. Raises `Malformed`."""
    lines.expect("")
    lines.expect(ENTRY)
    fields = read_fields(lines)
    lines.check_more()
    check(lines, fields)
    lines.expect(SIGNATURE)
    lines.check_more()
    tail = read_fields(lines)
    if list(tail) != ["ed25519"] or not isinstance(tail["ed25519"], str):
        raise lines.error("a signature table holds ed25519 and nothing else")
    signature = blob(tail["ed25519"], 64, lines.where(), "ed25519")
    body = write_body(fields)
    block = body + write_signature(signature)
    end = start + len(block)
    if data[start:end] != block:
        raise lines.error("the entry is not spelled as pbem spells it")
    before = chain.digest()
    chain.update(body)
    digest = chain.digest()
    chain.update(block[len(body) :])
    return Entry(number, fields, digest, signature, end, before, chain.digest())


def _check_fields(lines: Lines, fields: Fields) -> None:
    rank = -1
    for key, value in fields.items():
        kind, longest = KEYS.get(key, (None, 0))
        if kind is None:
            raise Newer(
                f'unknown key "{key}"',
                where=lines.where(),
                hint=_NEWER,
            )
        if not isinstance(value, kind):
            raise lines.error(f'"{key}" holds a value of the wrong kind')
        if _RANK[key] < rank:
            raise lines.error(f'"{key}" is out of order')
        rank = _RANK[key]
        texts = value if isinstance(value, list) else []
        if isinstance(value, str):
            texts = [value]
        if "" in texts:
            raise lines.error(f'"{key}" is empty, which pbem leaves out')
        if any(len(text) > longest for text in texts):
            raise lines.error(f'"{key}" is longer than {longest} characters', "limit")
        # docs/format.md, section 2
        if not is_message(str(value)) if key == "message" else any(map(has_marks, texts)):
            raise lines.error(f'"{key}" holds a character that nobody sees')
    for key in _ALWAYS:
        if key not in fields:
            raise lines.error(f'an entry without "{key}"')
    if not is_date(str(fields["date"])):
        raise lines.error("a date is written 2026-11-21T09:30:00Z")


def is_date(text: str) -> bool:
    """Whether this is written as a date is: `2026-11-21T09:30:00Z`."""
    return _DATE.match(text) is not None


def write_body(fields: Mapping[str, Value]) -> bytes:
    """The bytes of an entry up to its signature table."""
    return f"\n{ENTRY}\n{write_fields(fields)}".encode()


def write_signature(signature: bytes) -> bytes:
    """The bytes of a signature table."""
    return f"{SIGNATURE}\ned25519 = {write_string(b64(signature))}\n".encode()


def in_order(fields: Mapping[str, Value]) -> Fields:
    """The fields in the order of the format, empty ones left out."""
    return {
        key: fields[key]
        for key in KEYS
        if key in fields and fields[key] != [] and fields[key] != ""
    }


def digest_of(before: bytes, body: bytes) -> bytes:
    """What an entry signs: SHA-256 of the file before it and of its own body."""
    return hashlib.sha256(before + body).digest()
