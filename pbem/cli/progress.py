"""What only a terminal shows."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def is_shown(*, quiet: bool) -> bool:
    """Whether somebody watches."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def progress(
    total: int, *, quiet: bool, what: str = "playing", prints: bool = False
) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error while a series is played; nothing where nobody watches.
    `prints`: meanwhile the command prints, which in the same terminal has to stand above the bar,
    and elsewhere goes where it always goes."""
    if not is_shown(quiet=quiet):
        yield lambda _number: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console, moves = Console(stderr=True), prints and sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=moves) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.advance(task, number)


SLOW = 5.0
"""Seconds after which it is told what goes on for so long."""


@contextmanager
def told_when_slow(begin: str, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line on standard error that says what goes on, after `SLOW` seconds and each time that it
    has taken twice as long. Called with what is done next; `begin` is the first."""
    now, ended = [begin], threading.Event()

    def watch() -> None:
        taken, after = 0.0, SLOW
        while not ended.wait(after):
            taken += after
            after = taken
            print(f"pbem: {taken:.0f} seconds so far; {now[0]}", file=sys.stderr, flush=True)

    def doing(what: str) -> None:
        now[0] = what

    if not quiet:
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield doing
    finally:
        ended.set()


@contextmanager
def counted(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for something whose length shows on the way, nothing where nobody watches:
    called with how much is done, and how much there is."""
    if not is_shown(quiet=quiet):
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
