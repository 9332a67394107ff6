"""The part of `./run web` that runs in the pinned Pyodide, under node: compiles, and packs.

What comes out is the same on every machine: the compiler, the library that deflates and the order of sets are those of
this one Python. Sources are left out; a traceback still names their lines.
"""

from __future__ import annotations

import py_compile
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

DATE = (2020, 2, 2, 0, 0, 0)
"""The date of every file in an archive."""


def compile_all(folder: Path, runs_in: str) -> None:
    """Put compiled modules in the place of all sources of a folder, which will lie in `runs_in` of the page."""
    for path in sorted(folder.rglob("*.py")):
        py_compile.compile(
            str(path),
            cfile=str(path.with_suffix(".pyc")),
            dfile=f"{runs_in}/{path.relative_to(folder).as_posix()}",
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        path.unlink()


def pack(folder: Path, target: Path) -> None:
    """A folder as an archive, its files in the order of their names."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in _files(folder):
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, path.read_bytes(), compresslevel=9)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    yield from sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())


def main(stage: Path, name: str, runs_in: str) -> None:
    """Compile a folder of the stage, if it is to run somewhere, and pack it."""
    if runs_in:
        compile_all(stage / name, runs_in)
    pack(stage / name, stage / f"{name}.zip")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
