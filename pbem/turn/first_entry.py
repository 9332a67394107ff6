"""A seat's first entry, put together: its keys, its own seals, its shuffle of a common deck.

docs/format.md, section 4. The same for a player at a home (`pbem.turn.join`) and for a simulated
one (`pbem.simulate.by_mail`).
"""

from __future__ import annotations

from typing import NamedTuple

from engine.flow import Seat
from pbem.crypto import choices, primitives, randomness
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.games import registry
from pbem.ledger.invitation import Invitation, Player
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import answer_rules
from pbem.turn.draft_entry import Draft


class Newcomer(NamedTuple):
    """Who takes a seat: the name and mail address that the entry tells, the identity (its seed and
    its public key, 32 bytes each), and a fresh secret nonce of 32 bytes, from which all secrets of
    the seat follow."""

    name: str
    mail: str
    seed: bytes
    key: bytes
    nonce: bytes


def invitation_fields(invitation: Invitation) -> Fields:
    """What entry 0 says of the game, but for its data and the package of its rules."""
    return {
        "game": invitation.rules.name,
        "rules": invitation.rules.version,
        **({"trace": 1} if invitation.trace_head else {}),
        **({"closing": 1} if invitation.closing else {}),
        "options": registry.write_settings(invitation.rules, invitation.settings),
        "seats": list(invitation.seats),
        "invites": [f"{seat} {b64(key)}" for seat, key in invitation.invites.items()],
        "called": invitation.called,
    }


def draft_first_entry(game: Ledger, seat: Seat, person: Newcomer, fields: Fields) -> Draft:
    """The draft of this seat's first entry, run on `game`; with the last seat the rules begin.
    `fields` are those of entry 0. Raises kinds of `Invalid`."""
    derived = randomness.derive(person.seed, game.game_id, game.seats[seat], person.nonce)
    draft = Draft(game, seat, derived)
    proven_by = primitives.public_key(draft.secrets.vrf_seed)
    draft.fields.update(fields)
    draft.fields.update(name=person.name, mail=person.mail, key=b64(person.key), vrf=b64(proven_by))
    player = Player(
        seat, person.name, person.mail, person.key, proven_by, person.nonce, draft.common.keys()
    )
    if game.invitation.may_seal_choices(seat):
        player.root_digest = choices.root_digest(game.game_id, game.seats[seat], derived.root)
        draft.fields["root-digest"] = b64(player.root_digest)
    begun = game.take_seat(player, draft.first_seals(), draft.common)
    if begun is not None:
        answer_rules(begun, draft)
    return draft
