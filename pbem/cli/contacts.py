"""The command about the players whom one knows."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import Usage
from pbem.home import known_names
from pbem.home.clock import today


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


COMMANDS = {
    "contacts": CommandEntry(contacts),
}
