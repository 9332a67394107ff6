"""Works for other processes: what they do stands in the bytes of the file."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from threading import Timer

from pbem.cli.verify_work import check
from pbem.errors import Usage
from pbem.library.runner import each
from pbem.library.walk import Skipped, walk


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
            time.sleep(float(rest.split()[0]))
        case "sending":  # a result of many megabytes, and a kill while it is on its way
            Timer(float(rest), os.kill, (os.getpid(), signal.SIGKILL)).start()
            return data.decode() + "x" * 100_000_000, os.getpid()
        case "once":  # kills the first process that gets it
            if not Path(rest).exists():
                Path(rest).touch()
                os.kill(os.getpid(), signal.SIGKILL)
    return data.decode(), os.getpid()


def weigh(data: bytes) -> int:
    """A turn file verified, which must not hold: the largest memory of this process so far, in
    megabytes."""
    import resource  # POSIX's alone

    assert not check(data).facts.ok
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (
        1 << 20 if sys.platform == "darwin" else 1 << 10
    )


def main(folder: str, address: str) -> None:
    """The files of a folder on a cluster; what came of each is printed at once."""
    with each(obey, walk([Path(folder)]), dask=address) as outcomes:
        for one in outcomes:
            print(one.reason if isinstance(one, Skipped) else one.result[0], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
