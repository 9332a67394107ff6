"""The game of the command tests, for faults too."""

from tests.cli.conftest import _opening, begun

__all__ = ["_opening", "begun"]
