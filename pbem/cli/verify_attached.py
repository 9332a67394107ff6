"""Whether the files that go with the turns of a verified game (docs/format.md, section 22) are
there: beside its file, in a mail, or in the folders that are verified."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pbem import files
from pbem.fileformat.attached import AttachedFile
from pbem.mail import attached_parts
from pbem.report.attached import AttachedFacts, TurnFiles
from pbem.report.verification import VerifiedGame
from pbem.turn import files_beside

Found = dict[AttachedFile, AttachedFacts]
"""What was found of each file: where the right one lies, or another one of its name."""


def named_in(facts: VerifiedGame) -> list[AttachedFile]:
    """The files that go with its turns."""
    return [_as_named(one) for turn in facts.attached for one in turn.files]


def search(paths: Iterable[Path], wanted: Iterable[AttachedFile]) -> Found:
    """Look for these files in files, mails, and folders with all below them."""
    looked, found = set(wanted), Found()
    for path in _files_of(paths) if looked else ():
        for came in attached_parts.in_file(path, looked):
            facts = AttachedFacts(came.file.name, came.file.size, came.file.digest.hex())
            if came.is_it:
                found[came.file] = replace(facts, state="here", path=came.where)
            else:
                found.setdefault(came.file, replace(facts, state="other", path=came.where))
    return found


def found_beside(facts: VerifiedGame, path: Path) -> VerifiedGame:
    """The facts with what was found where this file, or mail, of the game lies."""
    return with_states(facts, search(files_beside.places_of(path), named_in(facts)))


def with_states(facts: VerifiedGame, found: Found) -> VerifiedGame:
    """The facts with what was found."""
    attached = [
        TurnFiles(
            turn.entry,
            [found.get(_as_named(one), replace(one, state="missing")) for one in turn.files],
        )
        for turn in facts.attached
    ]
    return replace(facts, attached=attached)


def _as_named(facts: AttachedFacts) -> AttachedFile:
    return AttachedFile(facts.name, facts.size, bytes.fromhex(facts.sha256))


def _files_of(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if files.is_folder(path):
            for folder, _, names in os.walk(path):
                yield from (Path(folder, name) for name in sorted(names))
        else:
            yield path
