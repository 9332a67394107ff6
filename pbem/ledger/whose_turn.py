"""Whose entry a game waits for, from what the rules ask and who has to answer, open, prove, seal or
give a share.

Exactly one seat, the same on every machine (docs/format.md, sections 4, 6, 7 and 13).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Deck, deck_of
from engine.flow import Ask, Draw, Handle, Open, Pick, Request, Reveal, Roll, Seal, Seat
from engine.rules import Game
from pbem.ledger.chance import Randomness
from pbem.ledger.sealed_choices import SealedChoice, SealedChoices

if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


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
        asked = self.request
        return self._common.awaited(
            self._game.hand(asked.seat) if isinstance(asked, Ask) else (asked.handle,)
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
        if self.is_played_out():
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
