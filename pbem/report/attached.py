"""What is told of the files that go with turns (docs/format.md, section 22)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.english import size
from pbem.fileformat.attached import files_of
from pbem.fileformat.turnfile import Entry

STATES = {"here": "here", "missing": "missing", "other": "another file of that name"}
"""What is said of a file that goes with a turn, by its state."""


@dataclass(frozen=True)
class AttachedFacts:
    """A file that goes with a turn, as its entry names it: its size in bytes, its SHA-256 in
    hexadecimal. In a report for the player of a home `state` says whether it is here, missing, or
    another file lies in its place (other), and `path` where it lies or would lie; both are null in
    any other report."""

    name: str
    size: int
    sha256: str
    state: str | None = None
    path: str | None = None


@dataclass(frozen=True)
class TurnFiles:
    """The files that go with an entry. `state` and `path` of each tell where it was looked for: of
    a single file beside it, of folders in them."""

    entry: int
    files: Sequence[AttachedFacts]


def attached(entry: Entry) -> list[AttachedFacts]:
    """The files that go with an entry, as it names them."""
    return [AttachedFacts(one.name, one.size, one.digest.hex()) for one in files_of(entry)]


def of_turns(entries: Iterable[Entry]) -> list[TurnFiles]:
    """The files that go with each of these entries; those without any are left out."""
    return [
        TurnFiles(entry.number, attached(entry)) for entry in entries if "files" in entry.fields
    ]


def in_lines(turns: Iterable[TurnFiles]) -> list[str]:
    """A line for each file: whether it is the one that was signed."""
    return [
        f"{one.name}, {size(one.size)} (turn {turn.entry}): {STATES[one.state or 'missing']}"
        + (f", {one.path}" if one.path else "")
        for turn in turns
        for one in turn.files
    ]
