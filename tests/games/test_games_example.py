"""The example plug-in (`examples/plugin`) and its page. In `tests/cli/test_cli_wheel.py` two people
play it to its end, installed in an empty environment."""

from __future__ import annotations

import re

from pbem.simulate import figures, series
from tests.support.plugins import EXAMPLE, Site

ROOT = EXAMPLE.parents[1]
PAGE = ROOT / "docs" / "write-a-game.md"


def test_it_is_simulated(site: Site) -> None:
    site.install()
    facts = series.simulate("goofspiel", 20, "1")
    assert "rounds" in figures.in_words(facts)
    assert series.simulate("goofspiel", 1, "1", by_mail=True)


# The page


def blocks() -> dict[str, list[str]]:
    """The code on the page, by file: each block stands below a line that names its file."""
    found: dict[str, list[str]] = {}
    pattern = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for name, block in pattern.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(name, []).append(block)
    return found


def test_the_code_of_the_page_is_the_code_of_the_example() -> None:
    found = blocks()
    files = [
        path
        for path in EXAMPLE.rglob("*")
        if path.is_file() and path.suffix in (".py", ".j2", ".toml", ".txt")
    ]
    assert set(found) == {path.relative_to(EXAMPLE).as_posix() for path in files}
    for name, parts in found.items():
        text = (EXAMPLE / name).read_text(encoding="utf-8")
        assert "".join(parts).replace("\n", "") == text.replace("\n", ""), (
            f"{name}: the page tells it in its order"
        )
        assert all(part in text for part in parts), name


def test_it_is_a_small_game() -> None:
    """Half of what the first game of our own has; the page tells all of it."""
    lines = (path.read_text(encoding="utf-8").splitlines() for path in EXAMPLE.rglob("*.py"))
    assert sum(map(len, lines)) < 320


def test_every_request_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for request in ("Ask", "Roll", "Pick", "Draw", "Open", "Seal"):
        assert re.search(rf"^\| `{request}` \|.*`{request}\(", page, re.MULTILINE), request
