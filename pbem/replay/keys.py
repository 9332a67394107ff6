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
"""What keys mean: those of a pager, arrows, Home and End, as terminals of Unix and of Windows send
them."""


def meaning(key: str) -> str | None:
    """What a key means here; None for a key that means nothing."""
    return _WORDS.get(key)


@contextmanager
def reading() -> Iterator[Any]:
    """Inside, the function that is given waits for one key and returns what the terminal sent for
    it. Afterwards the terminal is as before."""
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
    """What a terminal sends, key by key: an arrow is several characters, and keys pressed quickly
    come together."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read
        self._left = ""

    def next(self) -> str:
        """The next key; empty where nothing comes any more."""
        self._left = self._left or self._read()
        match = _KEY.match(self._left)
        key = match[0] if match else ""
        self._left = self._left[len(key) :]
        return key


def _windows_key() -> str:
    msvcrt = import_module("msvcrt")
    first: str = msvcrt.getwch()
    return f"\xe0{msvcrt.getwch()}" if first in ("\x00", "\xe0") else first
