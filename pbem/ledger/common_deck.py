"""A deck common to all seats, shuffled while they join, then drawn from (docs/format.md, section
13).

The pile begins without a key, so that everybody sees it is the right deck; the seats follow each
other in the order of joining, each adds its key, shuffles and proves its step. Nothing is drawn
before the last seat has joined. From the deal on these are the laws:

- Every seat has shuffled the pile in its first entry.
- A draw takes the next positions. From then on every other seat owes its share for them.
- When an entry has done all that its seat is asked, it gives every share that its seat owes then,
  draws of this very entry included, and proves these shares and those of the cards it opens at
  once. No other share is ever taken.
- Only the entry with which an open last seat joins gives none: its seat gives them later.
- A hand is asked, and a card opened, only when every other seat's share for it is there.
- A seat that leaves publishes its key, and everybody computes its shares; so they do of a root that
  is revealed.
- Whose hand a partner may see puts the own shares for its new cards, with that same entry, in a box
  for the partner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.cards import Deck, number_of, write_handle
from engine.flow import Card, Draw, Handle, Seat
from engine.rules import Rules, Settings
from pbem import FORMAT
from pbem.crypto import elgamal, sealed_box, shuffle_proof
from pbem.crypto.decryption_shares import Shares, card_table, check_shares, make_shares, read_card
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import IDENTITY, ProofError, mul, read_point, read_scalar
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.sealed_box import box_size, check_box_key
from pbem.crypto.shuffle_proof import ShuffleStep
from pbem.errors import Forged, RulesBroken
from pbem.games.registry import common_index, partners
from pbem.ledger.signatures import Verifier


class DeckKeys(NamedTuple):
    """What a seat's first entry holds for the common deck: its part of the joint key, and its key
    for boxes (empty for a seat without a partner)."""

    key: bytes
    box: bytes


class JoinPart(Protocol):
    """What a first entry holds for the common deck. `before` is the digest of the file before that
    entry."""

    before: bytes

    def layer(self, step: ShuffleStep) -> tuple[bytes, bytes]:
        """The pile that the seat makes of the one it found, and the proof."""


class ShuffleLayer(NamedTuple):
    """A layer and a shuffle that were proven: what the seat started from, and the pile it made."""

    seat: Seat
    step: ShuffleStep
    after: tuple[Pair, ...]


class Layers:
    """The pile of one game from entry 0 to the last join."""

    def __init__(
        self,
        game_id: bytes,
        seats: Sequence[str],
        deck: Deck,
        names: Sequence[str],
        verifier: Verifier,
    ) -> None:
        self.game_id = game_id
        self._verifier = verifier
        self.seats = tuple(seats)
        self.keys: dict[Seat, DeckKeys] = {}
        self.shuffles: list[ShuffleLayer] = []
        self.joint = IDENTITY
        self.pile = _starting_pile(tuple(names[card] for card in deck.contents))

    def context(self, before: bytes, seat: Seat, what: bytes) -> bytes:
        """What a proof of this seat is bound to in the entry after a file with the digest
        `before`."""
        return elgamal.context(
            FORMAT.encode(), self.game_id, before, self.seats[seat].encode(), what
        )

    def join(self, seat: Seat, keys: DeckKeys, part: JoinPart) -> None:
        """The next seat adds its key and shuffles. Raises `Forged`."""
        try:
            read_point(keys.key, "the key")
            if keys.box:
                check_box_key(keys.box)
            step = ShuffleStep(
                self.context(part.before, seat, b"shuffle"), keys.key, self.joint, self.pile
            )
            joint = step.joint
        except ProofError as error:
            raise Forged(f"the key for the common deck: {error}") from error
        data, proof = part.layer(step)
        try:
            after = _read_pile(data, len(self.pile))
            statement = (b"shuffle", *step.parts(), elgamal.write_pile(after), proof)
            self._verifier.once(statement, lambda: shuffle_proof.verify(step, after, proof))
        except ProofError as error:
            raise Forged(f"the shuffle: {error}") from error
        self.shuffles.append(ShuffleLayer(seat, step, after))
        self.keys[seat] = keys
        self.joint = joint
        self.pile = after


@lru_cache(maxsize=16)
def _starting_pile(names: tuple[str, ...]) -> tuple[Pair, ...]:
    return tuple(elgamal.starting_pile(names))


@lru_cache(maxsize=64)
def _read_pile(data: bytes, size: int) -> tuple[Pair, ...]:
    return tuple(elgamal.read_pile(data, size))


class EntryPart(Protocol):
    """What one entry holds for the common deck. `before` is the digest of the file before that
    entry."""

    before: bytes

    def shares(
        self, deck: CommonDeck, owed: Sequence[Handle], opened: Sequence[Handle]
    ) -> tuple[list[bytes], bytes]:
        """The shares for what is owed, and the one proof for these and for the shares of the cards
        just opened."""

    def boxes(
        self, deck: CommonDeck, handles: Sequence[Handle], partners: Sequence[Seat]
    ) -> list[bytes]:
        """A box with the shares for these cards, for each partner."""

    def decryption(self) -> bytes:
        """The secret key of a seat that leaves."""


class PartnerBox(NamedTuple):
    """A box that only the partner can open, and what it is bound to."""

    seat: Seat
    partner: Seat
    number: int
    ctx: bytes
    handles: tuple[Handle, ...]
    data: bytes


class CommonDeck:
    """The one deck without an owner, from the moment the last seat has joined. `open_join` is the
    number of the entry with which it did if that seat was open to anybody, else None."""

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        layers: Layers,
        open_join: int | None = None,
    ) -> None:
        decks = rules.decks(settings)
        index = common_index(decks)
        assert index is not None
        self.index = index
        self.decks = decks
        self.seats = layers.seats
        self.keys = tuple(layers.keys[seat] for seat in sorted(layers.keys))
        self.cards = rules.cards
        self.pile = layers.pile
        self.shuffles = tuple(layers.shuffles)
        self.context = layers.context
        self.open_join = open_join
        self.partners = [partners(rules, settings, seat) for seat in range(len(self.keys))]
        self.drawers: dict[Handle, Seat] = {}
        self.shares: dict[Handle, dict[Seat, bytes]] = {}
        self.boxes: list[PartnerBox] = []
        self.newest_share: dict[Handle, int] = {}
        self.share_count = 0
        """How many shares were given by their owners, each with a proof."""
        self.known_keys: dict[Seat, int] = {}
        """The secret keys that everybody knows: those of seats that left, and of seats whose root
        is revealed."""
        self.left: list[Seat] = []
        self._to_show: list[Handle] = []
        self._opened: list[Handle] = []

    # What everybody may ask

    def pair(self, handle: Handle) -> Pair:
        """The encrypted card: its number is its position, from the top of the shuffled pile."""
        return self.pile[number_of(handle) - 1]

    def owed(self, seat: Seat) -> list[Handle]:
        """Cards that others drew and whose share this seat has not given yet, by position."""
        return sorted(
            h for h, drawer in self.drawers.items() if drawer != seat and seat not in self.shares[h]
        )

    def missing(self, handles: Sequence[Handle]) -> list[Seat]:
        """The seats without whose share the drawer cannot read these cards, round the table from
        the drawer: so they write (section 13, "Whose turn it is")."""
        count = len(self.keys)
        found: dict[int, Seat] = {}
        for handle in handles:
            drawer, given = self.drawers.get(handle), self.shares.get(handle, {})
            if drawer is None or len(given) + (drawer not in given) == count:
                continue
            for seat in range(count):
                if seat != drawer and seat not in given:
                    found[(seat - drawer) % count] = seat
        return [found[step] for step in sorted(found)]

    def read_since(self, handles: Sequence[Handle], number: int) -> list[Handle]:
        """Those of a drawer's cards that they can read by a share which came later than entry
        `number`."""
        others = len(self.keys) - 1
        return [
            h
            for h in handles
            if self.newest_share.get(h, 0) > number and len(self.shares[h]) == others
        ]

    def has(self, handle: Handle) -> bool:
        """Whether this card was drawn from this deck."""
        return handle in self.drawers

    # What entries hold

    def draw(self, request: Draw) -> tuple[Handle, ...]:
        """The next cards of the pile go to a seat, and every other seat owes its share for them."""
        handles = request.pile[: request.number]
        for handle in handles:
            self.drawers[handle] = request.seat
            self.shares[handle] = {
                seat: self._share(x, handle) for seat, x in self.known_keys.items()
            }
        if self._partners_in_play(request.seat):
            self._to_show += handles
        return handles

    def _share(self, x: int, handle: Handle) -> bytes:
        return mul(x, self.pair(handle).a)

    def _partners_in_play(self, seat: Seat) -> list[Seat]:
        """The seats that still play and may see this seat's hand."""
        return [partner for partner in self.partners[seat] if partner not in self.left]

    def open(self, handle: Handle, name: str, share: bytes) -> None:
        """The drawer's own share turns the card face up: with all others' it must give that card.
        That it is the drawer's true share is proven at the end of the same entry (`settle`). Raises
        `Forged`."""
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

    def leave(self, seat: Seat, number: int, part: EntryPart) -> None:
        """The seat leaves and publishes its secret key x: xG must be its key X (docs/format.md,
        section 8). Raises `Forged` or `RulesBroken`."""
        try:
            x = read_scalar(part.decryption(), "the decryption key")
        except ProofError as error:
            raise Forged(str(error)) from error
        if elgamal.seat_key(x) != self.keys[seat].key:
            raise Forged("the decryption key is not the one that belongs to this seat's key")
        self.left.append(seat)
        self._to_show = [
            handle
            for handle in self._to_show
            if self.drawers[handle] != seat and self._partners_in_play(self.drawers[handle])
        ]
        self.learn(seat, x, number)

    def learn(self, seat: Seat, x: int, number: int) -> None:
        """Everybody knows the seat's secret key from entry `number` on, and computes its shares."""
        self.known_keys[seat] = x
        for handle, shares in self.shares.items():
            if seat not in shares:
                shares[seat] = self._share(x, handle)
                self.newest_share[handle] = number

    def readable(self, handle: Handle) -> Card | None:
        """The card, if the shares of all seats are there."""
        shares = self.shares[handle]
        if len(shares) < len(self.keys):
            return None
        return read_card(self.pair(handle), tuple(shares.values()), _table(self.cards))

    def settle(
        self, seat: Seat, number: int, part: EntryPart, *, reveals_root: bool = False
    ) -> None:
        """All that entry `number` owes at its end; nothing if an open last seat joins with it; in
        one that reveals its root, only the proof for what it opened. Raises `Forged` or
        `RulesBroken`."""
        if number == self.open_join:
            return
        owed, opened = [] if reveals_root else self.owed(seat), self._opened
        self._opened = []
        if owed or opened:
            points, proof = part.shares(self, owed, opened)
            given = Shares((*points, *(self.shares[handle][seat] for handle in opened)), proof)
            positions = tuple(number_of(handle) - 1 for handle in (*owed, *opened))
            try:
                _check_shares(
                    self.context(part.before, seat, b"shares"),
                    self.keys[seat].key,
                    self.pile,
                    positions,
                    given,
                )
            except ProofError as error:
                raise Forged(str(error)) from error
            for handle, point in zip(owed, points, strict=True):
                self.shares[handle][seat] = point
                self.newest_share[handle] = number
            self.share_count += len(owed) + len(opened)
        if not reveals_root:
            self._show(seat, number, part)

    def _show(self, seat: Seat, number: int, part: EntryPart) -> None:
        handles = tuple(sorted(handle for handle in self._to_show if self.drawers[handle] == seat))
        if not handles:
            return
        partners = self._partners_in_play(seat)
        for partner, data in zip(partners, part.boxes(self, handles, partners), strict=True):
            if len(data) != box_size(len(handles)):
                raise RulesBroken("a box for the partner does not hold as many cards as were drawn")
            ctx = self.context(part.before, seat, b"box")
            self.boxes.append(PartnerBox(seat, partner, number, ctx, handles, data))
        self._to_show = [handle for handle in self._to_show if handle not in handles]


@lru_cache(maxsize=4)
def _table(cards: tuple[str, ...]) -> dict[bytes, int]:
    return card_table(cards)


@lru_cache(maxsize=4096)
def _card_in(pair: Pair, share: bytes, shares: tuple[bytes, ...], back: str) -> bytes:
    read_point(share, f"the share for {back}")
    return elgamal.card_in(pair, shares)


@lru_cache(maxsize=4096)
def _check_shares(
    ctx: bytes, key: bytes, pile: tuple[Pair, ...], positions: tuple[int, ...], given: Shares
) -> None:
    check_shares(ctx, key, pile, positions, given)


class DeckSecrets(NamedTuple):
    """A seat's part of the secret key, and its secret key for boxes."""

    randomness: DerivedRandom
    x: int
    box: bytes
    public: DeckKeys


@lru_cache(maxsize=64)
def secrets_of(root: bytes) -> DeckSecrets:
    """Everything secret about the common deck that follows from a seat's root."""
    randomness = DerivedRandom(root, b"common deck")
    x = elgamal.seat_secret(randomness)
    box, public = sealed_box.box_keys(randomness)
    return DeckSecrets(randomness, x, box, DeckKeys(elgamal.seat_key(x), public))


def own_shares(deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes) -> Shares:
    """The seat's shares for these cards, with the proof."""
    secret = secrets_of(root)
    return make_shares(
        ctx, secret.x, deck.pile, [number_of(handle) - 1 for handle in handles], secret.randomness
    )


def make_box(
    deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes, partner: Seat
) -> bytes:
    """The box for a partner. It never says which card it is: the shares do."""
    cards = [(number_of(handle) - 1, None) for handle in handles]
    shares = own_shares(deck, ctx, handles, root)
    return sealed_box.seal_box(
        ctx, deck.keys[partner].box, cards, shares, secrets_of(root).randomness
    )


def check_root(deck: CommonDeck, seat: Seat, root: bytes) -> None:
    """Check that the root gives all this seat did with the deck: keys, shuffle, boxes. Raises
    `Forged`."""
    secret = secrets_of(root)
    if secret.public.key != deck.keys[seat].key:
        raise Forged("the root does not give the key for the common deck")
    if deck.keys[seat].box and secret.public.box != deck.keys[seat].box:
        raise Forged("the root does not give the key for boxes")
    for shuffle in deck.shuffles:
        if shuffle.seat == seat and _layer_from_root(shuffle, root) != shuffle.after:
            raise Forged("the root does not give the shuffle of the common deck")
    for box in deck.boxes:
        if box.seat == seat and make_box(deck, box.ctx, box.handles, root, box.partner) != box.data:
            raise Forged(
                f"the root does not give the box of entry {box.number}: the partner was shown"
                " something else"
            )


@lru_cache(maxsize=64)
def _layer_from_root(shuffle: ShuffleLayer, root: bytes) -> tuple[Pair, ...]:
    """The pile that follows from this root and what the seat started from."""
    secret, step = secrets_of(root), shuffle.step
    order, rhos = shuffle_proof.arrange(step, secret.randomness)
    return tuple(elgamal.add_layer(secret.x, step.joint, step.pile, order, rhos))
