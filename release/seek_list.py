"""A club's seeks beside the pages that are built: `seeks.json` (docs/seek.md)."""

from __future__ import annotations

from pathlib import Path

from pbem.home import clock
from pbem.seek import find_seeks, list_file, report


def write(folder: Path, beside: Path) -> str:
    """Write the seeks of a folder beside a page; what came of it, in words. Raises `PbemError`."""
    target = beside / "seeks.json"
    board = list_file.write(find_seeks.look(folder), clock.now(), target)
    facts = report.ListFacts(str(target), len(board.seeks), board.left_out, board.problems)
    return report.list_in_words(facts)
