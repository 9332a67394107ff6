"""Whether the files that go with the turns of a verified game (docs/format.md, section 22) are
there: beside its file, in a mail, or in the folders that are verified."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pbem import files
from pbem.fileformat.attached import AttachedFile
from pbem.home import attached_files
from pbem.mail import attached_parts
from pbem.report.attached import AttachedFacts, TurnFiles
from pbem.report.verification import VerifiedGame

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


def places_of(path: Path) -> list[Path]:
    """Where the files of a single turn file, or of a mail, are looked for: in it, beside it, and in
    a home that keeps it where the home keeps them."""
    beside, kept = path.parent, path.parent.parent / attached_files.FOLDER
    places = [path, *(one for one in files.listed(beside) if one != path and one.is_file())]
    return [*places, kept] if files.is_folder(kept) else places


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
