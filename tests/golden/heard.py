"""`python -m tests.golden.heard` runs the tests that hear words, and writes these into `said.txt`
of their folders anew; with names of folders those alone. Read the difference, for it is all that
changes for players."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from tests.support.golden_words import HEAD, HEARD, NAME, TESTS, Heard


class Listener:
    """Runs no other tests, and keeps what these hear."""

    def __init__(self) -> None:
        self.heard = Heard()

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[HEARD] = self.heard

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]


def main(names: Sequence[str]) -> int:
    listening = [
        path for path in TESTS.rglob("test_*.py") if "golden: Golden" in path.read_text("utf-8")
    ]
    folders = {path.relative_to(TESTS).parts[0] for path in listening}
    wanted = set(names or folders)
    files = [str(path) for path in listening if path.relative_to(TESTS).parts[0] in wanted]
    listener = Listener()
    if failed := pytest.main(["-p", "no:cacheprovider", *files], plugins=[listener]):
        return int(failed)
    for folder in wanted:
        heard = {test: said for (at, test), said in sorted(listener.heard.items()) if at == folder}
        lines = [line for test, said in heard.items() for line in (f"{HEAD}{test}", *said)]
        (TESTS / folder / NAME).write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
