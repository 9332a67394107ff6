"""Runs programs that the player has named: what prints a password, what sends a mail. Each has a
deadline, and what it prints is bounded: one that hangs or never stops printing holds nothing up."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

MOST_PRINTED = 100_000
"""Bytes that a program may print."""
_DRAIN = 0.5
"""Seconds for which what an ended program has printed is waited for: another program that it
started may hold its output open."""


class Endless(Exception):
    """A program did not end in time, or printed too much; its text says which."""


@dataclass(frozen=True)
class Ended:
    """How a program ended, and what it printed to standard output and standard error."""

    code: int
    output: bytes
    errors: bytes


def run(command: Sequence[str], seconds: float, given: bytes = b"") -> Ended:
    """Run a program, without a shell, with these bytes on its standard input. After so many seconds
    it and whatever it has started are killed. Raises `OSError` if it cannot be started, and
    `Endless`."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        # so that all of it can be killed together
        start_new_session=os.name == "posix",
    )
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    assert stdin is not None and stdout is not None and stderr is not None
    is_flood = threading.Event()

    def feed() -> None:
        with suppress(OSError, ValueError):
            left = memoryview(given)
            while left:
                left = left[stdin.write(left) :]
        with suppress(OSError):
            stdin.close()

    def drain(stream: IO[bytes], kept: bytearray) -> None:
        with suppress(OSError), stream:  # closed by whoever reads it, however late it ends
            while part := os.read(stream.fileno(), 65_536):
                kept += part
                if len(kept) > MOST_PRINTED:
                    is_flood.set()
                    _kill(process)
                    return

    printed = bytearray(), bytearray()
    threads = [threading.Thread(target=feed, daemon=True)] + [
        threading.Thread(target=drain, args=(stream, kept), daemon=True)
        for stream, kept in zip((stdout, stderr), printed, strict=True)
    ]
    for thread in threads:
        thread.start()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise Endless(f"it did not end in {seconds:.0f} seconds") from error
    finally:
        if process.returncode is None:
            _kill(process)
            process.wait()
        until = time.monotonic() + _DRAIN
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
    if is_flood.is_set():
        raise Endless(f"it printed more than {MOST_PRINTED} bytes")
    return Ended(process.returncode, bytes(printed[0]), bytes(printed[1]))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program, and what it has started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
