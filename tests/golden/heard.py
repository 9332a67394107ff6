"""`python -m tests.golden.heard` runs the tests that hear words, and writes these into `said.txt`
of their folders anew; with names of folders or files in tests/ those alone. Read the difference,
for it is all that changes for players."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.golden_words import HEAD, HEARD, NAME, TESTS, Heard, read


class Listener:
    """Runs no other tests, and keeps what these hear."""

    def __init__(self) -> None:
        self.heard = Heard()
        self.there = set[str]()

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[HEARD] = self.heard

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
        self.there = {item.nodeid.split("/", 1)[1] for item in items}


def listening() -> dict[str, list[Path]]:
    """The files with tests that hear words, by folder."""
    found = dict[str, list[Path]]()
    for path in TESTS.rglob("test_*.py"):
        if "golden: Golden" in path.read_text(encoding="utf-8"):
            found.setdefault(path.relative_to(TESTS).parts[0], []).append(path)
    return found


def main(names: Sequence[str]) -> int:
    wanted = {TESTS / name for name in names} or {TESTS}
    chosen = {
        folder: [path for path in paths if wanted & {path, *path.parents}]
        for folder, paths in listening().items()
    }
    listener = Listener()
    files = [str(path) for paths in chosen.values() for path in paths]
    if failed := pytest.main(["-p", "no:cacheprovider", *files], [listener]):
        return int(failed)
    for folder in (folder for folder, paths in chosen.items() if paths):
        heard = {test: said for (at, test), said in listener.heard.items() if at == folder}
        anew = {path.relative_to(TESTS / folder).as_posix() for path in chosen[folder]}
        for test, said in read(folder).items():  # of another file, or skipped on this machine
            if test.split("::")[0] not in anew or f"{folder}/{test}" in listener.there:
                heard.setdefault(test, said)
        lines = [line for test in sorted(heard) for line in (f"{HEAD}{test}", *heard[test])]
        text = "\n".join([*lines, ""])
        (TESTS / folder / NAME).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
