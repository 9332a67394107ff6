"""Imports go one way between the packages (docs/design.md), and the games' words stay with the games."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BOTTOM = {"errors", "files", "english", "lock"}
"""Modules of pbem that everything may use."""

MAY_USE: dict[str, set[str]] = {
    "english": set(),
    "errors": set(),
    "files": {"errors"},
    "lock": {"errors", "files"},
    "fileformat": BOTTOM,
    "crypto": BOTTOM | {"fileformat"},
    "games": BOTTOM | {"fileformat"},
    "ledger": BOTTOM | {"fileformat", "crypto", "games"},
    "player": BOTTOM | {"fileformat", "crypto", "games", "ledger"},
    "report": BOTTOM | {"fileformat", "crypto", "games", "ledger"},
    "mail": BOTTOM | {"fileformat", "crypto", "games", "ledger", "player", "report"},
    "replay": BOTTOM | {"fileformat", "crypto", "games", "ledger", "player", "report"},
    "library": BOTTOM | {"fileformat", "crypto", "games", "ledger", "report", "replay"},
    "simulate": BOTTOM | {"fileformat", "crypto", "games", "ledger", "player", "report"},
    "watch": BOTTOM | {"fileformat", "games", "ledger", "player", "report", "mail"},
    "table": BOTTOM | {"fileformat", "games", "ledger", "player", "report", "mail", "replay"},
    "cli": BOTTOM
    | {"fileformat", "crypto", "games", "ledger", "library", "player", "report", "mail", "replay", "simulate"}
    | {"table", "watch"},
    "__init__": set(),
    "__main__": {"cli"},
}
"""Package or module of pbem to those it may import besides itself. A new package is entered here and in
docs/design.md."""

FILES = sorted((ROOT / "pbem").rglob("*.py"))


def part_of(path: Path) -> str:
    """The package of pbem that a file belongs to, or the module that it is."""
    parts = path.relative_to(ROOT / "pbem").parts
    return parts[0] if len(parts) > 1 else path.stem


def imported(path: Path, source: str | None = None) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, with the line; names imported from pbem itself as modules of it."""
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
        if first == "pbem" and used not in {part, "FORMAT", "__version__"} and used not in MAY_USE[part]:
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    return wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    assert wrong_imports(path) == []


def test_an_import_against_the_directions_is_found() -> None:
    path = ROOT / "pbem" / "ledger" / "ledger.py"
    assert wrong_imports(path, "from pbem.player import home\nimport pbem.cli.app\nfrom pbem import mail\n") == [
        "pbem/ledger/ledger.py:1 imports pbem.player",
        "pbem/ledger/ledger.py:2 imports pbem.cli.app",
        "pbem/ledger/ledger.py:3 imports pbem.mail",
    ]


def test_every_package_has_its_place() -> None:
    assert {part_of(path) for path in FILES} == set(MAY_USE)
    assert len([path for path in FILES if path.parent == ROOT / "pbem"]) <= 6


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


NOT_IN_ENGINE = {"pbem", "templates", "tests", "random", "time", "datetime", "secrets", "os", "pathlib", "io", "sys"}
"""Ours outside itself, and what would make rules depend on a clock, a file or chance of their own."""


@pytest.mark.parametrize("path", sorted((ROOT / "engine").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_is_pure(path: Path) -> None:
    assert [module for _, module in imported(path) if module.partition(".")[0] in NOT_IN_ENGINE] == []
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id in ("print", "open", "input")]


def test_the_top_of_pbem_is_packages_and_a_few_modules() -> None:
    """What lies there is for everybody, so it stays small (docs/design.md)."""
    assert len(list((ROOT / "pbem").glob("*.py"))) <= 6
    for folder in (ROOT / "pbem").iterdir():
        assert folder.name == "__pycache__" or not folder.is_dir() or (folder / "__init__.py").is_file(), folder.name
