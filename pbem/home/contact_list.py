"""What `pbem contacts` lists, and opponents who are named by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.english import counted
from pbem.errors import Usage
from pbem.fileformat.encoding import b64
from pbem.home.clock import today
from pbem.home.contact_file import Contact, public_key
from pbem.home.contacts import Contacts, Met
from pbem.home.game_index import game_folders, shelf_of
from pbem.home.home import Home
from pbem.home.known_names import players_of


def from_games(home: Home) -> Contacts:
    """The contacts of a home, with everybody whom its games hold. Raises `Usage`."""
    own, contacts = home.identity().public, Contacts(home)
    for folder in game_folders(home):
        shelf = shelf_of(folder)
        players = [] if shelf is None else players_of(shelf.file.entries)
        if own in [met.key for met in players]:
            contacts.meet(folder.name, [met for met in players if met.key != own], today())
    return contacts


def keys_of(home: Home, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The public keys of players who are given by key or as contacts, and what is to be told of
    these. Raises `Usage` or `Refused`."""
    keys, notes = [], []
    for who in texts:
        try:
            keys.append(b64(public_key(who)))
            continue
        except Usage:
            known = from_games(home)
        if not known.is_known(who):
            hint = (
                "ask them for it; pbem id shows everybody their own, and pbem contacts lists those"
                " you know"
            )
            raise Usage(f'"{who[:60]}" is no public key, and nobody you know', hint=hint)
        one = known.find(who)
        keys.append(b64(one.key))
        how = f"compared on {one.compared}" if one.compared else "which you never compared"
        notes.append(f"the seat is kept for {one.name}, fingerprint {one.fingerprint}, {how}")
    return keys, notes


@dataclass(frozen=True)
class ContactFacts:
    """A player this home knows: the key in base64, the days on which they were met and their
    fingerprint was compared (null: never), the number of games shared, and what is wrong where the
    name or address is known with another key (empty: nothing)."""

    name: str
    mail: str | None
    key: str
    fingerprint: str
    met: str
    compared: str | None
    games: int
    doubt: str


@dataclass(frozen=True)
class ContactList:
    """The players this home knows, in the order in which they were met; or the one that the command
    was about."""

    contacts: Sequence[ContactFacts]


def contact_facts(one: Contact, known: Contacts) -> ContactFacts:
    """What `pbem contacts` tells of one."""
    doubts = known.doubts([Met(one.name, one.mail, one.key)])
    return ContactFacts(
        name=one.name,
        mail=one.mail or None,
        key=b64(one.key),
        fingerprint=one.fingerprint,
        met=one.met,
        compared=one.compared or None,
        games=len(one.games),
        doubt=str(doubts[0]) if doubts else "",
    )


def in_words(facts: ContactList, *, forgotten: bool = False) -> str:
    """The known players as lines of text."""
    if not facts.contacts:
        return (
            "Nobody yet: whoever you play with is known from then on; pbem contacts NAME --add KEY"
            " enters somebody."
        )
    told = []
    for one in facts.contacts:
        how = f"compared on {one.compared}" if one.compared else "never compared"
        shared = counted(one.games, "game")
        told.append(
            f"{one.name}{f' <{one.mail}>' if one.mail else ''}{', forgotten' if forgotten else ''}"
        )
        told.append(f"  fingerprint {one.fingerprint}, {how}")
        told.append(f"  key         {one.key}")
        told.append(f"  {shared}, known since {one.met}")
    return "\n".join(told)
