"""What a shell offers for a value of a command: games by short name, files, answers, cards."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from pbem.cli.app import SECTIONS
from pbem.cli.shells import SHELLS
from pbem.errors import PbemError
from pbem.fileformat.encoding import fingerprint
from pbem.games import registry
from pbem.home import game_index, ignore_list
from pbem.home.home import Home
from pbem.home.identity import is_encrypted
from pbem.home.known_names import players_of
from pbem.home.shelf import shelf_of
from pbem.report import pages
from pbem.turn import named_file, open_game, questions
from pbem.turn.draft_lines import answers_in

_TURNS = (".toml", ".eml")


def offered(context: Any, parameter: Any, begun: str) -> list[str]:
    """What the value of this parameter may become, whole, of which so much is entered."""
    if parameter.name in ("answers", "after"):
        return _answers(context, begun)
    takes_paths = Path in _types(parameter)
    find = _OFFERED.get(f"{context.info_name} {parameter.name}") or _OFFERED.get(
        parameter.name, _paths if takes_paths else _nothing
    )
    if parameter.name == "game" and takes_paths:
        find = _games_and_files
    return [one for one in dict.fromkeys(find(context, begun)) if one.startswith(begun)]


def _types(parameter: Any) -> tuple[Any, ...]:
    """The types of what a parameter takes, one or several."""
    annotation = parameter.type_descriptor.annotation
    return get_args(annotation) or (annotation,)


def _answers(context: Any, begun: str) -> list[str]:
    """The legal answers after those that are entered already, each as the whole text that the
    option or argument takes. Nothing while a passphrase would have to be asked for."""
    home, file = Home(), context.params.get("file") or context.params.get("game")
    if file is None or not home.has_identity() or _asks_for_passphrase(home):
        return []
    done, semicolon, last = begun.rpartition(";")
    given = answers_in(done)
    opened = open_game.open_file(named_file.find(Path(file), home).turn, home)
    found = questions.moves(opened, given).options
    kept, start = f"{done}{semicolon} " if semicolon else "", last.lstrip().casefold()
    return [kept + option for option in found if option.casefold().startswith(start)]


def _asks_for_passphrase(home: Home) -> bool:
    return "PBEM_PASSPHRASE" not in os.environ and is_encrypted(home.key_pem())


def _short_names(_context: Any, _begun: str) -> list[str]:
    """The games of this home, without those that are hidden."""
    home = Home()
    found = [
        one for folder in game_index.game_folders(home) if (one := shelf_of(folder)) is not None
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


def _ignored(context: Any, begun: str) -> list[str]:
    """The games that can be hidden; with `--back` the games and the keys, by their fingerprints,
    that this home ignores."""
    if not context.params.get("back"):
        return _short_names(context, begun)
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


def _paths(_context: Any, begun: str) -> list[str]:
    """Turn files, saved mails and folders that begin so."""
    folder, _, start = begun.rpartition("/")
    above = f"{folder}/" if "/" in begun else ""
    try:
        found = sorted(Path(above or ".").iterdir())
    except OSError:
        return []
    named = [
        path for path in found if path.name.startswith(start) and not path.name.startswith(".")
    ]
    offered = [path for path in named if path.is_dir() or path.suffix in _TURNS]
    return [f"{above}{path.name}{'/' if path.is_dir() else ''}" for path in offered]


def _games_and_files(context: Any, begun: str) -> list[str]:
    return [*_short_names(context, begun), *_paths(context, begun)]


def _installed(_context: Any, _begun: str) -> list[str]:
    return registry.usable()


def _cards(context: Any, begun: str) -> list[str]:
    """The cards of the game that was named before, by its name or by a file."""
    named = context.params.get("words")
    if not named:
        return [*_games_and_files(context, begun), *_installed(context, begun)]
    if registry.find_installed(named[0]) is not None:
        return list(registry.newest(named[0]).cards)
    home = Home()
    opened = open_game.open_file(named_file.find(Path(named[0]), home).turn, home)
    return list(opened.ledger.rules.cards)


def _commands(_context: Any, _begun: str) -> list[str]:
    return [name for found in SECTIONS.values() for name, one in found.items() if not one.is_hidden]


def _topics(context: Any, begun: str) -> list[str]:
    return [*(page.topic for page in pages.pages()), *_commands(context, begun)]


def _shells(_context: Any, _begun: str) -> Iterable[str]:
    return SHELLS


def _nothing(_context: Any, _begun: str) -> list[str]:
    return []


_OFFERED: dict[str, Callable[[Any, str], Iterable[str]]] = {
    **dict.fromkeys(("file", "places"), _games_and_files),
    "home file": _paths,
    "game": _installed,
    "explore game": lambda context, begun: [
        *_installed(context, begun),
        *_games_and_files(context, begun),
    ],
    "auto game": _short_names,
    "games name": _installed,
    "words": _cards,
    "ignore who": _ignored,
    "help topic": _topics,
    "man command": _commands,
    "completion shell": _shells,
}
"""How the values of a parameter are found, by its name or by those of its command and itself; for
any other that takes a path these are files and folders."""
