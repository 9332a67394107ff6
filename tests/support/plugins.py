"""Plug-ins without a package manager: folders that look installed, made from the example in
`examples/plugin`."""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

import pytest

from pbem.games import plugins, registry
from pbem.report import render

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"
PACKAGE = "pbem_goofspiel"
OLDER = EXAMPLE.parents[1] / "tests" / "games" / "older"
"""The example as it was written for API 2, with templates and a backdrop of its own."""
BOARDS = EXAMPLE.parent / "boards"
BOARD_GAMES = {
    "hex": "pbem_hex",
    "einstein": "pbem_einstein",
    "chess": "pbem_chess",
    "go": "pbem_go",
}
"""The games of `examples/boards`, with their packages."""
ENDING = "a table that ends"
"""What the thread of a table is called once it was stopped."""


class Site:
    """A folder of installed packages that Python looks into for the length of a test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        for thread in threading.enumerate():  # it may be looking for plug-ins, and note what it saw
            if thread.name == ENDING:
                thread.join()
        monkeypatch.syspath_prepend(str(folder))
        self.forget()

    def forget(self) -> None:
        """Nothing of the plug-ins is loaded any more."""
        plugins.forget()
        render._environment.cache_clear()  # it keeps templates by name
        for name in list(sys.modules):
            package = name.partition(".")[0]
            if package.startswith("pbem_goof") or package in BOARD_GAMES.values():
                del sys.modules[name]
        # a file changed within the same second looks the same
        for compiled in self.folder.rglob("__pycache__"):
            shutil.rmtree(compiled)

    def install(
        self,
        distribution: str = "pbem-goofspiel",
        version: str = "1.0",
        *,
        game: str = "goofspiel",
        source: Path = EXAMPLE,
    ) -> Path:
        """Install the example under the name of this distribution; the folder of its package, to be
        changed."""
        module = distribution.replace("-", "_")
        package = self.folder / module
        shutil.copytree(source / PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        for path in package.rglob("*.py"):
            path.write_text(
                path.read_text(encoding="utf-8").replace(PACKAGE, module), encoding="utf-8"
            )
        self.register(game, f"{module}:GAME", distribution, version)
        return package

    def install_boards(self) -> None:
        """Install the games of `examples/boards`."""
        for game, package in BOARD_GAMES.items():
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(BOARDS / package, self.folder / package, ignore=unwanted)
            self.register(game, f"{package}:GAME")

    def register(
        self, game: str, reference: str, distribution: str = "", version: str = "1.0"
    ) -> None:
        """A package offers this game, wherever its code is."""
        distribution = distribution or f"pbem-{game}"
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{game} = {reference}\n")
        self.forget()

    def remove(self) -> None:
        """Uninstall everything."""
        for path in self.folder.iterdir():
            shutil.rmtree(path)
        self.forget()


def change(path: Path, old: str, new: str) -> None:
    """Replace a text that occurs in a file of a plug-in."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} does not hold {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems_of(name: str = "goofspiel") -> tuple[str, ...]:
    """What the registry says is wrong with a game."""
    found = registry.find_installed(name)
    assert found is not None
    return found.problems
