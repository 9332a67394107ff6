"""What `pbem` and `python -m pbem` start: one command, and the end of its process."""

from __future__ import annotations

from typing import NoReturn

from pbem.cli.startup import process


def main() -> NoReturn:
    """Run the command that was called and leave with its exit code."""
    process.collect_rarely()
    from pbem.cli.app import run  # only now, for it loads the command line library

    code: object = 0
    try:
        run()
    except SystemExit as end:
        code = end.code
    process.end(code)


if __name__ == "__main__":
    main()
