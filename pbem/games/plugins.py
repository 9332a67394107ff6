"""Games that installed packages offer: entry points of the group `pbem.games`, looked for only when
somebody asks.

The look costs 60 ms, so a built-in game never causes it. A plug-in is checked whole, and played as
a sample, when it is new or its files have changed since it last held; one that does not hold
disables itself and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import __version__, files
from pbem.errors import Do, PbemError, PluginFails, Usage
from pbem.fileformat.encoding import framed
from pbem.games import BUILT_IN
from pbem.games.descriptor import (
    APIS,
    FOREIGN,
    Distribution,
    GameDescriptor,
    InstalledGame,
    packages_of,
)
from pbem.games.foreign import package_of, raised, where

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# Imported late: the test bench, for a plug-in that is new or has changed.

GROUP = "pbem.games"
_STRANGE = re.compile("[^A-Za-z0-9.+!_-]")
"""What no name or version of a package holds, and entry 0 shall not."""


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, list[EntryPoint]]:
    """The entry points of the group by their names."""
    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(
        entry_points(group=GROUP), key=lambda point: (point.name, str(_distribution(point)))
    ):
        found.setdefault(point.name, []).append(point)
    return found


def forget() -> None:
    """Look anew from here on."""
    _entry_points.cache_clear()
    _all_of.cache_clear()


def names() -> list[str]:
    """The games that plug-ins offer, whether they hold or not."""
    return sorted(_entry_points())


def distributions() -> list[Distribution]:
    """The packages that offer games; none of their code is loaded."""
    return [_distribution(point) for name in names() for point in _entry_points()[name]]


def installed() -> list[InstalledGame]:
    """Every plug-in's game; of two packages with one game each is listed, and neither has a
    descriptor."""
    return [found for name in names() for found in _all_of(name)]


def find(name: str) -> InstalledGame | None:
    """The plug-in that offers this game, or what is wrong with those that do; None if there is
    none."""
    found = _all_of(name)
    return found[0] if found else None


@lru_cache(maxsize=64)
def _all_of(name: str) -> tuple[InstalledGame, ...]:
    """What plug-ins offer under one name, looked at once."""
    points = _entry_points().get(name, [])
    if name in BUILT_IN:
        taken = (f'a game named "{name}" comes with pbem itself',)
        return tuple(InstalledGame(name, _distribution(point), None, taken) for point in points)
    if len(points) > 1:
        both = (f'{_both(points)} offer a game named "{name}": uninstall one of them',)
        return tuple(InstalledGame(name, _distribution(point), None, both) for point in points)
    return tuple(_registered(point) for point in points)


def _both(points: Iterable[EntryPoint]) -> str:
    return " and ".join(str(_distribution(point)) for point in points)


def _distribution(point: EntryPoint) -> Distribution:
    """The package that offers a game; unknown where it does not say, or where its files are going
    away while it is uninstalled."""
    try:
        name, version = (point.dist.name, point.dist.version) if point.dist else (None, None)
    except FOREIGN:  # what a newer Python raises where the file with both is gone
        name, version = None, None
    known = (name or "unknown-package", version or "0")
    return Distribution(*(_STRANGE.sub("?", text)[:55] for text in known))


def _registered(point: EntryPoint) -> InstalledGame:
    """Load a plug-in and check it. What its code raises is its own problem, and told as such."""
    package = _distribution(point)
    try:
        offered = point.load()
    except FOREIGN as error:
        said = raised(error, {package_of(point.value)})
        return InstalledGame(
            point.name, package, None, (f"{point.value} cannot be loaded: {said}",)
        )
    if not isinstance(offered, GameDescriptor):
        return InstalledGame(point.name, package, None, (f"{point.value} is no GameDescriptor",))
    if offered.api not in APIS:
        problem = (
            f"it is written for API {offered.api} of pbem's games, and this pbem has API"
            f" {' and '.join(map(str, APIS))}"
        )
        return InstalledGame(point.name, package, None, (problem,))
    if offered.name != point.name:
        problem = f'the entry point "{point.name}" offers a game named "{offered.name}"'
        return InstalledGame(point.name, package, None, (problem,))
    state = _state_of(offered)
    wrong = () if files.holds(_note(offered), state) else _checked(offered, state)
    return InstalledGame(point.name, package, None if wrong else offered, wrong)


def _checked(found: GameDescriptor, state: bytes) -> tuple[str, ...]:
    """What is wrong with a descriptor; that nothing is, is noted on this computer of the files as
    they were before (`state`): others, which were written meanwhile, were not looked at."""
    # with all that it loads, for those alone that are to be checked
    from pbem.games.check import problems

    wrong = tuple(problems(found))
    if not wrong:
        with contextlib.suppress(Usage):  # where nothing can be noted it is checked again
            files.make_folder(_note(found).parent)
            files.replace(_note(found), state)
    return wrong


def _note(found: GameDescriptor) -> Path:
    """Where it is noted that a plug-in held. Its name is still anything."""
    return (
        files.state_folder()
        / "plugins"
        / hashlib.sha256(found.name.encode(errors="replace")).hexdigest()[:32]
    )


def _state_of(found: GameDescriptor) -> bytes:
    """The SHA-256 of the files of a plug-in with their names, and of the programs that run it.
    Where it has no files (it runs out of an archive) none that was noted."""
    digest = hashlib.sha256(framed(__version__.encode(), sys.version.encode()))
    has_files = False
    for path in _files_of(found):
        has_files = True
        digest.update(framed(str(path).encode(errors="replace"), path.read_bytes()))
    return digest.digest() if has_files else os.urandom(32)


def _files_of(found: GameDescriptor) -> Iterator[Path]:
    """The files of the packages that a descriptor and its rules come from, and its templates."""
    packages = packages_of(found)
    packages |= {package_of(point.value) for point in _entry_points().get(found.name, ())}
    places = {Path(found.templates)}
    for module in [sys.modules[name] for name in packages if name in sys.modules]:
        places.update(
            map(
                Path,
                getattr(module, "__path__", ())
                or [getattr(module, "__file__", None) or os.devnull],
            )
        )
    for place in sorted(places):
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def failure(error: BaseException) -> PbemError | None:
    """What a player is told of an error that the code of a plug-in raised while its game was
    played, wherever it was met; None where no plug-in had a part in it."""
    for name in names():
        for point in _entry_points()[name]:
            own = {package_of(point.value)}
            if where(error, own):
                found = InstalledGame(name, _distribution(point), None, (raised(error, own),))
                return found.error(PluginFails, Do("check-game", name, does="plays it at random"))
    return None
