"""The games this program knows, each loaded only when it is played: those built in by name, then
plug-ins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.flow import Refusal
from engine.rules import BadData, Rules
from pbem import __version__
from pbem.errors import Malformed, Newer, PbemError, Usage
from pbem.games import BUILT_IN
from pbem.games.descriptor import FOREIGN, Distribution, GameDescriptor, InstalledGame, load
from pbem.games.settings import chosen_settings as chosen_settings
from pbem.games.settings import common_index as common_index
from pbem.games.settings import completed as completed
from pbem.games.settings import goes_on_without as goes_on_without
from pbem.games.settings import keyed_seats as keyed_seats
from pbem.games.settings import partners as partners
from pbem.games.settings import players_of as players_of
from pbem.games.settings import read_settings as read_settings
from pbem.games.settings import seats_of as seats_of
from pbem.games.settings import variants as variants
from pbem.games.settings import write_settings as write_settings

# Imported late: plug-ins, for no built-in game needs them.

OWN = Distribution("pbem", __version__)
_LISTED = "pbem games lists what is installed"


def known_games() -> list[str]:
    """Names of the games that come with the program, in alphabetical order."""
    return sorted(BUILT_IN)


def versions() -> list[tuple[str, int]]:
    """Every game that comes with the program, with every version of its rules that it replays."""
    return [(name, version) for name in known_games() for version in sorted(descriptor(name).rules)]


def find_installed(name: str) -> InstalledGame | None:
    """The game of this name, with where it comes from, or with what is wrong with it; None if it is
    not installed."""
    if name in BUILT_IN:
        return InstalledGame(name, OWN, load(BUILT_IN[name]))
    from pbem.games import plugins

    return plugins.find(name)


def usable() -> list[str]:
    """Names of the games that are installed and whole, in the order of `installed`."""
    return [found.name for found in installed() if found.descriptor is not None]


@contextmanager
def plugins_told() -> Iterator[None]:
    """What the code of a plug-in raises inside is the error that a player is told of it. Raises
    `PluginFails`."""
    try:
        yield
    except (PbemError, Refusal, BadData, MemoryError):  # what rules may raise, or cannot help
        raise
    except FOREIGN as error:
        known: PbemError | None = load("pbem.games.plugins:failure")(error)
        if known is None:
            raise
        raise known from error


def installed() -> list[InstalledGame]:
    """Every game that is installed, the built-in ones first."""
    from pbem.games import plugins

    own = [InstalledGame(name, OWN, load(BUILT_IN[name])) for name in known_games()]
    return own + plugins.installed()


def descriptor(name: str) -> GameDescriptor:
    """The descriptor of a game. Raises `Usage` if there is no such game, or if its plug-in does not
    work."""
    found = find_installed(name)
    if found is None:
        known = ", ".join(usable())
        raise Usage(f'there is no game "{name[:40]}"', hint=f"the games are: {known}")
    if found.descriptor is None:
        raise found.error(Usage)
    return found.descriptor


def distribution(name: str) -> Distribution:
    """The installed package from which a game comes."""
    found = find_installed(name)
    assert found is not None, "asked for a game whose rules are in use"
    return found.distribution


def newest(name: str) -> Rules:
    """The newest rules of a game. Raises `Usage` if there is no such game."""
    found = descriptor(name)
    return _rules(found, max(found.rules))


def title(name: str) -> str:
    """The name of a game in words. Raises `Usage` if there is no such game."""
    return descriptor(name).title or newest(name).title


def title_or_name(name: str) -> str:
    """The name of a game in words, or as a file has it where the game is not installed."""
    try:
        return title(name)
    except PbemError:
        return name


def usual_seats(name: str) -> tuple[str, ...]:
    """The seats that players take in a game with its usual options. Raises `Usage` if there is no
    such game."""
    return descriptor(name).seats or seats_of(newest(name))


def find(name: str, version: int, package: str = "") -> Rules:
    """The rules of a game in this version. Raises `Malformed` if they are not installed here.
    `package` is where the rules come from by entry 0 (docs/format.md, section 3); it is only
    quoted, as what the inviter says."""
    found = find_installed(name)
    what_is_missing = f'the game "{name[:40]}", rules version {version}'
    if found is None:
        said = (
            f'the inviter names the package "{package[:80]}"; install only what you trust; '
            if package
            else ""
        )
        hint = f"it comes with a plug-in, a package of its own beside pbem: {said}{_LISTED}"
        raise Malformed(f"the file holds {what_is_missing}, which is not installed here", hint=hint)
    if found.descriptor is None:
        raise found.error(Malformed)
    if version not in found.descriptor.rules:
        have = ", ".join(map(str, sorted(found.descriptor.rules)))
        what = f"the file holds {what_is_missing}; {found.distribution} has {have}"
        raise Newer(
            what, hint=f"the file was made with a newer {found.distribution.name}; update yours"
        )
    return _rules(found.descriptor, version)


def _rules(found: GameDescriptor, version: int) -> Rules:
    rules: Rules = load(found.rules[version])
    return rules
