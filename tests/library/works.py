"""Works for other processes: what they do stands in the bytes of the file."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from pbem.errors import Usage


def obey(data: bytes) -> tuple[str, int]:
    """The file's words, and which process had it; or what they say."""
    order, _, rest = data.decode().partition(" ")
    match order:
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(int(rest))
        case "memory":
            raise MemoryError
        case "fault":
            raise ValueError(rest)
        case "refuse":
            raise Usage(rest)
        case "slow":
            time.sleep(float(rest))
        case "once":  # kills the first process that gets it
            if not Path(rest).exists():
                Path(rest).touch()
                os.kill(os.getpid(), signal.SIGKILL)
    return data.decode(), os.getpid()
