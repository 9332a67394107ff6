"""What only a terminal shows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def is_shown(*, quiet: bool) -> bool:
    """Whether somebody watches."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def progress(
    total: int, *, quiet: bool, what: str = "playing", prints: bool = False
) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error while a series is played; nothing where nobody watches. `prints`: meanwhile the
    command prints, which in the same terminal has to stand above the bar, and elsewhere goes where it always goes."""
    if not is_shown(quiet=quiet):
        yield lambda _number: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console, moves = Console(stderr=True), prints and sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=moves) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def counted(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for something whose length shows on the way, nothing where nobody watches: called
    with how much is done, and how much there is."""
    if not is_shown(quiet=quiet):
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
