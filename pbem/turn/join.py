"""Joining a game: an invitation, and each seat's first entry."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping, Sequence

from engine.flow import Seat
from engine.rules import Rules, Settings
from pbem.errors import Conflict, Refused
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import HEADER
from pbem.games import registry
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.memory import Memory
from pbem.ledger.gate import replay
from pbem.ledger.invitation import Invitation, game_id_of
from pbem.ledger.ledger import Ledger
from pbem.turn.first_entry import Newcomer, draft_first_entry, invitation_fields
from pbem.turn.open_game import Opened
from pbem.turn.sign import sign

CLOSING = True
"""Whether each seat of a new game may sign its end once nothing is left to write (docs/format.md,
section 8)."""


def invite(
    rules: Rules,
    settings: Settings,
    seat_name: str,
    identity: Identity,
    home: Home,
    invites: Mapping[str, bytes],
    data: Sequence[str] = (),
    time: Fields | None = None,
    called: str = "",
) -> bytes:
    """Entry 0: the file that invites others to a game, `called` so if at all. Remembered before it
    is returned. `invites` are the identity keys that seats are kept for, `data` the lines that
    these rules were made with, `time` the fields of a clock."""
    nonce = random_source.token_bytes(32)
    host, game_id = rules.seats(settings).index(seat_name), game_id_of(identity.public, nonce)
    game = Ledger()
    game.open(
        Invitation.to(rules, settings, game_id, host, invites, called=called, closing=CLOSING)
    )
    fields: Fields = {
        **invitation_fields(game.invitation),
        "package": str(registry.distribution(rules.name))[:120],
        "data": list(data),
        **(time or {}),
    }
    return _first_entry(game, host, identity, home, f"{HEADER}\n".encode(), nonce, fields)


def join(opened: Opened, home: Home) -> bytes:
    """The next free seat's first entry. Raises `Refused` or `Conflict`."""
    identity, game = opened.identity, opened.ledger
    assert identity is not None and opened.memory is not None
    if (signed := opened.memory.newest_signed()) is not None and opened.seat is None:
        return _signed_before(opened, signed)
    if opened.seat is not None:
        raise Refused("you sit in this game already", hint=_instead_of_joining(game))
    seat = game.to_act()
    if seat is None or game.players[seat] is not None:
        raise Refused("every seat of this game is taken", hint="pbem show FILE tells who plays")
    if game.invitation.invites.get(game.seats[seat], identity.public) != identity.public:
        own = next(
            (name for name, key in game.invitation.invites.items() if key == identity.public), None
        )
        hint = (
            f"you are invited to play {own}: join on the file that comes to you later"
            if own
            else ""
        )
        raise Refused(f"somebody else is invited to play {game.seats[seat]}", hint=hint)
    nonce, copy = random_source.token_bytes(32), replay(opened.file, home.checks.verifier)
    return _first_entry(copy, seat, identity, home, opened.file.data, nonce, {})


def _instead_of_joining(game: Ledger) -> str:
    """What is to be done with this file by somebody who sits in the game."""
    seat = game.to_act()
    if seat is not None and game.players[seat] is None:
        return "send the file to the player you want to invite"
    return "pbem show FILE tells who writes next"


def _first_entry(
    game: Ledger,
    seat: Seat,
    identity: Identity,
    home: Home,
    before: bytes,
    nonce: bytes,
    fields: Fields,
) -> bytes:
    person = Newcomer(identity.name, identity.mail, identity.seed, identity.public, nonce)
    draft = draft_first_entry(game, seat, person, fields)
    return sign(draft, identity, Memory(home, game.game_id), before, nonce, home.checks)


def _signed_before(opened: Opened, newest: int) -> bytes:
    assert opened.memory is not None
    data = opened.memory.signed(newest)
    if data is None or not data.startswith(opened.file.data) or newest != len(opened.file.entries):
        raise Conflict("you have joined this game already", hint="go on with the newest file of it")
    return data
