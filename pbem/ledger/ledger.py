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
8. Dates, clock, leave, grants and notes are checked for their place and form, and move nothing (15, 16).

What passes here once passes on every machine and in every year: nothing depends on clock, place or person.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.cards import Deck
from engine.flow import Illegal, Outcome, Seal, Seat
from engine.rules import Rules, Settings
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, PbemError, RulesBroken, failing_as
from pbem.fileformat.turnfile import NOTHING, Entry, TurnFile
from pbem.ledger.clock import Clock
from pbem.ledger.commitments import first_seals
from pbem.ledger.common_deck.fields import KEY_FIELDS, read_keys
from pbem.ledger.file_entry import Recorded
from pbem.ledger.game_end import Offer
from pbem.ledger.interpreter import Onlooker, Referee
from pbem.ledger.invitation import Invitation, read_invitation
from pbem.ledger.joining import Joining, Player
from pbem.ledger.notes import Notes
from pbem.ledger.playing import Playing
from pbem.ledger.run_entry import answer_rules, run_entry
from pbem.ledger.verifier import Verifier

if TYPE_CHECKING:
    from pbem.ledger.common_deck.joining import JoinPart, Layers

SIGNED = f"{FORMAT} entry\n".encode("ascii")
"""Domain tag before the digest that a signature covers."""

_SETUP = ("game", "rules", "package", "options", "data", "clock", "leave-days", "seats", "invites")
_FIRST = ("name", "mail", "key", "vrf", *KEY_FIELDS)


class Ledger:
    """A game as its turn file tells it, every entry checked. `verifier` may know signatures and proofs that were found
    true before; without one everything is checked. `onlooker` sees the position before each answer."""

    def __init__(self, verifier: Verifier | None = None, onlooker: Onlooker | None = None) -> None:
        self.verifier = verifier or Verifier()
        self._onlooker = onlooker
        self.entries: list[Entry] = []
        self.clock = Clock()
        self.notes = Notes()
        self._stage: Joining | Playing | None = None

    @property
    def stage(self) -> Joining | Playing:
        """The game while players are joining, then the game that they play. Raises `ValueError` before entry 0."""
        if self._stage is None:
            raise ValueError("no entry 0 has opened a game")
        return self._stage

    # What entry 0 says

    @property
    def invitation(self) -> Invitation:
        """What entry 0 settles for good."""
        return self.stage.invitation

    @property
    def rules(self) -> Rules:
        """The rules of the game, in the version that entry 0 names."""
        return self.stage.invitation.rules

    @property
    def settings(self) -> Settings:
        """The options of the game."""
        return self.stage.invitation.settings

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in their order."""
        return self.stage.invitation.seats

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks of the game, own ones and the common one."""
        return self.stage.invitation.decks

    @property
    def game_id(self) -> bytes:
        """The game's name among all games, 32 bytes (docs/format.md, section 4)."""
        return self.stage.invitation.game_id

    # Who plays

    @property
    def players(self) -> list[Player | None]:
        """By seat; None for a free seat, and for one that the rules play."""
        return [self.stage.players.get(seat) for seat in range(len(self.seats))]

    @property
    def layers(self) -> Layers | None:
        """How the common deck was made, if the game has one and somebody has joined."""
        return self._stage.layers if self._stage is not None else None

    def seated(self, seat: Seat) -> Player:
        """The player of a seat that is taken."""
        return self.stage.players[seat]

    def seat_of(self, entry: Entry) -> Seat:
        """The index of an entry's seat."""
        return self.seats.index(entry.seat)

    def seat_with(self, key: bytes) -> Seat | None:
        """The seat whose player has this identity key."""
        return next((player.seat for player in self.stage.players.values() if player.key == key), None)

    def free_seats(self) -> list[Seat]:
        """Free seats in the order in which they are taken; none in a game that has begun."""
        return self._stage.free_seats() if isinstance(self._stage, Joining) else []

    # How far the game is

    @property
    def playing(self) -> Playing | None:
        """The game that is played; None before the last seat is taken."""
        return self._stage if isinstance(self._stage, Playing) else None

    @property
    def referee(self) -> Referee | None:
        """The rules at work; None before the last seat is taken."""
        return self._stage.referee if isinstance(self._stage, Playing) else None

    def begun(self) -> Playing:
        """The game that is played, where the caller knows that it has begun. Raises `ValueError` if it has not."""
        if isinstance(self._stage, Playing):
            return self._stage
        raise ValueError("players are still joining")

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return self._stage.outcome if isinstance(self._stage, Playing) else None

    @property
    def offer(self) -> Offer | None:
        """The draw offer that stands."""
        return self._stage.offer if isinstance(self._stage, Playing) else None

    def before(self) -> bytes:
        """The SHA-256 of the file to which the next entry is appended."""
        return self.entries[-1].after if self.entries else NOTHING

    def is_over(self) -> bool:
        """Whether nothing is left to decide (`Playing.is_over`)."""
        return isinstance(self._stage, Playing) and self._stage.is_over()

    def is_proven(self) -> bool:
        """Whether the game is over and every root that is due was revealed and checked."""
        return isinstance(self._stage, Playing) and self._stage.is_proven()

    def to_act(self) -> Seat | None:
        """The one seat that may write the next entry, or None when there is nothing left to write."""
        return self.stage.to_act()

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry."""
        return self.stage.position_digest()

    # The gate

    def admit(self, entry: Entry) -> None:
        """Check one more entry and let it take effect. Raises a kind of `Invalid`; the ledger is of no use then."""
        where = f"entry {entry.number}, {entry.seat}"
        try:
            self._admit(entry, where)
        except Illegal as error:
            broken = RulesBroken(str(error), where=where, hint=_BLAME, layer="rules")
            broken.entry = entry.number
            raise broken from error
        except PbemError as error:
            error.layer, error.entry = error.layer or "chain", entry.number
            error.where = error.where or where
            error.hint = error.hint or _BLAME
            raise

    def adopt(self, entry: Entry) -> None:
        """Append an entry whose contents have taken effect already: the own one, drafted on this very ledger."""
        if isinstance(self._stage, Playing):
            self._stage.referee.randomness.signed(self.seat_of(entry), entry.digest)
        self._check_beside(entry, may_note="key" not in entry.fields)
        self._append(entry)

    def _append(self, entry: Entry) -> None:
        seat, playing = self.seat_of(entry), self.playing
        has_decision = playing is not None and playing.referee.randomness.newest == entry.number
        self.clock.add(entry, seat, has_decision=has_decision, first="key" in entry.fields)
        if (root := self.seated(seat).root) is not None:
            self.notes.reveal(seat, root)
        self.entries.append(entry)
        if playing is not None:
            playing.wrote_last = seat

    def _check_beside(self, entry: Entry, *, may_note: bool) -> None:
        """What decides nothing: the clock's fields, and the note (15, 16). Raises `Malformed` or `RulesBroken`."""
        seat = self.seat_of(entry)
        self.clock.check(entry, seat, self.invitation.clocked(), first="key" in entry.fields)
        self.notes.take(entry, seat, self.game_id, allowed=may_note)

    def _admit(self, entry: Entry, where: str) -> None:
        if entry.number == 0:
            self._check_signature(entry, entry.blob("key", 32))
            self.open(read_invitation(entry, where))
        if entry.seat not in self.seats:
            raise RulesBroken(f'there is no seat "{entry.seat}"')
        seat, stage = self.seat_of(entry), self.stage
        if seat != self.to_act():
            raise RulesBroken(f"it is not this seat's turn to write, but {self._whose_turn()}")
        joins = isinstance(stage, Joining)
        key = entry.blob("key", 32) if joins else self.seated(seat).key
        self._check_signature(entry, key)
        entry.blob("nonce", 32)  # in every entry 32 bytes in their one spelling (docs/format.md, sections 1 and 3)
        for name in (*_FIRST, *_SETUP) if not joins else () if entry.number == 0 else _SETUP:
            if name in entry.fields:
                raise RulesBroken(f'"{name}" does not belong in this entry')
        self._check_beside(entry, may_note=isinstance(stage, Playing) and stage.owes_root(seat))
        recorded = Recorded(entry, seat, self.rules, self.decks)
        if isinstance(stage, Joining):
            self._join(stage, entry, recorded, key)
        else:
            stage.referee.randomness.begin_entry(seat, entry.digest)
            run_entry(stage, recorded)
        recorded.check_used()
        self._append(entry)
        if entry.blob("position", 32) != self.position_digest():
            raise RulesBroken("its author's program saw another position at the end of this entry")

    def _whose_turn(self) -> str:
        seat = self.to_act()
        return "nobody's: the game is over" if seat is None else f"{self.seats[seat]}'s"

    @failing_as("signature")
    def _check_signature(self, entry: Entry, key: bytes) -> None:
        if not group.is_point(key):
            raise Forged("the identity key is no point of prime order")
        self.verifier.once((b"signature", key, entry.signature, entry.digest), lambda: _verify(key, entry))

    # First entries

    def open(self, invitation: Invitation) -> None:
        """A new game, every seat free."""
        self._stage = Joining(invitation, self.verifier)

    def _join(self, stage: Joining, entry: Entry, recorded: Recorded, key: bytes) -> None:
        """The first entry of a seat. Raises kinds of `Invalid`."""
        seat, vrf = recorded.seat, entry.blob("vrf", 32)
        if not group.is_point(vrf):
            raise Forged("the key for chance is no point of prime order")
        stage.check_newcomer(entry, key, vrf)
        with failing_as("shuffle"):
            deck = read_keys(entry, self.rules, self.settings, self.decks, seat)
        seals = [(seal, recorded.seals(seal) or ()) for seal in first_seals(self.decks, seat)]
        player = Player(seat, entry.text("name"), entry.text("mail"), key, vrf, entry.blob("nonce", 32), deck)
        begun = self.take_seat(player, seals, recorded.common)
        if begun is not None:
            begun.referee.randomness.begin_entry(seat, entry.digest)
            answer_rules(begun, recorded)

    def take_seat(
        self, player: Player, seals: Sequence[tuple[Seal, tuple[bytes, ...]]], part: JoinPart
    ) -> Playing | None:
        """A player takes the next free seat with the entry at hand; with the last one the game begins, and is returned.
        Raises `Forged` or `RulesBroken`."""
        joining, number = self.stage, len(self.entries)
        if not isinstance(joining, Joining):
            raise RulesBroken("every seat of this game is taken")
        joining.take_seat(player, seals, number, part)
        if joining.free_seats():
            return None
        playing = self._stage = Playing(joining, number, self.verifier)
        playing.referee.onlooker = self._onlooker
        playing.begin([entry.digest for entry in self.entries])
        return playing


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
