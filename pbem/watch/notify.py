"""The player's own ways to be told: a command without a shell, and services that Apprise knows.

Each is told in a process of its own (`pbem.watch.teller`), which nobody waits for: a service that
is down holds up no game.
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
"""Notifications of one round: of more, these are sent, and the terminal tells the others."""
_TELLER = Path(__file__).with_name("teller.py")
_SECRET = ("PBEM_PASSPHRASE", "CREDENTIALS_DIRECTORY")


class Notifications:
    """Notifications that wait for `release`: each knows what to tell, and not yet that it may."""

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
        """The record is written: they may tell."""
        for process in self.processes:
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.close()


def fill(command: Sequence[str], news: News) -> list[str]:
    """The command with title and text in it. Words of the news are never looked into again, and
    begin no option."""
    words = []
    for word in command:
        first, *rest = word.split("{title}")
        parts = [part.replace("{text}", news.text) for part in (first, *rest)]
        words.append(news.title.join(parts))
    return words


def take_ended(processes: list[subprocess.Popen[bytes]]) -> list[str]:
    """What went wrong in those that have ended, which are taken off the list; nobody waits for the
    others."""
    said = []
    for process in [process for process in processes if process.poll() is not None]:
        processes.remove(process)
        assert process.stderr is not None
        with process.stderr as stream:
            said += stream.read(2000).decode("utf-8", "replace").strip().splitlines()[-1:]
    return said
