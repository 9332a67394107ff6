"""The newest decision, E, its author, D, and the proofs over it: who settles what chance is asked
(docs/format.md, section 6).

- E is the newest entry that holds a decision: a join, an answer, an order or a seal. Its author is
  D.
- A roll is settled by the proofs of all other seats, the witnesses, over the digest that E's
  signature covers. So no player can compute a roll before every decision that precedes it was
  signed.
- Where nobody else has a key (a game played alone, without a witness) D's own proof over E settles
  it, in D's next entry: the numbers are fixed, and nobody else confirms them.

`WhoseTurn` says whose entry the game waits for: exactly one seat, the same on every machine, from
what the rules ask and who has to answer, open, prove, seal or give a share (docs/format.md,
sections 4, 6, 7 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Deck, deck_of
from engine.flow import Ask, Draw, Handle, Open, Pick, Request, Reveal, Roll, Seal, Seat
from engine.rules import Game
from pbem.crypto import group, vrf
from pbem.crypto.randomness import Stream
from pbem.errors import Forged, failing_as
from pbem.ledger.events import ChanceUse
from pbem.ledger.file_entry import EntrySource, NotInEntry
from pbem.ledger.sealed_choices import SealedChoice, SealedChoices
from pbem.ledger.signatures import Verifier

if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


class Randomness:
    """The newest decision of a game and the chance that hangs on it."""

    def __init__(self, game_id: bytes, keys: tuple[bytes, ...], verifier: Verifier) -> None:
        self.game_id = game_id
        self._verifier = verifier
        self.keys = keys  # by seat; empty for a seat that the rules play
        self.digests: list[bytes] = []
        self.authors: list[Seat] = []
        self.joins: Seat | None = None
        """Whose first entry, the last, makes the game begin: its author while that entry is run."""
        self.left: list[Seat] = []
        """The seats that have left, in the order in which they did (docs/format.md, section 8)."""
        self.newest = 0
        self.outputs: dict[Seat, bytes] = {}
        self.proofs: dict[tuple[int, Seat], tuple[bytes, bytes]] = {}
        self._stream: Stream | None = None

    def begin_entry(self, seat: Seat, digest: bytes) -> None:
        """The next entry is this seat's, and its signature covers this digest."""
        self.authors.append(seat)
        self.digests.append(digest)

    def note_signature(self, seat: Seat, digest: bytes) -> None:
        """This seat's entry, which has been run already, is signed now, and its signature covers
        this digest."""
        self.digests.append(digest)
        self.authors += [seat] * (len(self.digests) - len(self.authors))

    def author(self) -> Seat:
        """D: the seat whose decision is the newest."""
        if self.newest == len(self.authors) and self.joins is not None:
            return self.joins
        return self.authors[self.newest]

    def witnesses(self) -> tuple[Seat, ...]:
        """The seats other than D that have a key and have not left: their proofs settle what chance
        is asked now. A seat leaves only while no chance waits, so that its own entry, or a later
        one, is E from then on."""
        able = [seat for seat, key in enumerate(self.keys) if key and seat not in self.left]
        return tuple(seat for seat in able if seat != self.author())

    def sources(self) -> tuple[Seat, ...]:
        """The seats whose proofs settle it: the witnesses, or D where there is none."""
        return self.witnesses() or (self.author(),)

    def missing(self) -> list[Seat]:
        """Sources whose proof is still owed, in the order in which they write. The seat after D
        comes last: it is the likeliest to decide next, and then its proof costs no mail."""
        seats, sources = len(self.keys), self.sources()
        order = [(self.author() + step) % seats for step in (*range(2, seats), 1, 0)]
        return [seat for seat in order if seat in sources and seat not in self.outputs]

    def decide(self, number: int) -> None:
        """Entry `number` holds a decision: it is E from now on."""
        if self.newest != number:
            self.newest = number
            self.outputs = {}
            self._stream = None

    @failing_as("proof")
    def witness(self, seat: Seat, proof: bytes) -> None:
        """A source's proof over E. Raises `Forged`."""
        key, alpha = self.keys[seat], self.digests[self.newest]
        try:
            self._verifier.once(
                (b"proof", key, alpha, proof), lambda: vrf.verify(key, alpha, proof)
            )
        except group.ProofError as error:
            raise Forged(f"the proof for entry {self.newest} is wrong: {error}") from error
        self.outputs[seat] = output = vrf.output(proof)
        self.proofs[self.newest, seat] = (proof, output)

    def ask(self, request: Roll | Pick | Draw, when: str) -> ChanceUse:
        """The rules ask chance something, on the game's own date `when`: it hangs on E as it is
        now."""
        return ChanceUse(request, when, self.newest, self.witnesses(), self.sources())

    def settle(self, use: ChanceUse, source: EntrySource) -> tuple[int, ...]:
        """The dice or handles that were asked for, once every source has proven; the proof of the
        entry's own seat is taken first. Raises `NotInEntry` while one is missing, `Forged`."""
        if source.seat in self.missing() and self.newest < source.number:
            proof = source.proof(self.digests[self.newest])
            if proof is not None:
                self.witness(source.seat, proof)
        if self.missing():
            raise NotInEntry
        request, stream = use.request, self.stream()
        use.offset = stream.offset
        if isinstance(request, Roll):
            use.result = stream.dice(request.number, request.sides)
        else:
            handles = request.handles if isinstance(request, Pick) else request.pile
            use.result = stream.pick(handles, request.number)
        return use.result

    def stream(self) -> Stream:
        """E's chance, once every source has proven: whoever reads on gets the next numbers."""
        if self._stream is None:
            key = b"".join(self.outputs[seat] for seat in self.sources())
            self._stream = Stream(key, self.game_id)
        return self._stream


class WhoseTurn:
    """What the rules ask for now (`request`, None when they have ended), and whose turn that makes
    it."""

    def __init__(
        self,
        decks: tuple[Deck, ...],
        game: Game,
        common: CommonDeck | None,
        randomness: Randomness,
        choices: SealedChoices,
    ) -> None:
        self.request: Request | None = None
        self._decks = decks
        self._game = game
        self._common = common
        self._randomness = randomness
        self._choices = choices

    def is_played_out(self) -> bool:
        """Whether nothing is left to decide, though chance and openings may still come
        (docs/format.md, section 8)."""
        return self.request is None or self._game.is_played_out()

    def owner(self, handle: Handle) -> Seat:
        """The seat that opens this card."""
        if self._common is not None and self._common.has(handle):
            return self._common.drawers[handle]
        owner = self._decks[deck_of(handle)].owner
        assert owner is not None
        return owner

    def reader(self) -> Seat:
        """The seat that answers the question or opens the card that is asked for."""
        assert isinstance(self.request, Ask | Open)
        return (
            self.request.seat if isinstance(self.request, Ask) else self.owner(self.request.handle)
        )

    def seats_owing_shares(self) -> list[Seat]:
        """The seats that write their shares of the common deck before the request can be answered,
        in their order."""
        if self._common is None or not isinstance(self.request, Ask | Open):
            return []
        request = self.request
        return self._common.missing(
            self._game.hand(request.seat) if isinstance(request, Ask) else (request.handle,)
        )

    def waits_for(self) -> Seat | None:
        """The one seat whose entry the game waits for, or None when nothing is left to decide."""
        if self.is_played_out():
            return None
        if owing := self.seats_owing_shares():
            return owing[0]
        match self.request:
            case Ask(seat=seat):
                return seat
            case Open():
                return self.reader()
            case Seal(deck=deck):
                return self._decks[deck].owner
            case Reveal():
                return self.choices_due()[0].seat
            case _:
                missing = self._randomness.missing()
                return missing[0] if missing else self._randomness.author()

    def owes(self, seat: Seat) -> bool:
        """Whether the game waits for something of this seat that is no decision: a proof, an
        opening, seals; when nothing is left to decide, only for a proof."""
        if self.is_played_out() or self.pending():
            return self.pending() and seat in self._randomness.missing()
        return not isinstance(self.request, Ask) and self.waits_for() == seat

    def pending(self) -> bool:
        """Whether chance was asked and proofs are missing."""
        return isinstance(self.request, Roll | Pick | Draw) and not self.is_common(self.request)

    def is_common(self, request: Request | None) -> bool:
        """Whether a seal or a draw is one of the common deck."""
        common = -1 if self._common is None else self._common.index
        deck = request.deck if isinstance(request, Seal) else -2
        return (deck_of(request.pile[0]) if isinstance(request, Draw) else deck) == common

    def choices_due(self) -> list[SealedChoice]:
        """The choices that the rules want to see and that one seat opens now; none where no choice
        is asked for."""
        return self._choices.due(self.request.tokens) if isinstance(self.request, Reveal) else []

    def waits_beyond(self, number: int) -> bool:
        """Whether the game waits for what entry `number` cannot hold: its author's own proof over
        it, or the opening of a choice that is sealed in it."""
        if any(choice.entry == number for choice in self.choices_due()):
            return True
        return (
            self.pending()
            and self._randomness.newest == number
            and not self._randomness.witnesses()
        )

    def may_decide(self, number: int) -> bool:
        """Whether a decision of entry `number` that nobody asked for (orders, early seals) may
        become E now.

        Not while a proof or an opening is waited for under an older E: whoever has given their
        proof knows what E settles, and could have it thrown anew."""
        return (
            self._randomness.newest == number
            or self.request is None
            or isinstance(self.request, Ask | Seal)
        )
