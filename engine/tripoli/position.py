"""The public position: the board and the backs of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from engine.cards import handles_of
from engine.flow import Card, Handle, Seat
from engine.rules import Settings
from engine.tripoli.board import Board
from engine.tripoli.tables import FIRST_YEAR, HAND_LIMIT, LAST_YEAR, SEASONS, TRIPOLITAN, WINTER


class Position(Board):
    """Everything on the table that everybody can see."""

    def __init__(self, settings: Settings, core: Iterable[Iterable[Card]], cards: int) -> None:
        super().__init__()
        self.hidden_discard = bool(settings.get("hidden-discard"))
        self.quick_hand_limit = bool(settings.get("quick-hand-limit"))
        self.core = [list(cards_of_seat) for cards_of_seat in core]
        self.hands: list[list[Handle]] = [[], []]
        self.piles: list[list[Handle]] = [[], []]
        self.discards: list[list[Handle]] = [[], []]
        self.aside: list[list[Handle]] = [[], []]
        """Chosen for the hand limit and not yet discarded (ruling 13)."""
        self.removed: list[list[Card]] = [[], []]
        self.opened: dict[Handle, Card] = {}
        self.known = [-1] * cards
        """Where everybody knows each card to be: its handle, or -1. Only asked of cards that exist once."""
        self.has_played = [False, False]
        """Whether each side has put down the card of this season."""
        self.in_assault = False
        """Whether the Assault on Tripoli is being fought."""
        self.drawn: dict[Handle, int] = {}
        """The season in which each card came to a hand."""
        self._numbers = [0, 0]
        self._played_out = False

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return tuple(self.hands[seat])

    def faces(self) -> Mapping[Handle, Card]:
        return self.opened

    def when(self) -> str:
        return season_name(self.period())

    def period(self) -> int:
        return (self.year - FIRST_YEAR) * 4 + self.season + 1

    # ---- the end ----------------------------------------------------------------------------------------------

    def is_played_out(self) -> bool:
        return self._played_out

    def is_asked(self, _seat: Seat) -> bool:
        """Whether a player answers this seat's questions."""
        return True

    def is_last_play(self) -> bool:
        """Whether this is the Tripolitan play of Winter 1806, after which the game is over."""
        return (self.year, self.season, self.active) == (LAST_YEAR, WINTER, TRIPOLITAN)

    def end_questions(self) -> None:
        """Whatever is thrown from here on, nobody is asked any more."""
        self._played_out = True

    def end_last_play(self) -> None:
        """Nobody is asked any more if this is the last play: nothing but dice is left of it."""
        if self.is_last_play():
            self.end_questions()

    # ---- questions --------------------------------------------------------------------------------------------

    def may_hold(self, seat: Seat, card: Card) -> bool:
        """Whether, for all that everybody can see, this card may be in that hand (ruling 5)."""
        hand = self.hands[seat]
        where = self.known[card]
        if where >= 0:
            return where in hand
        return bool(set(hand).difference(self.opened))

    def excess(self, seat: Seat) -> int:
        """Cards above the hand limit."""
        return max(0, len(self.hands[seat]) - HAND_LIMIT)

    # ---- effects ----------------------------------------------------------------------------------------------

    def next_handles(self, deck: int, count: int) -> tuple[Handle, ...]:
        """The backs that the deck's cards will have when so many of them are shuffled next."""
        return handles_of(deck, self._numbers[deck] + 1, count)

    def new_handles(self, deck: int, count: int) -> tuple[Handle, ...]:
        """The backs of so many cards of the deck that are shuffled now."""
        handles = self.next_handles(deck, count)
        self._numbers[deck] += count
        return handles

    def learn(self, handle: Handle, card: Card) -> None:
        """Everybody has seen this card."""
        self.opened[handle] = card
        self.known[card] = handle

    def forget(self, handles: Iterable[Handle]) -> None:
        """These cards were shuffled: nobody can tell any more which is which."""
        for handle in handles:
            card = self.opened.get(handle)
            if card is not None:
                self.known[card] = -1

    def draw(self, seat: Seat, handles: tuple[Handle, ...]) -> None:
        """Cards come from the pile to the hand."""
        taken = set(handles)
        self.piles[seat] = [handle for handle in self.piles[seat] if handle not in taken]
        self.hands[seat] = sorted((*self.hands[seat], *handles))
        period = self.period()
        for handle in handles:
            self.drawn[handle] = period
        self.note("drew", seat, len(handles))

    def remove_card(self, seat: Seat, card: Card) -> None:
        """A card leaves the game for good."""
        self.removed[seat].append(card)
        self.note("card removed", seat, card)


@cache
def season_name(period: int) -> str:
    """`Spring 1803` for the ninth season."""
    year, season = divmod(period - 1, 4)
    return f"{SEASONS[season].capitalize()} {FIRST_YEAR + year}"
