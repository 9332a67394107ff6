"""The command about who the player is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.home import make_identity


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
    facts = make_identity.identify(open_home(), name, mail, passphrase, export, import_from)
    text = (
        "{name} <{mail}>\nkey         {key}\nfingerprint {fingerprint}\nhome        {home}".format(
            **vars(facts)
        )
    )
    say(as_json, facts, text.replace(" <>", "") + (f"\nwritten to  {export}" if export else ""))


COMMANDS = {
    "id": CommandEntry(identify),
}
