"""What a player says of their next entry before it is signed (`Intent`), and the lines of a draft
(`pbem.turn.draft`), each such a saying, which the home keeps until the turn is signed.

`games/<game id>/tried.json` holds the lines for one entry number, and is only a help: a file that
is damaged is put aside, a line that does not fit any more is cut where it stops fitting, and
nothing of it is signed unless the player asks. Several programs may have the same turn open: each
writes its own lines and leaves those of the others."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import NamedTuple

from pbem import files
from pbem.errors import Conflict, Do, Malformed, PbemError
from pbem.fileformat.attached import read_line
from pbem.home.memory import Memory
from pbem.home.store import StateFile

_ASIDE = "tried.damaged"
_MAX_LINES = 50
_MAX_TEXTS = 2000
MAX_TEXT = 20_000
DRAWS = ("", "offer", "accept", "decline")
"""What a line may say of a draw."""


@dataclass(frozen=True)
class Intent:
    """What goes into an entry besides what it holds anyway, said on a command line, in a led turn
    or at the table, and kept in the home while it is tried.

    `answers` and `orders` are in the player's words, `message` goes to the others. `draw` is
    "offer", "accept", "decline", "answer" (accept the offer that stands, or make one) or nothing.
    What decides nothing (docs/format.md, 15, 16, 22 and 23): a private `note`, the last day of an
    absence in `leave` (`2026-12-31`), in `grant` days for the others on the clock, in `files` what
    goes with the turn, as the entry names it; in `plans` the texts that it seals, in `joint_plans`
    those that open together with the others' (`winter: I attack Derne`), and in `opens` the numbers
    of the plans that it opens, or "all". In `prepared` stand answers to turns yet to come, which no
    entry holds (`pbem.turn.prepared`). Empty or 0 where there is none."""

    answers: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    message: str = ""
    draw: str = ""
    resign: bool = False
    note: str = ""
    leave: str = ""
    grant: int = 0
    files: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    joint_plans: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()

    def is_empty(self) -> bool:
        """Whether the player has said nothing yet."""
        return self == Intent()


class SavedLines(NamedTuple):
    """The ways of playing a turn, by name, in the order in which they were begun, and the one that
    was tried last. A name tells lines apart, also where two programs write them."""

    lines: Mapping[str, Intent]
    chosen: str


@dataclass(frozen=True)
class NamedLine(Intent):
    """A line in the file. Raises `ValueError` for one that this program never writes, as one that
    resigns."""

    name: str = ""

    def __post_init__(self) -> None:
        texts = (*self.answers, *self.orders, self.message, self.note, self.leave, *self.files)
        texts += (*self.plans, *self.joint_plans, *self.opens, *self.prepared)
        if len(texts) > _MAX_TEXTS or any(len(text) > MAX_TEXT for text in texts):
            raise ValueError("too much text")
        if self.resign or self.draw not in DRAWS or not self.name.isalnum() or len(self.name) > 16:
            raise ValueError("no line")
        try:
            for line in self.files:
                read_line(line, "")
        except Malformed as error:
            raise ValueError("no file that goes with a turn") from error

    def unnamed(self) -> Intent:
        """What the line says."""
        return Intent(**{field.name: getattr(self, field.name) for field in fields(Intent)})


@dataclass(frozen=True)
class LinesFile:
    """The file: the number of the entry, the lines, and the name of the one that was tried last.
    Raises `ValueError` for contents that this program never writes."""

    entry: int
    lines: tuple[NamedLine, ...]
    chosen: str = ""

    def __post_init__(self) -> None:
        if len(self.lines) > _MAX_LINES or len({line.name for line in self.lines}) < len(
            self.lines
        ):
            raise ValueError("too many lines, or two of one name")


_TRIED = StateFile("tried.json", LinesFile, 1_000_000, is_help=True)


def answers_in(text: str) -> list[str]:
    """The answers of one text: "A; B; C"."""
    return [answer.strip() for answer in text.split(";") if answer.strip()]


def new_name() -> str:
    """A name that no other line has."""
    return secrets.token_hex(4)


class TriedLines:
    """The lines that a home keeps for entry `number` of one game. What the player should know of
    them is added to `warnings`."""

    def __init__(self, memory: Memory, number: int, warnings: list[str]) -> None:
        self._memory = memory
        self._number = number
        self._path = memory.folder / _TRIED.name
        self._dropped: set[str] = set()
        self._warnings = warnings

    def read(self) -> SavedLines | None:
        """What was tried for this entry; None if nothing was. A file that is not what was written
        is put aside."""
        try:
            stored = self._stored()
        except PbemError as error:
            self._warnings.append(f"what you tried before is not there: {error.what}")
            return None
        if stored is None or not stored.lines:
            return None
        lines = {line.name: line.unnamed() for line in stored.lines}
        return SavedLines(lines, stored.chosen if stored.chosen in lines else stored.lines[-1].name)

    def keep(self, lines: Mapping[str, Intent], chosen: str) -> None:
        """Remember these lines, beside those that another program has begun meanwhile. If they
        cannot be written, a warning says so once."""
        mine, stored = lines.keys() | self._dropped, None
        with suppress(PbemError):
            stored = self._stored()
        others = [line for line in (stored.lines if stored else ()) if line.name not in mine]
        try:
            said = {name: {**vars(line), "resign": False} for name, line in lines.items()}
            kept = (*(NamedLine(**what, name=name) for name, what in said.items()), *others)[
                -_MAX_LINES:
            ]
            _TRIED.write(self._memory.folder, LinesFile(self._number, kept, chosen))
        except (PbemError, ValueError) as error:
            warning = f"what you try is not kept: {getattr(error, 'what', error)}"
            if warning not in self._warnings:
                self._warnings.append(warning)

    def drop(self, name: str) -> None:
        """Forget one line with the next `keep`."""
        self._dropped.add(name)

    def _stored(self) -> LinesFile | None:
        """What is kept for this entry; None if nothing is. What is not what was written is put
        aside. Raises `PbemError` if it cannot be read at all."""
        if not os.path.lexists(self._path):
            return None
        try:
            stored = _TRIED.decode(files.read_own(self._path, _TRIED.largest))
        except ValueError:
            self._put_aside()
            return None
        return stored if stored.entry == self._number else None

    def _put_aside(self) -> None:
        aside = self._path.with_name(_ASIDE)
        try:
            self._path.replace(aside)
        except OSError as error:
            self._warnings.append(f"{files.printable(self._path)} is damaged: {error.strerror}")
            return
        self._warnings.append(
            f"what you tried before was damaged; it lies in {files.printable(aside)} now"
        )


def forget(memory: Memory) -> None:
    """The turn is signed: what was tried for it is gone."""
    with suppress(OSError):  # something else stands there, which was told when the turn was opened
        (memory.folder / _TRIED.name).unlink()


def check_unsigned(memory: Memory, number: int) -> None:
    """Raise `Conflict` if this entry was signed elsewhere since the turn was opened."""
    newest = memory.newest_signed()
    if newest is not None and newest >= number:
        raise Conflict(
            f"turn {number} was signed meanwhile, in another window or by another command",
            hint=(
                "nothing more is to be signed here",
                Do("show", "GAME", does="tells where the game stands"),
            ),
        )
