"""Taking in what has come, again and again: only files that have changed are looked into."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.mail import find_turns, places
from pbem.mail.places import NoPlace
from pbem.mail.settings import Server
from pbem.turn.inbox import Inbox, Item
from pbem.watch.limits import Limits

_UNFINISHED = 3.0
"""Seconds for which a file may still be written: one that is no turn so long is looked at again."""
_AGAIN = ("unkept", "damaged")
"""Kinds of files that are looked at again, since it may go another time."""
_State = tuple[int, int, int]


class Intake:
    """What was looked at in the places of mail.toml, by name, size and time of change."""

    def __init__(self) -> None:
        self._looked: dict[Path, _State] = {}
        self.is_unfinished = False
        """Whether a file was so new and so broken that its writer may not be done with it."""

    def take(self, inbox: Inbox, place: Path) -> None:
        """Take in what is new in a place. One that is not there is told, and stops nothing."""
        try:
            if not files.is_folder(place) and _state(place) is None:
                raise NoPlace(f"there is no file or folder {files.shown(place)}")
            folders = places.folders_in(place) if files.is_folder(place) else [place]
            for folder in folders:
                for path in places.files_in(folder) if files.is_folder(folder) else [folder]:
                    self._take_file(inbox, path)
        except NoPlace as error:
            inbox.items.append(Item(files.shown(place), "missing", f"{error.what} (hint: check inbox in mail.toml)"))

    def knows(self, path: Path) -> bool:
        """Whether this file was looked at, and has not changed since."""
        state = _state(path)
        return state is None or self._looked.get(path) == state

    def remember(self, path: Path, items: Sequence[Item]) -> None:
        """What came of a look at this file; it is looked at again if that may go another time."""
        state = _state(path)
        if state is not None and not any(item.kind in _AGAIN for item in items):
            self._looked[path] = state

    def _take_file(self, inbox: Inbox, path: Path) -> None:
        state = _state(path)
        if state is None or self._looked.get(path) == state:
            return
        first = len(inbox.items)
        inbox.take(find_turns.look_into(path))
        items = inbox.items[first:]
        if any(item.kind == "invalid" for item in items) and 0 <= time.time() - state[1] / 1e9 < _UNFINISHED:
            del inbox.items[first:]
            self.is_unfinished = True
        else:
            self.remember(path, items)


def fetch(inbox: Inbox, server: Server, limits: Limits) -> None:
    """Fetch what has come by IMAP, and take it in. Raises `Refused` or `Usage`."""
    from pbem.mail import fetch as fetching

    room = limits.room_for_mail(inbox.home.folder / "inbox")
    if room <= 0:
        what = "so many mails were fetched already that no more are: remove those you do not need"
        inbox.items.append(Item(str(inbox.home.folder / "inbox"), "unkept", what))
        return
    fetching.fetch(inbox.home, server, room=room)


def _state(path: Path) -> _State | None:
    with suppress(OSError, ValueError):
        found = path.stat()
        return found.st_size, found.st_mtime_ns, found.st_ino
    return None
