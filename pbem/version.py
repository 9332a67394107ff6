"""Which program this is, to the commit: builds between two releases have the number of the next one
in `pbem`, and are told apart by what stands behind it.

The build reads this file too (`pyproject.toml`), so it imports nothing of the program but the
number.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from pathlib import Path

from pbem import __version__

BUILT = "BUILT"
"""A file in `pbem` of every wheel and source archive: the version it was built as."""
_CHECKOUT = Path(__file__).parents[1]


@cache
def exact() -> str:
    """The version: of a release its number, `0.1.0`; else the number that the next release will
    have, and the commit, `0.1.0.dev0+g1444823b2a`, with `.changed` where the checkout differs from
    it. Without the commit where nothing says it: in an unpacked folder that is no checkout."""
    if (_CHECKOUT / ".git").exists():
        return _of_checkout(_CHECKOUT)
    try:
        built = pkgutil.get_data("pbem", BUILT)
    except OSError:
        built = None
    return f"{__version__}.dev0" if built is None else built.decode("ascii").strip()


def _of_checkout(folder: Path) -> str:
    import subprocess  # no start of an installed program pays for it

    tag = f"v{__version__}"
    command = ["git", "--no-optional-locks", "-C", str(folder), "describe", "--tags", "--always"]
    try:
        done = subprocess.run(
            [*command, "--match", tag, "--long", "--abbrev=10", "--dirty=.changed"],
            check=True,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError):  # no git here, or no commit yet
        return f"{__version__}.dev0"
    described = done.stdout.strip().removeprefix(f"{tag}-")  # "0-g1444823b2a", "1444823b2a.changed"
    if described.startswith("0-g") and not described.endswith(".changed"):
        return __version__
    return f"{__version__}.dev0+g{described.rpartition('-')[2].removeprefix('g')}"
