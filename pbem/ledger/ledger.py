"""A game as its turn file tells it, every entry checked (`pbem.ledger.gate`). No input or output
inside.

Sentences call a player by name if that name means nothing in Markdown, HTML or a terminal, else by
the seat (`player_names`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.cards import Deck
from engine.flow import Card, Handle, Outcome, Seal, Seat
from engine.rules import Rules, Settings
from pbem.errors import RulesBroken
from pbem.fileformat.attached import files_of
from pbem.fileformat.turnfile import DIGEST_OF_NONE, Entry
from pbem.ledger.clock import Clock
from pbem.ledger.game_end import Offer
from pbem.ledger.invitation import Invitation, Joining, Player
from pbem.ledger.plans import Plans
from pbem.ledger.playing import Playing
from pbem.ledger.referee import Onlooker
from pbem.ledger.sealed_choices import Notes
from pbem.ledger.signatures import Verifier

_PLAIN_NAME = re.compile(r"[^\W\d_](?:[ '’-]?[^\W_]){0,29}\Z")
"""Letters and digits, with single spaces, apostrophes or hyphens between them: a name that means
nothing else in Markdown, HTML or a terminal."""


def player_names(game: Ledger) -> list[str]:
    """How sentences call the players, by seat: by name if nobody else is called so, else by the
    seat's own word."""
    return names_in_sentences(
        ["" if player is None else player.name for player in game.players], game.seats
    )


def names_in_sentences(names: Sequence[str], seats: Sequence[str]) -> list[str]:
    """How sentences call players of these names in these seats."""
    names = [" ".join(name.split()) for name in names]
    taken = Counter(name.casefold() for name in [*names, *seats])
    return [
        name
        if _PLAIN_NAME.match(name) and taken[name.casefold()] == 1 and "PBEM" not in name
        else seat
        for name, seat in zip(names, seats, strict=True)
    ]


if TYPE_CHECKING:
    from pbem.ledger.common_deck import JoinPart, Layers


class Ledger:
    """A game as its turn file tells it, every entry checked. `verifier` may know signatures and
    proofs that were found true before; without one everything is checked. `onlooker` sees the
    position where the rules ask."""

    def __init__(self, verifier: Verifier | None = None, onlooker: Onlooker | None = None) -> None:
        self.verifier = verifier or Verifier()
        self._onlooker = onlooker
        self.entries: list[Entry] = []
        self.clock = Clock()
        self.notes = Notes()
        self.plans = Plans()
        self._stage: Joining | Playing | None = None

    @property
    def stage(self) -> Joining | Playing:
        """The game while players are joining, then the game that they play. Raises `ValueError`
        before entry 0."""
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

    def player_of(self, seat: Seat) -> Player:
        """The player of a seat that is taken."""
        return self.stage.players[seat]

    def seat_of(self, entry: Entry) -> Seat:
        """The index of an entry's seat."""
        return self.seats.index(entry.seat)

    def seat_with(self, key: bytes) -> Seat | None:
        """The seat whose player has this identity key."""
        return next(
            (player.seat for player in self.stage.players.values() if player.key == key), None
        )

    def free_seats(self) -> list[Seat]:
        """Free seats in the order in which they are taken; none in a game that has begun."""
        return self._stage.free_seats() if isinstance(self._stage, Joining) else []

    # How far the game is

    @property
    def playing(self) -> Playing | None:
        """The game that is played; None before the last seat is taken."""
        return self._stage if isinstance(self._stage, Playing) else None

    def begun(self) -> Playing:
        """The game that is played, for a caller who knows that it has begun. Raises `ValueError` if
        it has not."""
        if self.playing is None:
            raise ValueError("players are still joining")
        return self.playing

    def public_faces(self) -> Mapping[Handle, Card]:
        """Every card that everybody can read; none before the last seat is taken."""
        return self._stage.referee.faces() if isinstance(self._stage, Playing) else {}

    @property
    def left(self) -> Sequence[Seat]:
        """The seats that have left, in the order in which they did."""
        return self._stage.referee.randomness.left if isinstance(self._stage, Playing) else ()

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
        return self.entries[-1].after if self.entries else DIGEST_OF_NONE

    def is_over(self) -> bool:
        """Whether nothing is left to decide (`Playing.is_over`)."""
        return isinstance(self._stage, Playing) and self._stage.is_over()

    def is_proven(self) -> bool:
        """Whether the game is over, every root that is due was revealed and checked, and no die was
        entered by hand."""
        return isinstance(self._stage, Playing) and self._stage.is_proven()

    def to_act(self) -> Seat | None:
        """The one seat that may write the next entry, or None when there is nothing left to
        write."""
        return self.stage.to_act()

    def to_close(self) -> Seat | None:
        """The one seat that may say now that it has seen the end: of those that have signed nothing
        since, the first round from the newest entry's. None before nothing else is left to write,
        and in games that have no such entries (8)."""
        playing = self.playing
        if (
            playing is None
            or playing.ended is None
            or not self.invitation.closing
            or playing.to_act() is not None
        ):
            return None
        signed = {self.seat_of(entry) for entry in self.entries[playing.ended :]}
        keyed_seats = self.invitation.keyed_seats()
        return next(
            (
                seat
                for seat in playing.round()
                if seat in keyed_seats and seat not in {*signed, *self.left}
            ),
            None,
        )

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry."""
        return self.stage.position_digest()

    # Entries

    def adopt(self, entry: Entry) -> None:
        """Append an entry whose contents have taken effect already: the own one, drafted on this
        very ledger."""
        if isinstance(self._stage, Playing):
            self._stage.referee.randomness.note_signature(self.seat_of(entry), entry.digest)
            self._stage.referee.choices.note_signature(entry)
        self.check_beside(entry, may_note="key" not in entry.fields)
        self.append(entry)

    def append(self, entry: Entry) -> None:
        """The entry is the newest of the game from now on."""
        seat, playing = self.seat_of(entry), self.playing
        has_decision = playing is not None and playing.referee.randomness.newest == entry.number
        if "end" not in entry.fields:
            self.clock.add(entry, seat, has_decision=has_decision, first="key" in entry.fields)
        if (root := self.player_of(seat).root) is not None:
            self.notes.reveal(seat, root)
            self.plans.reveal(seat, root, entry.number)
        if seat in self.left:
            self.plans.check_left(entry, seat)
        self.entries.append(entry)
        if playing is not None:
            playing.wrote_last = seat
            if playing.outcome is not None and playing.ended is None:
                playing.ended = entry.number

    def check_beside(self, entry: Entry, *, may_note: bool) -> None:
        """What decides nothing: the clock's fields, the note, the plans, and the files that go with
        it (15, 16, 22, 23). Raises `Forged`, `Malformed` or `RulesBroken`."""
        seat = self.seat_of(entry)
        self.clock.check(entry, seat, self.invitation.clocked_seats(), first="key" in entry.fields)
        self.notes.take(entry, seat, self.game_id, allowed=may_note)
        self.plans.take(entry, seat, self.game_id, self.deciding())
        files_of(entry)

    def deciding(self) -> list[Seat]:
        """The seats whose players decide, and have not left."""
        return [seat for seat in self.invitation.clocked_seats() if seat not in self.left]

    # First entries

    def open(self, invitation: Invitation) -> None:
        """A new game, every seat free."""
        self._stage = Joining(invitation, self.verifier)

    def take_seat(
        self, player: Player, seals: Sequence[tuple[Seal, tuple[bytes, ...]]], part: JoinPart
    ) -> Playing | None:
        """A player takes the next free seat with the entry at hand; with the last one the game
        begins, and is returned. Raises `Forged` or `RulesBroken`."""
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
