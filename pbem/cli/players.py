"""The commands with which a player comes to a game: an identity, an invitation, a join."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import game_options
from pbem.cli.errors import say
from pbem.cli.options import File, Folder, Json, Mail, open_home, tell_written
from pbem.cli.streams import warn
from pbem.games import BUILT_IN


def identify(
    name: Annotated[str | None, typer.Option(help="Your name as others see it.")] = None,
    mail: Annotated[str | None, typer.Option(help="Your mail address, if you like.")] = None,
    passphrase: Annotated[bool, typer.Option("--passphrase", help="Protect the new key with a passphrase.")] = False,
    export: Annotated[Path | None, typer.Option(help="Write the private key (PEM) there, to keep it safe.")] = None,
    import_from: Annotated[Path | None, typer.Option("--import", help="Take the private key from there.")] = None,
    as_json: Json = False,
) -> None:
    """Make or show your identity: name, address, key, fingerprint."""
    from pbem.player import people

    facts = people.identify(open_home(), name, mail, passphrase, export, import_from)
    text = "{name} <{mail}>\nkey         {key}\nfingerprint {fingerprint}\nhome        {home}".format(**vars(facts))
    say(as_json, facts, text.replace(" <>", "") + (f"\nwritten to  {export}" if export else ""))


def new(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")],
    seat: Annotated[str | None, typer.Option(help="Your seat, by its name; by default the first.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="Any option of the game: NAME or NAME=NUMBER.")] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(help="Keep a seat for this public key; once for each player, in the order in which they join."),
    ] = None,
    own_data: Annotated[
        Path | None, typer.Option("--data", help="Folder with what you filled in from your copy (`pbem data`).")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Folder to write to; by default the current one.")
    ] = None,
    mail: Annotated[bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the turn file.")] = True,
    as_json: Json = False,
) -> None:
    """Write an invitation to a new game.

    Each game has options of its own, listed below.
    """
    from pbem.cli import output
    from pbem.games import game_data, registry
    from pbem.player import people

    home, target = open_home(), output.check_folder(folder or Path())
    chosen = game_options.chosen(context, game)
    settings = chosen.settings | people.read_options(option or [])
    lines = game_data.read(registry.descriptor(chosen.game), own_data) if own_data is not None else ()
    data = people.invite(home, chosen.game, seat, settings, opponent or [], chosen.keys, lines)
    tell_written(as_json, output.write_turn(data, target, home, mail=mail))


def join(file: File, folder: Folder = None, mail: Mail = True, as_json: Json = False) -> None:
    """Take the free seat of a game you are invited to."""
    from pbem.cli import output
    from pbem.player import join

    home, target = open_home(), output.check_folder(folder or file.parent)
    home.identity()
    opened = output.open_path(file, home)
    output.look_before_signing(opened, home, target, file.parent)
    data = join.join(opened, home)
    for note in opened.memory.notes if opened.memory is not None else []:
        warn(note)
    tell_written(as_json, output.write_turn(data, target, home, mail=mail))


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("id")(identify)
    app.command(cls=game_options.NewCommand)(new)
    app.command()(join)
