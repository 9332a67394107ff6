"""What the code of a plug-in raised, in one line that its author can work with: what it is, and
the file and line of their own code it came out of."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from traceback import walk_tb

_LONGEST = 300
"""Characters of a foreign error that are told."""


def package_of(reference: str) -> str:
    """The package that a reference (`package.module:name`) or a module's name begins with."""
    return reference.partition(":")[0].partition(".")[0]


def raised(error: BaseException, packages: Collection[str]) -> str:
    """The error, and where in these packages: `KeyError: 'a9' (pbem_hex/board.py, line 29, in
    board)`. Of several lines that called each other it is the innermost, whatever it called in
    turn."""
    kind, said, place = type(error).__name__, str(error), where(error, packages)
    if isinstance(error, SyntaxError):
        said = error.msg
    told = " ".join(f"{kind}: {said}".split()).rstrip(": ")[:_LONGEST]
    return f"{told} ({place})" if place else told


def where(error: BaseException, packages: Collection[str]) -> str:
    """The line of these packages that raised an error; empty if none had a part in it."""
    if isinstance(error, SyntaxError) and error.filename:
        for package in packages:
            if package in Path(error.filename).parts:
                return f"{_in_package(error.filename, package)}, line {error.lineno}"
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        package, code = package_of(str(frame.f_globals.get("__name__", ""))), frame.f_code
        if package in packages:
            found = f"{_in_package(code.co_filename, package)}, line {line}, in {code.co_name}"
    return found.removesuffix(", in <module>")


def _in_package(path: str, package: str) -> str:
    """A file as its author calls it: from the folder of its package on."""
    parts = Path(path).parts
    if package not in parts:
        return Path(path).name
    return "/".join(parts[len(parts) - 1 - parts[::-1].index(package) :])
