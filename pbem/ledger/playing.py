"""A game in which every seat is taken: the rules run, players may end it, roots prove it.

docs/format.md, sections 4, 6, 7 and 8. The order of work inside an entry is the same for one in a
file, one that is being written, and one that is simulated:

1. First what the seat owes: the cards that its orders have played, its proof, what it opens.
2. Then its answers, in the order in which the rules ask; then its shares of the common deck.
3. Then the decisions that nobody asked for: standing orders, and seals of piles that will be
   needed.
4. Then what it says of ending the game or leaving it.
5. The entry ends where another seat or chance comes in; when nothing is left to decide it reveals
   the seat's root.

Whoever writes an entry runs the same two halves as everybody who reads it, on a game of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.flow import Ask, Card, Handle, Outcome, Seat
from pbem.crypto.choices import root_digest
from pbem.errors import Forged, RulesBroken, failing_as
from pbem.ledger import game_end
from pbem.ledger.file_entry import EntrySource
from pbem.ledger.game_end import Agreement, Offer
from pbem.ledger.invitation import Joining
from pbem.ledger.own_decks import open_piles
from pbem.ledger.referee import Referee
from pbem.ledger.signatures import Verifier
from pbem.ledger.trace import Trace


class UnfinishedEntry(RulesBroken):
    """The entry stops before its seat has done all that is asked of it."""


def run_entry(game: Playing, source: EntrySource) -> None:
    """Let a whole entry take effect. Raises kinds of `Invalid` and `engine.flow.Refusal`."""
    is_open = game.outcome is None
    answer_rules(game, source)
    if (
        is_open
        and game.referee.turn.owes(source.seat)
        and not game.referee.turn.waits_beyond(source.number)
    ):
        raise RulesBroken("the entry leaves out what its seat owes")
    close_entry(game, source)


def answer_rules(game: Playing, source: EntrySource) -> None:
    """Laws 1 and 2: settle what the seat owes, and answer the rules as far as the entry goes."""
    game.referee.trace.enter(source.number)
    if game.outcome is None:
        game.referee.take(source)
        game.outcome = game.outcome or game.referee.outcome
    else:
        game.referee.open_promised(source)


def close_entry(game: Playing, source: EntrySource) -> None:
    """Laws 3 to 5: what the entry decides unasked, how it ends, and the root. Raises `Unfinished`
    if it stops short."""
    if not game.is_over():
        game.referee.apply_orders(source)
        if source.draw != "accept":
            game.referee.seal_early(source)
    game.end_by_consent(source, source.draw, source.resigns)
    if not game.may_end(source.seat, source.number):
        raise UnfinishedEntry("the entry stops before its seat has done all that is asked of it")
    if game.is_over() and game.is_root_due(source.seat):
        root = source.root()
        if root is None:
            raise RulesBroken(
                "a root is revealed when the game is over, and then always", layer="root"
            )
        game.reveal(source.seat, root, source.number)


class Playing:
    """A game from the entry with which the last seat was taken: what `rules`, `settings`, `seats`
    and `decks` the invitation gave it, who plays, and how far it is. `referee` runs the rules;
    `wrote_last` is the seat of the newest entry that is complete; `outcome` is how the game ended,
    by the rules or by consent, and `ended` the entry with which it did."""

    def __init__(self, lobby: Joining, number: int, verifier: Verifier) -> None:
        """The last seat was taken with entry `number`."""
        game = self.invitation = lobby.invitation
        self.rules = game.rules
        self.settings = game.settings
        self.seats = game.seats
        self.decks = game.decks
        self.players = lobby.players
        self.layers = lobby.layers
        self.outcome: Outcome | None = None
        self.ended: int | None = None
        self.wrote_last = game.host
        self._begun = number
        self._agreement = Agreement(game.rules, game.settings)
        common, last = None, game.order_of_joining()[-1]
        if self.layers is not None:
            # only a game with a common deck needs it
            from pbem.ledger.common_deck import CommonDeck

            is_kept = game.seats[last] in game.invites
            common = CommonDeck(game.rules, game.settings, self.layers, None if is_kept else number)
        seats = range(len(game.seats))
        keys = tuple(self.players[seat].vrf if seat in self.players else b"" for seat in seats)
        trace = Trace(game.rules, game.decks, game.seats, number, game.trace_head)
        self.referee = Referee(
            game.rules, game.settings, game.game_id, keys, common, verifier, trace
        )
        for pile in lobby.sealed:
            self.referee.own_decks.offer(pile)

    def begin(self, digests: Sequence[bytes]) -> None:
        """Run the rules up to their first request. `digests` are those of the entries before the
        last join, which is the first E (docs/format.md, section 6)."""
        chance = self.referee.randomness
        *chance.authors, chance.joins = self.invitation.order_of_joining()
        chance.digests = list(digests)
        chance.decide(len(digests))
        self.referee.start()

    # Questions

    @property
    def offer(self) -> Offer | None:
        """The draw offer that stands."""
        return self._agreement.offer

    def is_over(self) -> bool:
        """Whether nothing is left to decide: the players have ended the game, or the rules have
        nothing to ask any more (8). The outcome may still hang on proofs and roots."""
        return self.outcome is not None or self.referee.turn.is_played_out()

    def is_proven(self) -> bool:
        """Whether the game is over, every root that is due was revealed and checked, and no die was
        entered by hand."""
        return self.outcome is not None and not self.unrevealed() and not self.is_by_hand()

    def is_by_hand(self) -> bool:
        """Whether players throw the dice themselves and enter them, so that nothing ever proves the
        result."""
        return self.invitation.rules.is_by_hand(self.invitation.settings)

    def unrevealed(self) -> list[Seat]:
        """Seats whose root is not revealed, in the order in which they reveal it: the last to write
        comes last."""
        return [seat for seat in self.round() if self.is_root_due(seat)]

    def round(self) -> Iterator[Seat]:
        """All seats, the author of the newest entry last."""
        seats = len(self.invitation.seats)
        return ((self.wrote_last + step) % seats for step in range(1, seats + 1))

    def owes_root(self, seat: Seat) -> bool:
        """Whether this seat reveals a root when the game is over: it has sealed a deck or shuffled
        the common one, or may seal choices, and has not left (8, 19)."""
        if seat not in self.players or seat in self.referee.randomness.left:
            return False
        if self.layers is not None or any(deck.owner == seat for deck in self.invitation.decks):
            return True
        return self.invitation.may_seal_choices(seat)

    def is_root_due(self, seat: Seat) -> bool:
        """Whether this seat's root is due and not revealed yet."""
        return self.owes_root(seat) and self.players[seat].root is None

    def unaudited(self) -> list[Seat]:
        """The seats that left: their shuffles were proven, and nobody ever sees how they were made
        (8)."""
        return list(self.referee.randomness.left) if self.referee.common is not None else []

    def waits_for_inviter(self) -> bool:
        """Whether nobody has written since the last seat was taken: then the inviter does, which
        settles who plays (4, 9). Not so where nobody else has a key."""
        has_others = len(self.invitation.keyed_seats()) > 1
        return has_others and len(self.referee.randomness.authors) <= self._begun + 1

    def to_act(self) -> Seat | None:
        """The one seat that may write the next entry, or None when there is nothing left to
        write."""
        if self.waits_for_inviter():
            return self.invitation.host
        if self.is_over():
            waits_for_chance = self.outcome is None
            due = (
                seat
                for seat in self.round()
                if self.is_root_due(seat) or (waits_for_chance and self.referee.turn.owes(seat))
            )
            return next(due, None)
        if self.offer is not None and self.offer.alone:
            return self._agreement.open_to(self.referee)[0]
        return self.referee.turn.waits_for()

    def may_end(self, seat: Seat, number: int) -> bool:
        """Whether entry `number` of this seat may end here (law 5 of `pbem.ledger.gate`)."""
        done = self.is_over() or self.to_act() != seat or self.referee.turn.waits_beyond(number)
        return done or self._pauses(number)

    def _pauses(self, number: int) -> bool:
        """Whether the only player stops between two of their answers, in a game that allows it
        (docs/format.md, section 4)."""
        referee = self.referee
        answered = isinstance(referee.turn.request, Ask) and referee.randomness.newest == number
        return answered and not self.invitation.is_witnessed() and referee.game.may_pause()

    # What an entry does besides answering the rules

    def end_by_consent(self, source: EntrySource, draw: str, resigns: bool) -> None:
        """What a seat's entry says about ending the game by consent or leaving it, after all else
        that it holds."""
        if not self.is_over():
            self.outcome = self._agreement.apply(self.referee, source, draw, resigns)
        elif draw or resigns:
            raise RulesBroken(game_end.OVER)

    @failing_as("root")
    def reveal(self, seat: Seat, root: bytes, number: int) -> None:
        """The seat's root in entry `number`, against which every seal it ever gave is recomputed;
        everybody goes on with what follows from it. Raises `Forged`."""
        game, referee, x = self.invitation, self.referee, None
        digest = self.players[seat].root_digest
        if digest and digest != root_digest(game.game_id, game.seats[seat], root):
            raise Forged("the root is another one than that of the first entry")
        referee.choices.reveal(seat, root)
        faces: dict[Handle, Card] = {}
        for pile, opened in open_piles(
            referee.own_decks.piles, game.decks, seat, root, game.game_id, game.rules.cards
        ):
            if opened.commitments != pile.commitments:
                raise Forged(
                    f"the root does not give the seals of deck {pile.deck.letter}, shuffle"
                    f" {pile.generation}"
                )
            faces.update(zip(pile.handles, opened.cards, strict=True))
        if referee.common is not None:
            # only a game with a common deck needs it
            from pbem.ledger.common_deck import check_root, secrets_of

            check_root(referee.common, seat, root)
            x = secrets_of(root).x
        self.players[seat].root = root
        referee.learn(seat, x, faces, number)
        self.outcome = self.outcome or referee.outcome

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry."""
        return self.referee.position_digest()
