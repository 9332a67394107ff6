"""Where the cards of a game lie: the piles that players draw from, their hands, and what they
played or put away. Nobody's hidden card is known here, only its back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.any.setup import EVERYBODY, Setup
from engine.cards import deck_of, handles_of, number_of, write_handle
from engine.flow import Card, Draw, Flow, Handle, Open, Roll, Seal, Seat

Area: TypeAlias = str
"""Where cards lie that are in no hand and no pile."""
AREAS: Final[tuple[Area, ...]] = ("table", "discard", "out")
IN_WORDS: Final[dict[Area, str]] = {
    "table": "on the table",
    "discard": "in the discard",
    "out": "out of the game",
}
_MOST_BACKS: Final = 999
"""Backs of a deck, counted through all its shuffles (docs/format.md, section 7)."""


class LaidDeck:
    """One deck on the table, of one player or of all: the backs in the pile, in each hand and in
    each area, in the order in which they came there. A deck of all has the owner `EVERYBODY`. On
    one of a player's own lie cards that were looked at or put there, `top` first, and `under` it
    others; they are drawn before the pile and after it. Of one that `is_face_up` the backs are
    those of no file: they stand for the cards of the setup, in its order."""

    def __init__(
        self, number: int, deck: int, owner: Seat, count: int, seats: int, *, is_face_up: bool
    ) -> None:
        self.number: Final = number
        """Among all decks on the table."""
        self.deck: Final = deck
        """Among those of the setup."""
        self.owner: Final = owner
        self.is_face_up: Final = is_face_up
        self.pile: list[Handle] = list(handles_of(number, 1, count))
        self.top: list[Handle] = []
        self.under: list[Handle] = []
        holders = () if is_face_up else range(seats) if owner == EVERYBODY else (owner,)
        self.hands: Final[dict[Seat, list[Handle]]] = {seat: [] for seat in holders}
        self.areas: Final[dict[Area, list[Handle]]] = {area: [] for area in AREAS}
        self.backs = count
        """How many were made so far."""

    @property
    def left(self) -> int:
        """How many cards can be drawn."""
        return len(self.top) + len(self.pile) + len(self.under)

    def serves(self, seat: Seat) -> bool:
        """Whether this player draws from it."""
        return self.is_face_up or seat in self.hands

    def where(self, handle: Handle) -> list[Handle]:
        """The list in which a card lies that is not in the pile."""
        lists = (*self.hands.values(), *self.areas.values(), self.top, self.under)
        return next(one for one in lists if handle in one)

    def take(self, seat: Seat, handles: tuple[Handle, ...]) -> None:
        """These cards are in the player's hand now."""
        self.hands[seat] = sorted((*self.hands[seat], *handles))


class Cards:
    """The cards of all players."""

    def __init__(self, setup: Setup) -> None:
        self._setup: Final = setup
        self.decks: Final = [
            LaidDeck(
                number,
                deck,
                owner,
                len(setup.decks[deck].cards),
                len(setup.seats),
                is_face_up=setup.decks[deck].face_up,
            )
            for number, (deck, owner) in enumerate(setup.dealt())
        ]
        self.opened: Final[dict[Handle, Card]] = {}
        """The cards that everybody has seen, but for those of decks that are face up."""
        self._face_up: Final = {
            handle: setup.card_names.index(card)
            for one in self.decks
            if one.is_face_up
            for handle, card in zip(one.pile, setup.decks[one.deck].cards, strict=True)
        }

    # What everybody sees

    def of(self, seat: Seat, deck: int) -> LaidDeck | None:
        """The deck that the setup calls so and this player draws from."""
        return next((one for one in self.decks if one.deck == deck and one.serves(seat)), None)

    def face(self, handle: Handle) -> Card | None:
        """The card, if everybody may see it where it lies."""
        return self.opened.get(handle, self._face_up.get(handle))

    def deck_of(self, handle: Handle) -> LaidDeck:
        """The deck to which a card belongs."""
        return self.decks[deck_of(handle)]

    def name_of(self, deck: LaidDeck) -> str:
        """What the setup calls a deck."""
        return self._setup.decks[deck.deck].name

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        """A player's cards of all decks."""
        return tuple(handle for one in self.decks for handle in one.hands.get(seat, ()))

    def find(self, seat: Seat, card: Card, area: Area) -> Handle | None:
        """The back of a card that lies face up in an area and is this player's to use."""
        for deck in self.decks:
            for handle in deck.areas[area] if deck.serves(seat) else ():
                if self.face(handle) == card:
                    return handle
        return None

    def face_up(self, seat: Seat) -> Iterator[tuple[Area, Card]]:
        """What the player may use that lies face up, each card of an area once."""
        for area in AREAS:
            handles = [back for one in self.decks if one.serves(seat) for back in one.areas[area]]
            seen = [card for back in handles if (card := self.face(back)) is not None]
            yield from ((area, card) for card in dict.fromkeys(seen))

    def position(self) -> Iterator[str]:
        """Parts of the line of the position: where every back lies, and which card is open."""
        decks = self._setup.laid_decks()
        for one in self.decks:
            hands = {
                "hand" if one.owner == seat else f"hand {self._setup.seats[seat]}": handles
                for seat, handles in one.hands.items()
            }
            piles = {"top": one.top, "pile": one.pile, "under": one.under}
            lists: dict[str, list[Handle]] = {**piles, **hands, **one.areas}
            parts = [f"{name} {_runs(handles)}" for name, handles in lists.items() if handles]
            name = self._setup.decks[one.deck].name if one.is_face_up else decks[one.number].letter
            yield f"deck {name} {', '.join(parts)}"
        if self.opened:
            names = self._setup.card_names
            faces = [
                f"{write_handle(decks, handle)}:{names[card]}"
                for handle, card in sorted(self.opened.items())
            ]
            yield f"faces {' '.join(faces)}"

    # What is refused

    def why_not_drawn(self, seat: Seat, deck: int, number: int) -> str:
        """Why so many cards cannot be drawn; empty if they can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None:
            return f"{kind.name} is not yours to draw from"
        if number <= one.left:
            return ""
        if self.why_not_shuffled(seat, deck, "discard"):
            return self._left(one)
        return f"{self._left(one)}; first: shuffle discard into {kind.name}"

    def why_not_shuffled(self, seat: Seat, deck: int, source: str) -> str:
        """Why what lies in an area, or on the deck (`top`), cannot go back into the pile; empty if
        it can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None:
            return f"{kind.name} is not yours to shuffle"
        if source == "top":
            if not one.top and not one.under:
                return f"nothing lies on {kind.name} or under it"
        elif not kind.reshuffles:
            return f"{kind.name} is not shuffled again in this game"
        elif source == "table" and not kind.face_up:
            return "first discard what lies on the table: discard 12 from table"
        elif not one.areas[source]:
            return f"no card of {kind.name} lies {IN_WORDS[source]}"
        back = 0 if source == "top" else len(one.areas[source])
        if not kind.face_up and one.backs + one.left + back > _MOST_BACKS:
            return f"{kind.name} was shuffled as often as the program can"
        return ""

    def why_not_looked(self, seat: Seat, deck: int, number: int) -> str:
        """Why the player cannot look at so many cards of the deck; empty if they can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None or one.owner == EVERYBODY:
            return f"nobody looks at the top of {kind.name}: it is not one player's own"
        if number <= len(one.top):
            return f"you have seen the top {number} of {kind.name} already"
        return self._left(one) if number > one.left else ""

    def why_not_on_top(self, seat: Seat, deck: int, place: int) -> str:
        """Why the card that lies at this place on the deck, from 1, cannot be moved; empty if it
        can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None or one.owner == EVERYBODY:
            return f"nobody looks at the top of {kind.name}: it is not one player's own"
        if place > len(one.top):
            return f"first: look at top {place} of {kind.name}"
        return ""

    def why_not_ended(self, seat: Seat, deck: int = -1, more: int = 0) -> str:
        """Why the player's turn cannot end with these hands, and so many `more` cards of this deck;
        empty if it can."""
        for one in self.decks:
            kind = self._setup.decks[one.deck]
            count = len(one.hands.get(seat, ())) + (more if one.deck == deck else 0)
            if seat in one.hands and kind.limit and count > kind.limit:
                return (
                    f"that is a hand of {count} cards of {kind.name}, and {kind.limit} is the limit"
                )
        return ""

    def why_not_lies(self, seat: Seat, card: Card, area: Area) -> str:
        """Why a card that is not face up in this area cannot be used from there."""
        name = self._setup.card_names[card]
        return f"{name} does not lie face up {IN_WORDS[area]}"

    def why_not_held(self, seat: Seat, card: Card) -> str:
        """Why a card that is in no hand of the player's cannot be used from there."""
        name = self._setup.card_names[card]
        for area in AREAS:
            if self.find(seat, card, area) is not None:
                return f"{name} is not in your hand: it lies {IN_WORDS[area]}"
        return f"{name} is not in your hand"

    def _left(self, one: LaidDeck) -> str:
        return f"{self.name_of(one)} has {one.left or 'no'} card{'s'[one.left == 1 :]} left"

    # What acts do

    def deal(self) -> Flow[None]:
        """Every deck is laid face down, and the first hands are drawn."""
        for one in self.decks:
            if not one.is_face_up:
                yield Seal(one.number, tuple(one.pile))
        for one in self.decks:
            if start := self._setup.decks[one.deck].start:
                for seat in one.hands:
                    yield from self.draw(one, seat, start)

    def draw(self, deck: LaidDeck, seat: Seat, number: int) -> Flow[None]:
        """Cards go from a deck to the hand: first what lies on it, then from the pile, then what
        lies under it."""
        on_top, deck.top = deck.top[:number], deck.top[number:]
        deck.take(seat, tuple(on_top))
        by_chance = min(number - len(on_top), len(deck.pile))
        deck.take(seat, (yield from self._by_chance(deck, seat, by_chance)))
        rest = number - len(on_top) - by_chance
        below, deck.under = deck.under[:rest], deck.under[rest:]
        deck.take(seat, tuple(below))

    def _by_chance(self, deck: LaidDeck, seat: Seat, number: int) -> Flow[tuple[Handle, ...]]:
        """Cards leave the pile: of a deck of one's own as chance takes them together, of one of all
        the next, one by one."""
        found: list[Handle] = []
        for count in [1] * number if deck.owner == EVERYBODY else [number] if number else []:
            taken: tuple[Handle, ...] = yield Draw(seat, tuple(deck.pile), count)
            deck.pile = [handle for handle in deck.pile if handle not in set(taken)]
            found += taken
        return tuple(found)

    def look(self, deck: LaidDeck, seat: Seat, number: int) -> Flow[None]:
        """So many cards lie on the deck, which its owner has seen: those that are not there yet
        come from the pile, and then from below it."""
        by_chance = min(max(0, number - len(deck.top)), len(deck.pile))
        deck.top += yield from self._by_chance(deck, seat, by_chance)
        more = max(0, number - len(deck.top))
        deck.top += deck.under[:more]
        deck.under = deck.under[more:]

    def turn_up(self, deck: LaidDeck, seat: Seat, number: int) -> Flow[list[Card]]:
        """Cards of a deck that is face up go to the table, each as a die shows it that has a side
        for each card left."""
        name, shown = self._setup.decks[deck.deck].name, []
        for _ in range(number):
            at = 1
            if len(deck.pile) > 1:
                (at,) = yield Roll(seat, 1, name, sides=len(deck.pile), reason=name)
            handle = deck.pile.pop(at - 1)
            deck.areas["table"].append(handle)
            shown.append(self._face_up[handle])
        return shown

    def shuffle(self, deck: LaidDeck, source: str) -> Flow[int]:
        """What lies in an area, or on the deck (`top`), goes back into the pile, with all that lies
        on the deck and under it; how many cards that were. They get new backs, and where something
        lay on the deck or under it so does the pile, so nobody knows which of them are which."""
        back = [*deck.top, *deck.under, *(deck.areas[source] if source != "top" else ())]
        if deck.is_face_up:
            deck.pile = sorted((*deck.pile, *back))
        else:
            stays = [] if deck.top or deck.under else deck.pile
            sources = (*(() if stays else deck.pile), *back)
            handles = handles_of(deck.number, deck.backs + 1, len(sources))
            yield Seal(deck.number, handles, sources)
            deck.backs += len(sources)
            deck.pile = [*stays, *handles]
        deck.top, deck.under = [], []
        if source != "top":
            deck.areas[source].clear()
        return len(back)

    def open(self, handle: Handle) -> Flow[Card]:
        """The card is seen by everybody from now on."""
        if handle not in self.opened:
            self.opened[handle] = yield Open(handle)
        return self.opened[handle]

    def put_on(self, handle: Handle, where: str) -> None:
        """A card lies on its deck (`on`) or `under` it now, face down."""
        deck = self.deck_of(handle)
        deck.where(handle).remove(handle)
        if where == "on":
            deck.top.insert(0, handle)
        else:
            deck.under.append(handle)

    def move_top(self, deck: LaidDeck, seat: Seat, place: int, where: str) -> None:
        """The card that lies at this place on the deck goes `on` it, `under` it, to the `hand` or
        to the `discard`, still face down."""
        handle = deck.top[place - 1]
        if where in ("on", "under"):
            self.put_on(handle, where)
        elif where == "hand":
            self.take(seat, handle)
        else:
            self.put(handle, where)

    def put(self, handle: Handle, area: Area) -> None:
        """A card from the hand or an area lies in this area now."""
        deck = self.deck_of(handle)
        deck.where(handle).remove(handle)
        deck.areas[area].append(handle)

    def take(self, seat: Seat, handle: Handle) -> None:
        """A card from an area is in this player's hand now."""
        deck = self.deck_of(handle)
        deck.where(handle).remove(handle)
        deck.take(seat, (handle,))


def _runs(handles: list[Handle]) -> str:
    """The numbers of backs, those that follow each other as `3-9`."""
    runs: list[list[int]] = []
    for number in map(number_of, handles):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
