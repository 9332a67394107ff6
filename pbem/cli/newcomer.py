"""What somebody meets who starts the program for the first time: the next steps, and the question
who they are."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from pbem.cli.games import BRIEF, introduced
from pbem.cli.own_home import ask_about_clock
from pbem.cli.streams import warn
from pbem.errors import Usage
from pbem.files import shipped
from pbem.games import registry
from pbem.games.descriptor import Question
from pbem.home import make_identity
from pbem.home.home import Home
from pbem.home.identity import as_written_in_mails, is_doubtful, is_mail_address

_FIRST = """\
You play here for the first time. The others will read your name, and your
mail address if you give one."""
_KEPT = (
    "your key was made: pbem id shows it, and pbem id --export FILE keeps a copy in a safe place"
)


def next_steps() -> str:
    """What to do first, for somebody who has only just got the program."""
    return (shipped() / "first_steps.txt").read_text(encoding="utf-8").rstrip()


def choose_game(*, quiet: bool = False) -> str:
    """Ask in a terminal which game is to be played, each with what it is. Raises `Usage` where
    nobody can be asked."""
    usable = registry.usable()
    if quiet or not _is_terminal():
        raise Usage("which game?", hint=f"pbem new GAME; the games are: {', '.join(usable)}")
    for number, name in enumerate(usable, 1):
        title = registry.title(name)
        typer.echo(f"{number}  {title}\n{introduced(name, BRIEF)}\n", err=True)
    while True:
        said = str(typer.prompt(f"Which game (1 to {len(usable)}, or its name)", err=True)).strip()
        if said.isdecimal() and 1 <= int(said[:4]) <= len(usable):
            return usable[int(said) - 1]
        if said.casefold() in usable:
            return said.casefold()
        warn(f'there is no game "{said[:40]}"; once more')


def asks(*, quiet: bool = False) -> Callable[[Question], str]:
    """How the question of a new game is answered: in a terminal by its player, Enter for the first
    answer; elsewhere by that."""

    def first(question: Question) -> str:
        return question.answers[0][0]

    def by_player(question: Question) -> str:
        typer.echo(f"{question.words}:", err=True)
        for number, (_, words) in enumerate(question.answers, 1):
            typer.echo(f"{number}  {words}", err=True)
        names = [name for name, _ in question.answers]
        while True:
            text = f"Which (1 to {len(names)}; Enter: 1)"
            said = str(typer.prompt(text, default="1", show_default=False, err=True)).strip()
            if said.isdecimal() and 1 <= int(said[:4]) <= len(names):
                return names[int(said) - 1]
            if said.casefold() in names:
                return said.casefold()
            warn(f'"{said[:40]}" is none of them; once more')

    return by_player if not quiet and _is_terminal() else first


def _is_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def is_first_time() -> bool:
    """Whether nobody has played with this home yet."""
    home = Home()
    return not home.has_identity() and home.lost_key() is None


def introduce(home: Home, *, quiet: bool = False) -> None:
    """See that the home has a player: in a terminal a newcomer is asked for a name and a mail
    address. Raises `Usage` elsewhere, or if `quiet`, and `Damaged` for a home whose key is gone."""
    if not quiet and _is_terminal() and not home.has_identity() and home.lost_key() is None:
        _make(home)
    home.identity()


def make_ready(home: Home, clock_is_right: bool, *, quiet: bool = False) -> None:
    """Before something new is signed: ask somebody new for their name, and about the clock where it
    is in doubt. Raises what `introduce` and `ask_about_clock` raise."""
    introduce(home, quiet=quiet)
    ask_about_clock(home, is_right=clock_is_right, may_ask=not quiet and _is_terminal())


def _make(home: Home) -> None:
    """Ask until name and address are such as a turn file may hold, and make the key: an address
    that is none is asked for again, and the name stays. An address without a dot behind the @, as
    only a network of one's own has, is taken when it is said twice. Raises `typer.Abort`."""
    typer.echo(_FIRST, err=True)
    name = mail = ""
    while True:
        name = name or typer.prompt("Your name", err=True)
        before = mail
        mail = as_written_in_mails(
            typer.prompt(
                "Your mail address (Enter: none)", default="", show_default=False, err=True
            )
        )
        if is_doubtful(mail, before):
            warn(f'"{mail[:80]}" has no dot behind the @; if it is right, the same once more')
            continue
        try:
            make_identity.identify(
                home, name.strip(), mail, passphrase=False, export=None, import_from=None
            )
        except Usage as error:
            if home.has_identity():
                raise
            warn(f"{error.what}; once more")
            if is_mail_address(mail) or not mail:
                name = ""  # then it is the name that no turn file may hold
            continue
        warn(_KEPT)
        return
