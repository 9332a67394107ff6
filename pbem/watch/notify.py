"""The player's own ways of being notified: a command, run without a shell, and services that
Apprise knows.

Each notification is a process of its own (`pbem.watch.teller`) for which nobody waits, so that a
service that is down delays no game.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pbem.mail.settings import MailSettings
from pbem.watch.news import News

MOST_AT_ONCE = 20
"""Notifications of one round that are sent; what is beyond them is only printed."""
_TELLER = Path(__file__).with_name("teller.py")
_SECRET = ("PBEM_PASSPHRASE", "CREDENTIALS_DIRECTORY")


class Notifications:
    """Notifications that are ready and wait for `release`."""

    def __init__(
        self, settings: MailSettings, news: Sequence[News], record: Path, round_name: str
    ) -> None:
        bounded = news[:MOST_AT_ONCE] if settings.notify or settings.services else []
        environment = {name: value for name, value in os.environ.items() if name not in _SECRET}
        self.processes = []
        for one in bounded:
            what: dict[str, object] = {
                "record": str(record.absolute()),
                "round": round_name,
                "command": fill(settings.notify, one),
                "services": list(settings.services),
                "title": one.title,
                "text": one.text,
            }
            process = subprocess.Popen(
                [sys.executable, "-E", "-P", str(_TELLER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.write(json.dumps(what).encode())
                process.stdin.flush()
            self.processes.append(process)

    def release(self) -> None:
        """Let them go out: the record is written."""
        for process in self.processes:
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.close()


def fill(command: Sequence[str], news: News) -> list[str]:
    """The command with title and text put in. Placeholders inside the title or the text stay as
    they are, and neither can begin an option."""
    words = []
    for word in command:
        first, *rest = word.split("{title}")
        parts = [part.replace("{text}", news.text) for part in (first, *rest)]
        words.append(news.title.join(parts))
    return words


def take_ended(processes: list[subprocess.Popen[bytes]]) -> list[str]:
    """What went wrong in the processes that have ended, which are taken off the list. The others
    are not waited for."""
    said = []
    for process in [process for process in processes if process.poll() is not None]:
        processes.remove(process)
        assert process.stderr is not None
        with process.stderr as stream:
            said += stream.read(2000).decode("utf-8", "replace").strip().splitlines()[-1:]
    return said
