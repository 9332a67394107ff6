"""Builds the page that plays in any browser: `./run web` makes dist/web/ and
dist/pbem-web-VERSION.zip.

A folder of static files for any host, also in a subfolder: what lies in templates/web/, the table's
scripts, Python compiled to WebAssembly (Pyodide), libsodium, and pbem with its libraries as
compiled modules. Two builds agree byte for byte, on any machine. docs/release.md.

    *.js, *.css ...      templates/web/ as it is there
    table/               scripts, styles and letters of the table
    lib.xz               what runs, as one block of the files lib/...: Pyodide, its standard
                         library, libsodium, and everything in Python (lib/site.zip), with its
                         libraries of C beside it
    xz-decompress.js     what unpacks it, in a browser
    check.html           the page that checks a turn file without any of this
    first.html, boards/  the first page, and its pictures, which would take Python seconds to draw
    LICENSES.txt         what all this is made of, and under which licences
    SHA256SUMS           every file above, and those in the block; the hash of a version is the
                         SHA-256 of this list
    index.html           the page itself, which names this hash
    version.json         version, hash, hash of index.html, sizes: what a page that is open looks at
"""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from pbem import __version__
from release import web_packages
from release.build import ROOT
from release.web_inside import SITE, SOLID, STDLIB
from release.web_licences import licences
from release.web_packages import CannotBuild, Tree

HERE = Path(__file__).parent
INSIDE = HERE / "web_inside.mjs"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
SODIUM = "libsodium-wrappers-sumo/dist/modules-sumo-esm/libsodium-wrappers.mjs"
SODIUM_INSIDE = "libsodium-sumo/dist/modules-sumo-esm/libsodium-sumo.mjs"
BLOCK = "lib.xz"
DECODER = "xz-decompress"
NOT_SERVED = {*web_packages.NPM, web_packages.PYPI}
INDEX = "index.html"


def build(into: Path, plugins: Iterable[Path] = ()) -> str:
    """The page in an empty folder; the hash of this version. Raises `CannotBuild`."""
    web_packages.check_tools()
    npm = web_packages.npm_packages()
    games = [web_packages.plugin(wheel) for wheel in plugins]
    runtime = {f"lib/{name}": data for name, data in _runtime(npm).items()}
    python = {STDLIB: _standard_library(npm), SITE: web_packages.site(games)}
    names = sorted(
        {path.partition("/")[0] for game in games for path in game if path.endswith(".py")}
    )
    made = inside(npm, {**python, SOLID: runtime}, names)
    tree = {BLOCK: made[SOLID], "first.html": made["first"], **_boards(made)}
    _check_libraries(unpacked(tree[BLOCK]))
    tree |= _decoder(npm) | _table() | _own_files()
    tree["LICENSES.txt"] = licences(npm, web_packages.python_packages())
    index = tree.pop(INDEX, b"")
    sums = list_of(tree | unpacked(tree[BLOCK]))
    digest = hashlib.sha256(sums).hexdigest()
    tree[INDEX] = _with_hashes(index, digest, tree)
    version = {
        "version": __version__,
        "hash": digest,
        "index": hashlib.sha256(tree[INDEX]).hexdigest(),
    }
    facts = {**version, "files": {path: len(tree[path]) for path in sorted(tree)}}
    _write(
        into,
        {
            **tree,
            "SHA256SUMS": sums,
            "version.json": json.dumps(facts, indent=1).encode("ascii") + b"\n",
        },
    )
    return digest


def _check_libraries(tree: Tree) -> None:
    """Raises `CannotBuild` unless the libraries of C are those that the page's script expects."""
    script = (web_packages.SOURCE / "python.js").read_text(encoding="utf-8")
    named = re.search(r"LIBRARIES = \[(.*?)\]", script)
    expected = {f"lib/site/{name}" for name in re.findall(r'"([^"]+)"', named[1] if named else "")}
    if expected != (found := {name for name in tree if name.endswith(".so")}):
        raise CannotBuild(f"templates/web/python.js does not name the libraries {sorted(found)}")


def list_of(tree: Tree) -> bytes:
    """The hash of each file, as `sha256sum` writes it."""
    lines = (f"{hashlib.sha256(tree[path]).hexdigest()}  {path}\n" for path in sorted(tree))
    return "".join(lines).encode("ascii")


def unpacked(block: bytes) -> Tree:
    """The files in what `release.web_inside.pack_solid` has made."""
    head, _, rest = lzma.decompress(block).partition(b"\n")
    tree, at = {}, 0
    for name, size in json.loads(head):
        tree[name] = rest[at : at + size]
        at += size
    return tree


def _with_hashes(index: bytes, digest: str, tree: Tree) -> bytes:
    """The page itself, which names the version, the hash of its other files, and that of its first
    script."""
    start = base64.b64encode(hashlib.sha256(tree.get("start.js", b"")).digest())
    index = part_of(index, "page")
    marks = {b"@VERSION@": __version__.encode(), b"@HASH@": digest.encode(), b"@START@": start}
    for mark, value in marks.items():
        index = index.replace(mark, value)
    return index


def part_of(index: bytes, place: str) -> bytes:
    """The page for one of the places it runs in, `page` or `messenger`: what stands between the
    marks of the other goes."""
    other = {"page": b"messenger", "messenger": b"page"}[place]
    index = re.sub(rb"<!-- %s -->.*?<!-- /%s -->\n?" % (other, other), b"", index, flags=re.DOTALL)
    return re.sub(rb"<!-- /?%s -->\n?" % place.encode(), b"", index)


def _own_files() -> Tree:
    """The page, its scripts, and the page that checks a turn file, which works from a disk too. The
    icon and the screenshots stand in what names them: a browser asks for them whenever it likes,
    also when the page has no network any more."""
    paths = [
        path
        for path in web_packages.SOURCE.rglob("*")
        if path.is_file() and path.name not in NOT_SERVED
    ]
    tree = {path.relative_to(web_packages.SOURCE).as_posix(): path.read_bytes() for path in paths}
    marks = {b"@ICON@": "pbem.svg", b"@WIDE@": "wide.webp", b"@NARROW@": "narrow.webp"}
    for mark, name in marks.items():
        kind = b"svg+xml" if name.endswith(".svg") else b"webp"
        inside = b"data:image/" + kind + b";base64," + base64.b64encode(tree.pop(f"icons/{name}"))
        for page in (INDEX, "manifest.webmanifest"):
            tree[page] = tree[page].replace(mark, inside)
    tree["start.js"] = tree.pop("host.js") + b"\n" + tree["start.js"]
    return {**tree, "check.html": (ROOT / "docs" / "check.html").read_bytes()}


def _table() -> Tree:
    """What the table's pages ask for besides themselves."""
    from pbem.report.picture import DATA, FONTS

    scripts = [
        path for name in ("stage", "table") for path in (ROOT / "templates" / name).glob("*.*s")
    ]
    paths = [*scripts, *(DATA / name for name in FONTS)]
    return {f"table/{path.name}": path.read_bytes() for path in paths}


def _boards(made: Tree) -> Tree:
    """The pictures of the first page, one for each game."""
    return {
        f"boards/{name.removeprefix('board-')}.svg": data
        for name, data in made.items()
        if name.startswith("board-")
    }


def _decoder(npm: Path) -> Tree:
    """What unpacks the block, as one script."""
    script = npm / DECODER / "dist" / "package" / f"{DECODER}.min.js"
    return {f"{DECODER}.js": script.read_bytes()}


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


def _standard_library(npm: Path) -> Tree:
    """Python's own modules, as sources."""
    with zipfile.ZipFile(npm / "pyodide" / f"{STDLIB}.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}


def _runtime(npm: Path) -> Tree:
    """Pyodide and libsodium."""
    tree = {name: (npm / "pyodide" / name).read_bytes() for name in PYODIDE}
    tree["pyodide-lock.json"] = _without_packages(npm)
    tree["libsodium.mjs"] = (npm / SODIUM_INSIDE).read_bytes()
    tree["libsodium-wrappers.mjs"] = _beside(npm / SODIUM)
    return tree


def inside(npm: Path, folders: Mapping[str, Tree], plugins: Iterable[str] = ()) -> dict[str, bytes]:
    """What release/web_inside.py makes of these folders, by their names: an archive each, and one
    block of the folder `solid`, which takes those of Python in; with these `first`, the first page,
    and a `board-GAME` for each game on it. Raises `CannotBuild`."""
    with tempfile.TemporaryDirectory() as folder:
        lib, stage = Path(folder) / "lib", Path(folder) / "stage"
        python = f"{STDLIB}.zip"
        _write(lib, {**_runtime(npm), python: (npm / "pyodide" / python).read_bytes()})
        for name, tree in folders.items():
            _write(stage / name, tree)
        web_packages.run(["node", str(INSIDE), str(lib), str(stage), " ".join(plugins)], ROOT)
        return {path.stem: path.read_bytes() for path in stage.iterdir() if path.is_file()}


def _write(into: Path, tree: Tree) -> None:
    for path, data in tree.items():
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def pack(folder: Path, target: Path) -> str:
    """The page as one archive, for whoever uploads it; its SHA-256. Raises `CannotBuild`."""
    tree = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    data = inside(web_packages.npm_packages(), {"page": tree})["page"]
    target.write_bytes(data)
    return hashlib.sha256(data).hexdigest()
