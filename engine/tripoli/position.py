"""The public position: the board with its pieces and tracks, and the backs of the cards; the verbs
that change them and the questions that rules ask about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NoReturn

from engine.cards import handles_of
from engine.flow import Card, Handle, Outcome, Seat
from engine.rules import Game, Settings
from engine.tripoli import pieces, places
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.tables import (
    AMERICAN,
    FIRST_YEAR,
    GOLD_TO_WIN,
    HAND_LIMIT,
    LAST_YEAR,
    SEASONS,
    SINKINGS_TO_WIN,
    SPRING,
    TRIPOLITAN,
    WINTER,
)


class GameOver(Exception):
    """A victory condition was met."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.how)
        self.outcome = outcome


class Board(Game):
    """The pieces and tracks; `Position` adds the cards."""

    def __init__(self) -> None:
        self.year = FIRST_YEAR
        self.season = SPRING
        self.active = AMERICAN
        self.gold = 0
        self.pieces = [[0] * places.COUNT for _ in pieces.LIMITS]
        for kind, limit in enumerate(pieces.LIMITS):
            self.pieces[kind][places.SUPPLY] = limit
        for kind, place, count in pieces.SETUP:
            self.pieces[kind][place] = count
            self.pieces[kind][places.SUPPLY] -= count
        self.frigates = self.pieces[pieces.FRIGATE]
        self.gunboats = self.pieces[pieces.GUNBOAT]
        self.marines = self.pieces[pieces.MARINE]
        self.arabs = self.pieces[pieces.ARAB]
        self.swedes = self.pieces[pieces.SWEDE]
        self.enemy_frigates = self.pieces[pieces.ENEMY_FRIGATE]
        self.corsairs = self.pieces[pieces.CORSAIR]
        self.infantry = self.pieces[pieces.INFANTRY]
        self.allied = self.pieces[pieces.ALLIED]
        self.damaged = [0, 0]
        """Frigates of each side hit once in the naval battle going on."""
        self.left = 0
        """How many moves, frigates, gunboats, hits or discards the pending question is about."""
        self.place: Place = places.MALTA
        """Where the pending question is about."""

    # ---- questions about pieces ------------------------------------------------------------------

    def next_year(self) -> Place:
        """The year track's next space; in 1806 that is the Supply (ruling 7)."""
        return places.TRACK + self.year - FIRST_YEAR

    def frigates_on_map(self) -> int:
        """American frigates in harbors and zones; those on the year track are not on the map
        (ruling 7)."""
        return sum(self.frigates[: places.TRACK])

    def army_at(self, place: Place) -> int:
        """Units of Hamet's Army in a city."""
        return self.marines[place] + self.arabs[place]

    def army_place(self) -> Place | None:
        """Where Hamet's Army stands, if it is on the map."""
        for place in (places.ALEXANDRIA, places.DERNE, places.BENGHAZI):
            if self.army_at(place):
                return place
        return None

    def is_derne_captured(self) -> bool:
        """Hamet's Army stands in Derne or has gone on to Benghazi (ruling 1)."""
        return self.army_at(places.DERNE) > 0 or self.army_at(places.BENGHAZI) > 0

    def has_active_ally(self) -> bool:
        """Some ally has corsairs in its harbor (ruling 1)."""
        return max(self.allied[places.ALGIERS : places.TUNIS + 1]) > 0

    def has_enemy_ships(self, harbor: Place) -> bool:
        """Ships that fight Americans who come into this harbor; Gibraltar is never asked."""
        return bool(self.corsairs[harbor] or self.enemy_frigates[harbor] or self.allied[harbor])

    def has_defenders(self, harbor: Place) -> bool:
        """Anything Tripolitan or allied at all."""
        return self.has_enemy_ships(harbor) or self.infantry[harbor] > 0

    # ---- effects on pieces -----------------------------------------------------------------------

    def _shift(self, kind: Kind, source: Place, target: Place, count: int) -> int:
        row = self.pieces[kind]
        count = min(count, row[source])
        row[source] -= count
        row[target] += count
        return count

    def move(self, kind: Kind, source: Place, target: Place, count: int) -> None:
        """Pieces go from one place to another, as many as there are."""
        count = self._shift(kind, source, target, count)
        if count and source != target:
            self.note("moved", kind, count, source, target)

    def place_new(self, kind: Kind, place: Place, count: int) -> None:
        """Pieces come from the Supply, as many as there are (ruling 21)."""
        count = self._shift(kind, places.SUPPLY, place, count)
        if count:
            self.note("placed", kind, count, place)

    def take_away(self, kind: Kind, place: Place, count: int) -> None:
        """Pieces go back to the Supply without a fight."""
        count = self._shift(kind, place, places.SUPPLY, count)
        if count:
            self.note("removed", kind, count, place)

    def kill(self, kind: Kind, place: Place, count: int) -> None:
        """Infantry is eliminated."""
        count = self._shift(kind, place, places.SUPPLY, count)
        if count:
            self.note("killed", kind, count, place)

    def sink(self, kind: Kind, place: Place, count: int = 1, dock: Place | None = None) -> None:
        """Ships are sunk: American frigates are kept by Tripolitania, all others return to the
        Supply.

        A frigate hit before in the same battle is taken from its `dock`."""
        count = self._shift(
            kind,
            place if dock is None else dock,
            places.SUNK if kind == pieces.FRIGATE else places.SUPPLY,
            count,
        )
        if count:
            self.note("sunk", kind, count, place)

    def damage(self, kind: Kind, place: Place, dock: Place) -> None:
        """A frigate is hit once: it goes to next year's space, or stays in the Assault (rulings 7
        and 8)."""
        self._shift(kind, place, dock, 1)
        self.note("damaged", kind, 1, place, dock)

    def sail_to_malta(self, place: Place) -> None:
        """After a battle or bombardment the ships that are left gather in Malta."""
        self.move(pieces.FRIGATE, place, places.MALTA, self.frigates[place])
        self.move(pieces.GUNBOAT, place, places.MALTA, self.gunboats[place])

    def gather_fleet(self) -> None:
        """Every American ship on the map sails to Tripoli (Assault on Tripoli)."""
        for place in places.ON_MAP:
            if place != places.TRIPOLI:
                self.move(pieces.FRIGATE, place, places.TRIPOLI, self.frigates[place])
        self.move(pieces.GUNBOAT, places.MALTA, places.TRIPOLI, self.gunboats[places.MALTA])

    def march(self, source: Place, target: Place) -> None:
        """Hamet's Army goes from city to city."""
        self.move(pieces.MARINE, source, target, self.marines[source])
        self.move(pieces.ARAB, source, target, self.arabs[source])

    # ---- gold and the end of the game ------------------------------------------------------------

    def take_gold(self, count: int) -> None:
        """Tripolitania gains gold; twelve end the game at once (ruling 12)."""
        gained = min(count, GOLD_TO_WIN - self.gold)
        self.gold += gained
        if gained:
            self.note("gold", gained, self.gold)
        if self.gold == GOLD_TO_WIN:
            self.end((TRIPOLITAN,), "Tripolitania has taken twelve gold")

    def lose_gold(self, count: int) -> None:
        """Tripolitania gives gold up, or what it has."""
        lost = min(count, self.gold)
        self.gold -= lost
        self.note("gold", -lost, self.gold)

    def check_sinkings(self) -> None:
        """Victory conditions: four American frigates sunk."""
        if self.frigates[places.SUNK] >= SINKINGS_TO_WIN:
            self.end((TRIPOLITAN,), "Tripolitania has sunk four American frigates")

    def outcome(self, winners: tuple[Seat, ...], how: str) -> Outcome:
        """With the tournament points: three for each frigate sunk, one for each gold, and thirty
        less that (ruling 17)."""
        points = 3 * self.frigates[places.SUNK] + self.gold
        return Outcome(winners, how, (30 - points, points))

    def end(self, winners: tuple[Seat, ...], how: str) -> NoReturn:
        """End the game. Raises `GameOver`, which leaves every rule that is being carried out."""
        raise GameOver(self.outcome(winners, how))


# ---- the cards -----------------------------------------------------------------------------------


class Position(Board):
    """Everything on the table that everybody can see."""

    def __init__(
        self, settings: Settings, core: Iterable[Iterable[Card]], cards: int, version: int
    ) -> None:
        super().__init__()
        self.version = version
        """Of the rules of the game for two, on which the game for one stands too."""
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
        """The handle of each card whose place everybody knows, or -1. Used only for cards that
        exist once."""
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

    # ---- the end ---------------------------------------------------------------------------------

    def is_played_out(self) -> bool:
        return self._played_out

    def is_asked(self, _seat: Seat) -> bool:
        """Whether a player answers this seat's questions."""
        return True

    def end_questions(self) -> None:
        """Nobody is asked any more: only dice are left to throw."""
        self._played_out = True

    def end_last_play(self) -> None:
        """Nobody is asked any more if this is the Tripolitan play of Winter 1806, the last of the
        game: only dice are left of it."""
        if (self.year, self.season, self.active) == (LAST_YEAR, WINTER, TRIPOLITAN):
            self.end_questions()

    # ---- questions -------------------------------------------------------------------------------

    def may_hold(self, seat: Seat, card: Card) -> bool:
        """Whether this card may be in that hand, as far as everybody can see (ruling 5)."""
        hand = self.hands[seat]
        where = self.known[card]
        if where >= 0:
            return where in hand
        return bool(set(hand).difference(self.opened))

    def excess(self, seat: Seat) -> int:
        """Cards above the hand limit."""
        return max(0, len(self.hands[seat]) - HAND_LIMIT)

    # ---- effects ---------------------------------------------------------------------------------

    def next_handles(self, deck: int, count: int) -> tuple[Handle, ...]:
        """The handles that `count` cards of the deck will get when they are shuffled next."""
        return handles_of(deck, self._numbers[deck] + 1, count)

    def new_handles(self, deck: int, count: int) -> tuple[Handle, ...]:
        """New handles for `count` cards of the deck that are shuffled now."""
        handles = self.next_handles(deck, count)
        self._numbers[deck] += count
        return handles

    def learn(self, handle: Handle, card: Card) -> None:
        """Everybody has seen this card."""
        self.opened[handle] = card
        self.known[card] = handle

    def forget(self, handles: Iterable[Handle]) -> None:
        """These cards are shuffled: nobody knows any more which of them is which."""
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
