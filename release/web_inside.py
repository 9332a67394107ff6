"""The part of `./run web` that runs in the pinned Pyodide, under node: what is needed is found,
compiled and packed.

What comes out is the same on every machine: the compiler, the library that deflates and the order
of sets are those of this one Python. Sources are left out; a traceback still names their lines.
"""

from __future__ import annotations

import ast
import json
import py_compile
import shutil
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

AT_START = frozenset(sys.modules)
"""What Pyodide itself needs to start."""
DATE = (2020, 2, 2, 0, 0, 0)
"""The date of every file in an archive."""
STDLIB, SITE, SOLID = "python_stdlib", "site", "solid"
RUNS_IN = {STDLIB: "/lib/python314.zip", SITE: "/lib/python3.14/site-packages"}
"""Where the page has what each of the two archives holds."""
NAMED = ("encodings", "engine", "pbem.games", "pbem.web", "pyodide", "_pyodide")
"""Packages of which every module is taken: something asks for them by their names."""
NEVER = (
    *(
        "bdb",
        "cmd",
        "code",
        "doctest",
        "pdb",
        "pydoc",
        "pydoc_data",
        "rlcompleter",
        "tracemalloc",
        "unittest",
    ),
    *("argparse", "curses", "gettext", "optparse", "_pyrepl", "tkinter", "turtle", "webbrowser"),
    *("ensurepip", "importlib.resources", "plistlib", "py_compile", "sysconfig", "venv"),
    *(
        "csv",
        "ctypes",
        "ftplib",
        "http",
        "mailbox",
        "sqlite3",
        "statistics",
        "urllib.request",
        "xml",
        "xmlrpc",
    ),
    *(
        "concurrent.futures.process",
        "concurrent.interpreters",
        "multiprocessing",
        "pyodide._nodesock_transport",
    ),
    *("asyncio.proactor_events", "asyncio.windows_events", "asyncio.windows_utils"),
    *("_pydatetime", "_pydecimal", "_pyio"),
    "pbem.seek.places",  # it looks into folders and asks servers, which no page can
)
"""What modules ask for in functions that nothing here calls, or where something else is
missing: debuggers, servers, other systems, and the slow twins of what is compiled in."""

_WITH_STATEMENTS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Parts of a statement that hold further ones."""

Modules = dict[str, Path]


def modules_of(folder: Path) -> Modules:
    """Every module of a folder, by its name."""
    paths = {
        path.relative_to(folder).with_suffix("").as_posix().replace("/", "."): path
        for path in folder.rglob("*.py")
    }
    return {name.removesuffix(".__init__"): path for name, path in sorted(paths.items())}


def modules_needed(known: Modules, plugins: frozenset[str]) -> set[str]:
    """The modules that are reached from those that run at the start or are asked for by name, by
    any import in them."""
    names = [name for name in known if _is_in(name, NAMED) or name.partition(".")[0] in plugins]
    found: set[str] = set()
    todo = sorted({*AT_START & known.keys(), *names})
    while todo:
        name = todo.pop()
        if name in known and name not in found and not _is_in(name, NEVER):
            found.add(name)
            todo += [
                part for used in sorted(imports(name, known[name])) for part in _with_parents(used)
            ]
    return found


def _is_in(name: str, packages: Iterable[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in packages)


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def imports(name: str, path: Path) -> set[str]:
    """What a module imports, at its top or in a function; names from a package are modules of it,
    or none."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in _run(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = (
                package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            )
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def _run(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement of a module but what is there for type checkers alone."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if not (isinstance(node, ast.If) and _is_for_types(node.test)):
            yield node
            todo += [inner for part in _WITH_STATEMENTS for inner in getattr(node, part, ())]


def _is_for_types(test: ast.expr) -> bool:
    return any(
        getattr(node, name, "") == "TYPE_CHECKING"
        for node in ast.walk(test)
        for name in ("id", "attr")
    )


def keep(folder: Path, names: set[str], known: Modules) -> None:
    """Remove the other modules of a folder."""
    for name, path in known.items():
        if name not in names and path.is_relative_to(folder):
            path.unlink()


def compile_all(folder: Path, runs_in: str) -> None:
    """Put compiled modules in the place of all sources. Python's own go without their
    docstrings."""
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder).as_posix()
        is_stripped = runs_in == RUNS_IN[STDLIB] and not inside.startswith(
            ("pyodide/", "_pyodide/")
        )
        py_compile.compile(
            str(path),
            cfile=str(path.with_suffix(".pyc")),
            dfile=f"{runs_in}/{inside}",
            doraise=True,
            optimize=2 if is_stripped else 0,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        path.unlink()


def compile_ahead(folder: Path, names: Iterable[str]) -> str:
    """Put beside its reader what is compiled each time while these modules are imported, and until
    the list of games is there. Returns the first page, as somebody sees it who has not played
    yet."""
    from pbem.web import ahead

    known = ahead.Compiled({}, {})
    ahead.use(known)
    for name in sorted(names):
        with suppress(ImportError):  # it asks for what the page does not have
            import_module(name)
    from pbem.web import door

    form = [("content-type", "application/x-www-form-urlencoded")]
    asked = (
        ("GET", "/unkept/", b""),
        ("POST", "/web/start", b""),
        ("POST", "/web/introduce", b"name=Ann"),
        ("GET", "/", b""),
    )
    pages = []
    for method, path, body in asked:
        status, _, text = door.answer(method, path, "", form, body)
        assert status == 200, (path, text)
        pages.append(text.decode())
    (folder / ahead.FILE.relative_to(RUNS_IN[SITE])).write_bytes(ahead.pack(known))
    return pages[0]


def boards() -> dict[str, str]:
    """The pictures on the first page, by game: drawn here, so that it opens no game for them."""
    from pbem.table import drawing, shelf

    return {one.game: drawing.sample_scene(one.game) for one in shelf.boxes(shelf.offers())}


def compile_templates(folder: Path) -> None:
    """Put what Jinja makes of every template beside them, as it would be made in the page: there it
    takes seconds."""
    from pbem.report import render

    into = render.PREPARED
    into.mkdir()
    render.prepare()
    shutil.copytree(into, folder / into.relative_to(RUNS_IN[SITE]))


def move_libraries(folder: Path, into: Path) -> None:
    """Take the libraries of C out of a folder: they are in Python's memory before it starts
    (templates/web/memory.js), so they do not come with all that is imported later."""
    for path in sorted(folder.rglob("*.so")):
        target = into / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)


def pack(folder: Path, target: Path, method: int = zipfile.ZIP_DEFLATED) -> None:
    """A folder as an archive, its files in the order of their names."""
    paths = {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as archive:
        for name in sorted(paths):
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type, info.external_attr = method, 0o644 << 16
            archive.writestr(info, paths[name].read_bytes(), compresslevel=9)


def pack_solid(folder: Path, target: Path) -> None:
    """A folder as one block in xz, which is much smaller: a line with names and sizes, then the
    files one behind the other, those of a kind together."""
    import lzma

    order = sorted(
        (path for path in folder.rglob("*") if path.is_file()),
        key=lambda path: (path.suffix, path.relative_to(folder).as_posix()),
    )
    parts = [path.read_bytes() for path in order]
    names = [path.relative_to(folder).as_posix() for path in order]
    sizes = [[name, len(part)] for name, part in zip(names, parts, strict=True)]
    head = json.dumps(sizes, separators=(",", ":")).encode() + b"\n"
    how = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 25}]
    made = lzma.compress(
        b"".join((head, *parts)), format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=how
    )
    target.write_bytes(made)


def main(work: Path, stage: Path, plugins: str = "") -> None:
    """Pack the two folders of Python into archives that compress nothing, for the block they come
    in does; or pack whatever else lies in the stage as it is."""
    shutil.copytree(stage, work)  # into memory: every file is looked at several times
    if (work / SITE).is_dir():
        known = modules_of(work / STDLIB) | modules_of(work / SITE)
        names = modules_needed(known, frozenset(plugins.split()))
        for part, runs_in in RUNS_IN.items():
            keep(work / part, names, known)
            compile_all(work / part, runs_in)
        shutil.copytree(work / SITE, RUNS_IN[SITE], dirs_exist_ok=True)
        own = [name for name in names if known[name].is_relative_to(work / SITE)]
        (stage / "first.html").write_text(compile_ahead(work / SITE, own))
        compile_templates(work / SITE)
        for game, drawn in boards().items():  # after that: what is loaded already is not prepared
            (stage / f"board-{game}.svg").write_text(drawn)
        move_libraries(work / SITE, work / SOLID / "lib" / SITE)
        for part in RUNS_IN:
            pack(work / part, work / SOLID / "lib" / f"{part}.zip", zipfile.ZIP_STORED)
            shutil.rmtree(work / part)
    for folder in sorted(work.iterdir()):
        if folder.name == SOLID:
            pack_solid(folder, stage / f"{folder.name}.xz")
        else:
            pack(folder, stage / f"{folder.name}.zip")


if __name__ == "__main__":
    main(Path("/work"), Path(sys.argv[1]), *sys.argv[2:])
