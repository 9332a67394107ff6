"""Imports go one way between the packages (docs/design.md), and the games' words stay with the
games."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BOTTOM = {"errors", "files", "english", "lock", "version"}
"""Modules of pbem that everything may use."""

SHARED = BOTTOM | {"fileformat", "crypto", "games", "ledger"}
"""What everything above the ledger may use."""

MAY_USE: dict[str, set[str]] = {
    "english": set(),
    "errors": set(),
    "version": set(),
    "files": {"errors"},
    "lock": {"errors", "files"},
    "fileformat": BOTTOM,
    "crypto": BOTTOM | {"fileformat"},
    "games": BOTTOM | {"fileformat"},
    "ledger": BOTTOM | {"fileformat", "crypto", "games"},
    "home": SHARED,
    "report": SHARED,
    "mail": SHARED | {"home", "report"},
    "turn": SHARED | {"home", "report", "mail"},
    "seek": SHARED | {"home", "report", "mail", "turn"},
    "league": SHARED | {"home", "report", "mail", "turn", "seek"},
    "replay": SHARED | {"report"},
    "library": SHARED | {"report", "replay", "league"},
    "simulate": SHARED | {"home", "report", "turn"},
    "watch": SHARED | {"home", "report", "mail", "turn"},
    "table": SHARED | {"home", "report", "mail", "turn", "seek", "replay"},
    "web": SHARED | {"home", "report", "mail", "turn", "seek", "table"},
    "cli": (
        SHARED
        | {"home", "report", "mail", "turn", "seek", "replay", "library", "simulate", "watch"}
        | {"table", "league"}
    ),
    "__init__": set(),
    "__main__": {"cli"},
}
"""Package or module of pbem to those it may import besides itself. A new package is entered here
and in docs/design.md."""

FILES = sorted((ROOT / "pbem").rglob("*.py"))


def part_of(path: Path) -> str:
    """The package of pbem that a file belongs to, or the module that it is."""
    parts = path.relative_to(ROOT / "pbem").parts
    return parts[0] if len(parts) > 1 else path.stem


def imported(path: Path, source: str | None = None) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, with the line; names imported from pbem itself as modules
    of it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8") if source is None else source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            module = node.module or ""
            if module == "pbem":
                yield from ((node.lineno, f"pbem.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, module


def wrong_imports(path: Path, source: str | None = None) -> list[str]:
    """The imports of a file of pbem that go against the directions."""
    part, wrong = part_of(path), []
    for line, module in imported(path, source):
        first, _, rest = module.partition(".")
        used = rest.partition(".")[0]
        if (
            first == "pbem"
            and used
            not in {part, "FORMAT", "PAGE_ADDRESS", "PROGRAM_ADDRESS", "__version__", "__date__"}
            and used not in MAY_USE[part]
        ):
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    return wrong


def test_imports_go_one_way() -> None:
    assert [wrong for path in FILES for wrong in wrong_imports(path)] == []


def test_an_import_against_the_directions_is_found() -> None:
    path = ROOT / "pbem" / "ledger" / "ledger.py"
    assert wrong_imports(
        path, "from pbem.turn import sign\nimport pbem.cli.app\nfrom pbem import mail\n"
    ) == [
        "pbem/ledger/ledger.py:1 imports pbem.turn",
        "pbem/ledger/ledger.py:2 imports pbem.cli.app",
        "pbem/ledger/ledger.py:3 imports pbem.mail",
    ]


def test_every_package_has_its_place() -> None:
    assert {part_of(path) for path in FILES} == set(MAY_USE)
    assert len([path for path in FILES if path.parent == ROOT / "pbem"]) <= 7


LIBRARIES = {"nacl", "cryptography"}
"""Libraries that one module alone may import: a browser has others (docs/design.md)."""
PRIMITIVES = ROOT / "pbem" / "crypto" / "primitives.py"


def cryptographic_imports(path: Path, source: str | None = None) -> set[str]:
    """The libraries of primitives that a file imports, at its top or inside a function."""
    return {module.partition(".")[0] for _, module in imported(path, source)} & LIBRARIES


def test_one_module_knows_where_the_primitives_come_from() -> None:
    assert cryptographic_imports(PRIMITIVES) == LIBRARIES
    assert [path for path in FILES if path != PRIMITIVES and cryptographic_imports(path)] == []
    late = "def key():\n    from nacl.signing import SigningKey\n    import cryptography.x509\n"
    assert cryptographic_imports(PRIMITIVES, late) == LIBRARIES


SERVING = {"starlette", "uvicorn", "anyio", "asyncio", "threading", "socket"}
"""What serves the table's pages, or what runs beside something else: a browser that runs the
program has none."""


def serving_imports(path: Path, source: str | None = None) -> set[str]:
    """The modules that serve, as a file imports them, at its top or inside a function."""
    return {module.partition(".")[0] for _, module in imported(path, source)} & SERVING


def test_one_module_serves_the_table() -> None:
    server = ROOT / "pbem" / "table" / "server.py"
    web = {"starlette", "uvicorn"}
    assert web <= serving_imports(server)
    assert [path for path in FILES if path != server and serving_imports(path) & web] == []
    pages = [path for path in FILES if part_of(path) == "table" and path != server]
    assert len(pages) > 5 and [path for path in pages if serving_imports(path)] == []
    assert [
        path for path in pages if "pbem.table.server" in {module for _, module in imported(path)}
    ] == []
    late = (
        "def serve():\n    from starlette.routing import Route\n    import uvicorn.config,"
        " threading\n"
    )
    assert serving_imports(server, late) == web | {"threading"}


PORT = {ROOT / "pbem" / "files.py", ROOT / "pbem" / "lock.py"}
"""What knows how systems differ in files and locks, which a browser has in its own way
(docs/design.md)."""
OF_SYSTEMS = {"fcntl", "msvcrt", "tempfile"}
OF_FILES = {
    "open",
    "link",
    "symlink",
    "replace",
    "fsync",
    "fdatasync",
    "sync",
    "lockf",
    "samestat",
    "O_NOFOLLOW",
    "O_NONBLOCK",
}
KEYBOARD = {(ROOT / "pbem" / "replay" / "keys.py", "msvcrt")}
"""That module reads keys too, and no file."""


def system_files(path: Path, source: str | None = None) -> set[str]:
    """What of files and locks that differs by system a file uses: modules by their names, also
    where a function is given the name, and what it takes from `os`."""
    text = path.read_text(encoding="utf-8") if source is None else source
    nodes = list(ast.walk(ast.parse(text)))
    found = {module.partition(".")[0] for _, module in imported(path, source)} & OF_SYSTEMS
    given = [argument for node in nodes if isinstance(node, ast.Call) for argument in node.args]
    found |= {str(one.value) for one in given if isinstance(one, ast.Constant)} & OF_SYSTEMS
    taken = [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    found |= {
        f"os.{node.attr}" for node in taken if node.value.id == "os" and node.attr in OF_FILES
    }
    names = [
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "os"
        for alias in node.names
    ]
    return found | {f"os.{name}" for name in names if name in OF_FILES}


@pytest.mark.dear("reads every module")
def test_two_modules_know_how_systems_differ_in_files() -> None:
    assert set.union(*map(system_files, PORT)) >= {
        "fcntl",
        "msvcrt",
        "tempfile",
        "os.link",
        "os.replace",
        "os.fsync",
    }
    outside = {(path, what) for path in FILES if path not in PORT for what in system_files(path)}
    assert outside == KEYBOARD
    late = (
        "def f():\n    from os import link\n    import_module('fcntl')\n    os.fsync(0)\n    import"
        " tempfile\n"
    )
    assert system_files(ROOT / "pbem" / "files.py", late) == {
        "os.link",
        "fcntl",
        "os.fsync",
        "tempfile",
    }


STATE_FORMATS = {"json", "tomllib", "tomli_w"}
TO_ANOTHER_PROCESS = {ROOT / "pbem" / "watch" / name for name in ("notify.py", "teller.py")}
"""What is told goes to a process that imports nothing of ours."""


def test_one_module_reads_and_writes_state_files() -> None:
    """A home's files are read by type (`pbem.home.store`), and not each in a way of its own."""
    rooms = [path for path in FILES if part_of(path) in ("home", "mail", "turn", "watch")]
    found = {path for path in rooms for _, module in imported(path) if module in STATE_FORMATS}
    assert found == TO_ANOTHER_PROCESS


NOT_IN_ENGINE = {
    "pbem",
    "templates",
    "tests",
    "random",
    "time",
    "datetime",
    "secrets",
    "os",
    "pathlib",
    "io",
    "sys",
}
"""Ours outside itself, and what would make rules depend on a clock, a file or chance of their
own."""


def test_the_engine_is_pure() -> None:
    found = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        found += [
            f"{path}: {module}"
            for _, module in imported(path)
            if module.partition(".")[0] in NOT_IN_ENGINE
        ]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        names = [call.id for call in calls if isinstance(call, ast.Name)]
        found += [f"{path}: {name}()" for name in names if name in ("print", "open", "input")]
    assert found == []


def modules() -> dict[str, Path]:
    """Every module of ours, by its name."""
    paths = [*FILES, *(ROOT / "engine").rglob("*.py"), *(ROOT / "release").glob("*.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }


def uses(path: Path, known: Collection[str]) -> set[str]:
    """The modules of ours that a file imports, at its top, in a function or for its types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if names <= set(known) else names | {str(node.module)}
    return found & set(known)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules each of which imports, by way of others, all of its group."""
    reached = {name: set(used) for name, used in graph.items()}
    for via in graph:
        for found in reached.values():
            if via in found:
                found |= reached[via]
    together = {
        frozenset(other for other in graph if name in reached[other] and other in reached[name])
        for name in graph
    }
    return sorted(sorted(group) for group in together if len(group) > 1)


def late_imports(source: str) -> tuple[int, list[int]]:
    """How many imports stand inside functions, and the lines of those that no comment explains: one
    at the import or above it, or one for the whole file that begins `# Imported late:`."""
    lines, found = source.splitlines(), set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    assert node.end_lineno is not None
                    found.add((node.lineno, node.end_lineno))
    if any(line.startswith("# Imported late: ") for line in lines):
        return len(found), []
    return len(found), [
        first
        for first, last in sorted(found)
        if not lines[first - 2].lstrip().startswith("#")
        and not any("  # " in line for line in lines[first - 1 : last])
    ]


MOST_LATE = 80
"""Imports stand at the top; those inside functions are doors behind which a heavy library lies that
most commands do without. Where there are too many, a library has more doors than one, or a module
holds commands that need different things."""


@pytest.mark.dear("reads every module")
def test_each_late_import_says_why(record_property: Callable[[str, object], None]) -> None:
    """What need not stand at the top, so that programs start fast, is named by
    tests/cli/test_cli_loads.py."""
    paths = [*FILES, *sorted((ROOT / "engine").rglob("*.py"))]
    found = {path: late_imports(path.read_text(encoding="utf-8")) for path in paths}
    count = sum(number for number, _ in found.values())
    files = sum(number > 0 for number, _ in found.values())
    record_property("figure", f"{count} imports inside functions, in {files} files")
    assert count < MOST_LATE
    assert {str(path): lines for path, (_, lines) in found.items() if lines} == {}


def test_a_late_import_without_a_reason_is_found() -> None:
    assert late_imports("def f():\n    import a\n") == (1, [2])
    assert late_imports("def f():\n    import a  # seldom\n    # never\n    import b\n") == (2, [])
    assert late_imports("# Imported late: all\ndef f():\n    import a\n") == (1, [])


@pytest.mark.dear("reads every module")
def test_no_file_leads_back_to_itself() -> None:
    """Also not by an import in a function or one for types alone, which would only hide it."""
    paths = modules()
    assert circles({name: uses(path, paths) - {name} for name, path in paths.items()}) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == [
        ["a", "b", "c"]
    ]


def test_the_top_of_pbem_is_packages_and_a_few_modules() -> None:
    """What lies there is for everybody, so it stays small (docs/design.md)."""
    assert len(list((ROOT / "pbem").glob("*.py"))) <= 7
    for folder in (ROOT / "pbem").iterdir():
        assert (
            folder.name == "__pycache__"
            or not folder.is_dir()
            or (folder / "__init__.py").is_file()
        ), folder.name


TOP = {
    *(".ci", ".git-blame-ignore-revs", ".github", ".gitignore"),
    *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"),
    *("docs", "engine", "examples", "pbem", "pyproject.toml", "release", "run", "share"),
    *("templates", "tests"),
}
"""What lies at the top of the checkout, by its owner's word and by what others look for there."""


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="what is kept in git is not known here")
def test_nothing_that_a_command_left_is_kept_at_the_top() -> None:
    """A game played in the checkout leaves its turn file there, and git takes it if told so."""
    kept = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {name.partition("/")[0] for name in kept.stdout.split("\0") if name} == TOP
