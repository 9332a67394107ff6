"""The one gate that every entry of a turn file passes. No input or output inside.

Its laws (numbers are sections of docs/format.md):

1. The entries come in the order of the file; each is signed over every byte before it (3).
2. A signature is checked before a field is given meaning; the key is that of the seat's first entry (4).
3. Exactly one seat may write next: the next free seat joins, then the seat the game waits for, then, when the game is
   over, each seat that owes a proof or has not revealed its root (4, 8).
4. An entry holds what its seat owes and what it decides, in the order the rules ask, nothing less or more (4, 6, 7).
5. An entry ends where another seat or chance comes in, and names the digest of the position there (4). Its own author
   writes next only where nobody else has a key and their proof over this very entry is due (6).
6. A game that is over is unproven until every seat that sealed or shuffled, and has not left, has revealed its root,
   and every seal agrees (7, 8).
7. A seat that the rules play has no key: it never joins, writes, proves or reveals. A game in which one seat only has a
   key says `unwitnessed` in its options (6).

What passes here once passes on every machine and in every year: nothing depends on clock, place or person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.flow import Ask, Card, Handle, Illegal, Outcome, Seal, Seat
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, PbemError, RulesBroken
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.turnfile import NOTHING, Entry, TurnFile
from pbem.ledger import game_end
from pbem.ledger.commitments import SealedPile, first_seals, open_piles
from pbem.ledger.common_deck.fields import KEY_FIELDS, read_keys
from pbem.ledger.entry_source import EntrySource
from pbem.ledger.file_entry import Recorded
from pbem.ledger.game_end import Agreement, Offer
from pbem.ledger.interpreter import Referee
from pbem.ledger.invitation import Player, Seating
from pbem.ledger.run_entry import answer_rules, run_entry
from pbem.ledger.verifier import Verifier

if TYPE_CHECKING:
    from pbem.ledger.common_deck.joining import JoinPart

SIGNED = f"{FORMAT} entry\n".encode("ascii")
"""Domain tag before the digest that a signature covers."""

_SETUP = ("game", "rules", "package", "options", "data", "seats", "invites")
_FIRST = ("name", "mail", "key", "vrf", *KEY_FIELDS)


class Ledger(Seating):
    """A game as its turn file tells it, every entry checked. `verifier` may know signatures and proofs that were found
    true before; without one everything is checked."""

    def __init__(self, verifier: Verifier | None = None) -> None:
        super().__init__(verifier or Verifier())
        self.entries: list[Entry] = []
        self.referee: Referee | None = None
        self.outcome: Outcome | None = None
        self._agreement: Agreement | None = None
        self._early: list[SealedPile] = []

    # Questions

    @property
    def play(self) -> Referee:
        """The game in progress, from the moment the last seat has joined."""
        assert self.referee is not None, "players are still joining"
        return self.referee

    @property
    def offer(self) -> Offer | None:
        """The draw offer that stands."""
        return None if self._agreement is None else self._agreement.offer

    def before(self) -> bytes:
        """The SHA-256 of the file to which the next entry is appended."""
        return self.entries[-1].after if self.entries else NOTHING

    def is_over(self) -> bool:
        """Whether nothing is left to decide: the players have ended the game, or the rules have nothing to ask any
        more (8). The outcome may still hang on proofs and roots."""
        return self.outcome is not None or (self.referee is not None and self.referee.is_played_out())

    def is_proven(self) -> bool:
        """Whether the game is over and every root that is owed was revealed and checked."""
        return self.outcome is not None and not self.unrevealed()

    def unrevealed(self) -> list[Seat]:
        """Seats whose root is not revealed, in the order in which they reveal it: the last to write comes last."""
        return [seat for seat in self._round() if self.is_root_due(seat)]

    def _round(self) -> list[Seat]:
        """All seats, the author of the newest entry last."""
        last = self.seat_of(self.entries[-1]) if self.entries else 0
        seats = len(self.players)
        return [(last + step) % seats for step in range(1, seats + 1)]

    def owes_root(self, seat: Seat) -> bool:
        """Whether this seat reveals a root when the game is over: it has sealed a deck or shuffled the common one, and
        has not left (8)."""
        referee = self.referee
        if seat not in self.keyed() or (referee is not None and seat in referee.left):
            return False
        shuffled = self.layers is not None and any(made.seat == seat for made in self.layers.joined)
        return shuffled or any(deck.owner == seat for deck in self.decks)

    def is_root_due(self, seat: Seat) -> bool:
        """Whether this seat's root is owed and not revealed yet."""
        return self.owes_root(seat) and self.seated(seat).root is None

    def unaudited(self) -> list[Seat]:
        """The seats that left: their shuffles were proven, and nobody ever sees how they were made (8)."""
        return list(self.referee.left) if self.referee is not None and self.referee.common is not None else []

    def to_act(self) -> Seat | None:
        """The one seat that may write the next entry, or None when there is nothing left to write."""
        for seat in self.free_seats():
            return seat
        assert self._agreement is not None
        if self.is_over():
            due = (seat for seat in self._round() if self.is_root_due(seat) or self._owes_proof(seat))
            return next(due, None)
        if self.offer is not None and self.offer.alone:
            return self._agreement.open_to(self.play)[0]
        return self.play.waits_for()

    def _owes_proof(self, seat: Seat) -> bool:
        """Whether chance still waits for this seat when nothing is left to decide."""
        return self.outcome is None and self.referee is not None and self.referee.owes(seat)

    # The gate

    def admit(self, entry: Entry) -> None:
        """Check one more entry and let it take effect. Raises a kind of `Invalid`; the ledger is of no use then."""
        where = f"entry {entry.number}, {entry.seat}"
        try:
            self._admit(entry, where)
        except Illegal as error:
            raise RulesBroken(str(error), where=where, hint=_BLAME) from error
        except PbemError as error:
            error.where = error.where or where
            error.hint = error.hint or _BLAME
            raise

    def adopt(self, entry: Entry) -> None:
        """Append an entry whose contents have taken effect already: the own one, drafted on this very ledger."""
        self.entries.append(entry)
        if self.referee is not None:
            self.referee.signed(self.seat_of(entry), entry.digest)

    def _admit(self, entry: Entry, where: str) -> None:
        if entry.number == 0:
            self._check_signature(entry, entry.blob("key", 32))
            self.read_invitation(entry, where)
        if entry.seat not in self.seats:
            raise RulesBroken(f'there is no seat "{entry.seat}"')
        seat = self.seat_of(entry)
        if seat != self.to_act():
            raise RulesBroken(f"it is not this seat's turn to write, but {self._whose_turn()}")
        joins = self.players[seat] is None
        key = entry.blob("key", 32) if joins else self.seated(seat).key
        self._check_signature(entry, key)
        entry.blob("nonce", 32)  # in every entry 32 bytes in their one spelling (docs/format.md, sections 1 and 3)
        for name in (*_FIRST, *_SETUP) if not joins else () if entry.number == 0 else _SETUP:
            if name in entry.fields:
                raise RulesBroken(f'"{name}" does not belong in this entry')
        if joins:
            self._join(entry, seat, key)
        else:
            self._turn(entry, seat)
        self.entries.append(entry)
        if entry.blob("position", 32) != self.position_digest():
            raise RulesBroken("its author's program saw another position at the end of this entry")

    def _whose_turn(self) -> str:
        seat = self.to_act()
        return "nobody's: the game is over" if seat is None else f"{self.seats[seat]}'s"

    def _check_signature(self, entry: Entry, key: bytes) -> None:
        if not group.is_point(key):
            raise Forged("the identity key is no point of prime order")
        self.verifier.once((b"signature", key, entry.signature, entry.digest), lambda: _verify(key, entry))

    def _join(self, entry: Entry, seat: Seat, key: bytes) -> None:
        vrf = entry.blob("vrf", 32)
        if not group.is_point(vrf):
            raise Forged("the key for chance is no point of prime order")
        self.check_newcomer(entry, key, vrf)
        deck = read_keys(entry, self.rules, self.settings, self.decks, seat)
        recorded = Recorded(entry, seat, self.rules, self.decks)
        seals = first_seals(self.decks, seat)
        self.seat_down(
            Player(seat, entry.text("name"), entry.text("mail"), key, vrf, entry.blob("nonce", 32), deck),
            [(seal, recorded.seals(seal) or ()) for seal in seals],
            entry.number,
            recorded.common,
        )
        if self.referee is not None:
            self.play.begin_entry(seat, entry.digest)
            answer_rules(self, recorded)
        recorded.check_used()

    def seat_down(
        self, player: Player, seals: list[tuple[Seal, tuple[bytes, ...]]], number: int, part: JoinPart
    ) -> None:
        """A player takes a seat, seals the own decks and shuffles the common one; with the last one the game begins."""
        if player.deck is not None:
            self.add_layer(player.seat, player.deck, part)
        self.players[player.seat] = player
        for seal, commitments in seals:
            if len(commitments) != len(seal.handles):
                raise RulesBroken("a first entry seals each of its own cards")
            self._early.append(SealedPile(self.decks[seal.deck], 1, seal.handles, (), commitments, number))
        if self.free_seats():
            return
        common = None
        if self.layers is not None:
            from pbem.ledger.common_deck.deck import CommonDeck  # only a game with a common deck needs it

            open_seat = None if self.seats[player.seat] in self.invites else player.seat
            common = CommonDeck(self.rules, self.settings, self.layers, number, open_seat)
        keys = tuple(b"" if taken is None else taken.vrf for taken in self.players)
        referee = self.referee = Referee(self.rules, self.settings, self.game_id, keys, common, self.verifier)
        self._agreement = Agreement(self.rules, self.settings)
        referee.authors = [self.seat_of(earlier) for earlier in self.entries]
        referee.digests = [earlier.digest for earlier in self.entries]
        for pile in self._early:
            referee.own_decks.offer(pile)
        referee.decide(number)
        referee.start()

    def _turn(self, entry: Entry, seat: Seat) -> None:
        recorded = Recorded(entry, seat, self.rules, self.decks)
        self.play.begin_entry(seat, entry.digest)
        run_entry(self, recorded)
        recorded.check_used()

    def may_end(self, seat: Seat, number: int) -> bool:
        """Whether entry `number` of this seat may end here (law 5)."""
        done = self.is_over() or self.to_act() != seat or self.play.waits_for_proof_of(number)
        return done or self._pauses(number)

    def _pauses(self, number: int) -> bool:
        """Whether the only player stops between two of their answers, in a game that allows it (docs/format.md,
        section 4)."""
        play = self.play
        answered = isinstance(play.request, Ask) and play.newest == number
        return answered and not self.is_witnessed() and play.game.may_pause()

    def end_by_consent(self, source: EntrySource, draw: str, resigns: bool) -> None:
        """What a seat's entry says about ending the game by consent or leaving it, after all else that it holds."""
        assert self._agreement is not None
        if not self.is_over():
            self.outcome = self._agreement.apply(self.play, source, draw, resigns)
        elif draw or resigns:
            raise RulesBroken(game_end.OVER)

    # How a game is proven

    def reveal(self, seat: Seat, root: bytes) -> None:
        """The seat's root, against which every seal it ever gave is recomputed; everybody goes on with what follows
        from it. Raises `Forged`."""
        referee, x = self.play, None
        faces: dict[Handle, Card] = {}
        for pile, opened in open_piles(referee.own_decks.piles, self.decks, seat, root, self.game_id, self.rules.cards):
            if opened.commitments != pile.commitments:
                raise Forged(f"the root does not give the seals of deck {pile.deck.letter}, shuffle {pile.generation}")
            faces.update(zip(pile.handles, opened.cards, strict=True))
        if referee.common is not None:
            from pbem.ledger.common_deck.from_root import (  # only a game with a common deck needs it
                check_root,
                secrets_of,
            )

            check_root(referee.common, seat, root)
            x = secrets_of(root).x
        self.seated(seat).root = root
        referee.learn(seat, x, faces, len(self.entries))
        self.outcome = self.outcome or referee.outcome

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry."""
        if self.referee is not None:
            return self.referee.position_digest()
        taken = ",".join(name for name, player in zip(self.seats, self.players, strict=True) if player is not None)
        return tagged_hash(f"{FORMAT} position", b"joining", taken.encode("ascii"))


_BLAME = "ask the sender for an unchanged file; if it is, that entry breaks the rules"


def _verify(key: bytes, entry: Entry) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(entry.signature, SIGNED + entry.digest)
    except InvalidSignature as error:
        raise Forged(f"the signature is not {entry.seat}'s for these bytes") from error


def replay(file: TurnFile, verifier: Verifier | None = None) -> Ledger:
    """The game of a file. Raises a kind of `Invalid` at the first entry that does not verify."""
    ledger = Ledger(verifier)
    for entry in file.entries:
        ledger.admit(entry)
    return ledger
