"""The files that go with the turns of a game, where its turn file lies outside a home: in a folder
beside it, as `pbem archive` and `pbem export` put them there (docs/format.md, section 22)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pbem import files
from pbem.fileformat.attached import AttachedFile, files_of
from pbem.fileformat.turnfile import Entry
from pbem.home import attached_files
from pbem.home.attached_files import KeptFile, kept_name
from pbem.mail import attached_parts
from pbem.report.attached import AttachedFacts, TurnFiles


def folder_beside(path: Path) -> Path:
    """Where the files lie that go with the turns of the game in this file."""
    return path.with_name(f"{path.stem}-{attached_files.FOLDER}")


def places_of(path: Path) -> list[Path]:
    """Where the files of a single turn file, or of a mail, are looked for: in it, beside it, in the
    folder beside it, and in a home that keeps it where the home keeps them. Not in the folders of
    these."""
    folders = (path.parent, folder_beside(path), path.parent.parent / attached_files.FOLDER)
    inside = (one for folder in folders if files.is_folder(folder) for one in files.listed(folder))
    return [path, *(one for one in inside if one != path and one.is_file())]


def find_beside(
    source: Path, wanted: Iterable[AttachedFile]
) -> Iterator[tuple[AttachedFile, bytes]]:
    """Those of these files that lie where `source` does, each once, and what is in them."""
    lacking = set(wanted)
    for place in places_of(source) if lacking else ():
        for came in attached_parts.in_file(place, frozenset(lacking)) if lacking else ():
            if came.is_it and came.file in lacking:
                lacking.remove(came.file)
                yield came.file, came.data


def put_beside(entries: Sequence[Entry], source: Path, target: Path) -> list[TurnFiles]:
    """Keep the files that go with these entries beside the file `target`, as far as they lie where
    `source` does, or there already; and tell of each whether it is there now. What lies there is
    never taken away. Raises `Usage` where nothing can be written."""
    if not any("files" in entry.fields for entry in entries):
        return []
    folder = folder_beside(target)
    named = list(_named(entries, folder))
    lacking = [one for one in named if one.state != "here"]
    for file, data in find_beside(source, (one.file for one in lacking)):
        _write(folder, [one for one in lacking if one.file == file], data)
    return [
        TurnFiles(entry.number, [_facts(one) for one in _named([entry], folder)])
        for entry in entries
        if "files" in entry.fields
    ]


def _named(entries: Sequence[Entry], folder: Path) -> Iterator[KeptFile]:
    for entry in entries:
        for file in files_of(entry):
            path = folder / kept_name(entry.number, file)
            yield KeptFile(file, entry.number, path, attached_files.state_of(path, file))


def _write(folder: Path, named: Sequence[KeptFile], data: bytes) -> None:
    files.make_folder(folder)
    for one in named:
        files.replace(one.path, data, mode=0o644)


def _facts(one: KeptFile) -> AttachedFacts:
    path = None if one.state == "missing" else files.printable(one.path)
    return AttachedFacts(
        one.file.name, one.file.size, one.file.digest.hex(), state=one.state, path=path
    )
