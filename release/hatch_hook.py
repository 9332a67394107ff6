"""What hatchling does besides at a build: wheel and source archive get a file that says which
version, to the commit, they are (`pbem.version`)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
