"""The player's home, as each command that needs it opens it, and the clock by which it signs."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from pbem.cli.streams import warn
from pbem.home import clock, place
from pbem.home.home import Home


def open_home() -> Home:
    """The player's home; a key that others can read, and a home that was moved or copied, are told
    once a command, on standard error. Raises `Damaged`."""
    home = Home()
    home.check()
    for warning in (home.key_warning(), place.warning(home.folder)):
        if warning:
            warn(str(warning))
    return home


def ask_about_clock(home: Home, own: Iterable[str] = (), *, is_right: bool, may_ask: bool) -> None:
    """Before something is signed: whether this machine's clock is right, where that is in doubt.
    `own` are the dates of the player's own entries in a game. Raises `ClockDoubt` where nobody can
    be asked, and `typer.Abort` if it is not."""
    if is_right:
        clock.confirm(home.folder)
    elif may_ask:
        try:
            clock.check(home.folder, own)
        except clock.ClockDoubt as doubt:
            warn(doubt.what)
            typer.confirm(
                "Is it right, and do you want to sign with this date?", abort=True, err=True
            )
            clock.confirm(home.folder)


def closed_home() -> Home:
    """The player's home, for the commands that are about where it is used."""
    return Home()
