"""Real cores of Delta Chat (`deltachat-rpc-server`), with accounts at mail servers on the loopback:
what the messenger itself does with an app in a chat."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.support.effort import PATIENCE
from tests.support.mail_servers import HOST, PASSWORD, USER, Letters

_PLACES = os.pathsep.join(
    (str(Path(sys.executable).parent), os.environ.get("PATH", ""), "/usr/sbin")
)
PROGRAM = shutil.which("deltachat-rpc-server", path=_PLACES)
needs_core = pytest.mark.skipif(
    PROGRAM is None or shutil.which("dovecot", path=_PLACES) is None,
    reason="deltachat-rpc-server (of PyPI) or dovecot is not installed",
)
TIMED = 1.0
"""Seconds after which a condition is looked at again although nothing was heard."""


def address_of(name: str) -> str:
    return f"{name.lower()}@example.org"


class Post(Letters):
    """The mail server's way to the boxes of these addresses. `fates` says what becomes of a mail to
    an address: `now`, `twice`, `lost` or `late`; what is late comes by `deliver_late`, the newest
    first."""

    def __init__(self, boxes: dict[str, Path]) -> None:
        super().__init__()
        self.boxes = boxes
        self.fates: Mapping[str, str] = {}
        self.late: list[tuple[str, bytes]] = []

    def deliver(self, address: str, content: bytes) -> None:
        fate = self.fates.get(address, "now")
        if fate == "late":
            self.late.append((address, content))
        for _ in range({"now": 1, "twice": 2}.get(fate, 0)):
            super().deliver(address, content)

    def count(self) -> int:
        """How many mails to others were taken: cores write to their own other devices too."""
        return sum(any(one != sender for one in to) for sender, to, _ in self.taken)

    def deliver_late(self) -> None:
        while self.late:
            super().deliver(*self.late.pop())


class Core:
    """One device: a core with one account, which runs until it is stopped, and can be started
    again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, Queue[Any]] = {}
        self._writes = threading.Lock()
        self._heard = threading.Event()
        self._events: set[str] = set()
        self.account = 0
        self.start()

    def start(self) -> None:
        assert PROGRAM is not None and self._process is None
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM],
                env={**os.environ, "DC_ACCOUNTS_PATH": str(self._folder / "accounts")},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
            )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        known = self.ask("get_all_account_ids")
        self.account = known[0] if known else self.ask("add_account")
        self._send("get_next_event_batch")
        if known:
            self.connect()

    def connect(self) -> None:
        """Wait until it hears of new mails: an account knows none of those before its first one."""
        self._events.discard("ImapInboxIdle")
        self.tell("start_io")
        self.until(lambda: "ImapInboxIdle" in self._events)

    def stop(self) -> None:
        """As on a telephone that is switched off."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            with process:
                process.wait(PATIENCE)

    def is_running(self) -> bool:
        return self._process is not None

    def _listen(self, process: subprocess.Popen[str]) -> None:
        """What the core says: answers to whoever has asked, and that something has happened."""
        assert process.stdout is not None
        for line in process.stdout:
            said = json.loads(line)
            asked = self._answers.pop(said["id"], None)
            if asked is not None:
                asked.put(said)
            elif process is self._process:
                self._events |= {one["event"]["kind"] for one in said["result"]}
                self._heard.set()
                self._send("get_next_event_batch")

    def _send(self, method: str, *given: object, answer: Queue[Any] | None = None) -> None:
        number, process = next(self._numbers), self._process
        if answer is not None:
            self._answers[number] = answer
        if process is None or process.stdin is None:
            return
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
        with self._writes:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()

    def ask(self, method: str, *given: object) -> Any:
        """Raises `AssertionError` with what the core says against it."""
        answer: Queue[Any] = Queue()
        self._send(method, *given, answer=answer)
        said = answer.get(timeout=PATIENCE)
        assert "error" not in said, (method, said["error"])
        return said["result"]

    def tell(self, method: str, *given: object) -> Any:
        """The same, for the account."""
        return self.ask(method, self.account, *given)

    def until(self, check: Callable[[], Any]) -> Any:
        """The first value of a condition that holds; it is looked at whenever something happens."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self._heard.clear()
            found = check()
            if found:
                return found
            self._heard.wait(TIMED)
        raise AssertionError("the core has not done it")

    def configure(self, name: str, imap: int, smtp: int) -> None:
        """An account at the servers of the loopback."""
        self.tell("set_config", "displayname", name)
        for setting, value in (("bcc_self", "1"), ("mdns_enabled", "0")):
            self.tell("set_config", setting, value)
        param = {
            "addr": address_of(name),
            "password": PASSWORD,
            "imapServer": HOST,
            "imapPort": imap,
            "imapSecurity": "ssl",
            "imapUser": name.lower(),
            "smtpServer": HOST,
            "smtpPort": smtp,
            "smtpSecurity": "ssl",
            "smtpUser": USER,
            "smtpPassword": PASSWORD,
            "certificateChecks": "acceptInvalidCertificates",
        }
        self.tell("add_or_update_transport", param)
        self.connect()
