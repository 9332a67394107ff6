"""Where templates lie: the program's own, and those of each game in the folder that its descriptor
names."""

from __future__ import annotations

from pathlib import Path


def shipped() -> Path:
    """The folder of templates that came with the program: inside the package if it is installed,
    beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
