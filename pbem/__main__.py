"""What `pbem` and `python -m pbem` start: one command, and the end of its process."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NoReturn

from pbem.cli.startup import process


def main() -> NoReturn:
    """Run the command that was called and leave with its exit code."""
    process.collect_rarely()
    code: object = 0
    try:
        from pbem.cli.app import run  # only now, for it loads the command line library

        run()
    except SystemExit as end:
        code = end.code
    except (
        KeyboardInterrupt
    ):  # while the program is loaded, or after its command: there nobody else says what came of it
        with suppress(OSError):
            os.write(2, b"pbem: interrupted\n")
        code = 1
    process.end(code)


if __name__ == "__main__":
    main()
