"""What the program keeps while the board stays on the player's table: Samoa's realm, the cup of
chits, what was told.

`Realm` is one run of the game: a report that is taken back starts another (`engine.paradise.game`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.automaton import break_tie, faces_of
from engine.cards import Deck, handles_of, number_of
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Roll
from engine.paradise.data import Data
from engine.paradise.hexes import neighbours
from engine.paradise.tables import (
    ATTACK,
    ATTACKS,
    CHITS,
    FORCED,
    MORE_KNOTS,
    MOST_GROUPS,
    NEWEST,
    NEXT_TO_SAMOA,
    SAMOA,
    SAMOA_HEX,
    SECTIONS,
    TONGA,
    TONGA_HEX,
    Place,
)
from engine.rules import Game, Settings, is_on


@dataclass(slots=True)
class IslandGroup:
    """One Island Group or atoll: facts that were reported once, and Samoa's pieces. A distance of 0
    is unknown."""

    boxes: int = 0
    green: int = 0
    from_tonga: int = 0
    from_samoa: int = 0
    villages: int = 0
    warriors: int = 0
    war_canoes: int = 0
    canoe: bool = False
    linked: bool = False
    """Whether the network of Transport Canoes joins it to the home group, as far as reported
    (without a map)."""

    def is_samoan(self) -> bool:
        """Whether any piece of Samoa's is there (paradise ruling 23)."""
        return bool(self.villages or self.warriors or self.war_canoes or self.canoe)

    def is_atoll(self) -> bool:
        return self.boxes == 0

    def empty(self) -> int:
        """Boxes without a village."""
        return self.boxes - self.villages

    def clear(self) -> None:
        """Samoa has nothing there any more."""
        self.villages = self.warriors = self.war_canoes = 0
        self.canoe = self.linked = False


CUP: Final = Deck("c", SAMOA, tuple(range(CHITS)))
DECKS: Final = (CUP,)
HANDLES: Final = handles_of(0, 1, CHITS)
"""The chits: number n is the nth of the data, and its face is known from the start."""
FACES_OF_CHITS: Final[Mapping[Handle, Card]] = {
    handle: number for number, handle in enumerate(HANDLES)
}


class Realm:
    """Samoa's side of one run of the game, and what must be remembered of the player's."""

    def __init__(self, data: Data, settings: Settings, version: int = NEWEST) -> None:
        self.data = data
        self.settings = settings
        self.version = version
        """Of the rules (docs/paradise.md, "Versions of the rules")."""
        self.story: list[tuple[Any, ...]] | None = None
        self.turn = 0
        self.step = "set-up"
        attacks = [
            handle for handle in HANDLES if data.chits[number_of(handle) - 1].action == ATTACK
        ]
        assert len(attacks) == ATTACKS
        self.waiting: list[Handle] = attacks
        """Attack! chits that have not joined the cup yet."""
        self.cup = [handle for handle in HANDLES if handle not in attacks]
        self.drawn: list[Handle] = []
        self.pending = 0
        """Chits that discoveries have brought and that are not drawn yet."""
        self.open: list[Handle] = []
        """Chits that lie open for the player to order (paradise ruling 3)."""
        self.groups: dict[Place, IslandGroup] = {
            SAMOA_HEX: IslandGroup(boxes=0, from_tonga=1, villages=2)
        }
        self.home: Place | None = SAMOA_HEX
        self.labels = 0
        """Groups that were given a number because no map names their hexes."""
        self.sea_canoes = 0
        """Transport Canoes outside any group, without a map."""
        self.chain: set[Place] = set()
        """Hexes of the map with a Transport Canoe of Samoa's and no group of its own."""
        self.explored: set[Place] = set()
        self.starts: dict[int, Place] = {
            number: data.names.index(name) for number, name in data.starts.items()
        }
        """Where each ring of Samoa's exploration begins, on the map."""
        self.hidden_cards = 0
        self.cards: list[Card] = []
        """Cards that were revealed."""
        self.distances: dict[Place, int] = {}
        """Hexes from Samoa that were asked for: constants (paradise ruling 16)."""
        self.tiles_out: list[int] = []
        """Tiles of the data that lie on the board."""
        self.corrections = 0
        """Facts that the player has stated anew (paradise ruling 27)."""
        self.has_corrected = False
        """Whether the newest report was such a fact."""
        self.arioi_used = False
        self.south_island = not is_on(settings, "south-island")
        """Whether the South Island's tile has come, or never does."""
        self.points: int | None = None
        self.about: tuple[Any, ...] = ()
        """What the question that is asked is about, for its prompt."""

    # ---- questions

    def name(self, place: Place) -> str:
        return self.data.name(place)

    def is_on(self, name: str) -> bool:
        return is_on(self.settings, name)

    def chit(self, handle: Handle) -> Card:
        """The card index of a chit."""
        return number_of(handle) - 1

    def samoan(self) -> list[Place]:
        """Groups and atolls with any piece of Samoa's, in the order in which they were reported."""
        return [place for place, group in self.groups.items() if group.is_samoan()]

    def fleets(self) -> list[Place]:
        return [place for place, group in self.groups.items() if group.war_canoes]

    def has_canoe(self, place: Place) -> bool:
        """Whether a Transport Canoe of Samoa's is in this hex."""
        group = self.groups.get(place)
        return place in self.chain or (group is not None and group.canoe)

    def is_known(self, place: Place) -> bool:
        """Whether a hex of the map does not need to be explored."""
        return place in self.data.known or place in self.explored

    def unexplored(self) -> list[Place]:
        return [place for place in self.data.map if not self.is_known(place)]

    def beside(self, place: Place) -> Iterator[Place]:
        """Hexes of the map around a hex."""
        at = self.data.at
        return (at[cell] for cell in neighbours(self.data.map[place]) if cell in at)

    def from_samoa(self, place: Place) -> int | None:
        """The distance from Samoa in hexes; None if it is not known yet."""
        if place in self.data.map:
            return self.data.between(SAMOA_HEX, place)
        if place in self.groups and self.groups[place].from_samoa:
            return self.groups[place].from_samoa
        if self.data.names[place] in NEXT_TO_SAMOA:
            return 1
        return self.distances.get(place)

    def more_knots(self) -> bool:
        """Whether a revealed card lets Samoa explore for one knot more (paradise ruling 5)."""
        names = self.data.card_names
        return any(
            self.data.cards[names[card]] == "knots" or names[card] in MORE_KNOTS
            for card in self.known_cards()
        )

    def known_cards(self) -> list[Card]:
        """Revealed cards that have a name."""
        return [card for card in self.cards if card < len(self.data.card_names)]

    def supply(self, kind: str) -> int:
        """How many pieces of this kind are left; without data about the supply, more than anybody
        needs (paradise ruling 12)."""
        if kind not in self.data.supply:
            return 1000
        there = {
            "villages": sum(group.villages for group in self.groups.values()),
            "warriors": sum(group.warriors for group in self.groups.values()),
            "war canoes": sum(group.war_canoes for group in self.groups.values()),
            "transport canoes": (
                sum(group.canoe for group in self.groups.values())
                + len(self.chain)
                + self.sea_canoes
            ),
        }
        return max(0, self.data.supply[kind] - there[kind])

    # ---- verbs

    def note(self, *event: Any) -> None:
        """Add a line to the story, if anybody reads it."""
        if self.story is not None:
            self.story.append(event)

    def tell(self, ruling: int, text: str, section: str = "") -> None:
        """Tell the player a step that their hands make: what, why, and by which ruling of
        docs/paradise.md. `section` is that of the printed solitaire rules if it is not the ruling's
        own (`SECTIONS`)."""
        if self.story is not None:
            self.story.append(("step", ruling, text, section or SECTIONS[ruling]))

    def tell_move(
        self, ruling: int, text: str, way: tuple[Place, Place], warriors: int, war_canoes: int
    ) -> None:
        """Tell a step in which Samoa's pieces go from a place to a place, where it is known of both
        where they lie."""
        self.tell(ruling, text)
        is_known = all(
            place in self.groups or place in self.data.map or place == TONGA_HEX for place in way
        )
        if self.story is not None and is_known:
            piece = ("War Canoe", war_canoes) if war_canoes else ("warrior", warriors)
            self.story[-1] += (*piece, *map(self.name, way))

    def new_label(self) -> Place:
        """The next of `group 1`, `group 2` …"""
        self.labels += 1
        return self.data.names.index(f"group {self.labels}")

    def numbered(self) -> list[Place]:
        """Groups that have a number for a name."""
        return [place for place in self.groups if self.data.names[place].startswith("group ")]

    def has_room(self) -> bool:
        """Whether another group can be reported."""
        return len(self.groups) < MOST_GROUPS

    def place_village(self, place: Place) -> bool:
        """Place a village in an empty box. If Samoa has no home, the group becomes it. Returns
        whether there was a village left."""
        if not self.supply("villages"):
            self.tell(12, "place no village: none is left in the supply")
            return False
        self.groups[place].villages += 1
        return True

    # ---- requests

    def ask(
        self, rule: str, options: Sequence[Option], *about: Any, mends: Sequence[Option] = ()
    ) -> Flow[Option]:
        """Ask the player. A fact about the board is not asked for if only one answer is left
        (paradise ruling 28)."""
        if len(options) == 1 and rule in FORCED:
            return options[0]
        self.about = about
        answer: Answer = yield Ask(TONGA, rule, options, mends=mends)
        self.has_corrected = False
        return answer.option

    def roll(self, number: int, why: str, reason: str) -> Flow[tuple[int, ...]]:
        """Dice for Samoa; the reason is one of `tables.REASONS`."""
        dice: tuple[int, ...] = yield Roll(SAMOA, number, why, reason=reason)
        return dice

    def choose(self, tied: Sequence[Place], why: str) -> Flow[Place]:
        """One of these places; a die breaks the tie (paradise ruling 17)."""
        if len(tied) == 1:
            return tied[0]
        names = [self.name(place) for place in tied]
        at: int = yield from self.choose_one(names, why)
        return tied[at]

    def choose_one(self, names: Sequence[str], why: str) -> Flow[int]:
        """The number, from 0, of one of these things, chosen by die. The reason of the roll says
        which faces mean which."""
        if len(names) == 1:
            return 0
        among = range(len(names))
        at: int = yield from break_tie(
            self, SAMOA, among, f"{why}: {faces_of(names)}", names.__getitem__
        )
        return at

    # ---- one line for digests

    def position(self) -> str:
        """All of it, in ASCII."""
        groups = " ".join(
            f"{place}:{g.boxes},{g.green},{g.from_tonga},{g.from_samoa},{g.villages},{g.warriors},{g.war_canoes},"
            f"{int(g.canoe)}{int(g.linked)}"
            for place, g in self.groups.items()
        )
        parts = (
            f"turn {self.turn} {self.step}",
            (
                f"cup {_numbers(self.cup)} drawn {_numbers(self.drawn)} pending {self.pending} open"
                f" {_numbers(self.open)}"
            ),
            f"home {'-' if self.home is None else self.home}",
            groups,
            f"sea {self.sea_canoes} {_numbers(sorted(self.chain))}",
            f"explored {_numbers(sorted(self.explored))}",
            f"starts {' '.join(f'{ring}:{place}' for ring, place in sorted(self.starts.items()))}",
            f"cards {self.hidden_cards} {_numbers(self.cards)}",
            f"told {' '.join(f'{place}:{far}' for place, far in sorted(self.distances.items()))}",
            f"tiles {_numbers(self.tiles_out)}",
            f"arioi {int(self.arioi_used)} south {int(self.south_island)}",
            f"points {'-' if self.points is None else self.points}",
        )
        return " | ".join(parts)


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers)) or "-"


class Report(NamedTuple):
    """A report: the option, how many dice and chits were used when it was given, its text in the
    line of the position, and the question and turn it was given at."""

    option: Option
    dice: int
    chits: int
    line: str
    question: str
    turn: int
    """What was asked, and in which turn."""


class ParadisePosition(Game):
    """The public position: all of it, for nothing is hidden from anybody."""

    def __init__(self, data: Data, settings: Settings, version: int = NEWEST) -> None:
        self.version = version
        self.data = data
        self.settings = settings
        self.own_dice = is_on(settings, "own-dice")
        self.realm = Realm(data, settings, version)
        self.said: list[Report] = []
        self.unsaid: list[Report] = []
        """Reports that were taken back and wait to be confirmed, the earliest first (paradise
        ruling 20)."""
        self.dice: list[int] = []
        self.chits: list[Handle] = []
        """Every die thrown and every chit drawn, in order; the first `dice_used` and `chits_used`
        count so far."""
        self.dice_used = 0
        self.chits_used = 0
        self.undos = 0
        self.undos_after_chance = 0
        """Reports that were taken back, and those of them under which dice or chits had come."""
        self._at = 0
        self._telling = True

    def position(self) -> str:
        """Samoa's realm; and every report, die and chit, on which the game goes on after an
        undo."""
        reports = ";".join([one.line for one in self.said])
        chance = (
            f"{_row(self.dice)} of {self.dice_used} chits {_row(self.chits)} of {self.chits_used}"
        )
        undone = f"undos {self.undos} {self.undos_after_chance}"
        kept = ";".join(
            [f"{one.turn} {one.question}: {' '.join(map(str, one.option))}" for one in self.unsaid]
        )
        again = f" | again {kept}" if kept else ""
        return f"{self.realm.position()} | {undone} | dice {chance} | said {reports}{again}"

    def when(self) -> str:
        return f"turn {self.realm.turn}" if self.realm.turn else "set-up"

    def period(self) -> int:
        return self.realm.turn

    def may_pause(self) -> bool:
        """Whether the player may sign an entry here: always with dice of their own, because then
        nothing else ends an entry (paradise ruling 26), and after a correction (paradise ruling
        27)."""
        return self.own_dice or self.realm.has_corrected

    def faces(self) -> Mapping[Handle, Card]:
        return FACES_OF_CHITS


def _row(numbers: list[int]) -> str:
    return ",".join(map(str, numbers)) or "-"
