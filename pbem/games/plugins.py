"""Games that installed packages offer: entry points of the group `pbem.games`, looked for only when somebody asks.

The look costs 60 ms, so a built-in game never causes it. A plug-in is checked whole when it is registered; one that
does not hold disables itself and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.games import BUILT_IN
from pbem.games.descriptor import API, FOREIGN, Distribution, GameDescriptor, Installed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pbem.games"
_STRANGE = re.compile("[^A-Za-z0-9.+!_-]")
"""What no name or version of a package holds, and entry 0 shall not."""


@lru_cache(maxsize=1)
def _offered() -> dict[str, list[EntryPoint]]:
    """The entry points of the group by their names."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, str(_distribution(point)))):
        found.setdefault(point.name, []).append(point)
    return found


def forget() -> None:
    """Look anew from here on."""
    _offered.cache_clear()
    find.cache_clear()


def names() -> list[str]:
    """The games that plug-ins offer, whether they hold or not."""
    return sorted(_offered())


def distributions() -> list[Distribution]:
    """The packages that offer games; none of their code is loaded."""
    return [_distribution(point) for name in names() for point in _offered()[name]]


def installed() -> list[Installed]:
    """Every plug-in's game; of two packages with one game each is listed, and neither has a descriptor."""
    return [found for name in names() for found in _all_of(name)]


@lru_cache(maxsize=64)
def find(name: str) -> Installed | None:
    """The plug-in that offers this game, or what is wrong with those that do; None if there is none."""
    found = _all_of(name)
    return found[0] if found else None


def _all_of(name: str) -> list[Installed]:
    points = _offered().get(name, [])
    if name in BUILT_IN:
        taken = (f'a game named "{name}" comes with pbem itself',)
        return [Installed(name, _distribution(point), None, taken) for point in points]
    if len(points) > 1:
        both = (f'{_both(points)} offer a game named "{name}": uninstall one of them',)
        return [Installed(name, _distribution(point), None, both) for point in points]
    return [_registered(point) for point in points]


def _both(points: Iterable[EntryPoint]) -> str:
    return " and ".join(str(_distribution(point)) for point in points)


def _distribution(point: EntryPoint) -> Distribution:
    found = point.dist
    if found is None:
        return Distribution("unknown-package", "0")
    return Distribution(*(_STRANGE.sub("?", text)[:55] for text in (found.name, found.version)))


def _registered(point: EntryPoint) -> Installed:
    """Load a plug-in and check it. What its code raises is its own problem, and told as such."""
    where = _distribution(point)
    try:
        offered = point.load()
    except FOREIGN as error:
        return Installed(point.name, where, None, (f"{point.value} cannot be loaded: {_told(error)}",))
    if not isinstance(offered, GameDescriptor):
        return Installed(point.name, where, None, (f"{point.value} is no GameDescriptor",))
    from pbem.games.check import old_methods, problems

    if offered.api != API:
        told = f"it is written for API {offered.api} of pbem's games, and this pbem has API {API}"
        return Installed(point.name, where, None, (told, *old_methods(offered)))
    if offered.name != point.name:
        told = f'the entry point "{point.name}" offers a game named "{offered.name}"'
        return Installed(point.name, where, None, (told,))
    found = tuple(problems(offered))
    return Installed(point.name, where, None if found else offered, found)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
