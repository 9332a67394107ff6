"""A program at a pseudo-terminal whose screen is kept, so that a test reads what a player would
see."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte

from tests.support import known_pictures, known_templates, starter
from tests.support.effort import PATIENCE

WAITS = "\x1b[?2004h"
"""What a led turn writes each time that it begins to wait for a line: pasted text is to come in
brackets."""

_HERE = str(Path(__file__).parents[2])
_GONE = (
    "PBEM_PASSPHRASE",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "PROMPT_TOOLKIT_NO_CPR",
)
PROMPTS = (">", "Sign it? (yes, back, help)", "Sign it? [y/N]:", "|")
"""What a led turn, and a question of a command, wait behind."""
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|9[0-7]|38;[0-9;]+)m")


class _Screen(pyte.Screen):
    """A screen that keeps what has gone out above it; `pyte.HistoryScreen` takes three times as
    long."""

    def __init__(self, columns: int, rows: int) -> None:
        self.above: list[str] = []
        super().__init__(columns, rows)

    def index(self) -> None:
        """The next line; at the lowest one everything moves up."""
        top, bottom = self.margins or (0, self.lines - 1)
        if self.cursor.y == bottom:
            self.above.append(self.row(top))
        super().index()

    def row(self, number: int) -> str:
        """What stands in a row, in all its columns."""
        line = self.buffer[number]
        return "".join([line[column].data for column in range(self.columns)])


class Seat:
    """One command at a terminal of its own. `raw` is all that it wrote."""

    def __init__(
        self,
        home: Path,
        folder: Path,
        *arguments: str,
        columns: int = 80,
        rows: int = 50,
        program: str = "",
        **more: str,
    ) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in _GONE}
        environment |= {
            "PBEM_HOME": str(home),
            "PYTHONPATH": _HERE,
            "TERM": "xterm-256color",
            **more,
        }
        self._home = home
        known_templates.lay_in(home)
        self._screen = _Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._keyboard, terminal = pty.openpty()
        self._size(rows, columns)
        there: dict[str, Any] = {
            "stdin": terminal,
            "stdout": terminal,
            "stderr": terminal,
            "cwd": folder,
        }
        there |= {"env": environment, "start_new_session": True}
        if program:
            self._program = subprocess.Popen(
                [program, *arguments], preexec_fn=starter.take_terminal, **there
            )
        else:
            self._program = starter.start(
                ["-c", known_pictures.PROGRAM, *arguments], at_terminal=True, **there
            )
        os.close(terminal)

    def waits(self) -> Seat:
        """Read until the program waits for a line, or has ended."""
        return self._reads_on(-1)

    def types(self, line: str) -> Seat:
        """Type a line at the prompt, and wait for the next one."""
        row = self.waits()._row()
        self.keys(f"{line}\r")
        return self._reads_on(row)

    def keys(self, keys: str) -> Seat:
        """Press keys, and wait for nothing."""
        os.write(self._keyboard, keys.encode())
        return self

    def presses(self, keys: bytes) -> Seat:
        """Send bytes that need not be text, and wait for the next prompt."""
        row = self._row()
        os.write(self._keyboard, keys)
        return self._reads_on(row)

    def blind(self, *lines: str) -> int:
        """Type lines one after the other, each when the program has begun to wait for one, without
        looking at the screen; the exit code."""
        self._stream = pyte.Stream(pyte.Screen(80, 24))
        for number, line in enumerate(lines):
            while self.raw.count(WAITS) <= number and self.reads():
                pass
            self.keys(line)
        return self.ends()

    def resize(self, rows: int, columns: int) -> Seat:
        """Another size of the terminal, which the program is told of (SIGWINCH)."""
        self._size(rows, columns)
        self._screen.resize(rows, columns)
        return self

    def _size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self._keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def ends(self) -> int:
        """Read to the end; the exit code, or the signal as a negative number."""
        while self.reads():
            pass
        return self._program.wait(PATIENCE)

    def interrupted(self) -> int:
        """Press Ctrl-C, and again each second while the program goes on, as one does: what comes
        just before it waits for a line is lost. The exit code."""
        for _ in range(int(PATIENCE)):
            self.keys("\x03")
            while select.select([self._keyboard], [], [], 1)[0]:
                if not self.reads():
                    return self._program.wait(PATIENCE)
        raise TimeoutError(f"Ctrl-C does not end it:\n{self.text()}")

    def kill(self, signal: int = 9) -> Seat:
        """Send a signal."""
        self._program.send_signal(signal)
        return self

    def text(self) -> str:
        """Everything that stands on the screen and above it, without colours, as the terminal laid
        it out."""
        shown = [self._screen.row(number) for number in range(self._screen.lines)]
        return "\n".join(line.rstrip() for line in [*self._screen.above, *shown]).rstrip()

    def last(self, lines: int = 1) -> str:
        """The lines down to the cursor, as far as they stand on the screen."""
        end = int(self._screen.cursor.y) + 1
        return "\n".join(
            self._screen.row(number).rstrip() for number in range(max(0, end - lines), end)
        )

    def _row(self) -> int:
        """The row of the cursor, counted from the first that was ever written."""
        return len(self._screen.above) + int(self._screen.cursor.y)

    def _reads_on(self, row: int) -> Seat:
        """Read until the program waits for a line below this row, or has ended."""
        while self._row() <= row or not self.is_prompt(self.prompt()):
            if not self.reads():
                break
        return self

    def prompt(self) -> str:
        """The line of the cursor."""
        return self._screen.row(self._screen.cursor.y).strip()

    def is_prompt(self, line: str) -> bool:
        """Whether the program waits behind this line for another one."""
        return line in PROMPTS

    def reads(self) -> bool:
        """Whether there was something, or may be yet."""
        if not select.select([self._keyboard], [], [], PATIENCE)[0]:
            raise TimeoutError(f"nothing more is shown, and the program goes on:\n{self.text()}")
        try:
            new = os.read(self._keyboard, 65536)
        except OSError:  # the program has closed its end
            return False
        shown = self._decoder.decode(new)
        self.raw += shown
        self._stream.feed(shown)
        return bool(new)

    def close(self) -> None:
        self._program.kill()
        self._program.wait(PATIENCE)
        os.close(self._keyboard)
        known_templates.learn(self._home)


@contextmanager
def at_a_screen(
    home: Path, folder: Path, *arguments: str, columns: int = 80, rows: int = 50, **more: str
) -> Iterator[Seat]:
    """A command at a terminal, ended at the latest with the block."""
    seat = Seat(home, folder, *arguments, columns=columns, rows=rows, **more)
    try:
        yield seat
    finally:
        seat.close()
