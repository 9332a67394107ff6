"""What hatchling does besides at a build: wheel and source archive get a file that says which
version, to the commit, they are (`pbem.version`), and name the addresses that the build was given
(`pbem/__init__.py`), if it was given any."""

from __future__ import annotations

import ast
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Hook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # asks the checkout each time
            return
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "BUILT"
        path.write_text(f"{self.metadata.version}\n", encoding="ascii")
        build_data["force_include"][str(path)] = "pbem/BUILT"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()


class Addresses(MetadataHookInterface):
    """`Project-URL` of the wheel: where the page lies and where the program can be fetched."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        given = addresses(Path(self.root) / "pbem" / "__init__.py")
        page = given["PAGE_ADDRESS"]
        site = page.removesuffix("play/")
        metadata["urls"] = {
            name: address
            for name, address in (
                ("Homepage", site),
                ("Documentation", site and f"{site}start.html"),
                ("Changelog", site and f"{site}changes.html"),
                ("Play in a browser", page),
                ("Download", given["PROGRAM_ADDRESS"]),
            )
            if address
        }


def addresses(path: Path) -> dict[str, str]:
    """The texts that a module sets by name; the module is read and not imported, since a build
    has not installed what it needs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        one.targets[0].id: one.value.value
        for one in tree.body
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Name)
        and isinstance(one.value, ast.Constant)
    }
