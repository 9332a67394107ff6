"""The program at a pseudo-terminal of a given width."""

from __future__ import annotations

import os
import select
import struct
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support import known_templates, starter
from tests.support.effort import PATIENCE


def at_a_terminal(
    home: Path,
    folder: Path,
    arguments: Sequence[str],
    entered: Sequence[str] = (),
    columns: int = 80,
    **more: str,
) -> str:
    """Run a command there, type a line at each prompt; everything that the terminal showed, without
    colours."""
    import fcntl
    import pty
    import termios

    known_templates.lay_in(home)
    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    gone = ("PBEM_PASSPHRASE", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM")
    environment = {name: value for name, value in os.environ.items() if name not in gone}
    here = str(Path(__file__).parents[2])
    environment |= {"PBEM_HOME": str(home), "PYTHONPATH": here, "TERM": "xterm-256color", **more}
    program = starter.start(
        ["-m", "pbem", *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    os.close(terminal)
    shown, left, deadline = b"", list(entered), time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            if select.select([keyboard], [], [], 0.1)[0]:
                try:
                    new = os.read(keyboard, 4096)
                except OSError:  # the program has closed its end
                    break
                if not new:
                    break
                shown += new
                # the blank comes once getpass has turned the echo off
                if left and shown.endswith(b": "):
                    os.write(keyboard, left.pop(0).encode() + b"\n")
        program.wait(timeout=PATIENCE)
    finally:
        if program.poll() is None:
            program.kill()
            program.wait()
        os.close(keyboard)
        known_templates.learn(home)
    return shown.decode(errors="replace").replace("\r\n", "\n")
