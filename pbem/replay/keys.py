"""One key at a time from a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
ON, BACK, FIRST, LAST, QUIT = "on", "back", "first", "last", "quit"
_WORDS = {
    **dict.fromkeys(
        (" ", "\r", "\n", "l", "n", "\x1b[C", "\x1bOC", "\x1b[B", "\xe0M", "\xe0P"), ON
    ),
    **dict.fromkeys(
        ("h", "p", "b", "\x7f", "\x08", "\x1b[D", "\x1bOD", "\x1b[A", "\xe0K", "\xe0H"), BACK
    ),
    **dict.fromkeys(("g", "\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G"), FIRST),
    **dict.fromkeys(("G", "\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O"), LAST),
    **dict.fromkeys(("q", "Q", "\x1b", "\x03", "\x04", ""), QUIT),
}
"""The meaning of each key: the keys of a pager, arrows, Home and End, as terminals of Unix and of
Windows send them."""


def meaning(key: str) -> str | None:
    """The meaning of a key; None for a key that has none here."""
    return _WORDS.get(key)


@contextmanager
def reading() -> Iterator[Any]:
    """A context in which keys are read one by one: its function waits for a key and returns what
    the terminal sent. Afterwards the terminal is as it was before."""
    if os.name != "posix":
        yield _windows_key
        return
    termios, tty = import_module("termios"), import_module("tty")
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)
        sent = KeyInput(lambda: os.read(handle, 64).decode("utf-8", "replace"))
        yield sent.next
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


class KeyInput:
    """Splits what a terminal sends into keys: an arrow is several characters, and keys that are
    pressed quickly arrive together."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read
        self._left = ""

    def next(self) -> str:
        """The next key; empty at the end of the input."""
        self._left = self._left or self._read()
        match = _KEY.match(self._left)
        key = match[0] if match else ""
        self._left = self._left[len(key) :]
        return key


def _windows_key() -> str:
    msvcrt = import_module("msvcrt")
    first: str = msvcrt.getwch()
    return f"\xe0{msvcrt.getwch()}" if first in ("\x00", "\xe0") else first
