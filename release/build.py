"""Builds the wheel and the source archive twice and compares them byte for byte: `./run wheel`.

The second build starts from the source archive of the first, in another folder: what the archive
leaves out, or what a build takes from the checkout around it, is so found.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
EPOCH = "1580601600"
"""The date of every file in the archives (seconds, 2020-02-02): that of the build tool where none
is given."""


def build(source: Path, into: Path) -> dict[str, bytes]:
    """Both archives of a source folder, by the names of their files. Raises
    `subprocess.CalledProcessError`."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into)]
    subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)
    return {
        path.name: path.read_bytes() for path in sorted(into.iterdir()) if path.name != ".gitignore"
    }


def build_twice(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """The archives of the first build, and the names of those that came out otherwise the second
    time."""
    first = build(ROOT, folder / "first")
    (archive,) = (name for name in first if name.endswith(".tar.gz"))
    source = unpack(folder / "first" / archive, folder / "source")
    second = build(source, folder / "second")
    return first, [
        name for name in sorted({*first, *second}) if first.get(name) != second.get(name)
    ]


def unpack(archive: Path, into: Path) -> Path:
    """The folder of a source archive that was made here, as it was before the build."""
    with tarfile.open(archive) as archive_file:
        # Python 3.11.2, as in Debian 12, has none
        archive_file.extraction_filter = getattr(tarfile, "data_filter", None)
        archive_file.extractall(into)
    (source,) = into.iterdir()
    # made by the build; among the files of the source it would only change their order
    (source / "PKG-INFO").unlink()
    return source


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        archives, different = build_twice(Path(folder))
    if different:
        sys.exit(f"run: not the same twice: {', '.join(different)}")
    into = ROOT / "dist"
    into.mkdir(exist_ok=True)
    for name, data in archives.items():
        (into / name).write_bytes(data)
        print(f"{hashlib.sha256(data).hexdigest()}  dist/{name}")


if __name__ == "__main__":
    main()
