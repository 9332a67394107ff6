"""Shows whether the watcher is alive: to systemd, and to a service on the web that rings when it
gets no heartbeat. Where the watcher cannot start or has to stop, the player's own ways of being
notified are used (`pbem.watch.notify`).

`pbem.home.heartbeat` keeps the same for the lists of the home itself.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from pbem import files
from pbem.errors import PbemError, Refused
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.mail import settings as mail_settings
from pbem.mail.settings import MailSettings
from pbem.watch import news, notify
from pbem.watch.failing import internal_error
from pbem.watch.news import new_round

DAY = 86_400.0
_MINUTE = 60.0
_PATIENCE = 30.0
"""Seconds that the service may take for each step."""
_PATIENCE_AT_END = 70.0
"""Seconds that a watcher that ends waits for its last notifications: the service manager kills
their processes together with its own."""


class Systemd:
    """The service manager that has started the program and waits for these words (sd_notify(3)). If
    there is none nothing happens. The address is taken out of the environment, so that programs
    started from here do not speak for this one."""

    def __init__(self) -> None:
        self._address = os.environ.pop("NOTIFY_SOCKET", "")

    def ready(self) -> None:
        """The home is there and is watched from now on."""
        self._say(b"READY=1")

    def works(self) -> None:
        """The watcher is working: a service that does not say so for `WatchdogSec` is restarted."""
        self._say(b"WATCHDOG=1")

    def ends(self) -> None:
        """The watcher ends."""
        self._say(b"STOPPING=1")

    def _say(self, word: bytes) -> None:
        family = getattr(socket, "AF_UNIX", None)
        if not self._address or family is None:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as channel:
            channel.settimeout(1.0)
            channel.sendto(word, address)


class WebHeartbeat:
    """Fetches the address of a service that rings when nobody does (`heartbeat` in mail.toml), once
    a minute at most. A thread of its own does it, so that a service that is down delays no game.
    Nothing about any game or home is sent."""

    def __init__(self) -> None:
        self.problem = ""
        """What went wrong the last time, without the address: it is often a secret."""
        self._begun = 0.0
        self._thread: threading.Thread | None = None

    def beat(self, address: str) -> None:
        """Fetch the address, unless that was done within a minute or is under way."""
        is_under_way = self._thread is not None and self._thread.is_alive()
        if is_under_way or (self._begun and time.monotonic() - self._begun < _MINUTE):
            return
        self._begun = time.monotonic()
        self._thread = threading.Thread(
            target=self._fetch, args=(address,), name="pbem heartbeat", daemon=True
        )
        self._thread.start()

    def wait(self) -> None:
        """Wait for the fetch to end, for a watcher that looks once and ends."""
        if self._thread is not None:
            self._thread.join(_PATIENCE)

    def _fetch(self, address: str) -> None:
        parts = urlsplit(address)
        host, where = parts.hostname or "", parts.path or "/"
        try:
            tls = ssl.create_default_context()
            with closing(
                http.client.HTTPSConnection(host, parts.port, timeout=_PATIENCE, context=tls)
            ) as connection:
                connection.request("GET", f"{where}?{parts.query}" if parts.query else where)
                status = connection.getresponse().status
            said = "" if 200 <= status < 300 else f"{host} answers with the status {status}"
        except (OSError, http.client.HTTPException, ValueError) as error:
            said = f"{host} cannot be asked, {type(error).__name__}"
        self.problem = f"the heartbeat was not taken: {said}" if said else ""


@dataclass(frozen=True)
class End:
    """The last announcement that a watcher could not start or had to stop: why, when (seconds since
    1970), and its round of notifications, which `pbem.watch.teller` looks for."""

    text: str
    when: float
    rounds: Sequence[str]


def _end_file(home: Home) -> StateFile[End]:
    """The file for the end of a home's watcher: one for each home, since it may lie outside of the
    home, which may be gone."""
    name = hashlib.sha256(os.fsencode(home.folder.absolute())).hexdigest()[:16]
    return StateFile(f"ended-{name}.json", End, 100_000)


@contextmanager
def end_is_announced(home: Home, *passing: type[Exception]) -> Iterator[None]:
    """Around all that a watcher does: an error that ends it is announced, unless it is one of
    `passing`. A mistake of this program leaves its traceback in the home, and raises `Refused`."""
    before = _settings(home)
    try:
        yield
    except passing:
        raise
    except (PbemError, OSError) as error:
        _announce(home, f"it has ended: {error}", _settings(home) or before)
        raise
    except Exception as error:
        what = internal_error(error, home.folder / "watch")
        _announce(home, f"it has ended: {what}", _settings(home) or before)
        raise Refused(what, hint="start it again") from error


def _settings(home: Home) -> MailSettings | None:
    """The settings in mail.toml; None if there is no such file, or it cannot be read."""
    with suppress(PbemError):
        return mail_settings.read(home) if (home.folder / "mail.toml").exists() else None
    return None


def _announce(home: Home, what: str, settings: MailSettings | None) -> None:
    """Notify the player of an end, once a day for each reason, however often the watcher is started
    again. Where that cannot be noted nobody is notified: a service manager that restarts the
    watcher every half minute would repeat it each time."""
    if settings is None or not (settings.notify or settings.services):
        return
    end, folders = (
        End(what, time.time(), [new_round()]),
        (files.state_folder(), home.folder / "watch"),
    )
    for known in [
        known for folder in folders if (known := _end_file(home).read_if_whole(folder)) is not None
    ]:
        if known.text == what and 0 <= end.when - known.when < DAY:
            return
    with suppress(OSError):
        files.state_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in folders:
        try:
            _end_file(home).write(folder, end)
        except PbemError:
            continue
        record = folder / _end_file(home).name
        batch = notify.Notifications(settings, [news.problem(what)], record, end.rounds[0])
        batch.release()
        for process in batch.processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE_AT_END)
        notify.take_ended(batch.processes)
        return
