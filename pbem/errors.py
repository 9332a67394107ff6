"""Everything that can go wrong, and the exit code of each kind.

An error is one line for the player: what is wrong, where, and what to do now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

DONE, REFUSED, USAGE, INVALID, CONFLICT = range(5)
"""The exit codes: done; refused by the rules; wrong usage; the file does not verify; conflict."""

COMMAND = re.compile(
    r"\bpbem [a-z]|(?<![\w-])--[a-z]|\bPBEM_|\bmail\.toml\b|\bchmod\b|\bterminal\b"
)
"""What a hint can say only to somebody who has a command line."""
_can_type = ContextVar("can_type", default=True)


@contextmanager
def without_commands() -> Iterator[None]:
    """What becomes text inside is read where nobody can type a command, as in a page that runs the
    program itself."""
    before = _can_type.set(False)
    try:
        yield
    finally:
        _can_type.reset(before)


def can_be_done(hint: str) -> str:
    """What a reader can do of a hint, whose parts stand between semicolons: where nobody can type a
    command the parts that name one are left out. So what is to be done anywhere is a part of its
    own."""
    return (
        hint
        if _can_type.get()
        else "; ".join(part for part in hint.split("; ") if not COMMAND.search(part))
    )


def with_hint(what: str, hint: str) -> str:
    """What is wrong, and what its reader can do."""
    hint = can_be_done(hint)
    return f"{what} (hint: {hint})" if hint else what


class PbemError(Exception):
    """Base of all errors a player meets. `where` names file, line, entry or seat; `hint` says what
    to do (`can_be_done`)."""

    exit_code = REFUSED
    layer = "rules"
    """What kind of check failed, where a file does not verify (docs/format.md, section 18)."""
    entry: int | None = None
    """The number of the entry that does not verify."""

    def __init__(self, what: str, *, where: str = "", hint: str = "", layer: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint
        self.layer = layer or self.layer

    def __str__(self) -> str:
        return with_hint(f"{self.where}: {self.what}" if self.where else self.what, self.hint)


class Refused(PbemError):
    """Not possible now: an illegal or ambiguous answer, another seat's turn, a game that is
    over."""


class Usage(PbemError):
    """The command was called in a way it does not understand, or lacks what it needs (a file, an
    identity)."""

    exit_code = USAGE


class Unsafe(PbemError):
    """A library that the promises rest on does not do what it should: the program does not run with
    it."""

    exit_code = USAGE


class Damaged(Usage):
    """A file of the player's own home cannot be read, or is not what the program wrote. `where` is
    its path."""


class Invalid(PbemError):
    """A file does not verify: malformed, forged, tampered with, or against the rules."""

    exit_code = INVALID


class Malformed(Invalid):
    """The bytes are not a turn file as our writer writes it (docs/format.md, section 2)."""

    layer = "grammar"


class Newer(Malformed):
    """A newer program made the file: this one cannot tell what is in it, and nothing says that it
    is damaged."""


class Forged(Invalid):
    """A signature, a proof or an opening is not what it should be."""

    layer = ""


class RulesBroken(Invalid):
    """An entry is signed and well-formed, but not an entry its seat may write there."""

    layer = ""


@contextmanager
def failing_as(layer: str, *, wholly: bool = False) -> Iterator[None]:
    """What fails inside is of this layer (docs/format.md, section 18), unless it is spelled wrongly
    or has a layer of its own; `wholly`: whatever it is. Also a decorator."""
    try:
        yield
    except Invalid as error:
        error.layer = layer if wholly else error.layer or layer
        raise


class Conflict(PbemError):
    """Two versions of one turn, or a file older than what was already signed. Nothing was written
    or lost."""

    exit_code = CONFLICT
