"""The page that all tests here look at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import web
from tests.support import web_kit
from tests.support.plugins import BOARDS, EXAMPLE
from tests.support.web_kit import NodePage
from tests.support.web_tabs import Site, WebBrowser, hosted


@pytest.fixture(scope="session")
def page_folder() -> Path:
    """The built page."""
    return web_kit.built()


@pytest.fixture(scope="session")
def started(page_folder: Path) -> Iterator[NodePage]:
    """The Python of the page, which takes a while to start."""
    with NodePage(page_folder) as made:
        yield made


@pytest.fixture
def page(started: NodePage, request: pytest.FixtureRequest) -> NodePage:
    """The same, with a home in which nobody has played yet."""
    started.python(
        "import os; os.environ['PBEM_HOME'] = '/home/pbem/' +"
        f" {request.node.nodeid.encode().hex()[-60:]!r}"
    )
    return started


@pytest.fixture(scope="module", params=["chrome", "firefox"])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebBrowser]:
    """A browser for the tests of one file, which runs them in both."""
    with WebBrowser(request.param, tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def site(page_folder: Path) -> Iterator[Site]:
    """The page at an origin of its own for each test: no home is there yet."""
    with hosted(page_folder) as made:
        yield made


@pytest.fixture(scope="session")
def page_with_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that takes the games of both example plug-ins along, as `./run web --with` makes
    it."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    for package in (EXAMPLE, BOARDS):
        subprocess.run(command, cwd=package, check=True, capture_output=True)
    web.build(folder / "page", sorted(folder.glob("*.whl")))
    return folder / "page"
