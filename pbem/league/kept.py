"""What a home keeps of leagues: the newest file of each that it has signed or seen, so that none is
signed twice, and a league that goes on in two is noticed (docs/format.md, section 26)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem import files
from pbem.errors import Conflict
from pbem.fileformat.turnfile import as_lf
from pbem.home.home import Home
from pbem.league.league_file import MAX_FILE
from pbem.lock import Lock

FOLDER = "leagues"


def path(home: Home, league: bytes) -> Path:
    """Where the newest file of a league is kept, by its id."""
    return home.folder / FOLDER / f"{league.hex()[:32]}.toml"


def newest(home: Home, league: bytes) -> bytes:
    """The newest file of a league that this home knows; empty if it knows none. Raises `Usage`."""
    kept = path(home, league)
    return files.read_own(kept, MAX_FILE) if kept.exists() else b""


def all_newest(home: Home) -> Iterator[bytes]:
    """The newest file of each league that this home knows. Raises `Usage`."""
    for kept in files.listed(home.folder / FOLDER):
        if kept.suffix == ".toml":
            yield files.read_own(kept, MAX_FILE)


def meet(home: Home, league: bytes, data: bytes) -> bytes:
    """Take note of a file of a league; the newest one that is known, which is this one or goes on
    from it. Raises `Conflict` if neither of the two goes on from the other."""
    data = as_lf(data)
    home.make_folder(FOLDER)
    lock = Lock(home.folder / "leagues.lock")
    with lock:
        known = newest(home, league)
        if known.startswith(data):
            return known
        if not data.startswith(known):
            raise Conflict(
                "this league goes on in two: the file differs from one that you have seen before",
                hint=(
                    f"that one is {files.printable(path(home, league))}; show both to the others,"
                    " for the directors have signed both"
                ),
            )
        files.replace(path(home, league), data)
        return data
