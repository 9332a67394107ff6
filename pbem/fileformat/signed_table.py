"""Small signed files with one table, and the rows that say what a table holds (docs/format.md,
sections 24 and 26).

They are written in the grammar of turn files. What another program would not have written is
refused with its line. No signature is checked here (`pbem.ledger.signatures`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pbem.errors import Malformed
from pbem.fileformat.characters import has_marks, is_message, is_name
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import (
    TORN,
    Fields,
    Lines,
    Value,
    read_fields,
    write_fields,
    write_string,
)
from pbem.fileformat.turnfile import as_lf, blob, is_date, whole_line

Failing = Callable[[str, str], Malformed]
"""Makes the error for what is wrong, and its layer (empty: that of the grammar)."""


class Row(NamedTuple):
    """One key of a table. `longest` counts the characters of a string, or of each string of a list;
    `least` and `most` bound a number."""

    kind: type
    longest: int = 0
    least: int = 0
    most: int = 0
    always: bool = False


Rows = Mapping[str, Row]
"""The keys of a table, in their order."""

_WORD = re.compile(r"[a-z][a-z0-9-]*\Z")
_OPTION = re.compile(r"[a-z][a-z_-]*(?: (?:0|[1-9][0-9]{0,3}))?\Z")
_IN_ADDRESSES = re.compile(r"[/\\@:]")


def may_name(name: str) -> bool:
    """Whether somebody, or a league, may be called so: a name that holds no address."""
    return is_name(name) and not _IN_ADDRESSES.search(name)


def is_word(text: str) -> bool:
    """Whether this is spelled as the name of a game or of a seat."""
    return _WORD.match(text) is not None


def are_options(lines: Sequence[str]) -> bool:
    """Whether these are options of a game: names, each with a number or none, in order and each
    once."""
    names = [one.partition(" ")[0] for one in lines]
    return all(map(_OPTION.match, lines)) and names == sorted(set(names))


_DATES, _BLOBS = frozenset(("date", "until")), frozenset(("nonce", "key", "seek", "league-id"))


def check_rows(fields: Fields, rows: Rows, wrong: Failing) -> None:
    """Each field as its row says, in the order of the rows. Raises `Malformed`."""
    before = -1
    order = {key: place for place, key in enumerate(rows)}
    for key, value in fields.items():
        row = rows.get(key)
        if row is None:
            raise wrong(f'unknown key "{key}"', "")
        if not isinstance(value, row.kind):
            raise wrong(f'"{key}" holds a value of the wrong kind', "")
        if order[key] < before:
            raise wrong(f'"{key}" is out of order', "")
        before = order[key]
        _check_value(key, value, row, wrong)
    if missing := next((key for key, row in rows.items() if row.always and key not in fields), ""):
        raise wrong(f'it lacks "{missing}"', "")


def _check_value(key: str, value: Value, row: Row, wrong: Failing) -> None:
    if isinstance(value, int):
        if not row.least <= value <= row.most:
            raise wrong(f'"{key}" is {row.least} to {row.most}', "")
        return
    texts = [value] if isinstance(value, str) else value
    if any(len(text) > row.longest for text in texts):
        raise wrong(f'"{key}" is longer than {row.longest} characters', "limit")
    if "" in texts:
        raise wrong(f'"{key}" is empty, which pbem leaves out', "")
    if not (is_message(str(value)) if key == "message" else not any(map(has_marks, texts))):
        raise wrong(f'"{key}" holds a character that nobody sees', "")
    if key in _DATES and not is_date(texts[0]):
        raise wrong(f'"{key}" is written 2026-11-21T09:30:00Z', "")
    if key in _BLOBS:
        blob(texts[0], 32, "", key)


class TableFile(NamedTuple):
    """A kind of file of one signed table: its first line, the table's name, its rows, how many
    bytes it may have, and what such a file is called in sentences."""

    header: str
    kind: str
    rows: Rows
    largest: int
    called: str

    def body(self, fields: Fields) -> bytes:
        """The bytes before the signature. Raises `ValueError` for a character that no file may
        hold."""
        return f"{self.header}\n\n[{self.kind}]\n{write_fields(fields)}".encode()

    def with_signature(self, body: bytes, signature: bytes) -> bytes:
        """The whole file."""
        table = f"[{self.kind}.signature]\ned25519 = {write_string(b64(signature))}\n"
        return body + table.encode()


class SignedTable(NamedTuple):
    """A file that was read: of which kind, its fields, the bytes before the signature, and that."""

    file: TableFile
    fields: Fields
    body: bytes
    signature: bytes
    data: bytes


def read_table(
    data: bytes, kinds: Mapping[str, TableFile], wrong: Failing, ask: str
) -> SignedTable:
    """Read a whole file of one of these kinds, by the names of their tables, strictly; `ask` says
    where another copy comes from. The kinds have one header and one bound. Raises `Malformed`."""
    data = as_lf(whole_line(data))
    one = next(iter(kinds.values()))
    if len(data) > one.largest:
        what = f"{one.called} of {len(data)} bytes, {one.largest} are allowed"
        raise Malformed(what, layer="limit")
    try:
        lines = Lines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", hint=TORN) from error
    if lines.take() != one.header:
        raise Malformed(f"{one.called} begins with {one.header}", where=lines.where(), hint=ask)
    lines.expect("")
    heads = {f"[{kind}]": file for kind, file in kinds.items()}
    file = heads.get(lines.take())
    if file is None:
        raise Malformed(f"this is not {one.called}", where=lines.where(), hint=ask)
    fields = read_fields(lines)
    lines.expect(f"[{file.kind}.signature]")
    tail = read_fields(lines)
    if lines or list(tail) != ["ed25519"] or not isinstance(tail["ed25519"], str):
        raise lines.error("the file ends with its signature")
    signature = blob(tail["ed25519"], 64, lines.where(), "ed25519")
    body = file.body(fields)
    if data != file.with_signature(body, signature):
        raise lines.error("the file is not spelled as pbem spells it")
    check_rows(fields, file.rows, wrong)
    return SignedTable(file, fields, body, signature, data)
