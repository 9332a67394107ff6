"""A program at a pseudo-terminal whose screen is kept, so that a test reads what a player would see."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte

from tests.support import known_templates
from tests.support.effort import PATIENCE

SILENCE = 1.5
"""Seconds without a word after which a program that cannot be read is taken to wait."""

_HERE = str(Path(__file__).parents[2])
_GONE = ("PBEM_PASSPHRASE", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM", "PROMPT_TOOLKIT_NO_CPR")
PROMPTS = (">", "Sign it? (yes, back, help)", "Sign it? [y/N]:", "|")
"""What a led turn, and a question of a command, wait behind."""
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|9[0-7]|38;[0-9;]+)m")


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
        environment |= {"PBEM_HOME": str(home), "PYTHONPATH": _HERE, "TERM": "xterm-256color", **more}
        self._home = home
        known_templates.lay_in(home)
        self._screen = pyte.HistoryScreen(columns, rows, history=20_000)
        self._stream = pyte.Stream(self._screen)
        self.raw = ""
        self._program: pexpect.spawn[str] = pexpect.spawn(
            program or sys.executable,
            [*(() if program else ("-m", "pbem")), *arguments],
            cwd=str(folder),
            env=environment,  # type: ignore[arg-type]
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
        )
        self._program.delaybeforesend = None

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
        self._program.send(keys)
        return self

    def presses(self, keys: bytes) -> Seat:
        """Send bytes that need not be text, and wait for the next prompt."""
        row = self._row()
        os.write(self._program.child_fd, keys)
        return self._reads_on(row)

    def blind(self, *lines: str) -> int:
        """Type lines one after the other, each when the program has been silent for a while, without looking at the
        screen; the exit code."""
        self._stream = pyte.Stream(pyte.Screen(80, 24))
        for line in lines:
            while True:
                wait = SILENCE if "\n" in self.raw else PATIENCE
                try:
                    self.raw += self._program.read_nonblocking(65536, wait)
                except pexpect.TIMEOUT:
                    break
            self._program.send(line)
        while True:
            try:
                self.raw += self._program.read_nonblocking(65536, timeout=PATIENCE)
            except pexpect.EOF:
                break
        self._program.close()
        return int(self._program.exitstatus if self._program.exitstatus is not None else -1)

    def resize(self, rows: int, columns: int) -> Seat:
        """Another size of the terminal, which the program is told of (SIGWINCH)."""
        self._program.setwinsize(rows, columns)
        self._screen.resize(rows, columns)
        return self

    def ends(self) -> int:
        """Read to the end; the exit code, or the signal as a negative number."""
        while self._read():
            pass
        self._program.close()
        assert self._program.exitstatus is not None or self._program.signalstatus is not None
        return (
            self._program.exitstatus if self._program.exitstatus is not None else -int(self._program.signalstatus or 0)
        )

    def kill(self, signal: int = 9) -> Seat:
        """Send a signal."""
        os.kill(self._program.pid, signal)
        return self

    def text(self) -> str:
        """Everything that stands on the screen and above it, without colours, as the terminal laid it out."""
        above = [
            "".join(line[column].data for column in range(self._screen.columns)) for line in self._screen.history.top
        ]
        return "\n".join(line.rstrip() for line in [*above, *self._screen.display]).rstrip()

    def last(self, lines: int = 1) -> str:
        """The lines down to the cursor, as far as they stand on the screen."""
        end = int(self._screen.cursor.y) + 1
        return "\n".join(line.rstrip() for line in self._screen.display[max(0, end - lines) : end])

    def _row(self) -> int:
        """The row of the cursor, counted from the first that was ever written."""
        return len(self._screen.history.top) + int(self._screen.cursor.y)

    def _reads_on(self, row: int) -> Seat:
        """Read until the program waits for a line below this row, or has ended."""
        while self._row() <= row or self._screen.display[self._screen.cursor.y].strip() not in PROMPTS:
            if not self._read():
                break
        return self

    def _read(self) -> bool:
        """Whether there was something, or may be yet."""
        try:
            new = self._program.read_nonblocking(65536, timeout=PATIENCE)
        except pexpect.EOF:
            return False
        self.raw += new
        self._stream.feed(new)
        return True

    def close(self) -> None:
        self._program.close(force=True)
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
