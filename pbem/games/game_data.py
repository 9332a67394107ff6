"""Data that players fill in from their copy of a game: writes the files to fill in, and reads them.

A file has one piece of data on each line. Empty lines are left out, and so are what stands behind a
`#` and lines with a question mark, which are not filled in yet. A line of the invitation is `FILE:
content` (docs/format.md, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.rules import BadData, Rules
from pbem import files
from pbem.english import counted
from pbem.errors import Do, Usage
from pbem.games.descriptor import GameDescriptor, load

MOST_LINES = 512
LONGEST_LINE = 200
"""What fits into the field `data` (docs/format.md, sections 2 and 3)."""
_LARGEST = 200_000


class DataLine(NamedTuple):
    """One line as it stands in the invitation, and where it comes from: a file and the number of
    the line in it, from 1."""

    line: str
    path: Path
    number: int

    @property
    def where(self) -> str:
        return f"{files.printable(self.path)}, line {self.number}"


def write_templates(game: GameDescriptor, folder: Path) -> list[Path]:
    """The files to fill in that are not there yet. Raises `Usage` if the game takes no data."""
    _check_takes_data(game)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Usage(
            f"cannot make {files.printable(folder)}: {error.strerror or error}",
            hint="check the folder",
        ) from error
    paths = []
    for name, path in _paths(game, folder).items():
        if path.exists():
            continue
        files.write_new(path, (game.templates / "data" / f"{name}.txt").read_bytes())
        paths.append(path)
    return paths


def read(game: GameDescriptor, folder: Path) -> list[DataLine]:
    """All lines that are filled in, file by file in the order of the descriptor; a file may be
    missing, and in place of the folder the game's only file may be named. Raises `Usage` with file
    and line."""
    _check_takes_data(game)
    if folder.is_file() and len(game.data) == 1:
        paths = {game.data[0]: folder}
    elif folder.is_dir():
        paths = _paths(game, folder)
    else:
        raise Usage(
            f"there is no folder {files.printable(folder)}",
            hint=Do("data", game.name, "DIR", does="writes one to fill in"),
        )
    found: list[DataLine] = []
    for name, path in paths.items():
        if path.exists():
            found += _read_file(game, name, path)
    if not found:
        raise Usage(
            f"nothing is filled in yet in {files.printable(folder)}",
            hint=f"its files: {', '.join(game.data)}",
        )
    _check_count(found)
    return found


def _read_file(game: GameDescriptor, name: str, path: Path) -> list[DataLine]:
    data = files.read_bytes(path, _LARGEST)
    if game.reads is not None:  # names in it may be of any encoding
        return _lines_of(game, data.decode("utf-8-sig", errors="replace"), path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Usage(
            "this is no UTF-8 text", where=files.printable(path), hint="save it as UTF-8"
        ) from error
    return lines_in(name, text, path)


def _lines_of(game: GameDescriptor, text: str, path: Path) -> list[DataLine]:
    """The lines of a text in place of the game's only file, which the game reads itself where other
    programs write such files; nothing where the file to fill in is as it was written."""
    name = game.data[0]
    if game.reads is None:
        return lines_in(name, text, path)
    empty = (game.templates / "data" / f"{name}.txt").read_text(encoding="utf-8")
    if text.split() == empty.split():
        return []
    try:
        found: list[str] = load(game.reads)(text)
    except ValueError as error:
        raise Usage(f"{error}"[:300], where=files.printable(path)) from error
    return lines_in(name, "\n".join(found), path)


def read_text(game: GameDescriptor, text: str) -> list[DataLine]:
    """The lines of a text that was written in place of the game's only file. Raises `Usage` with
    the line."""
    _check_takes_data(game)
    found = _lines_of(game, text, Path(f"the {game.data[0]}"))
    _check_count(found)
    return found


def lines_in(name: str, text: str, path: Path) -> list[DataLine]:
    """The lines of a text that are filled in, as they stand in the invitation. Raises `Usage` with
    the line."""
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        content = " ".join(raw.partition("#")[0].split())
        if not content or "?" in content:
            continue
        line = DataLine(f"{name}: {content}", path, number)
        if len(line.line) > LONGEST_LINE or not content.isprintable():
            raise Usage(
                f"a line of data has at most {LONGEST_LINE} characters, all of them visible",
                where=line.where,
            )
        found.append(line)
    return found


class FileState(NamedTuple):
    """How far a file is filled in: the number of its lines, what is missing if it is not complete,
    and the first thing that is wrong, with its line."""

    path: Path
    lines: int
    missing: str
    wrong: str

    def __str__(self) -> str:
        if self.wrong:
            return self.wrong
        if not self.lines:
            return f"{files.printable(self.path)}: not filled in"
        if self.missing:
            return (
                f"{files.printable(self.path)}: not complete, so that a game is made without it:"
                f" {self.missing}"
            )
        return f"{files.printable(self.path)}: {counted(self.lines, 'line')}"


def check(game: GameDescriptor, rules: Rules, folder: Path) -> list[FileState]:
    """How far each file of a folder is filled in. Where a line is wrong the others are checked
    without it, and if another line of its file is wrong too, without the whole file."""
    found: list[DataLine] = []
    wrong: dict[Path, str] = {}
    paths = _paths(game, folder)
    for name, path in paths.items():
        try:
            found += _read_file(game, name, path) if path.exists() else []
        except Usage as error:
            wrong[path] = str(error)
    while True:
        try:
            missing = rules.with_data([one.line for one in found]).unfinished() if found else {}
            break
        except BadData as error:
            bad = found[error.line]
            found = [
                one for one in found if (one.path != bad.path if bad.path in wrong else one != bad)
            ]
            wrong.setdefault(bad.path, str(_wrong_line(bad, error)))
    return [
        FileState(
            path,
            sum(line.path == path for line in found),
            missing.get(name, ""),
            wrong.get(path, ""),
        )
        for name, path in paths.items()
    ]


def _paths(game: GameDescriptor, folder: Path) -> dict[str, Path]:
    """Where each file lies in a folder, by name."""
    return {name: folder / f"{name}.txt" for name in game.data}


def _check_count(found: Sequence[DataLine]) -> None:
    if len(found) > MOST_LINES:
        raise Usage(
            f"{len(found)} lines of data, and {MOST_LINES} are allowed",
            where=found[MOST_LINES].where,
        )


def _wrong_line(line: DataLine, error: BadData) -> Usage:
    return Usage(str(error), where=line.where, hint="mend the line, or leave it out with a #")


def finished(rules: Rules, data: Sequence[DataLine]) -> tuple[list[DataLine], list[str]]:
    """The lines with which a new game is made, and why each other file is left out: a file that is
    only partly filled in would break the game. Raises `Usage` at a line that is wrong."""
    missing = rules_with(rules, data).unfinished()
    kept = [line for line in data if line.line.partition(": ")[0] not in missing]
    return kept, [
        f"{name}.txt is left out, as it is not complete: {what}" for name, what in missing.items()
    ]


def rules_with(rules: Rules, data: Sequence[DataLine]) -> Rules:
    """The rules with these data. Raises `Usage` at a line that is wrong."""
    if not data:
        return rules
    try:
        return rules.with_data([one.line for one in data])
    except BadData as error:
        raise _wrong_line(data[error.line], error) from error


def _check_takes_data(game: GameDescriptor) -> None:
    if not game.data:
        raise Usage(f"{game.name} takes no data", hint="it is complete as it is")
