"""Words that a test hears are compared with `said.txt` of its folder, where `./run golden` writes
them (tests/golden/heard.py); the test itself says what is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NAME = "said.txt"
HEAD = "@ "
"""What the line of a test begins with; below it stands what it heard."""
Heard = dict[tuple[str, str], list[str]]
"""What was heard, by folder and test."""
HEARD = pytest.StashKey[Heard]()
"""Where the words are to be written anew: all that was heard in this run."""
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d|\d+ \w+(?= ago)")
"""What differs with the clock and the place on Earth."""
_ANEW = "./run golden writes it anew"


class Golden:
    """What one test hears, compared as it comes, or noted where it is to be written."""

    def __init__(self, node: str, heard: Heard | None) -> None:
        _, folder, test = node.split("/", 2)
        self._is_noted, self._is_other = heard is not None, False
        self._lines = list[str]()
        self._known = read(folder).get(test, [])
        if heard is not None:
            heard[folder, test] = self._lines

    def __call__(self, *said: str) -> None:
        """What was said, text by text."""
        lines = [TIME.sub("(time)", line.rstrip()) for text in said for line in text.splitlines()]
        assert lines, "nothing was said"
        known = self._known[len(self._lines) :][: len(lines)]
        self._lines += lines
        if not self._is_noted and known != lines:
            self._is_other = True
            raise AssertionError("\n".join(["it says", *lines, "and not", *known, _ANEW]))

    def ends(self) -> None:
        """Nothing of what is known was left unsaid."""
        left = self._known[len(self._lines) :]
        assert not left or self._is_noted or self._is_other, "\n".join(["unsaid", *left, _ANEW])


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Iterator[Golden]:
    """`golden(said)` keeps the words of what was said."""
    made = Golden(request.node.nodeid, request.config.stash.get(HEARD, None))
    yield made
    made.ends()


def read(folder: str) -> dict[str, list[str]]:
    """What the tests of a folder have heard, by test."""
    known, lines = dict[str, list[str]](), list[str]()
    file = TESTS / folder / NAME
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line.startswith(HEAD):
            lines = known[line.removeprefix(HEAD)] = []
        else:
            lines.append(line)
    return known
