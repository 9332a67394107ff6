"""The commands with which a player comes to a game: an identity, an invitation, a join."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import game_options, newcomer
from pbem.cli.errors import say
from pbem.cli.options import (
    ClockIsRight,
    File,
    Folder,
    Json,
    Mail,
    WithProgram,
    ask_about_clock,
    closed_home,
    open_home,
)
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import fitted, warn
from pbem.errors import Usage
from pbem.games import BUILT_IN

if TYPE_CHECKING:
    from pbem.games.game_data import DataLine
    from pbem.home.home import Home

# Imported late: what a command needs alone, for `pbem --help` reads the module of each.


def identify(
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your name as others see it.")
    ] = None,
    mail: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Your mail address, if you like.")
    ] = None,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Protect the new key with a passphrase.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the private key (PEM) there, to keep it safe."),
    ] = None,
    import_from: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Take the private key from there."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Whoever has the private key can sign as you: --export keeps a copy in a safe place."""
    from pbem.home import make_identity

    facts = make_identity.identify(open_home(), name, mail, passphrase, export, import_from)
    text = (
        "{name} <{mail}>\nkey         {key}\nfingerprint {fingerprint}\nhome        {home}".format(
            **vars(facts)
        )
    )
    say(as_json, facts, text.replace(" <>", "") + (f"\nwritten to  {export}" if export else ""))


def new(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in; a terminal asks"
            " for it.",
            show_default=False,
        ),
    ] = "",
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Your seat, by its name; by default the first."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Any option of the game: NAME or NAME=NUMBER."),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help=(
                "Keep a seat for this public key or contact; once for each player, in the order in"
                " which they join."
            ),
        ),
    ] = None,
    own_data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            help="Folder with what you filled in from your copy (`pbem data`).",
        ),
    ] = None,
    clock: Annotated[
        str,
        typer.Option(
            metavar="DAYS+DAYS",
            help="A clock: days for the whole game + days added with each decision, as in 30+3.",
        ),
    ] = "",
    title: Annotated[
        str,
        typer.Option(
            "--called", metavar="NAME", help='What the game is called, as in "Winter league 3".'
        ),
    ] = "",
    leave: Annotated[
        int,
        typer.Option(
            metavar="DAYS", help="Days for which an absence stops the clock.", show_default=False
        ),
    ] = 0,
    web: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="A page in which the others may play in their browser (pbem help web).",
        ),
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="FOLDER", help="Folder to write to; by default the current one."
        ),
    ] = None,
    mail: Annotated[
        bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the turn file.")
    ] = True,
    with_program: WithProgram = False,
    clock_is_right: ClockIsRight = False,
    as_json: Json = False,
) -> None:
    """Each game has options of its own, listed below."""
    from pbem.cli import written
    from pbem.home import known_names
    from pbem.mail import settings as mail_settings
    from pbem.turn import joining, signing
    from pbem.turn.extras import clock_fields

    home, target = open_home(), signing.check_folder(folder or Path())
    game = game or newcomer.choose_game(quiet=as_json)
    _make_ready(home, clock_is_right, as_json)
    chosen = game_options.chosen(context, game)
    settings = _settings(chosen, option or [], as_json)
    lines, about_lines = _filled_in(chosen.game, own_data)
    kept, notes = known_names.opponents_of(home, opponent or [])
    proving, more = known_names.opponents_of(home, chosen.keys)
    for note in [*notes, *more, *about_lines]:
        warn(note)
    wanted = joining.NewGame(
        chosen.game,
        seat,
        settings,
        opponents=kept,
        witnesses=proving,
        filled_in=lines,
        clock=clock_fields(clock, leave),
        title=title,
    )
    if web:
        web = mail_settings.check_address(web)
    data = joining.invite(home, wanted)
    written.tell_written(
        as_json, joining.write(home, data, target, mail=mail, web=web, with_program=with_program)
    )


def _make_ready(home: Home, clock_is_right: bool, as_json: bool) -> None:
    """Ask somebody new for their name, and about the clock where it is in doubt. Raises what
    `newcomer.introduce` and `ask_about_clock` raise."""
    newcomer.introduce(home, quiet=as_json)
    ask_about_clock(
        home,
        is_right=clock_is_right,
        may_ask=not as_json and sys.stdin.isatty() and sys.stderr.isatty(),
    )


def _settings(chosen: game_options.Chosen, more: list[str], as_json: bool) -> dict[str, int]:
    """The settings of a new game: those chosen by its own options and by `--option`, and the answer
    to its question."""
    from pbem.games import registry
    from pbem.games.descriptor import settled
    from pbem.turn import joining

    found = registry.descriptor(chosen.game)
    settings = chosen.settings | joining.read_options(more)
    return settled(
        found.question, found.options, settings, chosen.said, newcomer.asks(quiet=as_json)
    )


def _filled_in(game: str, folder: Path | None) -> tuple[list[DataLine], list[str]]:
    """The lines of a player's own data with which a new game is made, and what to tell about
    them."""
    from pbem.games import game_data, registry

    rules = registry.newest(game)
    given = [] if folder is None else game_data.read(registry.descriptor(game), folder)
    lines, left_out = game_data.finished(rules, given)
    notes = [*left_out, *game_data.rules_with(rules, lines).notices()]
    if lines:
        filled = ", ".join(dict.fromkeys(line.line.partition(":")[0] for line in lines))
        notes.append(
            f"The turn file that you send contains the tables that you filled in: {filled}."
        )
    return lines, notes


def rematch(
    file: File,
    folder: Folder = None,
    mail: Mail = True,
    clock_is_right: ClockIsRight = False,
    as_json: Json = False,
) -> None:
    """It has the options and the clock of the game that is over. Each seat is kept for the key of
    the player who comes to it: with two they change seats, more move on by one.
    """
    from pbem.cli import written
    from pbem.turn import joining, named_file, open_game, signing

    home, target = open_home(), signing.check_folder(folder or named_file.folder_of(file))
    _make_ready(home, clock_is_right, as_json)
    data = joining.rematch(home, open_game.open_path(file, home))
    written.tell_written(as_json, joining.write(home, data, target, mail=mail))


def join(
    file: File,
    folder: Folder = None,
    mail: Mail = True,
    clock_is_right: ClockIsRight = False,
    as_json: Json = False,
) -> None:
    """The turn file then has your name, your public key, and your address if you have given one."""
    from pbem.cli import written
    from pbem.turn import joining, named_file, open_game, signing

    home, target = open_home(), signing.check_folder(folder or named_file.folder_of(file))
    _make_ready(home, clock_is_right, as_json)
    opened = open_game.open_path(file, home)
    signing.look_before_signing(opened, home, target, named_file.folder_of(file), mail=mail)
    again = joining.seat_twice(opened)
    data = joining.join(opened, home)
    if again:
        warn(again)
    for note in [*(opened.memory.notes if opened.memory is not None else []), *opened.doubts]:
        warn(note)
    written.tell_written(as_json, signing.write_signed(data, target, home, mail=mail))


@dataclass(frozen=True)
class ProgramFacts:
    """The program as one file: where it was written, its SHA-256, and the system that it is for
    (empty: every one with Python 3.11 or newer)."""

    file: str
    sha256: str
    system: str


def program(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Folder or file to write to; by default the current folder."
        ),
    ] = Path(),
    as_json: Json = False,
) -> None:
    """They install it with `pipx install ./FILE`. What was installed from a release gives the very
    file of the release again, and a checkout is built.
    """
    from hashlib import sha256

    from pbem import files
    from pbem.mail import program

    made = program.wheel()
    file = place / made.name if files.is_folder(place) else place
    if file.name != made.name:
        raise Usage(
            f"it can be installed only if it is called {made.name}",
            hint="name a folder, or nothing",
        )
    if not files.holds(file, made.data):
        files.write_new(file, made.data)
    digest, size = sha256(made.data).hexdigest(), len(made.data) / 1_000_000
    lines = [
        str(file),
        f"Give them this file ({size:.1f} MB); it is installed with: pipx install ./{made.name}",
        f"It is for {made.system} and no other system." if made.system else "",
        f"SHA-256 {digest}",
        "Read these digits to them in another way than the file comes, or let them compare with"
        " those of the release: whoever gives somebody a program can read their keys.",
    ]
    facts = ProgramFacts(str(file), digest, made.system)
    say(as_json, facts, fitted("\n".join(filter(None, lines)), sys.stdout))


def contacts(
    who: Annotated[
        str | None,
        typer.Argument(
            help="A name, an address, a key, or a fingerprint's first digits.", show_default=False
        ),
    ] = None,
    add: Annotated[
        str | None,
        typer.Option("--add", metavar="KEY", help="Enter this public key under the name WHO."),
    ] = None,
    mail: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Their mail address, with --add.")
    ] = "",
    compared: Annotated[
        bool,
        typer.Option("--compared", help="You have compared the fingerprint with its owner, today."),
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Know this key no longer.")] = False,
    as_json: Json = False,
) -> None:
    """Everybody you have played with is known by the key. The same name or address with another key
    is told wherever names are shown."""
    from pbem.home import known_names
    from pbem.home.clock import today

    home = open_home()
    known = known_names.from_games(home)
    if who is None and (add or mail or compared or forget):
        raise Usage("whom do you mean?", hint="as in pbem contacts Ben --compared")
    if sum(map(bool, (add, compared, forget))) > 1:
        raise Usage("one of --add, --compared and --forget at a time")
    if mail and not add:
        raise Usage(
            "--mail is for --add", hint="pbem contacts Ben --add KEY --mail ben@example.org"
        )
    if who is None:
        listed = list(known.known.values())
    elif add:
        listed = [known.add(who, mail, add, today())]
    elif compared:
        listed = [known.compare(who, today())]
    else:
        listed = [known.forget(who) if forget else known.find(who)]
    facts = known_names.ContactList([known_names.contact_facts(one, known) for one in listed])
    for doubt in (one.doubt for one in facts.contacts if one.doubt and not forget):
        warn(doubt)
    say(as_json, facts, known_names.in_words(facts, is_forgotten=forget))


def home(
    action: Annotated[
        str, typer.Argument(help="move, backup, open or keep.", show_default=False)
    ] = "",
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The packed home: written by move and backup, read by open.", show_default=False
        ),
    ] = None,
    nowhere_else: Annotated[
        bool,
        typer.Option("--nowhere-else", help="This home is used on no other computer any more."),
    ] = False,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="With open: put the key under a passphrase here.")
    ] = False,
    as_json: Json = False,
) -> None:
    """`pbem home move FILE` packs the home, encrypted with a passphrase, and closes it: it signs
    nothing here any more. `pbem home open FILE` unpacks it there. `pbem home backup FILE` copies it
    the same way and closes nothing; opened, a backup signs nothing until you confirm it. A FILE
    that ends in `.txt` is text, for a mail or a message. `pbem home keep --nowhere-else` goes on
    here after a move that came to nothing, with a copy, or with an opened backup. Without a word it
    tells which home is used.
    """
    from pbem.home import moving, opening

    if action not in ("", "move", "backup", "open", "keep"):
        raise Usage(
            f'"{action[:20]}" is nothing a home does',
            hint="pbem home move FILE, backup FILE, open FILE or keep",
        )
    if (file is None) == (action in ("move", "backup", "open")):
        raise Usage(
            (
                "name the file of the packed home"
                if file is None
                else "a file is for move, backup and open"
            ),
            hint="pbem home --help",
        )
    if passphrase and action != "open":
        raise Usage(
            "--passphrase is for open", hint="move and backup ask for the passphrase of the file"
        )
    own, kept = open_home() if action in ("", "move", "backup") else closed_home(), None
    if file is None:
        if action == "keep":
            opening.keep(own, nowhere_else=nowhere_else)
    elif action == "open":
        kept = opening.open_file(own, file, nowhere_else=nowhere_else, protect=passphrase)
    else:
        (moving.move if action == "move" else moving.backup)(own, file)
    facts = moving.facts(own, file, kept)
    say(as_json, facts, moving.in_words(facts, action))


COMMANDS = {
    "id": CommandEntry(identify),
    "new": CommandEntry(new, game_options.NewCommand),
    "join": CommandEntry(join),
    "rematch": CommandEntry(rematch),
    "program": CommandEntry(program),
    "contacts": CommandEntry(contacts),
    "home": CommandEntry(home),
}
