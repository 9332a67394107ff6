"""What a player has tried for a turn and not signed: lines of answers, kept in the home until the turn is signed.

`games/<game id>/tried.json` holds the lines for one entry number. It is only ever a help: a file that is damaged is put
aside, a line that no longer fits is cut where it stops fitting (`pbem.turn.in_making`), and none of it is ever signed
unasked. Several programs may have the same turn open: each writes its own lines and leaves those of the others.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from pbem import files
from pbem.errors import Conflict, PbemError
from pbem.home.memory import Memory
from pbem.turn.intent import Intent

FILE = "tried.json"
_ASIDE = "tried.damaged"
_MAX_FILE = 1_000_000
_MAX_LINES = 50
_MAX_ANSWERS = 1000
_MAX_TEXT = 20_000
DRAWS = ("", "offer", "accept", "decline")
"""What a line may say of a draw."""


class Tried(NamedTuple):
    """The ways of playing a turn, by name, in the order in which they were begun, and the one that was tried last. A
    name tells lines apart, also where two programs write them."""

    lines: Mapping[str, Intent]
    chosen: str


def new_name() -> str:
    """A name that no other line has."""
    return secrets.token_hex(4)


class TriedLines:
    """The lines that a home keeps for entry `number` of one game. `warnings` are for the player."""

    def __init__(self, memory: Memory, number: int) -> None:
        self._memory = memory
        self._number = number
        self._path = memory.folder / FILE
        self._dropped: set[str] = set()
        self.warnings: list[str] = []

    def read(self) -> Tried | None:
        """What was tried for this entry; None if nothing was. A file that is not what was written is put aside."""
        if not os.path.lexists(self._path):
            return None
        try:
            stored = _parsed(files.read_own(self._path, _MAX_FILE))
        except PbemError as error:
            self.warnings.append(f"what you tried before is not there: {error.what}")
            return None
        except (ValueError, RecursionError):
            self._put_aside()
            return None
        return stored.tried if stored.entry == self._number and stored.tried.lines else None

    def keep(self, lines: Mapping[str, Intent], chosen: str) -> None:
        """Remember these lines; those that another program has begun meanwhile stay. Whatever keeps them from being
        written is told once, and nothing else."""
        mine = lines.keys() | self._dropped
        others = [(name, line) for name, line in self._stored_lines().items() if name not in mine]
        kept = [*lines.items(), *others][-_MAX_LINES:]
        shown = {"entry": self._number, "chosen": chosen, "lines": [_facts(name, line) for name, line in kept]}
        try:
            files.replace(self._path, json.dumps(shown, ensure_ascii=False, indent=1).encode() + b"\n")
        except (PbemError, OSError, ValueError) as error:
            told = f"what you try is not kept: {getattr(error, 'what', error)}"
            if told not in self.warnings:
                self.warnings.append(told)

    def drop(self, name: str) -> None:
        """Forget one line with the next `keep`."""
        self._dropped.add(name)

    def _stored_lines(self) -> Mapping[str, Intent]:
        if not os.path.lexists(self._path):
            return {}
        try:
            stored = _parsed(files.read_own(self._path, _MAX_FILE))
        except PbemError:
            return {}
        except (ValueError, RecursionError):
            self._put_aside()
            return {}
        return stored.tried.lines if stored.entry == self._number else {}

    def _put_aside(self) -> None:
        aside = self._path.with_name(_ASIDE)
        try:
            os.replace(self._path, aside)
        except OSError as error:
            self.warnings.append(f"{files.shown(self._path)} is damaged: {error.strerror}")
            return
        self.warnings.append(f"what you tried before was damaged; it lies in {files.shown(aside)} now")


def forget(memory: Memory) -> None:
    """The turn is signed: what was tried for it is gone."""
    path: Path = memory.folder / FILE
    with suppress(OSError):  # something else stands there, which was told when the turn was opened
        path.unlink()


def check_unsigned(memory: Memory, number: int) -> None:
    """Raise `Conflict` if this entry was signed elsewhere since the turn was opened."""
    newest = memory.newest_signed()
    if newest is not None and newest >= number:
        raise Conflict(
            f"entry {number} was signed meanwhile, in another window or by another command",
            hint="nothing more is to be signed here; pbem show GAME tells where the game stands",
        )


def _facts(name: str, line: Intent) -> Mapping[str, object]:
    """A line as its file has it; nobody tries to resign."""
    facts = {"name": name, **asdict(line)}
    del facts["resign"]
    return facts


class _Stored(NamedTuple):
    entry: int
    tried: Tried


def _parsed(data: bytes) -> _Stored:
    """What a file holds. Raises `ValueError` or `RecursionError` where it is not what was written."""
    table = json.loads(data.decode())
    if not isinstance(table, Mapping) or type(table.get("entry")) is not int:
        raise ValueError("no entry")
    listed, chosen = table.get("lines"), table.get("chosen")
    if not isinstance(listed, list) or len(listed) > _MAX_LINES:
        raise ValueError("no lines")
    lines = dict(_line(one) for one in listed)
    if len(lines) < len(listed):
        raise ValueError("two lines have one name")
    return _Stored(table["entry"], Tried(lines, chosen if chosen in lines else next(reversed(lines), "")))


def _line(table: Any) -> tuple[str, Intent]:
    if not isinstance(table, Mapping):
        raise ValueError("no line")
    name = _text(table.get("name"))
    line = Intent(
        answers=_texts(table.get("answers")),
        orders=_texts(table.get("orders")),
        message=_text(table.get("message")),
        draw=_text(table.get("draw")),
        note=_text(table.get("note", "")),
        leave=_text(table.get("leave", "")),
        grant=table.get("grant", 0),
    )
    if type(line.grant) is not int or line.draw not in DRAWS or not name.isalnum() or len(name) > 16:
        raise ValueError("no line")
    return name, line


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_ANSWERS:
        raise ValueError("no list of texts")
    return tuple(_text(one) for one in value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError("no text")
    value.encode()  # raises at half a surrogate pair
    return value
