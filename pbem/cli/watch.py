"""The commands for what goes on by itself: watching, automatic entries, and whom one witnesses."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.errors import AlreadyPrinted, as_one_line, say
from pbem.cli.options import Json, open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import NotPrinted, flush, tell
from pbem.errors import USAGE, Usage

if TYPE_CHECKING:
    from pbem.home.home import Home
    from pbem.watch.switch import AutoFacts
    from pbem.watch.watcher import Round, Watcher

# Imported late: what a command needs alone, for `pbem --help` reads the module of each.

_DECISION = 3
"""The rule that holds back an entry because it is the player's to decide: the turn itself was
told."""


def in_words(done: Round) -> str:
    """What is printed of one look, a line for each thing."""
    lines = [f"{one.title}: {one.text}" for one in done.news]
    lines += [
        f"{one.game}: turn {one.entry} written by itself, sent to {', '.join(one.to)}"
        for one in done.sent
    ]
    lines += [f"{one.name}, {one.seat}, was reminded: {', '.join(one.to)}" for one in done.reminded]
    held = [one for one in done.held if one.rule != _DECISION]
    lines += [
        f"{one.game}: turn {one.entry} is not written by itself: {one.reason}" for one in held
    ]
    return "\n".join(lines)


def lasting(done: Round) -> list[str]:
    """A line for each thing that still does not work and was reported before, so that a new watcher
    is not silent about it."""
    from pbem.watch import news

    said = {one.text for one in done.news}
    return [f"still: {text}" for text in map(news.plain, done.failed) if text not in said]


def _waiting(home: Home) -> str:
    """The games that wait for the player, as the watcher begins."""
    from pbem.turn import game_list

    waiting = [
        game
        for game in game_list.games(home, home.identity()).games
        if game.yours and game.over is None
    ]
    return "".join(f"\nwaits for you: {game.short}, {game.title}, {game.due}" for game in waiting)


def auto_in_words(facts: AutoFacts) -> str:
    """What `pbem auto` prints."""
    from pbem.home.outside import BY_HAND

    lines = [
        f"automatic turns are {'on' if facts.home else 'off'} for this home (kept in"
        f" {_short(facts.folder)})"
    ]
    if facts.notes:
        lines.append("private notes may be revealed by themselves at the end of a game")
    for game in facts.games:
        mark = (
            f"by hand{f': {game.why}' if game.why else ''}"
            if game.mark == BY_HAND
            else "on"
            if game.on
            else "off"
        )
        lines.append(f"  {game.short}  {mark}")
    if facts.silence:
        lines.append(facts.silence)
    return "\n".join(lines)


def _short(folder: str) -> str:
    """A folder below that of the user with a tilde, and a key in its name cut short."""
    path = Path(folder)
    below = Path("~") / path.relative_to(Path.home()) if path.is_relative_to(Path.home()) else path
    return str(below.with_name(f"{below.name[:8]}…"))


def watch(
    answer: Annotated[
        bool,
        typer.Option(
            "--answer", help="Write and send what decides nothing, where `pbem auto on` allows it."
        ),
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    as_json: Json = False,
) -> None:
    """Looks at what `pbem inbox` and `pbem fetch` look at, as mail.toml in the home says, until it
    is interrupted."""
    from pbem.watch import switch as switches
    from pbem.watch.alive import end_is_announced
    from pbem.watch.watcher import Busy, Watcher

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


def auto(
    switch: Annotated[
        str, typer.Argument(help="on, off or by-hand; without it the switches are shown.")
    ] = "",
    game: Annotated[
        str | None,
        typer.Argument(help="A game's short name; without it the home.", show_default=False),
    ] = None,
    notes: Annotated[
        bool,
        typer.Option(
            "--notes", help="With on: your private notes may be revealed by themselves, too."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """`pbem watch --answer` writes them: a proof for the other player's dice, an opening, and the
    opened deck a day after the end. It is off by default; on for the home or one game, and off for
    a game that is played by hand.
    """
    from pbem.watch import switch as switches

    home = open_home()
    if switch not in ("", "on", "off", "by-hand"):
        raise Usage(
            f'"{switch[:40]}" is no switch',
            hint="pbem auto on, pbem auto on GAME, off, or by-hand GAME",
        )
    if notes and switch != "on":
        raise Usage("--notes goes with on", hint="pbem auto on --notes")
    if switch == "on":
        switches.switch_on(home, game, notes=notes)
    elif switch == "off":
        if game is not None:
            raise Usage(
                "off is for everything", hint=f"for one game: pbem auto by-hand {game[:80]}"
            )
        switches.switch_off(home)
    elif switch == "by-hand":
        if game is None:
            raise Usage(
                "which game is played by hand?",
                hint="pbem auto by-hand GAME; for all of them: pbem auto off",
            )
        switches.by_hand(home, game)
    facts = switches.facts(home)
    say(as_json, facts, auto_in_words(facts))


def witness(as_json: Json = False) -> None:
    """How many games each of them began, finished and dropped, by their key."""
    from pbem.watch import witnessed

    facts = witnessed.facts(open_home())
    say(as_json, facts, witnessed.in_words(facts))


COMMANDS = {
    "watch": CommandEntry(watch),
    "auto": CommandEntry(auto),
    "witness": CommandEntry(witness),
}
