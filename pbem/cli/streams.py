"""Standard output and standard error as whoever started the command left them (open, missing, full,
or read by nobody), and what only a terminal gets: folded lines and progress.

An output that takes nothing is one line on standard error and exit code 2. One that nobody reads
on, or that was closed from the start, is no failure: what the command did counts."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import typer

from pbem.english import folded

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class NotPrinted(Exception):
    """Standard output did not take what the command printed; the system's reason is the text."""


def open_streams() -> bool:
    """Give the output a place to go where whoever started the program gave none, and write
    characters that a stream cannot encode as escapes. Returns whether there is a standard
    output."""
    is_there = sys.stdout is not None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        reconfigure: Callable[..., None] | None = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    return is_there


def fitted(text: str, stream: TextIO) -> str:
    """Text as a stream shows it best: a terminal has it folded between words, anything else gets it
    as it is."""
    if not stream.isatty():
        return text

    return folded(text, shutil.get_terminal_size().columns)


def tell(text: str, *, nl: bool = True) -> None:
    """Print to standard output. Raises `NotPrinted` if it takes nothing, `BrokenPipeError` if
    nobody reads on."""
    try:
        typer.echo(text, nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _not_printed(error) from error


def one_line(text: str) -> str:
    """A text, of which parts may be somebody else's, as one line that a terminal may show."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split("\n")))


def warn(text: str) -> None:
    """One line on standard error, if it takes any; folded at a terminal."""
    with contextlib.suppress(OSError):
        typer.echo(fitted(f"pbem: {one_line(text)}", sys.stderr), err=True)


def flush() -> None:
    """Write out what standard output still holds. Raises `NotPrinted`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        raise _not_printed(error) from error


def drop(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere. Else Python writes it once more when the process
    ends, fails once more, and says so with lines and an exit code (120) of its own."""
    with contextlib.suppress(OSError, ValueError):
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        stream.flush()


def _not_printed(error: OSError) -> NotPrinted:
    drop(sys.stdout)
    return NotPrinted(error.strerror or str(error))


def is_watched(*, quiet: bool) -> bool:
    """Whether somebody watches."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def progress(
    total: int, *, quiet: bool, what: str = "playing", prints: bool = False
) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error while a series is played; nothing where nobody watches.
    `prints`: the command prints meanwhile, and in the same terminal its lines are to stand above
    the bar."""
    if not is_watched(quiet=quiet):
        yield lambda _number: None
        return
    with _bar(what, total, moves=prints and sys.stdout.isatty()) as (bar, task):
        yield lambda number: bar.advance(task, number)


SLOW = 5.0
"""Seconds after which it is told what goes on for so long."""


@contextmanager
def notice_when_slow(
    begin: str, verdicts: Sequence[Callable[[], str]] = (), *, quiet: bool
) -> Iterator[Callable[[str], None]]:
    """Say on standard error what goes on, after `SLOW` seconds and again each time that it has
    taken twice as long. Gives a function that is called with what is done next; `begin` is what is
    done first. `verdicts` say what is known by then, once there are any."""
    now, ended = [begin], threading.Event()

    def watch() -> None:
        taken, after = 0.0, SLOW
        while not ended.wait(after):
            taken += after
            after = taken
            known = [verdict() for verdict in verdicts]
            said = "; ".join([f"{taken:.0f} seconds so far", *known, now[0]])
            print(f"pbem: {said}", file=sys.stderr, flush=True)

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
    """A progress bar for work whose size shows on the way; nothing where nobody watches. Gives a
    function that is called with how much is done, and how much there is."""
    if not is_watched(quiet=quiet):
        yield lambda _done, _total: None
        return
    with _bar(what, None, moves=True) as (bar, task):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _bar(what: str, total: int | None, *, moves: bool) -> Iterator[tuple[Progress, TaskID]]:
    """A bar at the bottom of the terminal, and what it counts. `moves`: what is printed meanwhile
    stands above it."""
    from rich import console, progress  # takes long to load, and mostly nobody watches

    error = console.Console(stderr=True)
    with progress.Progress(console=error, transient=True, redirect_stdout=moves) as bar:
        yield bar, bar.add_task(what, total=total)
