"""The program itself as one file, for whoever is invited: the wheel that this installation came
from, made again out of its files (docs/trust.md, "Giving somebody the program").

What was installed from a released wheel gives the same bytes again: the same files, in the order,
with the times and in the folders of the build (docs/release.md). A checkout is built. The RECORD of
an installation shows damage and not honesty: whoever changes a file can change it too.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import marshal
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.version import BUILT, exact

PURE = "py3-none-any"
"""The tag of a wheel that every system with Python 3.11 or newer installs."""
EPOCH, _DATE = "1580601600", (2020, 2, 2, 0, 0, 0)
"""The date of every file in a wheel that is built of a commit."""
_INFO = ("METADATA", "WHEEL", "entry_points.txt", "licenses", "sboms")
"""What a wheel holds of itself, in its order; installers add files of their own."""
_BROUGHT = ("METADATA", "WHEEL", "entry_points.txt", "LICENSE", "RECORD")
_MADE_OF = "share/"
"""The data folder of the wheel: man pages and completions."""
_BUILDING = 300.0


class Wheel(NamedTuple):
    """The program as one file. `system` says where it can be installed, empty for everywhere."""

    name: str
    data: bytes
    system: str


class WheelName(NamedTuple):
    """The name of that file, and the system that it is for; empty for every one."""

    name: str
    system: str


def wheel_name() -> WheelName:
    """What the file of this installation is called, without making it."""
    found = _installed()
    tag = PURE if found is None else _tag(found)
    return WheelName(f"pbem-{exact()}-{tag}.whl", _system(tag))


def wheel() -> Wheel:
    """The program that runs, as one file. Raises `Usage` where an installed file is not what it
    was, or a checkout cannot be built here."""
    found = _installed()
    name, system = wheel_name()
    data = _built() if found is None else _made_again(found)
    return Wheel(name, data, system)


def _installed() -> metadata.Distribution | None:
    """What an installer has put here; None if the program runs out of a checkout."""
    here = Path(__file__).resolve()
    for found in metadata.distributions(name="pbem"):
        place = Path(str(found.locate_file("pbem/mail/program.py")))
        if place.exists() and place.resolve() == here and (found.files or ()):
            return (
                None if '"editable": true' in (found.read_text("direct_url.json") or "") else found
            )
    return None


def _tag(found: metadata.Distribution) -> str:
    tags = re.findall(r"^Tag: ([\w.-]+)$", found.read_text("WHEEL") or "", re.MULTILINE)
    return tags[0] if tags else PURE


def _system(tag: str) -> str:
    """A tag in words: "Python 3.11 on linux x86_64"; nothing for the one that fits everywhere."""
    if tag == PURE:
        return ""
    python, _, platform = tag.split("-", 2)
    version = re.sub(r"\D*(\d)(\d*).*", r"\1.\2", python)
    return f"Python {version} on {platform.replace('_', ' ', 1)}"


def _made_again(found: metadata.Distribution) -> bytes:
    """The wheel of an installation. Raises `Usage`."""
    info = f"pbem-{exact()}.dist-info"
    inside = {name: (place, said) for name, place, said in _files(found, info)}
    out, rows = io.BytesIO(), []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(inside, key=_order):
            place, said = inside[name]
            try:
                data = place.read_bytes()
            except OSError as error:
                raise _damaged(place) from error
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            if said != f"sha256={digest}":
                raise _damaged(place)
            rows.append(f"{name},sha256={digest},{len(data)}\n")
            _add(archive, name, data)
        _add(archive, f"{info}/RECORD", f"{''.join(rows)}{info}/RECORD,,\n".encode())
    return out.getvalue()


def _brought(place: Path) -> Usage:
    """What the wheel has brought and the one that is made again would not hold."""
    return Usage(
        "this installation came from another file: this was in it, and is in no wheel of pbem",
        where=str(place),
        hint="give others nothing of it, and install a file whose SHA-256 you have compared",
    )


def _damaged(place: Path) -> Usage:
    return Usage(
        "this installation is damaged: a file is not what was installed",
        where=str(place),
        hint="give others the file that you have it from, and install that again yourself",
    )


def _files(found: metadata.Distribution, info: str) -> Iterator[tuple[str, Path, str]]:
    """Each installed file that the wheel had: its name there, where it lies, and its hash as the
    installation notes it. What an installer made itself is left out: bytecode, the command, and
    its own notes. Raises `Usage` where such a thing came with the wheel."""
    commands = {one.name for one in found.entry_points}
    for file in found.files or ():
        place = Path(str(found.locate_file(file)))
        parts, said = file.parts, f"{file.hash.mode}={file.hash.value}" if file.hash else ""
        inner = [part for part in parts if part != ".."]
        name = "/".join(inner)
        if "__pycache__" in [part.casefold() for part in parts]:
            if said or file.size is not None or not _is_compiled_here(place):
                raise _brought(place)
            continue
        if len(inner) < len(parts):  # beside the packages: data, and the command itself
            if not name.startswith(_MADE_OF):
                if place.name.removesuffix(".exe").removesuffix("-script.py") not in commands:
                    raise _brought(place)
                continue
            name = f"pbem-{exact()}.data/data/{name}"
        elif inner[0] == info and (len(inner) < 2 or inner[1] not in _INFO):
            continue
        yield name, place, said


def _is_compiled_here(place: Path) -> bool:
    """Whether bytecode was made where it lies: it names the very time of its source, which no wheel
    can know, or is what its source compiles to. Python runs no other that is noted by time."""
    try:
        data = place.read_bytes()
        if data[:4] != importlib.util.MAGIC_NUMBER or not any(data[4:8]):
            return place.suffix == ".pyc"  # of another Python, or compared with the source's time
        source = Path(importlib.util.source_from_cache(str(place)))
        made = compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
        return bool(marshal.loads(data[16:]) == made)
    except FileNotFoundError:
        return True  # noted, and thrown away since
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):
        return False


def _order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Where a file stands in the wheel: the packages as the build walks them, files of a folder
    before the folders in it; then what is put in from elsewhere, the data, and the wheel's own."""
    path = PurePosixPath(name)
    walk = [(1, part) for part in path.parts[:-1]] + [(0, path.name)]
    if path.parts[0].endswith(".dist-info"):
        return 7, [(_INFO.index(path.parts[1]), name)]
    if path.parts[0].endswith(".data"):
        return (5 if path.parts[3] == "man" else 6), walk
    if name == "pbem/BUILT":  # made by the build, after all else that it puts in
        return 4, [(2, name)]
    if path.parts[:2] in (("pbem", "templates"), ("pbem", "docs")):
        return (3 if path.parts[1] == "templates" else 4), walk
    if name == f"pbem/{BUILT}":
        return 4, [(2, name)]  # after docs
    return 1, walk


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    made = zipfile.ZipInfo(name, _DATE)
    made.create_system, made.compress_type = 3, zipfile.ZIP_DEFLATED
    # the build writes these itself, and copies the others
    is_own = ".dist-info/" in name and name.rsplit("/", 1)[1] in _BROUGHT
    made.external_attr = (0o644 if is_own else 0o100644) << 16
    archive.writestr(made, data)


def _built() -> bytes:
    """The wheel of the checkout that the program runs out of. Raises `Usage`."""
    root = Path(__file__).resolve().parents[2]
    hint = f"./run wheel in {root} builds it into dist/"
    if not (root / "pyproject.toml").is_file():
        raise Usage("this program was put together by hand: there is no file that it came from")
    if importlib.util.find_spec("hatchling") is None:
        raise Usage("the program runs out of a folder, and what builds it is not here", hint=hint)
    with files.private_folder() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
        try:
            subprocess.run(
                command,
                cwd=root,
                env=environment,
                check=True,
                capture_output=True,
                timeout=_BUILDING,
            )
            (made,) = folder.glob("*.whl")
            return made.read_bytes()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise Usage("the folder of the program could not be built", hint=hint) from error
