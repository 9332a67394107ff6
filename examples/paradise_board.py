"""The table of the player in the example of Conquest of Paradise: a made-up board that answers what
the program asks.

Tiles are drawn from a made-up pile, and the player explores from hexes that they know. Distances,
the order of Samoa's exploration, canoes on the way and what War Canoes reach fit together, so that
somebody can put it all on a real board; where the named hexes lie is a guess.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.paradise.hexes import AROUND, Axial, distance, neighbours, ring, walk

SAMOA, TONGA, FIJI = (0, 0), (0, 1), (-1, 1)
FARTHEST: Final = 6
STARTS: Final = {1: (1, 0), 2: (-1, -1), 3: (3, -1)}
"""Where Samoa begins to explore a ring: Niue, the hex north of Tuvalu, Tubai."""
COMPASS: Final = ("north", "north-east", "south-east", "south", "south-west", "north-west")
TILES: Final = (
    ((4, 3),) * 3 + ((3, 2),) * 5 + ((2, 1),) * 5 + ((2, 2),) * 3 + ((1, 1),) * 6 + ((0, 0),) * 8
)
"""Boxes and green boxes of thirty tiles."""
NAMES: Final = (
    "rarotonga",
    "tubai",
    "hiva",
    "raiatea",
    "tuamotu",
    "flint",
    "niue",
    "hawaii",
    "rapa nui",
    "aotearoa",
)
CARDS: Final = ("card navigation", "card hula", "card poi", "card moai", "another card")


@dataclass
class Isle:
    """A group on the board."""

    cell: Axial
    boxes: int
    green: int
    mine: bool = False
    defenders: int = 1


def unexplored() -> set[Axial]:
    """Blank squares: what lies east of Samoa and Tonga, and north."""
    cells = {cell for radius in range(1, FARTHEST + 1) for cell in ring(SAMOA, radius)}
    return {(q, r) for q, r in cells if q >= -1 and 2 * r + q <= 2} - {TONGA, FIJI}


def where(cell: Axial) -> str:
    """How to find a hex: `2 hexes north-east and 1 south-east of Samoa`."""
    far = distance(SAMOA, cell)
    for at, (one, other) in enumerate(zip(AROUND, (*AROUND[1:], AROUND[0]), strict=True)):
        for steps in range(1, far + 1):
            rest = far - steps
            if (one[0] * steps + other[0] * rest, one[1] * steps + other[1] * rest) == cell:
                then = f" and {rest} {COMPASS[(at + 1) % 6]}" if rest else ""
                return f"{steps} {'hex' if steps == 1 else 'hexes'} {COMPASS[at]}{then} of Samoa"
    raise ValueError(f"no way to {cell}")


@dataclass
class Board:
    """All that lies on the table, and what the player is about to do."""

    chance: random.Random
    points: int = 3
    blank: set[Axial] = field(default_factory=unexplored)
    isles: dict[str, Isle] = field(default_factory=dict)
    news: list[str] = field(default_factory=list)
    """Where new groups lie, for a message to the witness."""
    tiles: list[tuple[int, int]] = field(default_factory=list)
    labels: int = 0
    cards: int = 0
    explorer: Axial | None = None
    hexes_left: int = 0
    slip: int = 0
    """A report that the player gets wrong and takes back: not yet, just reported, corrected."""
    right: str = ""
    fought: bool = True
    network: set[Axial] = field(default_factory=lambda: {SAMOA})
    costs: dict[str, int] = field(default_factory=dict)
    """Canoes to each group in this round of a chain."""
    marker: Axial | None = None
    """Where Samoa has found a group."""

    def __post_init__(self) -> None:
        self.tiles = self.chance.sample(TILES, len(TILES))
        self.isles = {"samoa": Isle(SAMOA, 4, 3), "tonga": Isle(TONGA, 4, 3, True, 3)}

    def look(self, view: Mapping[str, Any]) -> None:
        """What the program says that Samoa has."""
        self.realm = {group["name"].lower(): group for group in view["realm"]}
        self.free = {group["name"].lower() for group in view["others"]}
        self.costs = {}
        for name, group in self.realm.items():
            if group["linked"] and self.isles[name].cell not in self.network:
                self._join(name)

    def message(self) -> str:
        """Where new groups lie, once."""
        told = ". ".join(self.news)
        self.news = []
        return told

    def answer(self, prompt: str, options: Sequence[str]) -> str:
        """One of the options."""
        if "new Transport Canoes" not in prompt:
            self._join_nearest()  # the last ones of a chain
        if "exploration shows" in prompt:
            return self._explores(options)
        if "your battles" in prompt:
            return self._fights(options)
        if prompt == "your victory points":
            self._settle()
            self.points += self.chance.choice((1, 2, 2, 3, 4))
            return f"victory {self.points}"
        if "knots so far" in prompt:
            return self._samoa_explores(options)
        if "has found" in prompt:
            assert self.marker is not None
            return self._discovery("found", self.marker)
        if "new Transport Canoes" in prompt:
            return self._counts(prompt, options)
        if "turned face up" in prompt:
            self.cards += 1
            return next(
                card for card in (*CARDS[self.cards - 1 :], "another card") if card in options
            )
        if "can reach" in prompt:
            return self._in_reach(prompt, options)
        return _first(
            options,
            *(
                "samoa has 4 boxes",
                "samoa starts with 1 warrior 1 war canoe",
                "the attack goes on",
                "the game is over",
            ),
            *(
                f"battle at {name} won, lost {lost}"
                for name in self.isles
                for lost in ("1 warrior", "nothing")
            ),
            *("retreat to samoa", "retreat to ", "no retreat"),
        )

    # ---- exploring

    def _explores(self, options: Sequence[str]) -> str:
        if self.slip == 1:
            self.slip = 2
            return "undo"
        if self.right:
            answer, self.right = self.right, ""
            return answer
        calls = [
            one for one in options if one.startswith("call ") and one.split(" ", 3)[3] in NAMES
        ]
        if calls:
            return self._call(self.chance.choice(calls))
        if self.explorer is None:
            self.hexes_left = self.chance.choice((1, 2, 2, 3))
            self.explorer = self.chance.choice(sorted(self.isles[name].cell for name in self.isles))
        while self.hexes_left:
            self.hexes_left -= 1
            cell = self._next_blank(self.explorer)
            if cell is None:
                break
            self.explorer = cell
            if self.tiles and self.chance.random() < 0.45:
                return self._reported(cell)
            self.blank.discard(cell)
        self.explorer = None
        return "exploration complete"

    def _next_blank(self, start: Axial) -> Axial | None:
        """A blank hex beside the explorer, who may first go through known ones."""
        near = [cell for cell in self.blank if distance(cell, start) == 1]
        edge = [
            cell for cell in self.blank if any(one not in self.blank for one in neighbours(cell))
        ]
        found = near or [
            cell
            for cell in edge
            if distance(cell, TONGA) == min(distance(one, TONGA) for one in edge)
        ]
        return self.chance.choice(sorted(found)) if found else None

    def _reported(self, cell: Axial) -> str:
        """A discovery; once with a wrong distance, which is taken back."""
        answer = self._discovery("discover", cell)
        tonga, samoa = distance(cell, TONGA), distance(cell, SAMOA)
        if self.slip or self.labels < 2 or tonga == samoa:
            return answer
        self.slip, self.right = 1, answer
        return answer.replace(
            f"{verb_of(answer)} {tonga} from tonga", f"{verb_of(answer)} {samoa} from tonga"
        )

    def _discovery(self, verb: str, cell: Axial) -> str:
        boxes, green = self.tiles.pop()
        self.labels += 1
        self.blank.discard(cell)
        self.isles[f"group {self.labels}"] = Isle(
            cell, boxes, green, defenders=self.chance.choice((1, 2))
        )
        self.news.append(f"Group {self.labels} lies {where(cell)}")
        far = f"{distance(cell, TONGA)} from tonga {distance(cell, SAMOA)} from samoa"
        return f"{verb} {far}: {tile_in_words(boxes, green)}"

    def _call(self, answer: str) -> str:
        _, word, number, name = answer.split(" ", 3)
        self.isles[name] = self.isles.pop(f"{word} {number}")
        return answer

    def _samoa_explores(self, options: Sequence[str]) -> str:
        """The marker of the next hex in the order of the procedure; a group's tile is asked for
        next."""
        cell = self._next_of_samoa()
        if cell is None:
            return "no hex is left"
        knots = self.chance.choice(("1 knot", "2 knots", "2 knots"))
        if self.chance.random() < 0.06:
            return f"off course {knots}"
        if self.tiles and self.chance.random() < 0.4:
            self.marker = cell
            return f"island group {knots}"
        self.blank.discard(cell)
        return f"ocean {knots}"

    def _next_of_samoa(self) -> Axial | None:
        for radius in range(1, FARTHEST + 1):
            start = STARTS.get(radius, (0, -radius))
            for cell in walk(SAMOA, start, clockwise=radius % 2 == 0):
                if cell in self.blank:
                    return cell
        return None

    # ---- chains

    def _counts(self, prompt: str, options: Sequence[str]) -> str:
        """Canoes on the cheapest way; when a group is asked about again, the nearest one has been
        joined meanwhile."""
        name = _named(prompt, r"the way from (.+?) to the home")
        if name in self.costs:
            self._join_nearest()
        way = self._way(self.isles[name].cell)
        if way is None:
            return f"{name} cannot be joined"
        self.costs[name] = len(way)
        return f"{name} needs {len(way)} {'canoe' if len(way) == 1 else 'canoes'}"

    def _way(self, goal: Axial) -> list[Axial] | None:
        """The hexes that need a canoe on the cheapest way from the network, over known hexes but
        not the player's."""
        mine = {isle.cell for isle in self.isles.values() if isle.mine} | {TONGA, FIJI}
        canoes = {self.isles[name].cell for name, group in self.realm.items() if group["canoe"]}
        best: dict[Axial, list[Axial]] = {cell: [] for cell in self.network}
        edge = sorted(self.network)
        while edge:
            cell = edge.pop(0)
            for other in neighbours(cell):
                if other in self.blank or other in mine or distance(other, SAMOA) > FARTHEST:
                    continue
                way = best[cell] + ([] if other in canoes or other == goal else [other])
                if other not in best or len(way) < len(best[other]):
                    best[other] = way
                    edge.append(other)
        return best.get(goal)

    def _join_nearest(self) -> None:
        """What the last round of a chain joined without a die: the nearest group, or all that need
        no canoe."""
        nearest = sorted(self.costs, key=self.costs.__getitem__)
        for name in nearest[: max(1, list(self.costs.values()).count(0))]:
            self._join(name)
        self.costs = {}

    def _join(self, name: str) -> None:
        cell = self.isles[name].cell
        self.network |= {cell, *(self._way(cell) or [])}

    # ---- fighting

    def _fights(self, options: Sequence[str]) -> str:
        """A battle or a group without defenders every other turn; then what is cut off by it."""
        here = self._connected()
        for option in options:
            if (
                option.startswith("cut off ")
                and self.isles[option.removeprefix("cut off ")].cell not in here
            ):
                return option
        wins = [
            one
            for one in options
            if re.match(r"(take (?!samoa))|(battle at (?!samoa).* won, lost [1-9])", one)
        ]
        self.fought = not self.fought
        if wins and not self.fought and self.points > 9:
            chosen = self.chance.choice(wins)
            name = chosen.removeprefix("take ").removeprefix("battle at ").split(" won,")[0]
            self.isles[name].mine = True
            self.network.discard(self.isles[name].cell)
            return chosen
        return "movement complete"

    def _connected(self) -> set[Axial]:
        """What of Samoa's network its home still reaches."""
        found, edge = {SAMOA}, [SAMOA]
        while edge:
            fresh = [
                cell
                for cell in neighbours(edge.pop())
                if cell in self.network and cell not in found
            ]
            found.update(fresh)
            edge += fresh
        self.network = found
        return found

    def _in_reach(self, prompt: str, options: Sequence[str]) -> str:
        """The player's groups at most two hexes from the fleet or from a hex of its network."""
        fleet = self.isles[_named(prompt, r"with a village of yours, (.+?)'s ")].cell
        starts = self.network | {fleet} if fleet in self.network else {fleet}
        for name, isle in self.isles.items():
            if (
                isle.mine
                and isle.boxes
                and any(distance(isle.cell, start) <= 2 for start in starts)
            ):
                told = (
                    f"can reach {name}: {isle.defenders}"
                    f" {'defender' if isle.defenders == 1 else 'defenders'}"
                )
                if told in options:
                    return told
        return "that is all"

    def _settle(self) -> None:
        """The Building Step: a village on one free group with boxes, if there is any."""
        free = [
            isle
            for name, isle in self.isles.items()
            if name in self.free and isle.boxes and not isle.mine
        ]
        if free:
            free[0].mine = True


def verb_of(answer: str) -> str:
    return answer.partition(" ")[0]


def tile_in_words(boxes: int, green: int) -> str:
    """As a report tells it."""
    return f"{boxes} {'box' if boxes == 1 else 'boxes'} {green} green" if boxes else "atoll"


def _named(prompt: str, pattern: str) -> str:
    match = re.search(pattern, prompt)
    assert match is not None, prompt
    return match[1].lower()


def _first(options: Sequence[str], *wishes: str) -> str:
    """The first option that begins with the first wish that fits any."""
    found: Iterable[str] = (
        option for wish in wishes for option in options if option.startswith(wish)
    )
    return next(iter(found))
