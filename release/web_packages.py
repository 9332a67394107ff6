"""What the page in a browser is made from: libraries of npm and of PyPI, pinned by hash, and pbem
itself.

What was fetched is kept in `build/web/` of the checkout, which git leaves alone, so only the first
build needs a network. Each build compares it with the same hashes as what it fetches.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from release.build import EPOCH, ROOT

SOURCE = ROOT / "templates" / "web"
KEPT = ROOT / "build" / "web"
NPM = ("package.json", "package-lock.json")
PYPI = "requirements.txt"
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")
"""That of the pinned Pyodide; the other is taken for MarkupSafe alone, of which nothing compiled is
kept."""

NOT_PACKED = (
    "templates/library",
    "templates/replay/noble",
    "docs/contributing.md",
    "crypto/primitives.py",
)
"""Of pbem what no page needs, or has in another way; modules that nothing reaches are left out
besides (release/web_inside.py)."""

Tree = dict[str, bytes]
"""Files by their path in `site-packages`."""


class CannotBuild(Exception):
    """Something that the build needs is not here, or is not what it should be."""


def check_tools() -> None:
    """Raise `CannotBuild` unless npm and node are here."""
    missing = [name for name in ("npm", "node") if shutil.which(name) is None]
    if missing:
        raise CannotBuild(
            f"{' and '.join(missing)} needed to build the page, and not found (Debian: npm)"
        )


@cache
def npm_packages() -> Path:
    """The folder of what package-lock.json names, as npm puts it there anew for each build: it
    compares what it has kept with the hashes there as it does what it fetches, and fetches again
    what is another file by now. Raises `CannotBuild`."""
    folder = _anew()
    for name in NPM:
        shutil.copy(SOURCE / name, folder)
    quiet = ["--no-audit", "--no-fund", "--silent"]
    kept = ["--prefer-offline", "--cache", str(KEPT / "npm")]
    run(["npm", "ci", "--ignore-scripts", *quiet, *kept], folder)
    return folder / "node_modules"


@cache
def python_packages() -> list[Path]:
    """The wheels that requirements.txt names, each with the hash that it has there; what was kept
    and is another file by now is fetched again. Raises `CannotBuild`."""
    kept = KEPT / "pypi"
    if not _is_pinned(kept):
        folder = _anew()
        _download(folder)
        if not _is_pinned(folder):
            raise CannotBuild(f"pip has fetched something else than {PYPI} names")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        return sorted(folder.glob("*.whl"))
    return sorted(kept.glob("*.whl"))


def _is_pinned(folder: Path) -> bool:
    """Whether a folder holds the wheels that requirements.txt names, and nothing else."""
    pins = re.findall(r"--hash=sha256:([0-9a-f]{64})", (SOURCE / PYPI).read_text(encoding="utf-8"))
    found = [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*") if path.is_file()
    ]
    return sorted(found) == sorted(pins)


def _anew() -> Path:
    """An empty folder that is there until the build ends."""
    KEPT.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(dir=KEPT)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _download(folder: Path) -> None:
    where = [word for platform in PLATFORMS for word in ("--platform", platform)]
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--quiet",
        "download",
        "--dest",
        str(folder),
    ]
    pins = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", str(SOURCE / PYPI)]
    run([*pip, *where, "--python-version", "314", *pins], folder)


def run(command: list[str], folder: Path, **environment: str) -> None:
    """A program of the build. Raises `CannotBuild` with what it said if it fails."""
    known = {**os.environ, **environment}
    done = subprocess.run(
        command, cwd=folder, env=known, capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-2000:]
        raise CannotBuild(f"{' '.join(command[:4])} … failed:\n{said}")


def site(games: Iterable[Tree] = ()) -> Tree:
    """Everything in Python that the page may hold besides Python's own: libraries, pbem, and the
    games of plug-ins. Raises `CannotBuild`."""
    tree = _program()
    for wheel in python_packages():
        tree |= _library(wheel)
    for game in games:
        if both := sorted(game.keys() & tree.keys()):
            raise CannotBuild(f"two packages hold {both[0]}")
        tree |= game
    return tree


def _library(wheel: Path) -> Tree:
    """The modules of a library; what is compiled only where it is compiled for Pyodide."""
    endings = (".py", ".so") if PLATFORMS[0] in wheel.name else (".py",)
    return {path: data for path, data in _contents(wheel).items() if path.endswith(endings)}


def _program() -> Tree:
    """pbem without what no page needs, and with what only the page has."""
    with tempfile.TemporaryDirectory() as folder:
        run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
            ROOT,
            SOURCE_DATE_EPOCH=EPOCH,
        )
        (wheel,) = Path(folder).glob("*.whl")
        tree = {path: data for path, data in _contents(wheel).items() if _is_needed(path)}
    for path in sorted((ROOT / "pbem" / "web").glob("*.py")):
        tree[f"pbem/web/{path.name}"] = path.read_bytes()
    tree["pbem/crypto/primitives.py"] = tree.pop("pbem/web/primitives.py")
    return tree


def _is_needed(path: str) -> bool:
    package, _, inner = path.partition("/")
    left_out = any(inner == name or inner.startswith(f"{name}/") for name in NOT_PACKED)
    return (
        package in ("pbem", "engine")
        and not left_out
        and not inner.startswith("report/terminal")
        and not inner.endswith("py.typed")
    )


def plugin(wheel: Path) -> Tree:
    """The files of a wheel with the game of a plug-in. Raises `CannotBuild`."""
    if not wheel.name.endswith("-none-any.whl"):
        raise CannotBuild(f"{wheel.name} is no pure wheel (its name would end with -none-any.whl)")
    tree = _contents(wheel)
    if outside := [path for path in tree if {"", ".", ".."} & set(path.split("/")) or "\\" in path]:
        raise CannotBuild(f"{wheel.name} holds a file that would lie elsewhere: {outside[0]!r}")
    return tree


def _contents(wheel: Path) -> Tree:
    try:
        with zipfile.ZipFile(wheel) as archive:
            return {
                info.filename: archive.read(info)
                for info in archive.infolist()
                if not info.is_dir()
            }
    except (OSError, zipfile.BadZipFile) as error:
        raise CannotBuild(f"cannot read {wheel}: {error}") from error
