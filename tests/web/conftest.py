"""The page that all tests here look at: built once in a run, by whichever process asks first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import web_kit
from tests.support.web_kit import NodePage


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The built page."""
    own = tmp_path_factory.getbasetemp()
    return web_kit.built(own if worker_id == "master" else own.parent)


@pytest.fixture
def page(page_folder: Path) -> Iterator[NodePage]:
    """The Python of the page, with a home in which nobody has played yet."""
    with NodePage(page_folder) as started:
        yield started
