"""Builds a wheel whose `engine/` mypyc has compiled for this platform and this Python: `./run wheel
--compiled`.

It holds the same sources and plays the same games, faster: who plays many games in one process
gains by it, who plays by mail notices nothing. It is built from the source archive in a folder of
its own, because the build moves pyproject.toml away for a while and leaves its modules beside the
sources. Two builds need not be equal byte for byte: compilers differ.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from release.build import EPOCH, ROOT, unpack

ENABLED = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "true"}
"""Switches the build hook of pyproject.toml on."""


class CannotCompile(Exception):
    """There is no compiler here, or it failed."""


def compiler() -> str | None:
    """The C compiler that extensions of this Python are built with, if it is installed."""
    arguments = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    return shutil.which(arguments[0])


def build_compiled(folder: Path) -> Path:
    """The wheel, in an empty folder. Raises `CannotCompile`."""
    if os.name == "posix" and compiler() is None:
        raise CannotCompile("this needs a C compiler (Debian: gcc)")
    _hatchling(ROOT, folder / "sdist", "sdist")
    (archive,) = (folder / "sdist").glob("*.tar.gz")
    source = unpack(archive, folder / "source")
    _hatchling(source, folder / "wheel", "wheel", **ENABLED)
    (wheel,) = (folder / "wheel").glob("*.whl")
    return wheel


def _hatchling(source: Path, into: Path, target: str, **environment: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    known = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, **environment}
    ran = subprocess.run(
        command, cwd=source, env=known, capture_output=True, encoding="utf-8", errors="replace"
    )
    if ran.returncode:
        raise CannotCompile(
            f"the build of the {target} failed:\n{(ran.stdout + ran.stderr)[-4000:]}"
        )


def main() -> None:
    try:
        with tempfile.TemporaryDirectory() as folder:
            wheel = build_compiled(Path(folder))
            into = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist"
            into.mkdir(exist_ok=True)
            shutil.copy(wheel, into)
    except CannotCompile as error:
        sys.exit(f"run: {error}")
    print(
        f"{hashlib.sha256((into / wheel.name).read_bytes()).hexdigest()}  {into.name}/{wheel.name}"
    )


if __name__ == "__main__":
    main()
