"""Read mails as `pbem inbox` does, in a process of its own: prints for each how many things were
found in it, the most memory the process took so far (VmHWM, kB) and the seconds."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.mail import turn_files
from pbem.turn import inbox

assert inbox  # what the command loads counts as well


def main(path: Path) -> None:
    began = time.perf_counter()
    number = 0
    for found in turn_files.look(path):
        number += 1
        try:
            if found.data is not None:
                gate.replay(turnfile.read(found.data))
        except PbemError:
            continue
    seconds = time.perf_counter() - began
    memory = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(number, memory[1] if memory else 0, f"{seconds:.2f}")


for name in sys.argv[1:]:
    main(Path(name))
