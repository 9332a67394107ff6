"""The command that keeps looking for turns."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from pbem import files
from pbem.cli.errors import AlreadyPrinted, as_one_line, say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import NotPrinted, flush, tell, warn
from pbem.errors import USAGE, Refused, Usage
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.replay.page import page, write_page
from pbem.replay.scenes import Replayed
from pbem.turn import game_list
from pbem.turn.found_games import FoundGame
from pbem.watch import news
from pbem.watch import switch as switches
from pbem.watch.alive import end_is_announced
from pbem.watch.outbox import SentEntry
from pbem.watch.spectator import Spectator, SpectatorLook
from pbem.watch.watcher import Busy, Round, Watcher

_DECISION = 3
"""The rule that holds back an entry because it is the player's to decide: the turn itself was
told."""


def in_words(done: Round) -> str:
    """What is printed of one look, a line for each thing."""
    lines = [f"{one.title}: {one.text}" for one in done.news]
    lines += [_of_sent(one) for one in done.sent]
    lines += [f"{one.name}, {one.seat}, was reminded: {', '.join(one.to)}" for one in done.reminded]
    held = [one for one in done.held if one.rule != _DECISION]
    lines += [
        f"{one.game}: turn {one.entry} is not written by itself: {one.reason}" for one in held
    ]
    return "\n".join(lines)


def _of_sent(one: SentEntry) -> str:
    """A turn that was written by itself; one that decides something was prepared."""
    said = f" as you had prepared ({' and '.join(one.answers)})" if one.answers else ""
    left = f"; still prepared: {' | '.join(one.prepared)}" if one.prepared else ""
    return (
        f"{one.game}: turn {one.entry} written by itself{said}, sent to {', '.join(one.to)}{left}"
    )


def lasting(done: Round) -> list[str]:
    """A line for each thing that still does not work and was reported before, so that a new watcher
    is not silent about it."""
    said = {one.text for one in done.news}
    return [f"still: {text}" for text in map(news.plain, done.failed) if text not in said]


def _waiting(home: Home) -> str:
    """The games that wait for the player, as the watcher begins."""
    waiting = [
        game
        for game in game_list.games(home, home.identity()).games
        if game.yours and game.over is None
    ]
    return "".join(f"\nwaits for you: {game.short}, {game.title}, {game.due}" for game in waiting)


def watch(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PLACE...",
            help="Games of others: a folder, a file, a page or an https address.",
            show_default=False,
        ),
    ] = None,
    *,
    answer: Annotated[
        bool,
        typer.Option(
            "--answer", help="Write and send what decides nothing, where `pbem auto on` allows it."
        ),
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    film: Annotated[
        Path | None,
        typer.Option(
            "--film",
            metavar="FOLDER",
            help="With PLACE: write each game there as a page that plays as a film and is checked.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Looks at what `pbem inbox` and `pbem fetch` look at, as mail.toml in the home says, until it
    is interrupted. With PLACE it watches games of others, in which you need no seat and no home:
    what comes there is verified and told, as everybody may know it."""
    if places:
        if answer:
            raise Usage("--answer is for games of your own", hint="pbem watch --answer")
        _spectate(Spectator(places, None if film is None else _films_in(film)), once, as_json)
        return
    if film is not None:
        raise Usage("--film is for games of others", hint="pbem watch PLACE --film FOLDER")
    home = open_home()
    watcher: Watcher | None = None
    # another one looks: all is well with a job that looks now and then
    busy = (Busy,) if once else ()
    try:
        with end_is_announced(home, AlreadyPrinted, NotPrinted, *busy):
            switches.unlock(home)
            watcher = Watcher(home, answers=answer)
            if once:
                _look_once(watcher, as_json)
            else:
                _keep_looking(home, watcher, as_json)
    except KeyboardInterrupt:
        return
    finally:
        if watcher is not None:
            watcher.close()


def _films_in(folder: Path) -> Callable[[FoundGame], Path]:
    """What writes the page of a game into a folder, and returns its file."""

    def write(game: FoundGame) -> Path:
        files.make_folder(folder)
        replayed = Replayed(game.file.data, verifier=game.ledger.verifier)
        file = folder / f"{short_name(game.ledger)}.html"
        write_page(file, page(game.file.data, replayed), game.file.data)
        return file

    return write


def _spectate(spectator: Spectator, once: bool, as_json: bool) -> None:
    """Tell what comes in games of others, until the process is ended or after one look. Raises
    `Refused` if no game that holds was there at the one look."""

    def show(look: SpectatorLook) -> None:
        for problem in look.problems:
            warn(problem)
        if look.games:
            tell(as_one_line(look) if as_json else "\n".join(one.in_words() for one in look.games))
            flush()

    where = ", ".join(map(files.printable, spectator.places))
    if once:
        look = spectator.look()
        show(look)
        if not look.games:
            raise Refused(
                f"there is no game in {where}", hint="name a folder, a file or an address"
            )
        return
    if not as_json:
        tell(f"watching {where}; ^C ends it")
        flush()
    try:
        spectator.run(show)
    except KeyboardInterrupt:
        return


def _look_once(watcher: Watcher, as_json: bool) -> None:
    """Look, and print what there is. Raises `AlreadyPrinted` if something does not work."""
    done = watcher.finish(watcher.round())
    say(as_json, done, "\n".join([in_words(done) or "nothing new", *lasting(done)]))
    if done.failed:
        raise AlreadyPrinted(USAGE)


def _keep_looking(home: Home, watcher: Watcher, as_json: bool) -> None:
    """Look until the process is ended, and print what is new. Raises `KeyboardInterrupt`."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        """Whoever ends a service sends this; what was begun is safe wherever it stops."""
        watcher.is_ended = True
        raise KeyboardInterrupt

    is_first = True

    def show(done: Round) -> None:
        nonlocal is_first
        text = "\n".join([*filter(None, [in_words(done)]), *(lasting(done) if is_first else [])])
        is_first = False
        if (as_json and not done.is_empty()) or text:
            tell(as_one_line(done) if as_json else text)
            flush()

    signal.signal(signal.SIGTERM, end)
    if not as_json:
        tell(f"watching for {home.identity().name}; ^C ends it{_waiting(home)}")
        flush()
    watcher.run(show)


COMMANDS = {
    "watch": CommandEntry(watch),
}
