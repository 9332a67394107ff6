"""Sends one notification by a command and by services, in a process of its own that outlives the
one that started it.

It is started before the record of the news is written, and waits until its standard input ends.
Then it looks whether the record (`pbem.watch.news`) names its round. If it does, the notification
goes out. If not, the watcher was killed before, and will notify when it is started again. This file
is run by its path and imports nothing else of pbem.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

PATIENCE = 60
"""Seconds that a command may take."""


def main() -> int:
    """Send the notification. Returns 0 if everything took it, 1 if a command or a service did not;
    standard error says why."""
    try:
        what: dict[str, Any] = json.loads(sys.stdin.buffer.read())
        with open(what["record"], "rb") as file:
            rounds = json.load(file)["rounds"]
    except (OSError, ValueError, KeyError):
        return 0
    if what["round"] not in rounds:
        return 0
    results = [_by_command(what["command"]) if what["command"] else True]
    results += [_by_services(what) if what["services"] else True]
    return 0 if all(results) else 1


def _by_command(command: list[str]) -> bool:
    """Run the player's command; whether it succeeded."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"the notify command did not run: {type(error).__name__}\n")
        return False
    if done.returncode != 0:
        sys.stderr.write(f"the notify command ended with {done.returncode}\n")
    return done.returncode == 0


def _by_services(what: dict[str, Any]) -> bool:
    """Notify by Apprise; whether every service took it."""
    try:
        import apprise  # takes long to load, and only some have such services
    except ImportError:
        sys.stderr.write("services need the library apprise: pipx inject pbem apprise\n")
        return False
    services: Any = apprise.Apprise()
    known = [services.add(address) for address in what["services"]]
    done = bool(services) and services.notify(
        title=what["title"], body=what["text"], body_format="text"
    )
    if not all(known) or not done:
        sys.stderr.write("a service did not take the notification\n")
    return all(known) and bool(done)


if __name__ == "__main__":
    sys.exit(main())
