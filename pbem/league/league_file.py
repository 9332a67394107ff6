"""The file of a league: bytes to entries and back (docs/format.md, section 26).

It is a chain of signed entries as a turn file is, with other fields, and read by the same reader.
Nothing here knows what a field means (`pbem.league.gate`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from pbem import FORMAT
from pbem.errors import Malformed
from pbem.fileformat.signed_table import Row, Rows, check_rows
from pbem.fileformat.toml_subset import TORN, Fields, Lines
from pbem.fileformat.turnfile import LEAGUE, Entry, as_lf, read_entry, whole_line, write_body
from pbem.fileformat.turnfile import write_signature as signature_table

HEADER = f'{LEAGUE}1"'
START = HEADER.encode()
"""How a league begins, and how a join does."""
MAX_FILE = 4_000_000
MAX_ENTRIES = 2000
MOST_PLAYERS = 512
SIGNATURE_TAG = f"{FORMAT} league\n".encode("ascii")
"""Domain tag before the digest that a director's signature covers."""
ASK = "ask the league's director for the file again"

START_ROWS: Rows = {
    "league": Row(str, 40, always=True),
    "directors": Row(list, 44, always=True),
    "mail": Row(str, 200),
    "game": Row(str, 20, always=True),
    "rules": Row(int, least=0, most=999_999_999, always=True),
    "options": Row(list, 40),
    "clock": Row(str, 8),
    "leave-days": Row(int, least=1, most=999),
    "method": Row(str, 40, always=True),
    "places": Row(int, least=2, most=MOST_PLAYERS, always=True),
    "until": Row(str, 20),
    "points": Row(list, 1, always=True),
    "tie-breaks": Row(list, 20),
}
"""The keys of entry 0 alone."""
LATER_ROWS: Rows = {
    "players": Row(list, 520),
    "results": Row(list, 60),
    "decided": Row(list, 320),
    "left": Row(list, 320),
    "absent": Row(list, 320),
    "round": Row(int, least=1, most=600),
    "pairings": Row(list, 9),
    "by-hand": Row(str, 300),
    "end": Row(str, 3),
}
"""The keys of later entries alone."""
_EVERY: Rows = {
    "director": Row(int, least=1, most=2, always=True),
    "date": Row(str, 20, always=True),
    "nonce": Row(str, 44, always=True),
}
_MESSAGE: Rows = {"message": Row(str, 4000)}
FIRST: Rows = {**_EVERY, **START_ROWS, **_MESSAGE}
LATER: Rows = {**_EVERY, **LATER_ROWS, **_MESSAGE}
"""All keys of entry 0 and of later entries, in their order."""


class LeagueFile(NamedTuple):
    """The bytes of a league's file, exact to the last one, and the entries they spell."""

    data: bytes
    entries: tuple[Entry, ...]


def read(data: bytes) -> LeagueFile:
    """Read a whole file, strictly; no signature is checked. Raises `Malformed`."""
    data = as_lf(whole_line(data))
    if len(data) > MAX_FILE:
        raise Malformed(f"a league of {len(data)} bytes, {MAX_FILE} are allowed", layer="limit")
    try:
        lines = Lines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", hint=TORN) from error
    if lines.take() != HEADER:
        raise Malformed(f"a league begins with {HEADER}", where=lines.where(), hint=ASK)
    entries: list[Entry] = []
    position = len(HEADER) + 1
    chain = hashlib.sha256(data[:position])
    while lines:
        number = len(entries)
        if number == MAX_ENTRIES:
            raise lines.error(f"more than {MAX_ENTRIES} entries", "limit")
        entry = read_entry(
            lines, data, number, position, chain, LATER_CHECK if number else FIRST_CHECK
        )
        entries.append(entry)
        position = entry.end
    if not entries:
        raise Malformed("there is no league in it", where="line 1", hint=TORN)
    return LeagueFile(data, tuple(entries))


def _check_with(rows: Rows) -> Callable[[Lines, Fields], None]:
    def check(lines: Lines, fields: Fields) -> None:
        check_rows(fields, rows, lines.error)

    return check


FIRST_CHECK, LATER_CHECK = _check_with(FIRST), _check_with(LATER)


def append(before: bytes, fields: Fields, sign: Callable[[bytes], bytes]) -> bytes:
    """The file (empty: a new one) with one more entry of these fields, empty ones left out; `sign`
    gives 64 bytes for a message. Raises `Malformed` for a character that no file may hold."""
    before = before or f"{HEADER}\n".encode()
    rows = FIRST if "league" in fields else LATER
    order = [*rows, *(key for key in fields if key not in rows)]
    said = {
        key: fields[key] for key in order if key in fields and fields[key] not in ("", [], None)
    }
    try:
        body = write_body(said)
    except ValueError as error:
        raise Malformed(f"this cannot stand in a league: {error}") from error
    digest = hashlib.sha256(before + body).digest()
    return before + body + signature_table(sign(SIGNATURE_TAG + digest))
