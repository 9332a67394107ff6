"""Builds the page that plays in any browser: `./run web` makes dist/web/ and dist/pbem-web-VERSION.zip.

A folder of static files for any host, also in a subfolder: what lies in templates/web/, the table's scripts, Python
compiled to WebAssembly (Pyodide), libsodium, and pbem with its libraries as compiled modules. Two builds agree byte for
byte, on any machine. docs/release.md.

    index.html ...       templates/web/ as it is there
    table/               scripts, styles and letters of the table
    lib/                 what runs: Pyodide, its standard library, libsodium, and everything in Python (site.zip)
    version.json         version, hash, and the size of every file: what a page that is open looks at
    SHA256SUMS           every file but these two; the hash of a version is the SHA-256 of this list
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from pbem import __version__
from release import web_packages, web_serve
from release.build import ROOT
from release.web_packages import CannotBuild, Tree

HERE = Path(__file__).parent
INSIDE = (HERE / "web_inside.mjs", HERE / "web_inside.py")
RUNS_IN = {"stdlib": "/lib/python314.zip", "site": "/lib/python3.14/site-packages"}
"""Where the page has what is compiled here."""
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
SODIUM = "libsodium-wrappers-sumo/dist/modules-sumo-esm/libsodium-wrappers.mjs"
SODIUM_INSIDE = "libsodium-sumo/dist/modules-sumo-esm/libsodium-sumo.mjs"
NOT_SERVED = {*web_packages.NPM, web_packages.PYPI}
LISTS = ("SHA256SUMS", "version.json")


def build(into: Path, plugins: Iterable[Path] = ()) -> str:
    """The page in an empty folder; the hash of this version. Raises `CannotBuild`."""
    web_packages.check_tools()
    npm = web_packages.npm_packages()
    tree: Tree = {f"lib/{name}": (npm / "pyodide" / name).read_bytes() for name in PYODIDE}
    tree["lib/python_stdlib.zip"] = _standard_library(npm)
    tree["lib/pyodide-lock.json"] = _without_packages(npm)
    tree["lib/libsodium.mjs"] = (npm / SODIUM_INSIDE).read_bytes()
    tree["lib/libsodium-wrappers.mjs"] = _beside(npm / SODIUM)
    tree["lib/site.zip"] = _packed(npm, "site", web_packages.site(plugins))
    tree |= _table() | _own_files()
    for path, data in tree.items():
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return _listed(into, tree)


def _listed(into: Path, tree: Tree) -> str:
    sums = "".join(f"{hashlib.sha256(tree[path]).hexdigest()}  {path}\n" for path in sorted(tree)).encode("ascii")
    digest = hashlib.sha256(sums).hexdigest()
    sizes = {path: len(tree[path]) for path in sorted(tree)}
    version = {"version": __version__, "hash": digest, "files": sizes}
    (into / "SHA256SUMS").write_bytes(sums)
    (into / "version.json").write_text(json.dumps(version, indent=1) + "\n", encoding="ascii", newline="\n")
    return digest


def _own_files() -> Tree:
    paths = [path for path in web_packages.SOURCE.rglob("*") if path.is_file() and path.name not in NOT_SERVED]
    return {path.relative_to(web_packages.SOURCE).as_posix(): path.read_bytes() for path in paths}


def _table() -> Tree:
    """What the table's pages ask for besides themselves."""
    from pbem.report.picture import DATA, FONTS

    folder = ROOT / "templates" / "table"
    paths = [*folder.glob("*.js"), *folder.glob("*.css"), *(DATA / name for name in FONTS)]
    return {f"table/{path.name}": path.read_bytes() for path in paths}


def _beside(wrappers: Path) -> bytes:
    """libsodium's module, which asks for its other half beside it."""
    text = wrappers.read_text(encoding="utf-8")
    if text.count('from"libsodium-sumo"') != 1:
        raise CannotBuild("libsodium-wrappers imports otherwise than it did: see release/web.py")
    return text.replace('from"libsodium-sumo"', 'from"./libsodium.mjs"').encode()


def _without_packages(npm: Path) -> bytes:
    """Pyodide's list of its packages, none of which is fetched."""
    lock = json.loads((npm / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    return json.dumps({"info": lock["info"], "packages": {}}).encode("ascii")


def _standard_library(npm: Path) -> bytes:
    """Python's own modules, compiled; kept beside what was fetched, since they take the longest."""
    source = (npm / "pyodide" / "python_stdlib.zip").read_bytes()
    digest = hashlib.sha256(source + b"".join(path.read_bytes() for path in INSIDE)).hexdigest()[:16]
    kept = web_packages.KEPT / f"stdlib-{digest}.zip"
    if not kept.is_file():
        with zipfile.ZipFile(npm / "pyodide" / "python_stdlib.zip") as archive:
            tree = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        half = kept.with_suffix(f".{os.getpid()}")
        half.write_bytes(_packed(npm, "stdlib", tree))
        os.replace(half, kept)
    return kept.read_bytes()


def _packed(npm: Path, name: str, tree: Tree) -> bytes:
    """An archive of a tree, its sources compiled."""
    return _inside(npm, name, tree, RUNS_IN[name])


def _inside(npm: Path, name: str, tree: Tree, runs_in: str = "") -> bytes:
    """What release/web_inside.py makes of a tree; without `runs_in` nothing is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        for path, data in tree.items():
            target = stage / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        web_packages.run(["node", str(INSIDE[0]), str(npm / "pyodide"), folder, name, runs_in], ROOT)
        return (stage / f"{name}.zip").read_bytes()


def pack(folder: Path, target: Path) -> str:
    """The page as one archive, for whoever uploads it; its SHA-256. Raises `CannotBuild`."""
    tree = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    data = _inside(web_packages.npm_packages(), target.stem, tree)
    target.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def main(arguments: list[str]) -> int:
    asked = argparse.ArgumentParser(prog="run web", description="Builds the page that plays in any browser.")
    plug_in = "a pure wheel with a game that does not come with the program; may be given several times"
    asked.add_argument("--with", dest="plugins", metavar="WHEEL", type=Path, action="append", default=[], help=plug_in)
    asked.add_argument("--serve", action="store_true", help="serve the page on this machine, to try it")
    chosen = asked.parse_args(arguments)
    target, archive = ROOT / "dist" / "web", ROOT / "dist" / f"pbem-web-{__version__}.zip"
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "web"
            digest = build(made, chosen.plugins)
            target.parent.mkdir(exist_ok=True)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(made, target)
        print(f"{digest}  dist/web/SHA256SUMS")
        print(f"{pack(target, archive)}  dist/{archive.name}", flush=True)
    except CannotBuild as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    if chosen.serve:
        web_serve.serve(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
