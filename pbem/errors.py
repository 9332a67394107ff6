"""Everything that can go wrong, and the exit code of each kind.

An error is one line for the player: what is wrong, where, and what to do now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

DONE, REFUSED, USAGE, INVALID, CONFLICT = range(5)
"""The exit codes: done; refused by the rules; wrong usage; the file does not verify; conflict."""


class Do:
    """Something that the program does when it is asked to: a command with its arguments, in the
    order in which they are typed. `when` says in which case it is wanted, and `does` what comes of
    it. As text it is what is typed."""

    __slots__ = ("arguments", "command", "does", "when")

    def __init__(self, command: str, *arguments: str, does: str = "", when: str = "") -> None:
        self.command = command
        self.arguments = arguments
        self.does = does
        self.when = when

    def __str__(self) -> str:
        line = " ".join(("pbem", self.command, *self.arguments, *filter(None, [self.does])))
        return f"{self.when}: {line}" if self.when else line


class Typed(str):
    """A part of a hint that is of use to somebody who types commands and has the files of their
    home at hand: it names an option, a setting, a line of `mail.toml`."""

    __slots__ = ()


Part = str | Do
Hint = Part | tuple[Part, ...]
"""What can be done: words that are true everywhere, or what each interface words by itself."""


def typed(part: Do | Typed) -> str:
    """The words of a command line."""
    return str(part)


_wording: ContextVar[Callable[[Do | Typed], str]] = ContextVar("wording", default=typed)


@contextmanager
def worded_by(wording: Callable[[Do | Typed], str]) -> Iterator[None]:
    """What becomes text inside is read in another interface: `wording` gives what its reader can do
    there, or nothing, where they cannot."""
    before = _wording.set(wording)
    try:
        yield
    finally:
        _wording.reset(before)


def parts(hint: Hint) -> tuple[Part, ...]:
    """The parts of a hint, which are said one after the other."""
    if isinstance(hint, tuple):
        return hint
    return (hint,) if isinstance(hint, Do) or hint else ()


def advice(hint: Hint) -> str:
    """A hint in the words of the interface in which it is read; empty where nothing can be done
    there."""
    wording = _wording.get()
    said = [wording(one) if isinstance(one, Do | Typed) else one for one in parts(hint)]
    return "; ".join(dict.fromkeys(filter(None, said)))


def with_hint(what: str, hint: Hint) -> str:
    """What is wrong, and what its reader can do."""
    said = advice(hint)
    return f"{what} (hint: {said})" if said else what


class Notice(NamedTuple):
    """Something that a player should know, and what they can do; as text it is one line."""

    what: str
    hint: Hint = ()

    def __str__(self) -> str:
        return with_hint(self.what, self.hint)


class PbemError(Exception):
    """Base of all errors a player meets. `where` names file, line, entry or seat; `hint` is what
    can be done (`advice`)."""

    exit_code = REFUSED
    layer = "rules"
    """What kind of check failed, where a file does not verify (docs/format.md, section 18)."""
    entry: int | None = None
    """The number of the entry that does not verify."""

    def __init__(self, what: str, *, where: str = "", hint: Hint = "", layer: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = parts(hint)
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


class PluginFails(Usage):
    """The code of a plug-in raised something while its game was played. That says nothing of the
    file: it may hold, once the plug-in is mended."""

    layer = "program"


class Damaged(Usage):
    """A file of the player's own home cannot be read, or is not what the program wrote. `where` is
    its path."""


class Invalid(PbemError):
    """A file does not verify: malformed, forged, tampered with, or against the rules."""

    exit_code = INVALID


class Malformed(Invalid):
    """The bytes are not a turn file as our writer writes it (docs/format.md, section 2)."""

    layer = "grammar"


class NoTurn(Malformed):
    """A file is something else than a turn file, or a mail or text with one in it."""


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
