"""The game as the entries of a file tell it: who settles each roll, who opens each card, and whose turn it is.

The referee runs the rules (`engine/`) and answers what they ask from one entry after the other. Its laws, from
docs/format.md, sections 6 and 7:

- E is the newest entry that brought a decision: a join, an answer, an order or a seal. Its author is D.
- A roll is settled by the proofs of all other seats, the witnesses, over the digest that E's signature covers. So no
  player can compute a roll before every decision that precedes it was signed.
- Where nobody else has a key (solitaire without a witness) D's own proof over E settles it, in D's next entry: the
  numbers are fixed, and nobody vouches for them.
- Proofs settle first; all else in a witness's entry counts afterwards.
- A card that the rules open is opened by its owner against the seal he gave before anybody could know the draw.
- Exactly one seat is waited for, the same on every machine.

It reads no file, checks no signature and knows no secret: `pbem.ledger` and `pbem.draft` bring it what entries hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from engine.cards import Deck, deck_of, write_handle
from engine.flow import Answer, Ask, Card, Draw, Handle, Open, Outcome, Pick, Request, Roll, Seal, Seat
from engine.orders import Order
from engine.rules import Game, Rules, Settings
from pbem import FORMAT, group, vrf
from pbem.chance import Stream
from pbem.encoding import tagged_hash
from pbem.errors import Forged, RulesBroken
from pbem.orderbook import OrderBook
from pbem.record import Chanced, Happened, Said
from pbem.seals import Pile, commitment, may_still_be

if TYPE_CHECKING:
    from pbem.commondeck import CommonDeck, Part


class Contribution(Protocol):
    """What one entry brings, asked for piece by piece; None where it brings no such thing."""

    number: int
    seat: Seat

    @property
    def common(self) -> Part: ...

    def proof(self, alpha: bytes) -> bytes | None: ...

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None: ...

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None: ...

    def answer(self, referee: Referee, ask: Ask) -> Answer | None: ...

    def orders(self, referee: Referee) -> list[Order]: ...


class Waiting(Exception):
    """Not an error: the rules wait for something that the present entry does not bring."""


class Referee:
    """One game in progress, from the moment the last seat has joined."""

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        game_id: bytes,
        keys: tuple[bytes, ...],
        common: CommonDeck | None = None,
    ) -> None:
        self.rules = rules
        self.common = common
        self.game_id = game_id
        self.keys = keys  # by seat; empty for a seat that the rules play
        self.decks: tuple[Deck, ...] = rules.decks(settings)
        self.game: Game = rules.begin(settings)
        self.game.story = []
        self.piles: list[Pile] = []
        self.offered: dict[int, Pile] = {}
        self.reused: set[Handle] = set()
        self.digests: list[bytes] = []
        self.newest = 0
        self.outputs: dict[Seat, bytes] = {}
        self.proofs: dict[tuple[int, Seat], tuple[bytes, bytes]] = {}
        self.authors: list[Seat] = []
        self.book = OrderBook(len(keys), self.game)
        self.record: list[Happened] = []
        self.chanced: list[Chanced] = []
        self.openings = 0
        self.outcome: Outcome | None = None
        self._stream: Stream | None = None
        self._flow = self.game.flow()
        self.request: Request | None = None

    # The laws of whose turn it is

    def author(self) -> Seat:
        """D: the seat whose decision is the newest."""
        return self.authors[self.newest]

    def witnesses(self) -> tuple[Seat, ...]:
        """The seats other than D that have a key: their proofs settle what chance is asked now."""
        return tuple(seat for seat, key in enumerate(self.keys) if key and seat != self.author())

    def sources(self) -> tuple[Seat, ...]:
        """The seats whose proofs settle it: the witnesses, or D where there is none."""
        return self.witnesses() or (self.author(),)

    def missing(self) -> list[Seat]:
        """Sources whose proof is still owed, in the order in which they write. The seat after D comes last: it is
        the likeliest to decide next, and then its proof costs no mail."""
        seats, sources = len(self.keys), self.sources()
        order = [(self.author() + step) % seats for step in (*range(2, seats), 1, 0)]
        return [seat for seat in order if seat in sources and seat not in self.outputs]

    def owner(self, handle: Handle) -> Seat:
        """The seat that opens this card."""
        if self.common is not None and self.common.has(handle):
            return self.common.drawers[handle]
        owner = self.decks[deck_of(handle)].owner
        assert owner is not None
        return owner

    def reader(self) -> Seat:
        """The seat that answers the question or opens the card that is asked for."""
        assert isinstance(self.request, Ask | Open)
        return self.request.seat if isinstance(self.request, Ask) else self.owner(self.request.handle)

    def lenders(self) -> list[Seat]:
        """The seats whose shares of the common deck are needed before the request can be answered."""
        if self.common is None or not isinstance(self.request, Ask | Open):
            return []
        asked = self.request
        return self.common.missing(self.game.hand(asked.seat) if isinstance(asked, Ask) else (asked.handle,))

    def waits_for(self) -> Seat | None:
        """The one seat whose entry the game waits for, or None when it is over."""
        if lenders := self.lenders():
            return lenders[0]
        match self.request:
            case None:
                return None
            case Seal() if self._is_common(self.request):
                assert self.common is not None
                return self.common.next_to_shuffle()
            case Ask(seat=seat):
                return seat
            case Open():
                return self.reader()
            case Seal(deck=deck):
                return self.decks[deck].owner
            case _:
                missing = self.missing()
                return missing[0] if missing else self.author()

    def owes(self, seat: Seat) -> bool:
        """Whether the game waits for something of this seat that is no decision: a proof, an opening, seals."""
        return not isinstance(self.request, Ask) and self.waits_for() == seat

    def pending(self) -> bool:
        """Whether chance was asked and proofs are missing."""
        return isinstance(self.request, Roll | Pick | Draw) and not self._is_common(self.request)

    def _is_common(self, request: Request | None) -> bool:
        """Whether a seal or a draw is one of the common deck."""
        common = -1 if self.common is None else self.common.index
        deck = request.deck if isinstance(request, Seal) else -2
        return (deck_of(request.pile[0]) if isinstance(request, Draw) else deck) == common

    def waits_for_proof_of(self, number: int) -> bool:
        """Whether chance waits for the author's own proof over entry `number`, which that entry cannot hold."""
        return self.pending() and self.newest == number and not self.witnesses()

    # Taking an entry

    def start(self) -> None:
        """Run the rules up to their first request."""
        self._step(lambda: next(self._flow))

    def offer(self, pile: Pile) -> None:
        """Keep seals until the rules ask for them."""
        self.offered[deck_of(pile.handles[0])] = pile

    def decide(self, number: int) -> None:
        """Entry `number` brought a decision: it is E from now on."""
        if self.newest != number:
            self.newest = number
            self.outputs = {}
            self._stream = None

    def may_decide(self, number: int) -> bool:
        """Whether a decision of entry `number` that nobody asked for (orders, early seals) may become E now.

        Not while a proof or an opening is waited for under an older E: whoever has given his proof knows what E would
        still bring, and could have it thrown anew."""
        return self.newest == number or self.request is None or isinstance(self.request, Ask | Seal)

    def take(self, bring: Contribution) -> None:
        """Answer the rules from this entry as far as it goes."""
        if bring.number == len(self.authors):
            self.authors.append(bring.seat)
        self.pay(bring)
        with suppress(Waiting):
            while self.request is not None:
                value = self._answered(self.request, bring)
                self._step(lambda value=value: self._flow.send(value))
        self.pay_shares(bring)

    def pay_shares(self, bring: Contribution) -> None:
        """The last thing in an entry: what it owes to the readers of the common deck."""
        if self.common is not None:
            self.common.pay(bring.seat, bring.number, bring.common)

    def hear(self, bring: Contribution) -> None:
        """The orders of this entry are in force from here on. Raises `RulesBroken` (`OrderBook.give`)."""
        given = bring.orders(self)
        if not given:
            return
        if not self.may_decide(bring.number):
            raise RulesBroken("orders cannot be given while the game waits for another seat's proof or opening")
        self.decide(bring.number)
        for order in self.book.give(bring.seat, given):
            self._note(bring, "ordered", (bring.seat, order))

    def coming_seals(self, seat: Seat) -> Iterator[Seal]:
        """Piles that `seat` will have to make anew and may seal already, as far as the position tells."""
        for seal in self.game.coming_seals():
            offered = self.offered.get(seal.deck)
            if self.decks[seal.deck].owner == seat and not (offered and offered.is_for(seal)):
                yield seal

    def generation(self, deck: int) -> int:
        """The number of the next shuffle of this deck, from 1."""
        return 1 + sum(1 for pile in self.piles if deck_of(pile.handles[0]) == deck)

    def position_digest(self) -> bytes:
        """SHA-256 that two machines compare: the public position and what is waited for."""
        request = self.request
        waits = "over" if request is None else f"{type(request).__name__} {self.waits_for()}"
        return tagged_hash(f"{FORMAT} position", self.game.position().encode("ascii"), waits.encode("ascii"))

    # Answering one request

    def _step(self, resume: Any) -> None:
        story = self.game.story
        assert story is not None
        try:
            self.request = resume()
        except StopIteration as end:
            self.request = None
            self.outcome = end.value
        number = len(self.authors) - 1
        self.record += [Happened(number, "story", event) for event in story]
        story.clear()
        if self.pending():
            self._ask_chance()

    def _note(self, bring: Contribution, kind: str, facts: Any) -> None:
        self.record.append(Happened(bring.number, kind, facts))

    def _answered(self, request: Request, bring: Contribution) -> Any:
        match request:
            case Ask(seat=seat):
                ordered = self.rules.obey(self.game, request, self.book.in_force(seat))
                if ordered is None and seat == bring.seat and not self.lenders():
                    # Only a question that is left open hears new orders: an answer is a decision here anyway, so a
                    # witness who knows what E would still bring has no choice that would throw it anew.
                    self.hear(bring)
                    ordered = self.rules.obey(self.game, request, self.book.in_force(seat))
                if ordered is not None:  # as if typed, but it belongs to the entry at hand and is not its decision
                    if seat != bring.seat:
                        self.book.vouch(seat, ordered)
                    self._note(bring, "answer", Said(seat, ordered, ordered=True))
                    return ordered
                if seat != bring.seat or self.lenders() or (answer := bring.answer(self, request)) is None:
                    raise Waiting
                self.decide(bring.number)
                self._note(bring, "answer", Said(seat, answer))
                return answer
            case Open(handle=handle):
                return self._open(handle, bring)
            case Seal():
                return self._shuffle(bring) if self._is_common(request) else self._seal(request, bring)
            case Draw() if self.common is not None and self._is_common(request):
                return self.common.draw(request)
            case Roll() | Pick() | Draw():
                return self._settle(request, bring)

    def _ask_chance(self) -> None:
        request = self.request
        assert isinstance(request, Roll | Pick | Draw)
        chanced = Chanced(request, self.game.when(), self.newest, self.witnesses(), self.sources())
        self.chanced.append(chanced)

    def _settle(self, request: Roll | Pick | Draw, bring: Contribution) -> tuple[int, ...]:
        if bring.seat in self.missing() and self.newest < bring.number:
            alpha = self.digests[self.newest]
            proof = bring.proof(alpha)
            if proof is not None:
                try:
                    output = vrf.verify(self.keys[bring.seat], alpha, proof)
                except group.ProofError as error:
                    raise Forged(f"the proof for entry {self.newest} is wrong: {error}") from error
                self.outputs[bring.seat] = output
                self.proofs[self.newest, bring.seat] = (proof, output)
        if self.missing():
            raise Waiting
        if self._stream is None:
            key = b"".join(self.outputs[seat] for seat in self.sources())
            self._stream = Stream(key, self.game_id)
        chanced = self.chanced[-1]
        chanced.offset = self._stream.offset
        if isinstance(request, Roll):
            chanced.result = self._stream.dice(request.number)
        else:
            handles = request.handles if isinstance(request, Pick) else request.pile
            chanced.result = self._stream.pick(handles, request.number)
        self._note(bring, "chance", chanced)
        return chanced.result

    def pay(self, bring: Contribution) -> None:
        """The first thing an entry does: open the cards that its seat's orders have played since."""
        for handle in [handle for handle in self.book.vouched if self.owner(handle) == bring.seat]:
            opening, card = bring.opening(handle), self.book.vouched.pop(handle)
            back = write_handle(self.decks, handle)
            if opening is None:
                raise RulesBroken(f"{back}, which an order has played, is not opened")
            if self._checked(handle, opening, bring) != card:
                raise RulesBroken(f"{back} is not the {self.rules.cards[card]} that an order has played")

    def _open(self, handle: Handle, bring: Contribution) -> Card:
        if self.owner(handle) != bring.seat and handle in self.book.vouched:
            return self.book.vouched[handle]
        if self.owner(handle) != bring.seat or self.lenders() or (opening := bring.opening(handle)) is None:
            raise Waiting
        self.book.vouched.pop(handle, None)
        return self._checked(handle, opening, bring)

    def _checked(self, handle: Handle, opening: tuple[Card, bytes], bring: Contribution) -> Card:
        card, salt = opening
        if self.common is not None and self.common.has(handle):
            self.common.open(handle, self.rules.cards[card], salt)
        else:
            self._check_seal(handle, card, salt)
        self.openings += 1
        self._note(bring, "opened", (handle, card))
        return card

    def _check_seal(self, handle: Handle, card: Card, salt: bytes) -> None:
        pile = next(pile for pile in self.piles if handle in pile.handles)
        name, back = self.rules.cards[card], write_handle(self.decks, handle)
        sealed = commitment(self.game_id, pile.deck, pile.generation, handle, name, salt)
        if sealed != pile.commitment(handle):
            raise Forged(f"{back} was not sealed as {name}")
        faces = {back: face for back, face in self.game.faces().items() if back != handle}
        if not may_still_be(pile, card, faces, self.reused):
            raise RulesBroken(f"{back} cannot be {name} as well: the deck was stacked")

    def _shuffle(self, bring: Contribution) -> None:
        assert self.common is not None
        while (seat := self.common.next_to_shuffle()) is not None:
            if seat != bring.seat or not self.common.shuffle(seat, bring.common):
                raise Waiting
            self.decide(bring.number)

    def _seal(self, seal: Seal, bring: Contribution) -> None:
        owner = self.decks[seal.deck].owner
        pile = self.offered.pop(seal.deck, None)
        if pile is None or not pile.is_for(seal):
            if owner != bring.seat or (commitments := bring.seals(seal)) is None:
                raise Waiting
            pile = self.new_pile(seal, commitments, bring.number)
            self.decide(bring.number)
        self.piles.append(pile)
        self.reused.update(pile.sources)

    def new_pile(self, seal: Seal, commitments: tuple[bytes, ...], number: int) -> Pile:
        """The sealing that these commitments make. Raises `RulesBroken` if there is not one for each card."""
        if len(commitments) != len(seal.handles):
            raise RulesBroken(f"{len(commitments)} seals for a pile of {len(seal.handles)} cards")
        deck = self.decks[seal.deck]
        return Pile(deck, self.generation(seal.deck), seal.handles, seal.sources, commitments, number)
