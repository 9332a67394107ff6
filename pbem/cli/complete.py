"""What a shell offers while a command is being entered: commands, options, games by short name,
files, answers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell
from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.home.home import Home


_QUOTES = ("'", '"')
_TURNS = (".toml", ".eml")
_WITH_FILE = (
    "show",
    "moves",
    "play",
    "verify",
    "dice",
    "resign",
    "draw",
    "join",
    "rematch",
    "send",
    "remind",
    "log",
    "card",
    "inbox",
)
_WITH_GAME = ("new", "simulate", "games")


def candidates(words: Sequence[str], commands: Mapping[str, Any]) -> list[str]:
    """What the last of these words (after `pbem`) may become, whole: every candidate begins with
    what was entered."""
    given = [unquoted(word) for word in words] or [""]
    *before, last = given
    if not before:
        return _beginning(last, _listed_commands(commands))
    command = commands.get(before[0])
    if command is None:
        return []
    if last.startswith("-"):
        return _beginning(
            last, (name for parameter in command.params for name in _options(parameter))
        )
    return _values(before[0], before[1:], last, command, commands)


def _listed_commands(commands: Mapping[str, Any]) -> list[str]:
    """The commands that `--help` lists."""
    return [name for name, command in commands.items() if not command.hidden]


def unquoted(word: str) -> str:
    """A word as the shell will pass it on; some shells give it as it stands on the line, its quote
    perhaps open."""
    if word[:1] in _QUOTES:
        return word[1:].removesuffix(word[0])
    return re.sub(r"\\(.)", r"\1", word)


def _values(
    name: str, before: list[str], last: str, command: Any, commands: Mapping[str, Any]
) -> list[str]:
    """Candidates for a value: of the option before it, or of the argument whose turn it is."""
    takes_value = {
        option
        for parameter in command.params
        if not getattr(parameter, "is_flag", False)
        for option in _options(parameter)
    }
    if before and before[-1] in takes_value:
        if before[-1] == "--after":
            return _answers(before, takes_value, last)
        return _paths(last) if before[-1] in ("--dir", "--import", "--export") else []
    given = _arguments(before, takes_value)
    if name == "play" and len(given) == 1:
        return _answers(before, takes_value, last)
    if name == "card" and given:
        return _beginning(last, _cards(given[0]))
    if name == "ignore" and "--back" in before:
        return [] if given else _beginning(last, _ignored())
    offers: dict[str, Callable[[], Iterable[str]]] = {
        **dict.fromkeys(_WITH_FILE, lambda: [*_short_names(), *_paths(last)]),
        **dict.fromkeys(_WITH_GAME, _games),
        "ignore": _short_names,
        "help": lambda: [*_topics(), *_listed_commands(commands)],
        "completion": _shells,
    }
    return (
        _beginning(last, offers[name]())
        if name in offers and (not given or name == "inbox")
        else []
    )


def _options(parameter: Any) -> list[str]:
    return [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")]


def _arguments(before: Sequence[str], takes_value: set[str]) -> list[str]:
    """The words that are neither options nor their values."""
    return [
        word
        for number, word in enumerate(before)
        if not word.startswith("-") and (number == 0 or before[number - 1] not in takes_value)
    ]


def _beginning(text: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(text)]


def _short_names() -> list[str]:
    """The games of this home, without those that are hidden."""
    from pbem.home import game_index, ignore_list
    from pbem.home.home import Home
    from pbem.home.known_names import players_of

    home = Home()
    found = [
        one
        for folder in game_index.game_folders(home)
        if (one := game_index.shelf_of(folder)) is not None
    ]
    hidden: Collection[str] = ()
    if home.has_identity() and not _asks_for_passphrase(home):
        with suppress(PbemError):  # a list that cannot be read hides nothing
            own = home.identity().public
            hidden = ignore_list.hidden_games(
                home,
                own,
                lambda: {
                    one.number: [met.key for met in players_of(one.file.entries)] for one in found
                },
            )
    return [
        game_index.short_name_in(one.file, one.number) for one in found if one.number not in hidden
    ]


def _ignored() -> list[str]:
    """The games and the keys, by their fingerprints, that this home ignores."""
    from pbem.fileformat.encoding import fingerprint
    from pbem.home import game_index, ignore_list
    from pbem.home.home import Home

    home = Home()
    ignored = ignore_list.read(home.folder)
    found = [
        one
        for number in ignored.games
        if (one := game_index.shelf_with_number(home, number)) is not None
    ]
    return [
        *(game_index.short_name_in(one.file, one.number) for one in found),
        *(fingerprint(key).replace(" ", "") for key in ignored.keys),
    ]


def _paths(text: str) -> list[str]:
    """Turn files, saved mails and folders that begin so."""
    folder, _, start = text.rpartition("/")
    above = f"{folder}/" if "/" in text else ""
    try:
        found = sorted(Path(above or ".").iterdir())
    except OSError:
        return []
    named = [
        path for path in found if path.name.startswith(start) and not path.name.startswith(".")
    ]
    offered = [path for path in named if path.is_dir() or path.suffix in _TURNS]
    return [f"{above}{path.name}{'/' if path.is_dir() else ''}" for path in offered]


def _answers(before: Sequence[str], takes_value: set[str], text: str) -> list[str]:
    """The legal answers after those that are entered already, each as the whole text that the
    option or argument takes. Nothing while a passphrase would have to be asked for."""
    from pbem.home.home import Home
    from pbem.turn import open_game

    home, files = Home(), _arguments(before, takes_value)
    if not files or not home.has_identity() or _asks_for_passphrase(home):
        return []
    done, semicolon, _ = text.rpartition(";")
    given = [answer.strip() for answer in done.split(";") if answer.strip()]
    found = open_game.moves(open_game.open_path(Path(files[0]), home), given).options
    kept = f"{done}{semicolon} " if semicolon else ""
    begun = text[len(done) + len(semicolon) :].lstrip()
    return [kept + option for option in found if option.casefold().startswith(begun.casefold())]


def _asks_for_passphrase(home: Home) -> bool:
    from pbem.home.identity import is_encrypted

    return "PBEM_PASSPHRASE" not in os.environ and is_encrypted(home.key_pem())


def _cards(game: str) -> list[str]:
    from pbem.games import registry
    from pbem.home.home import Home

    if registry.find_installed(game) is not None:
        return list(registry.newest(game).cards)
    from pbem.turn import open_game

    return list(open_game.open_path(Path(game), Home()).ledger.rules.cards)


def _games() -> list[str]:
    from pbem.games import registry

    return [found.name for found in registry.installed() if found.descriptor is not None]


def _topics() -> list[str]:
    from pbem.report import pages

    return [page.topic for page in pages.pages()]


def _shells() -> list[str]:
    from pbem.cli.shells import SHELLS

    return list(SHELLS)


def complete(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """The completions of the shells ask for it."""
    from pbem.cli.app import every_command

    try:
        found = candidates(words or [], every_command())
    except (PbemError, OSError):
        return  # a shell that completes has no place for an error
    if found:
        tell("\n".join(found))


COMMANDS = {
    "complete": CommandEntry(complete, hidden=True),
}
