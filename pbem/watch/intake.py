"""Takes in what has come, again and again: only files that have changed are read, and files without
a turn that verifies are read once, also by the next watcher (`watch/judged.json`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pbem import __version__, files
from pbem.errors import Usage
from pbem.home import attached_files
from pbem.home.store import StateFile
from pbem.mail import folders, turn_files
from pbem.mail.folders import NoPlace
from pbem.mail.server import Server
from pbem.turn.inbox import Inbox, Item
from pbem.watch.failing import LOOK, Failing

_UNFINISHED = 3.0
"""Seconds for which a file may still be written: a file that young that holds no whole turn is read
again."""
_AGAIN = ("unkept", "damaged", "missing", "early")
"""Kinds of files that are read again, since it may work another time."""
_EVENTS = ("conflict", "bounce", "lost", "invalid")
"""Kinds of files that are reported once, the rarest first. Another version of an entry is reported
by `pbem.watch.news`."""
_FAILURES = ("unkept", "missing", "damaged", "early")
"""Kinds of files that are reported as long as they last."""
MOST_EVENTS = 20
"""Files that are reported one by one in one round."""
MOST_KNOWN = 100_000
LONGEST_FETCH = 120.0
"""Seconds after which a look goes on with something else than fetching; the next one fetches on."""
_State = tuple[int, int, int, int]
"""Size, time of change, number in the file system, and the time at which anything about the file
was changed."""


@dataclass(frozen=True)
class KnownFiles:
    """Files that brought nothing, by their paths, as a version of the program found them."""

    version: str
    files: dict[str, _State]


_KNOWN_FILES = StateFile("judged.json", KnownFiles, 100_000_000)


class Intake:
    """Reads the places that mail.toml names and remembers each file by its size and time of change.
    Files that brought nothing are remembered in `folder` for the next watcher of this version of
    the program; a newer version may read more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        known = _KNOWN_FILES.read_if_whole(folder)
        known_files = (
            known.files.items() if known is not None and known.version == __version__ else ()
        )
        self._useless = {Path(name): state for name, state in known_files}
        self._written_down = dict(self._useless)
        self._states: dict[Path, _State] = dict(self._useless)
        self.is_unfinished = False
        """Whether a file was so new and so broken that its writer may not be done with it."""

    def take(self, inbox: Inbox, place: Path) -> None:
        """Take in what is new in a place. If there is no such place that is reported, and stops
        nothing."""
        awaited = attached_files.awaited(inbox.home)
        try:
            if not files.is_folder(place) and not folders.is_file(place):
                raise turn_files.no_place(place)
            for folder in folders.folders_in(place) if files.is_folder(place) else [place]:
                for path in folders.files_in(folder) if files.is_folder(folder) else [folder]:
                    self._take_file(inbox, path)
            if {*attached_files.awaited(inbox.home)} - {*awaited}:
                inbox.take_files(place)  # what goes with a turn may have come before it
        except NoPlace as error:
            inbox.items.append(
                Item(
                    files.printable(place),
                    "missing",
                    f"{error.what} (hint: check inbox in mail.toml)",
                )
            )

    def knows(self, path: Path) -> bool:
        """Whether this file was read and has not changed since."""
        state = _state(path)
        return state is None or self._states.get(path) == state

    def remember(self, path: Path, items: Sequence[Item]) -> None:
        """Remember a file with what came of reading it, unless it has to be read again."""
        state = _state(path)
        if state is None or any(item.kind in _AGAIN for item in items):
            return
        self._states[path] = state
        if items and all(item.kind in _EVENTS for item in items):
            self._useless[path] = state
        else:
            self._useless.pop(path, None)

    def keep(self) -> None:
        """Write down which files brought nothing, once that was reported. If it cannot be written
        they are only read again."""
        if self._useless == self._written_down:
            return
        self._useless = {path: state for path, state in self._useless.items() if path.exists()}
        newest = dict([(str(path), state) for path, state in self._useless.items()][-MOST_KNOWN:])
        with suppress(Usage, ValueError):
            _KNOWN_FILES.write(self._folder, KnownFiles(__version__, newest))
        self._written_down = dict(self._useless)

    def _take_file(self, inbox: Inbox, path: Path) -> None:
        state = _state(path)
        if state is None or self._states.get(path) == state:
            return
        first = len(inbox.items)
        inbox.take(turn_files.look_into(path))
        inbox.take_files(path)
        items = inbox.items[first:]
        if (
            any(item.kind == "invalid" for item in items)
            and 0 <= time.time() - state[1] / 1e9 < _UNFINISHED
        ):
            del inbox.items[first:]
            self.is_unfinished = True
        else:
            self.remember(path, items)


def fetch(
    inbox: Inbox, server: Server, failing: Failing, looked: Intake, works: Callable[[], None]
) -> None:
    """Fetch what has come by IMAP and take it in, and call `works` at each mail. Raises `Refused`
    or `Usage`."""
    from pbem.mail import fetch as fetching  # only where mail is fetched

    done = fetching.fetch(
        inbox.home,
        server,
        lambda _done, _total: works(),
        lambda: inbox.take_fetched(looked),
        LONGEST_FETCH,
    )
    inbox.items += [Item(one.where, "invalid", one.problem) for one in done.bad]
    if done.no_room:
        failing.fails("store", "; ".join(done.no_room))
    else:
        failing.works("store")


def events(items: Sequence[Item]) -> list[tuple[str, str]]:
    """What is told once of single files, in words, each with the game it is of; of very many the
    rest as a number."""
    found = [item for kind in _EVENTS for item in items if item.kind == kind]
    texts = [
        (
            f"{item.kind}: {item.reason} ({item.where})",
            item.game if item.kind in ("conflict", "bounce") else "",
        )
        for item in found[:MOST_EVENTS]
    ]
    if len(found) > MOST_EVENTS:
        more, last = len(found) - MOST_EVENTS, found[-1].where
        texts.append(
            (
                (
                    f"{more} files or mails more bring no turn that verifies, the last one {last}:"
                    " pbem inbox"
                ),
                "",
            )
        )
    return texts


def name_failures(items: Sequence[Item], failing: Failing) -> None:
    """Note the failures of files, which are reported as long as they last: one line for each
    reason."""
    failures = sorted((item for item in items if item.kind in _FAILURES), key=_sort)
    for (kind, reason), those in groupby(failures, key=_sort):
        first, *rest = [item.where for item in those]
        where = f"{first} and {len(rest)} more" if rest else first
        failing.fails(f"{LOOK}{kind}:{reason}", f"{kind}: {reason} ({where})")


def _sort(item: Item) -> tuple[str, str]:
    return item.kind, item.reason


def _state(path: Path) -> _State | None:
    with suppress(OSError, ValueError):
        found = path.stat()
        return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns
    return None
