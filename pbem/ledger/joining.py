"""A game that players are still joining: who has taken which seat, and what their first entries published.

docs/format.md, section 4. With the last free seat it becomes a game that is played (`pbem.ledger.playing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.flow import Seal, Seat
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, RulesBroken, failing_as
from pbem.fileformat.characters import is_name
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.entries import Entry
from pbem.ledger import trace
from pbem.ledger.commitments import SealedPile
from pbem.ledger.invitation import Invitation
from pbem.ledger.verifier import Verifier

if TYPE_CHECKING:
    from pbem.ledger.common_deck.joining import DeckKeys, JoinPart, Layers


@dataclass(slots=True)
class Player:
    """Who plays a seat, from that seat's first entry; the root once it is revealed."""

    seat: Seat
    name: str
    mail: str
    key: bytes
    vrf: bytes
    nonce: bytes
    deck: DeckKeys | None = None
    root: bytes | None = None
    root_digest: bytes = b""


class Joining:
    """The seats of a game that are taken so far, the piles sealed in first entries, and the layers of a common deck."""

    def __init__(self, invitation: Invitation, verifier: Verifier) -> None:
        self.invitation = invitation
        self.players: dict[Seat, Player] = {}
        self.sealed: list[SealedPile] = []
        self.layers: Layers | None = None
        self._verifier = verifier

    def free_seats(self) -> list[Seat]:
        """Free seats in the order in which they are taken: round the table from the inviter. At least one."""
        return [seat for seat in self.invitation.order_of_joining() if seat not in self.players]

    def to_act(self) -> Seat:
        """The one seat that may write the next entry: the first that is free."""
        return self.free_seats()[0]

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry: the names of the seats that are taken; the rules have
        asked nothing yet."""
        taken = ",".join(self.invitation.seats[seat] for seat in sorted(self.players)).encode("ascii")
        return tagged_hash(f"{FORMAT} position", b"joining", taken, *trace.signed(self.invitation.trace_head, []))

    def check_newcomer(self, entry: Entry, key: bytes, vrf: bytes) -> None:
        """Whether somebody with these keys may take the entry's seat. Raises `Forged` or `RulesBroken`."""
        if not group.is_point(vrf):
            raise Forged("the key for chance is no point of prime order")
        taken = {k for player in self.players.values() for k in (player.key, player.vrf)}
        if key in taken or vrf in taken or key == vrf:
            raise RulesBroken("a key sits in one seat only")
        if self.invitation.invites.get(entry.seat, key) != key:
            raise RulesBroken("somebody else is invited to this seat")
        if not is_name(entry.text("name")) or "\n" in entry.text("mail"):
            raise RulesBroken("a first entry carries a name of one line that can be seen")  # docs/format.md, section 4
        if any(name in entry.fields for name in ("draw", "resign", "root")):
            raise RulesBroken("there is no game yet to end")

    def take_seat(
        self, player: Player, seals: Sequence[tuple[Seal, tuple[bytes, ...]]], number: int, part: JoinPart
    ) -> None:
        """A player takes a seat with entry `number`, seals the own decks and shuffles the common one. Raises `Forged`
        or `RulesBroken`."""
        if player.deck is not None:
            self._add_layer(player.seat, player.deck, part)
        self.players[player.seat] = player
        for seal, commitments in seals:
            if len(commitments) != len(seal.handles):
                raise RulesBroken("a first entry seals each of its own cards", layer="seal")
            self.sealed.append(SealedPile(self.invitation.decks[seal.deck], 1, seal.handles, (), commitments, number))

    @failing_as("shuffle")
    def _add_layer(self, seat: Seat, keys: DeckKeys, part: JoinPart) -> None:
        """The seat's key and shuffle of a common deck, on top of those that joined before it. Raises `Forged`."""
        if self.layers is None:
            from pbem.ledger.common_deck.joining import Layers  # only a game with a common deck needs it

            game = self.invitation
            deck = next(deck for deck in game.decks if deck.owner is None)
            self.layers = Layers(game.game_id, game.seats, deck, game.rules.cards, self._verifier)
        self.layers.join(seat, keys, part)
