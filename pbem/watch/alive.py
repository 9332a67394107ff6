"""Whether the watcher lives, for whoever minds it: systemd, a service on the web that rings when it
hears nothing, and the player's own ways to be told (`pbem.watch.notify`) where it cannot start or
must stop.

`pbem.home.heartbeat` has the same for the home's own lists.
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
"""Seconds that the end of a watcher waits for what it started to tell of it: a service's manager
ends them together."""


class Systemd:
    """The manager that has started the program as a service, which waits for these words
    (sd_notify(3)); nobody where it was started otherwise. What the program starts itself does not
    speak for it."""

    def __init__(self) -> None:
        self._address = os.environ.pop("NOTIFY_SOCKET", "")

    def ready(self) -> None:
        """The home is here, and is looked at from now on."""
        self._say(b"READY=1")

    def works(self) -> None:
        """The watcher goes on: a service that does not say so for `WatchdogSec` is started anew."""
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
    a minute at most, in a thread of its own: a service that is down holds up no game. It is sent
    nothing of any game or home.
    """

    def __init__(self) -> None:
        self.problem = ""
        """What went wrong the last time, without the address: it is often a secret."""
        self._begun = 0.0
        self._thread: threading.Thread | None = None

    def beat(self, address: str) -> None:
        """Fetch it, unless that was done within a minute, or is still under way."""
        is_under_way = self._thread is not None and self._thread.is_alive()
        if is_under_way or (self._begun and time.monotonic() - self._begun < _MINUTE):
            return
        self._begun = time.monotonic()
        self._thread = threading.Thread(
            target=self._fetch, args=(address,), name="pbem heartbeat", daemon=True
        )
        self._thread.start()

    def wait(self) -> None:
        """Wait until it is fetched, as a watcher does that looks once and ends."""
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
    """That a watcher could not start or had to stop, as it was told last: why, when (seconds since
    1970), and the round of telling, which `pbem.watch.teller` looks for."""

    text: str
    when: float
    rounds: Sequence[str]


def _end_file(home: Home) -> StateFile[End]:
    """Outside of the home, which may be gone: a file for each home."""
    name = hashlib.sha256(os.fsencode(home.folder.absolute())).hexdigest()[:16]
    return StateFile(f"ended-{name}.json", End, 100_000)


@contextmanager
def end_is_announced(home: Home, *passing: type[Exception]) -> Iterator[None]:
    """Around all that a watcher does: what ends it is told by the ways in mail.toml too, but for
    these errors. A mistake of this program leaves its traceback in the home, and raises
    `Refused`."""
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
    """What mail.toml says; None where there is none, or none that can be read."""
    with suppress(PbemError):
        return mail_settings.read(home) if (home.folder / "mail.toml").exists() else None
    return None


def _announce(home: Home, what: str, settings: MailSettings | None) -> None:
    """Tell it once a day for each reason, however often somebody starts the watcher again. Where it
    cannot be noted that this was told, nobody is told: a service's manager would have it told every
    half minute."""
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
