"""The games of a series in one home: how it stands, what is told of it there, and what is looked at
before a later game is joined (docs/format.md, section 25)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pbem.errors import Conflict, Do, PbemError
from pbem.fileformat.encoding import unb64
from pbem.home import contacts
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.known_names import identity_at_hand
from pbem.ledger.invitation import game_id_of
from pbem.ledger.ledger import Ledger
from pbem.ledger.series import nonce_of
from pbem.ledger.series_standing import Standing, ids_of, standing
from pbem.report.series import OTHER, SeriesReport, series_facts


def standing_in(home: Home, game: Ledger) -> Standing:
    """How the series of a game stands by the files of this home, and this one."""
    return standing([game, *_others(home, game)])


def facts_in_home(home: Home, game: Ledger) -> SeriesReport | None:
    """The series of a game as it is told in this home: games that are played at once say nothing of
    each other, so all of them are looked at. None if the game is in no series."""
    if game.invitation.series is None:
        return None
    at_once = game.invitation.series.terms.at_once
    others = _others(home, game) if at_once else []
    return as_home_knows(series_facts(standing([game, *others]), game), home)


def as_home_knows(facts: SeriesReport, home: Home) -> SeriesReport:
    """The same facts, with no next game that may begin where this home has it, and with the name
    that the home knows of somebody for whom the seat is kept."""
    inviter, other = facts.players
    if other.name == OTHER and other.key is not None:
        name = _name_of(unb64(other.key), home)
        facts = replace(facts, players=[inviter, replace(other, name=name or OTHER)])
    if facts.follows is None or inviter.key is None:
        return facts
    follows = game_id_of(unb64(inviter.key), nonce_of(bytes.fromhex(facts.first), facts.follows))
    return replace(facts, follows=None) if home.game_folder(follows).is_dir() else facts


def _name_of(key: bytes, home: Home) -> str:
    """What the player of this key is called here; empty if that is not known."""
    own = identity_at_hand(home)
    if own is not None and own.public == key:
        return own.name
    with suppress(PbemError):  # what is wrong with the contacts is told where they are used
        known = contacts.read(home.folder).get(key)
        return "" if known is None else known.name
    return ""


def _others(home: Home, game: Ledger) -> list[Ledger]:
    """The other games of a series in a home, but for those that cannot be read."""
    found = []
    for _, one in ids_of(game):
        folder = home.game_folder(one)
        if one == game.game_id or not folder.is_dir():
            continue
        with suppress(PbemError):  # it is told where it is opened; here it counts as not at hand
            found.append(home.checks.newest_in(folder))
    return [one for one in found if one is not None]


def check_before_joining(home: Home, game: Ledger) -> list[str]:
    """What to tell whoever joins a later game of a series: which earlier ones they do not have.
    Raises `Conflict` where the invitation does not agree with the games that they have."""
    place = game.invitation.series
    if place is None or not place.first:
        return []
    seen = standing_in(home, game)
    if seen.problems:
        raise Conflict(
            f"this invitation does not fit the series: {seen.problems[0]}",
            hint=(
                "ask whoever invites what that is; nothing was signed",
                Do("series", short_name(game), does="shows its games"),
            ),
        )
    missing = [str(one.number) for one in seen.games if one.game is None]
    if not missing:
        return []
    return [
        f"what this invitation says of game {', '.join(missing)} of the series was not checked: no"
        " file of it is here"
    ]
