"""The commands with which a player comes to a game: who he is, an invitation, a join."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Folder, Json, Mail, tell_written


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
    from pbem.player.home import Home

    facts = people.identify(Home(), name, mail, passphrase, export, import_from)
    text = "{name} <{mail}>\nkey         {key}\nfingerprint {fingerprint}\nhome        {home}".format(**facts)
    say(as_json, facts, text.replace(" <>", "") + (f"\nwritten to  {export}" if export else ""))


def new(
    game: Annotated[str, typer.Argument(help="The game: tripoli, tripoli-solitaire or loot.")],
    seat: Annotated[str | None, typer.Option(help="Your seat, for example tripolitan; by default the first.")] = None,
    players: Annotated[int | None, typer.Option(help="How many play, where the game leaves that open.")] = None,
    partners: Annotated[bool, typer.Option("--partners", help="Neighbours play as pairs (loot).")] = False,
    start: Annotated[int | None, typer.Option(help="Which player begins, counted from 1 (loot).")] = None,
    option: Annotated[list[str] | None, typer.Option(help="Any option of the game: NAME or NAME=NUMBER.")] = None,
    hidden_discard: Annotated[bool, typer.Option("--hidden-discard", help="Play with hidden discard piles.")] = False,
    quick_hand_limit: Annotated[
        bool, typer.Option("--quick-hand-limit", help="Tripolitania discards to eight with its Spring play.")
    ] = False,
    opponent: Annotated[list[str] | None, typer.Option(help="Invite this public key only.")] = None,
    solitaire: Annotated[bool, typer.Option("--solitaire", help="Play alone against the game's own rules.")] = False,
    witness: Annotated[
        str | None, typer.Option(help="Solitaire: this public key's owner proves your dice, and decides nothing.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Folder to write to; by default the current one.")
    ] = None,
    mail: Annotated[bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the turn file.")] = True,
    as_json: Json = False,
) -> None:
    """Write an invitation to a new game."""
    from pbem.cli import output
    from pbem.player import people
    from pbem.player.home import Home

    home, target = Home(), output.check_folder(folder or Path())
    switches = {"hidden-discard": hidden_discard, "quick-hand-limit": quick_hand_limit, "partners": partners}
    numbers = {"players": players, "start": start}
    chosen = {name: 1 for name, on in switches.items() if on} | {k: v for k, v in numbers.items() if v is not None}
    chosen |= people.read_options(option or [])
    game, keys = people.chosen_game(game, solitaire=solitaire, witness=witness, opponents=opponent or [])
    chosen |= {"witness": 1} if witness else {}
    data = people.invite(home, game, seat, chosen, keys)
    tell_written(as_json, output.write_turn(data, target, home, mail=mail))


def join(file: File, folder: Folder = None, mail: Mail = True, as_json: Json = False) -> None:
    """Take the free seat of a game you are invited to."""
    from pbem.cli import output
    from pbem.player import join
    from pbem.player.home import Home

    home, target = Home(), output.check_folder(folder or file.parent)
    home.identity()
    data = join.join(output.open_path(file, home), home)
    tell_written(as_json, output.write_turn(data, target, home, mail=mail))


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("id")(identify)
    app.command()(new)
    app.command()(join)
