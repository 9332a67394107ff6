"""What reports tell of the files that go with a turn."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.fileformat.attached import files_of
from pbem.fileformat.turnfile import Entry


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


def attached(entry: Entry) -> list[AttachedFacts]:
    """The files that go with an entry, as it names them."""
    return [AttachedFacts(one.name, one.size, one.digest.hex()) for one in files_of(entry)]
