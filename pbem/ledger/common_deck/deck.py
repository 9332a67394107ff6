"""A deck common to all seats, as everybody sees it: keys, the ring of shuffles, who drew what, whose share is there.

docs/format.md, section 13. The laws:

- Every seat shuffles the pile once and proves it; the last to join is the first in the ring.
- A draw takes the next positions. From then on every other seat owes its share for them.
- When an entry has done all that its seat is asked, it pays every debt its seat has then, draws of this very entry
  included, and proves these shares and those of the cards it opens at once. No other share is ever taken.
- A hand is asked, and a card opened, only when every other seat's share for it is there.
- Whose hand a partner may see puts the own shares for its new cards, with that same entry, in a box for the partner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.cards import number_of, write_handle
from engine.flow import Draw, Handle, Seat
from engine.rules import Rules, Settings
from pbem import FORMAT
from pbem.crypto import elgamal, shuffle_proof
from pbem.crypto.decryption_shares import Shares, check_shares
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError, read_point
from pbem.crypto.sealed_box import box_size
from pbem.errors import Forged, RulesBroken
from pbem.games.registry import common_index, partners
from pbem.ledger import verifier


class DeckKeys(NamedTuple):
    """What a seat's first entry brings for the common deck: its part of the joint key, and its key for boxes (empty
    for a seat without a partner)."""

    key: bytes
    box: bytes


class Part(Protocol):
    """What one entry brings for the common deck. `before` is the digest of the file before that entry."""

    before: bytes

    def shuffle(self, deck: CommonDeck) -> tuple[bytes, bytes] | None:
        """The new pile and the proof, if there is a shuffle."""

    def shares(self, deck: CommonDeck, owed: Sequence[Handle], opened: Sequence[Handle]) -> tuple[list[bytes], bytes]:
        """The shares for what is owed, and the one proof for these and for the shares of the cards just opened."""

    def boxes(self, deck: CommonDeck, handles: Sequence[Handle], partners: Sequence[Seat]) -> list[bytes]:
        """A box with the shares for these cards, for each partner."""


class Shuffled(NamedTuple):
    """A shuffle that was proven, and what its randomness was bound to."""

    seat: Seat
    ctx: bytes
    before: tuple[Pair, ...]
    after: tuple[Pair, ...]


class Boxed(NamedTuple):
    """A box that only the partner can open, and what it is bound to."""

    seat: Seat
    partner: Seat
    number: int
    ctx: bytes
    handles: tuple[Handle, ...]
    data: bytes


class CommonDeck:
    """The one deck without an owner, from the moment the last seat has joined. `last` is the seat that joined last."""

    def __init__(self, rules: Rules, settings: Settings, game_id: bytes, keys: Sequence[DeckKeys], last: Seat) -> None:
        decks = rules.decks(settings)
        index = common_index(decks)
        assert index is not None
        self.index = index
        self.decks = decks
        self.game_id = game_id
        self.seats = rules.seats(settings)
        self.keys = tuple(keys)
        self.cards = rules.cards
        try:
            self.joint = elgamal.joint_key([seat.key for seat in keys])
        except ProofError as error:
            raise Forged(str(error)) from error
        self.pile = _starting_pile(tuple(rules.cards[card] for card in decks[index].contents), self.joint)
        order = [(rules.starter(settings) + step) % len(keys) for step in range(len(keys))]
        self.ring: tuple[Seat, ...] = (last, *(seat for seat in order if seat != last))
        self.partners = [partners(rules, settings, seat) for seat in range(len(keys))]
        self.shuffles: list[Shuffled] = []
        self.drawers: dict[Handle, Seat] = {}
        self.shares: dict[Handle, dict[Seat, bytes]] = {}
        self.boxes: list[Boxed] = []
        self.helped: dict[Handle, int] = {}
        self._to_show: list[Handle] = []
        self._opened: list[Handle] = []

    # What everybody may ask

    def context(self, before: bytes, seat: Seat, what: bytes) -> bytes:
        """What a proof of this seat is bound to in the entry after a file with the digest `before`."""
        return elgamal.context(FORMAT.encode(), self.game_id, before, self.seats[seat].encode(), what)

    def next_to_shuffle(self) -> Seat | None:
        """The seat whose shuffle comes next, None when all have shuffled."""
        done = len(self.shuffles)
        return self.ring[done] if done < len(self.ring) else None

    def pair(self, handle: Handle) -> Pair:
        """The encrypted card: its number is its position, from the top of the shuffled pile."""
        return self.pile[number_of(handle) - 1]

    def owed(self, seat: Seat) -> list[Handle]:
        """Cards that others drew and whose share this seat has not given yet, by position."""
        return sorted(h for h, drawer in self.drawers.items() if drawer != seat and seat not in self.shares[h])

    def missing(self, handles: Sequence[Handle]) -> list[Seat]:
        """The seats without whose share the drawer cannot read these cards, round the table from the drawer."""
        count = len(self.keys)
        found = {
            (seat - self.drawers[handle]) % count: seat
            for handle in handles
            if handle in self.drawers
            for seat in range(count)
            if seat != self.drawers[handle] and seat not in self.shares[handle]
        }
        return [found[step] for step in sorted(found)]

    def read_since(self, handles: Sequence[Handle], number: int) -> list[Handle]:
        """Those of a drawer's cards that he can read by a share which came later than entry `number`."""
        lacking = len(self.keys) - 1
        return [h for h in handles if self.helped.get(h, 0) > number and len(self.shares[h]) == lacking]

    def has(self, handle: Handle) -> bool:
        """Whether this card was drawn from this deck."""
        return handle in self.drawers

    # What entries bring

    def shuffle(self, seat: Seat, part: Part) -> bool:
        """The seat's shuffle; False if the entry brings none. Raises `Forged`."""
        if (brought := part.shuffle(self)) is None:
            return False
        ctx = self.context(part.before, seat, b"shuffle")
        try:
            after = _read_pile(brought[0], len(self.pile))
            _verify_shuffle(ctx, self.joint, self.pile, after, brought[1])
        except ProofError as error:
            raise Forged(f"the shuffle: {error}") from error
        self.shuffles.append(Shuffled(seat, ctx, self.pile, after))
        self.pile = after
        return True

    def draw(self, request: Draw) -> tuple[Handle, ...]:
        """The next cards of the pile go to a seat, and every other seat owes its share for them."""
        handles = request.pile[: request.number]
        for handle in handles:
            self.drawers[handle] = request.seat
            self.shares[handle] = {}
        if self.partners[request.seat]:
            self._to_show += handles
        return handles

    def open(self, handle: Handle, name: str, share: bytes) -> None:
        """The drawer's own share turns the card face up: with all others' it must give that card. That it is the
        drawer's true share is proven at the end of the same entry (`pay`). Raises `Forged`."""
        back = write_handle(self.decks, handle)
        try:
            self.shares[handle][self.drawers[handle]] = share
            found = _card_in(self.pair(handle), share, tuple(self.shares[handle].values()), back)
        except ProofError as error:
            raise Forged(str(error)) from error
        if found != elgamal.card_point(name):
            raise Forged(f"{back} is not {name}: the shares of all seats open another card")
        self._opened.append(handle)
        if handle in self._to_show:
            self._to_show.remove(handle)

    def pay(self, seat: Seat, number: int, part: Part) -> None:
        """All that entry `number` owes at its end. Raises `Forged` or `RulesBroken`."""
        owed, opened = self.owed(seat), self._opened
        self._opened = []
        if owed or opened:
            points, proof = part.shares(self, owed, opened)
            given = Shares((*points, *(self.shares[handle][seat] for handle in opened)), proof)
            positions = tuple(number_of(handle) - 1 for handle in (*owed, *opened))
            try:
                _check_shares(
                    self.context(part.before, seat, b"shares"), self.keys[seat].key, self.pile, positions, given
                )
            except ProofError as error:
                raise Forged(str(error)) from error
            for handle, point in zip(owed, points, strict=True):
                self.shares[handle][seat] = point
                self.helped[handle] = number
        self._show(seat, number, part)

    def _show(self, seat: Seat, number: int, part: Part) -> None:
        handles = tuple(sorted(handle for handle in self._to_show if self.drawers[handle] == seat))
        if not handles:
            return
        for partner, data in zip(self.partners[seat], part.boxes(self, handles, self.partners[seat]), strict=True):
            if len(data) != box_size(len(handles)):
                raise RulesBroken("a box for the partner does not hold as many cards as were drawn")
            ctx = self.context(part.before, seat, b"box")
            self.boxes.append(Boxed(seat, partner, number, ctx, handles, data))
        self._to_show = [handle for handle in self._to_show if handle not in handles]


@lru_cache(maxsize=4096)
def _card_in(pair: Pair, share: bytes, shares: tuple[bytes, ...], back: str) -> bytes:
    read_point(share, f"the share for {back}")
    return elgamal.card_in(pair, shares)


@lru_cache(maxsize=16)
def _starting_pile(names: tuple[str, ...], joint: bytes) -> tuple[Pair, ...]:
    return tuple(elgamal.starting_pile(names, joint))


@lru_cache(maxsize=64)
def _read_pile(data: bytes, size: int) -> tuple[Pair, ...]:
    return tuple(elgamal.read_pile(data, size))


def _verify_shuffle(ctx: bytes, joint: bytes, before: Sequence[Pair], after: Sequence[Pair], proof: bytes) -> None:
    statement = (b"shuffle", ctx, joint, elgamal.write_pile(before), elgamal.write_pile(after), proof)
    verifier.once(statement, lambda: shuffle_proof.verify(ctx, joint, before, after, proof))


@lru_cache(maxsize=4096)
def _check_shares(ctx: bytes, key: bytes, pile: tuple[Pair, ...], positions: tuple[int, ...], given: Shares) -> None:
    check_shares(ctx, key, pile, positions, given)
