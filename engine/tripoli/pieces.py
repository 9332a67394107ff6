"""The board in play: pieces, year and season, gold, and the end of the game, with the verbs that change them and the
questions that rules ask about them."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.flow import Outcome, Seat
from engine.rules import Game
from engine.tripoli.tables import (
    ALEXANDRIA,
    ALGIERS,
    ALLIED,
    AMERICAN,
    ARAB,
    BENGHAZI,
    CORSAIR,
    DERNE,
    ENEMY_FRIGATE,
    FIRST_YEAR,
    FRIGATE,
    GOLD_TO_WIN,
    GUNBOAT,
    INFANTRY,
    LIMITS,
    MALTA,
    MARINE,
    ON_MAP,
    PLACES,
    SETUP,
    SINKINGS_TO_WIN,
    SPRING,
    SUNK,
    SUPPLY,
    SWEDE,
    TRACK,
    TRIPOLI,
    TRIPOLITAN,
    TUNIS,
    Kind,
    Place,
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
        self.pieces = [[0] * PLACES for _ in LIMITS]
        for kind, limit in enumerate(LIMITS):
            self.pieces[kind][SUPPLY] = limit
        for kind, place, count in SETUP:
            self.pieces[kind][place] = count
            self.pieces[kind][SUPPLY] -= count
        self.frigates = self.pieces[FRIGATE]
        self.gunboats = self.pieces[GUNBOAT]
        self.marines = self.pieces[MARINE]
        self.arabs = self.pieces[ARAB]
        self.swedes = self.pieces[SWEDE]
        self.enemy_frigates = self.pieces[ENEMY_FRIGATE]
        self.corsairs = self.pieces[CORSAIR]
        self.infantry = self.pieces[INFANTRY]
        self.allied = self.pieces[ALLIED]
        self.damaged = [0, 0]
        """Frigates of each side hit once in the naval battle going on."""
        self.left = 0
        """How many moves, frigates, gunboats, hits or discards the pending question is about."""
        self.place: Place = MALTA
        """Where the pending question is about."""

    # ---- questions about pieces -------------------------------------------------------------------------------

    def next_year(self) -> Place:
        """The year track's next space; in 1806 that is the Supply (ruling 7)."""
        return TRACK + self.year - FIRST_YEAR

    def frigates_on_map(self) -> int:
        """American frigates in harbors and zones; those on the year track are not on the map (ruling 7)."""
        return sum(self.frigates[:TRACK])

    def army_at(self, place: Place) -> int:
        """Units of Hamet's Army in a city."""
        return self.marines[place] + self.arabs[place]

    def army_place(self) -> Place | None:
        """Where Hamet's Army stands, if it is on the map."""
        for place in (ALEXANDRIA, DERNE, BENGHAZI):
            if self.army_at(place):
                return place
        return None

    def is_derne_captured(self) -> bool:
        """Hamet's Army stands in Derne or has gone on to Benghazi (ruling 1)."""
        return self.army_at(DERNE) > 0 or self.army_at(BENGHAZI) > 0

    def has_active_ally(self) -> bool:
        """Some ally has corsairs in its harbor (ruling 1)."""
        return max(self.allied[ALGIERS : TUNIS + 1]) > 0

    def has_enemy_ships(self, harbor: Place) -> bool:
        """Ships that fight Americans who come into this harbor; Gibraltar is never asked."""
        return bool(self.corsairs[harbor] or self.enemy_frigates[harbor] or self.allied[harbor])

    def has_defenders(self, harbor: Place) -> bool:
        """Anything Tripolitan or allied at all."""
        return self.has_enemy_ships(harbor) or self.infantry[harbor] > 0

    # ---- effects on pieces ------------------------------------------------------------------------------------

    def note(self, *event: Any) -> None:
        """Add a line to the story if somebody listens."""
        if self.story is not None:
            self.story.append(event)

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
        count = self._shift(kind, SUPPLY, place, count)
        if count:
            self.note("placed", kind, count, place)

    def take_away(self, kind: Kind, place: Place, count: int) -> None:
        """Pieces go back to the Supply without a fight."""
        count = self._shift(kind, place, SUPPLY, count)
        if count:
            self.note("removed", kind, count, place)

    def kill(self, kind: Kind, place: Place, count: int) -> None:
        """Infantry is eliminated."""
        count = self._shift(kind, place, SUPPLY, count)
        if count:
            self.note("killed", kind, count, place)

    def sink(self, kind: Kind, place: Place, count: int = 1, dock: Place | None = None) -> None:
        """Ships are sunk: American frigates are kept by Tripolitania, all others return to the Supply.

        A frigate hit before in the same battle is taken from its `dock`."""
        count = self._shift(kind, place if dock is None else dock, SUNK if kind == FRIGATE else SUPPLY, count)
        if count:
            self.note("sunk", kind, count, place)

    def damage(self, kind: Kind, place: Place, dock: Place) -> None:
        """A frigate is hit once: it goes to next year's space, or stays in the Assault (rulings 7 and 8)."""
        self._shift(kind, place, dock, 1)
        self.note("damaged", kind, 1, place, dock)

    def sail_to_malta(self, place: Place) -> None:
        """After a battle or bombardment the ships that are left gather in Malta."""
        self.move(FRIGATE, place, MALTA, self.frigates[place])
        self.move(GUNBOAT, place, MALTA, self.gunboats[place])

    def gather_fleet(self) -> None:
        """Every American ship on the map sails to Tripoli (Assault on Tripoli)."""
        for place in ON_MAP:
            if place != TRIPOLI:
                self.move(FRIGATE, place, TRIPOLI, self.frigates[place])
        self.move(GUNBOAT, MALTA, TRIPOLI, self.gunboats[MALTA])

    def march(self, source: Place, target: Place) -> None:
        """Hamet's Army goes from city to city."""
        self.move(MARINE, source, target, self.marines[source])
        self.move(ARAB, source, target, self.arabs[source])

    # ---- gold and the end of the game -------------------------------------------------------------------------

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
        if self.frigates[SUNK] >= SINKINGS_TO_WIN:
            self.end((TRIPOLITAN,), "Tripolitania has sunk four American frigates")

    def outcome(self, winners: tuple[Seat, ...], how: str) -> Outcome:
        """With the tournament points: three for each frigate sunk, one for each gold, and thirty less that
        (ruling 17)."""
        points = 3 * self.frigates[SUNK] + self.gold
        return Outcome(winners, how, (30 - points, points))

    def end(self, winners: tuple[Seat, ...], how: str) -> NoReturn:
        """The game is over: leaves every rule that is being carried out."""
        raise GameOver(self.outcome(winners, how))
