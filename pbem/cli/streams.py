"""Standard output and standard error as whoever started the command left them: open, missing, full,
or read by nobody.

An output that takes nothing is one line on standard error and exit code 2. One that nobody reads
on, or that was closed from the start, is no failure: what the command did counts.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import TextIO

import typer


class NotPrinted(Exception):
    """Standard output did not take what the command printed; the system's reason is the text."""


def open_streams() -> bool:
    """A place for the output where whoever started us gave none, and no character that a stream
    cannot write.

    Returns whether there is a standard output.
    """
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
    import shutil

    from pbem.english import folded

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


def warn(text: str) -> None:
    """One line on standard error, if it takes any; folded at a terminal."""
    with contextlib.suppress(OSError):
        typer.echo(fitted(f"pbem: {text}", sys.stderr), err=True)


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
