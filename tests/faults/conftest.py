"""The game of the command tests, for faults too; homes keep their templates, which are among what may be damaged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.report import render
from tests.cli.conftest import _opening, begun
from tests.support import known_templates

__all__ = ["_opening", "begun"]


@pytest.fixture(autouse=True, scope="package")
def _keeps_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_environment", known_templates.true_environment)
        yield
