"""What takes the place of `pbem.crypto.primitives` in the page gives what the desktop's gives."""

from __future__ import annotations

import json
import site
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import web_packages
from tests.replay.test_signatures import cases, verdicts
from tests.support.web_kit import NodePage, needs_npm

pytestmark = needs_npm
ROOT = Path(__file__).parents[2]
NOT_THERE = (
    # see below
    "tests/crypto/test_primitives.py::test_a_key_file_gives_back_its_seed[wind & tide]",
    # it has players at a command line
    "tests/vectors/test_vectors.py::test_the_generator_makes_these_vectors",
)
HOLDS = """
import json
from pbem.ledger.signatures import holds
json.dumps([holds(*map(bytes.fromhex, one)) for one in json.loads({given!r})])
"""


@pytest.fixture
def laboratory(page_folder: Path) -> Iterator[NodePage]:
    """The Python of the page with all of Python's own modules, and with the tests."""
    packages = next(path for path in site.getsitepackages() if (Path(path) / "_pytest").is_dir())
    whole = web_packages.npm_packages() / "pyodide" / "python_stdlib.zip"
    with NodePage(
        page_folder, stdlib=str(whole), mounts={"/repo": str(ROOT), "/packages": packages}
    ) as started:
        yield started


def run(laboratory: NodePage, *chosen: str) -> None:
    options = [*chosen, *(word for name in NOT_THERE for word in ("--deselect", name))]
    laboratory.python((ROOT / "tests" / "web" / "inside.py").read_text(encoding="utf-8"))
    told = laboratory.python(f"run(*{options!r})")
    assert told.startswith("0 ") and " passed" in told, told


@pytest.mark.dear("looks at the built page")
def test_the_tests_of_the_desktop_hold(laboratory: NodePage) -> None:
    run(laboratory, "tests/crypto/test_primitives.py")


@pytest.mark.slow
def test_the_vectors_hold(laboratory: NodePage) -> None:
    run(laboratory, "tests/vectors/test_vectors.py")


@pytest.mark.dear("looks at the built page")
def test_a_key_file_with_a_passphrase_is_refused(page: NodePage) -> None:
    """Nothing here can open it again: a home brings its key without one (docs/format.md)."""
    code = """
from pbem.crypto.primitives import UnreadableKeyFile, read_key_file, write_key_file
refused = []
pem = write_key_file(bytes(32), b"")
for act in (lambda: write_key_file(bytes(32), b"words"), lambda: read_key_file(pem, b"words")):
    try:
        act()
    except UnreadableKeyFile:
        refused.append(True)
refused == [True, True]
"""
    assert page.python(code) is True


@pytest.mark.dear("looks at the built page")
def test_signatures_have_one_verdict(page: NodePage) -> None:
    """Also at the edges of the rule (docs/format.md, section 3)."""
    given = [[field.hex() for field in one.statement()] for one in cases()]
    assert json.loads(page.python(HOLDS.format(given=json.dumps(given)))) == [*verdicts()]
