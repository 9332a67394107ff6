"""Set Up, the turn, Game End and Scoring: the game from the deal to the score, and its rules as the
rest of the program sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from engine.cards import Deck, handles_of
from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Flow,
    Handle,
    Illegal,
    Open,
    Option,
    Outcome,
    Seal,
    Seat,
)
from engine.loot import notation, view
from engine.loot.battle import DRAW, CardOptions, Pirate, Ship, Trump, is_abandoned, leader
from engine.loot.position import LootPosition
from engine.loot.tables import (
    DECK,
    DEFAULTS,
    FACES,
    HAND,
    NAMES,
    NEWEST,
    SEATS,
    SETTINGS,
    read_settings,
    settings_in_words,
)
from engine.requirements import Use
from engine.rules import Game, Rules, Settings


class LootGame(LootPosition):
    """One game, from the deal to the score."""

    def flow(self) -> Flow[Outcome]:
        yield from self.deal()
        seat = self.setup.start
        while True:
            acted = yield from self.take_turn(seat)
            if acted and self.is_over(seat):
                return (yield from self.score())
            seat = (seat + 1) % self.setup.players

    def prompt(self, ask: Ask) -> str:
        return notation.prompt(self, ask)

    def opening(self, handle: Handle) -> str:
        return notation.opening(self, handle)

    def why_refused(self, ask: Ask, text: str) -> str:
        return notation.why_refused(self, ask, text)

    def card_uses(
        self, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        return notation.uses(self, ask, seat, card, held)

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return view.view(self, viewer, faces)

    def spread(self) -> dict[str, int]:
        return {"gold of the winner": max(self.points)} if self.points else {}

    # Set Up and the turn

    def deal(self) -> Flow[None]:
        """Set Up: six cards each, one at a time in order of play, and the rest is the pile."""
        self.pile = list(handles_of(0, 1, len(DECK)))
        yield Seal(0, tuple(self.pile))
        count, start = self.setup.players, self.setup.start
        for _ in range(HAND):
            for turn in range(count):
                yield from self.draw((start + turn) % count)
        self.note("deal", HAND)

    def draw(self, seat: Seat) -> Flow[None]:
        """The top card of the pile goes to the hand."""
        drawn: tuple[Handle, ...] = yield Draw(seat, tuple(self.pile), 1)
        for handle in drawn:
            self.pile.remove(handle)
            self.hands[seat].append(handle)
            self.note("dealt" if self.turn == 0 else "drawn", seat, handle)

    def take_turn(self, seat: Seat) -> Flow[bool]:
        """Individual Play: first collect what was captured, then take exactly one action. Returns
        whether it did, or left instead: either may end the game [45].

        A seat without cards must draw [20]. When the pile is empty it sits out, and only the
        collecting stays at its place in the order [29, 30]; so it does for a seat that has left
        [37].
        """
        self.active = seat
        has_left = seat in self.left
        out = has_left or (not self.hands[seat] and not self.pile)
        if not out:
            self.turn += 1
            self.note("turn", self.turn, seat)
        if self.setup.checks(seat):
            self.check(self.setup.side(seat))
        if out:
            if not has_left:
                self.note("sits out", seat)
        elif not self.hands[seat]:
            yield from self.draw(seat)
        else:
            yield from self.act(seat)
        return not out

    def check(self, side: int) -> None:
        """The check of a side at its place in the order: it takes what it leads, and once it has
        left for good, its ships that nobody fights for are discarded [42]."""
        if side not in self.gone:
            self.capture(side)
            return
        for ship in [ship for ship in self.ships if self.setup.side(ship.owner) == side]:
            if is_abandoned(ship, self.setup, self.gone):
                self.ships.remove(ship)
                self.discard += [ship.handle, *ship.cards()]
                self.note("abandoned", ship.number, ship.gold)

    def capture(self, side: int) -> None:
        """Capturing Merchant Ships: every ship the side leads, whoever of it played [13, 27]. No
        choice is left."""
        for ship in [ship for ship in self.ships if leader(ship, self.setup, self.gone) == side]:
            self.ships.remove(ship)
            self.captured[side].append(ship)
            self.discard += ship.cards()
            self.note("capture", *self.ends_of(side), ship.number, ship.gold)

    def act(self, seat: Seat) -> Flow[None]:
        """The one action: draw while there is a pile, or use a card. Nobody may pass; but they may
        leave [34]."""
        answer: Answer | None = None
        while answer is None and seat not in self.left:
            allows = CardOptions(self.setup, seat, self.ships, not self.pile, self.gone)
            answer = yield Ask(
                seat, "turn", (DRAW,) if self.pile else (), self.hand(seat), (), allows
            )
        if answer is not None:
            yield from self.carry_out(seat, answer, allows)

    def carry_out(
        self, seat: Seat, answer: Answer, allows: Callable[[Card], tuple[Option, ...]]
    ) -> Flow[None]:
        """Draw, or open the card that the answer uses and lay it down, if that card allows it."""
        if answer.handle is None:
            if answer.option != DRAW or not self.pile:
                raise Illegal("that needs a card, or a pile to draw from")
            yield from self.draw(seat)
            return
        if answer.handle not in self.hands[seat]:
            raise Illegal("that card is not in the hand")
        card: Card = yield Open(answer.handle)
        if answer.option not in allows(card):
            raise Illegal("the card that was opened does not allow that")
        self.show(answer.handle, card)
        self.hands[seat].remove(answer.handle)
        self.use(seat, answer, card)

    def use(self, seat: Seat, answer: Answer, card: Card) -> None:
        """Lay down a card: a merchant ship before oneself, a fighter at a ship, or on the discard
        pile."""
        handle, face = answer.handle, FACES[card]
        assert handle is not None
        match answer.option:
            case ("merchant", _):
                self.played += 1
                self.ships.append(Ship(self.played, seat, face.value, handle))
                self.note("merchant", seat, card, self.played)
            case ("discard", _):
                self.discard.append(handle)
                self.note("discard", seat, card)
            case (verb, _, number):
                ship = next(ship for ship in self.ships if ship.number == number)
                if verb == "attack":
                    ship.pirates.append(Pirate(seat, face.colour, face.value, handle))
                else:
                    ship.trumps.append(Trump(seat, face.colour, handle))
                leads = leader(ship, self.setup, self.gone)
                self.note(
                    verb, seat, card, number, *((-1, -1) if leads is None else self.ends_of(leads))
                )

    # Game End and Scoring

    def is_over(self, seat: Seat) -> bool:
        """Game End: the pile is empty and a whole side is out of cards. At once: no further look at
        the ships [17].

        Made without `end_on_deck_out_with_empty_hand`, the side must have used its last card itself
        [18]. A side of which a seat has left is never out of cards [35, 43]; but when nobody who
        still plays has a card nothing more can happen [44].
        """
        if self.pile:
            return False
        if not any(hand for member, hand in enumerate(self.hands) if member not in self.left):
            return True
        sides = (
            range(self.setup.sides)
            if self.setup.end_on_deck_out_with_empty_hand
            else (self.setup.side(seat),)
        )
        return any(
            not any(
                self.hands[member] or member in self.left for member in self.setup.members(side)
            )
            for side in sides
        )

    def score(self) -> Flow[Outcome]:
        """Game End and Scoring: ships still fought for are lost [16], hands are opened, and a
        merchant ship in hand costs its gold [22]; in pairs the hands of both count [31], also of
        one who left [38]. Equal totals share the win [23]; nobody who left is among them [36].
        Nothing is left to decide."""
        self.active = None
        self.played_out = True
        self.note("over", self.turn)
        for ship in self.ships:
            self.discard += [ship.handle, *ship.cards()]
            self.note("lost", ship.number, ship.gold)
        self.ships.clear()
        setup, left = self.setup, [0] * self.setup.sides
        for seat, hand in enumerate(self.hands):
            for handle in hand:
                card: Card = yield Open(handle)
                self.show(handle, card)
                self.note("shown", seat, card)
                if FACES[card].kind == "merchant":
                    left[setup.side(seat)] += FACES[card].value
        taken = [sum(ship.gold for ship in ships) for ships in self.captured]
        for side in range(setup.sides):
            self.note("score", *self.ends_of(side), taken[side], left[side])
        totals = [gold - kept for gold, kept in zip(taken, left, strict=True)]
        self.points = tuple(totals[setup.side(seat)] for seat in range(setup.players))
        playing = [side for side in range(setup.sides) if side not in self.gone]
        best = max(totals[side] for side in playing)
        first = [side for side in playing if totals[side] == best]
        winners = tuple(
            seat for side in first for seat in setup.members(side) if seat not in self.left
        )
        return Outcome(winners, "a shared win" if len(first) > 1 else "the most gold", self.points)


# ---- the rules -----------------------------------------------------------------------------------

_DECKS = (Deck("c", None, DECK),)


class LootRules(Rules):
    """The rules of Loot, version 1."""

    name = "loot"
    version = NEWEST
    title = "Loot"
    cards = NAMES
    settings = SETTINGS
    defaults = DEFAULTS
    dice = False
    unit = "gold"

    def seats(self, settings: Settings) -> tuple[str, ...]:
        return SEATS[: read_settings(settings).players]

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return _DECKS

    def begin(self, settings: Settings) -> Game:
        return LootGame(read_settings(settings), self.version)

    def words(self, option: Option) -> str:
        return notation.words(option)

    def vocabulary(self) -> frozenset[str]:
        return notation.vocabulary()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def settings_in_words(self, settings: Settings) -> list[str]:
        return settings_in_words(read_settings(settings))

    def side(self, settings: Settings, seat: Seat) -> int:
        """Partners play for one side. When all who still play are of one, it has won, by the
        ledger's law [46]."""
        return read_settings(settings).side(seat)

    def may_see(self, settings: Settings, viewer: Seat, seat: Seat) -> bool:
        """Whether `viewer` sees this hand: partners see each other's [32]."""
        setup = read_settings(settings)
        return setup.side(viewer) == setup.side(seat)


RULES = LootRules()
