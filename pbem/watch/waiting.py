"""Waits for something to come: by IMAP's IDLE (RFC 2177) and by events of the file system, each in
a thread of its own.

Both only wake the watcher, which then looks for itself. An event that is lost costs a minute, never
a turn.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem.errors import PbemError
from pbem.mail import imap
from pbem.mail.deadline import TIMEOUT
from pbem.mail.folders import NoPlace, folders_in, is_maildir
from pbem.mail.server import Server
from pbem.watch.failing import Pause

Wake = Callable[[str], None]
"""Called from another thread with what came: "mail" or "files"."""
RENEW = 300.0
"""Seconds after which IDLE is renewed. Servers may end it after half an hour, and routers forget a
silent connection earlier; renewing also shows that the server is still there."""
_DEBOUNCE, _STEP = 200, 50
"""Milliseconds over which events of files are gathered, and those between two looks."""
_SILENCE = 3000
"""Milliseconds without an event after which the system is asked anew."""


class MailWaiter:
    """Waits for mails in one account. `is_waiting`: IDLE is on, so that nobody need ask the server
    every minute."""

    def __init__(self, server: Server, wake: Wake) -> None:
        self.server = server
        self.is_waiting = False
        self._wake = wake
        self._stop = threading.Event()
        self._client: Any = None
        self._thread = threading.Thread(target=self._run, name="pbem mail", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Let the thread end."""
        self._stop.set()
        if (client := self._client) is not None:
            # the connection may be in any state: this only wakes whoever waits on it
            with suppress(Exception):
                client.socket().shutdown(socket.SHUT_RDWR)
        if self._thread.is_alive():
            self._thread.join(TIMEOUT)

    def _run(self) -> None:
        pause = Pause()
        while not self._stop.is_set():
            try:
                if not self._idle(pause):
                    return  # a server without IDLE is asked once a minute
            # a system for which the library is not made: once a minute has to do
            except ImportError:
                return
            except PbemError:
                pass
            except imap.errors():
                pass  # whoever fetches tells what is wrong; here it is tried again
            self.is_waiting = False
            self._stop.wait(pause.begin())

    def _idle(self, pause: Pause) -> bool:
        """Wait on one connection until it breaks; False if the server does not support IDLE."""
        password = self.server.password()
        client = self._client = imap.connect(self.server)
        try:
            imap.sign_in(client, self.server, password)
            if not client.has_capability("IDLE"):
                return False
            imap.open_folder(client, self.server)
            while not self._stop.is_set():
                client.idle()
                self.is_waiting = True
                pause.end()
                self._wake("mail")  # for what came before IDLE was on
                while (came := client.idle_check(timeout=RENEW)) and not self._stop.is_set():
                    if any(b"EXISTS" in part for part in came if isinstance(part, tuple)):
                        self._wake("mail")
                client.idle_done()
            client.logout()
        finally:
            self.is_waiting = False
            self._client = None
            with suppress(OSError):
                client.shutdown()
        return True


class FolderWaiter:
    """Waits for changes in the folders of these places, where the system reports them. It does not
    for folders on other machines' disks, so they are looked at once a minute all the same."""

    def __init__(self, places: Sequence[Path], wake: Wake) -> None:
        self.folders = existing_folders(places)
        self._wake = wake
        self._is_useless = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pbem folders", daemon=True)

    def start(self) -> None:
        """Start the thread, if there is any folder."""
        if self.folders:
            self._thread.start()

    def is_watching(self, places: Sequence[Path]) -> bool:
        """Whether it waits for all the folders that these places have now."""
        return self.folders == existing_folders(places) and (
            self._thread.is_alive() or not self.folders or self._is_useless
        )

    def stop(self) -> None:
        """Let the thread end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(TIMEOUT)

    def _run(self) -> None:
        try:
            library: Any = import_module("watchfiles")
            is_first = True
            for came in library.watch(
                *self.folders,
                watch_filter=None,
                debounce=_DEBOUNCE,
                step=_STEP,
                stop_event=self._stop,
                recursive=False,
                raise_interrupt=False,
                rust_timeout=_SILENCE,
                yield_on_timeout=True,
            ):
                if came or is_first:  # the first time for what came before the folders were watched
                    self._wake("files")
                is_first = False
        except (ImportError, OSError, RuntimeError):
            # too many folders for this system, or one is gone: the minute has to do
            self._is_useless = True


def existing_folders(places: Sequence[Path]) -> list[Path]:
    """The folders in which something may appear: each place and the Maildirs in it, or the folder
    in which a file lies."""
    found: list[Path] = []
    for place in places:
        try:
            for folder in folders_in(place) if place.is_dir() else [place.parent]:
                found += [folder / "cur", folder / "new"] if is_maildir(folder) else []
                found.append(folder)
        except (NoPlace, OSError, ValueError):
            continue
    return [folder for folder in dict.fromkeys(found) if folder.is_dir()]
