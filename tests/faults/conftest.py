"""The game of the command tests, for faults too; homes keep their templates, which are among what
may be damaged. And the home that is damaged or killed, of which tests make copies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.report import render
from tests.cli.conftest import _opening, begun
from tests.support import damages, known_templates
from tests.support.damages import Stage

__all__ = ["_opening", "begun"]


@pytest.fixture(autouse=True, scope="package")
def _keeps_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_environment", known_templates.true_environment)
        yield


@pytest.fixture(scope="package")
def pristine(_keeps_templates: None, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Nothing is written there."""
    return damages.make(tmp_path_factory.mktemp("stage"))
