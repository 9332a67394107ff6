"""The one description of a game's board: plain data, from which the stage of a browser and the
board of a terminal are drawn (docs/design.md, "A board is described once").

The table, looking back and the film show a game on one stage. Its board is a backdrop larger than
any window, drawn by a template, and on it what a `StageBoard` names: places with the pieces in
them, which keep their size while the backdrop is zoomed, or lie in it; a strip of values above; and
trays that fold. A step of the film is the same data at another time: pieces are found by the name
of their place and their kind. A terminal has no backdrop (`pbem/report/terminal_board.py`): it sets
the same places, strip and trays in letters, and fields that are for it alone do not go to a page.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from pbem.english import counted

Point: TypeAlias = tuple[float, float]
"""A spot of the backdrop, in its units: x to the right, y downwards."""
View: TypeAlias = Mapping[str, Any]
"""What a position shows, or a line of its story, as plain data (`engine.rules.Game.view` and
`Rules.tell`)."""


def player_name(view: View, seat: str) -> str:
    """The name of the player of a seat where the board knows it, else the seat."""
    return str(view.get("called", {}).get(seat) or seat.capitalize())


Align: TypeAlias = Literal["middle", "top", "bottom", "left", "right"]
"""Which part of a panel stays where it is held."""
Colour: TypeAlias = Literal["", "blue", "cyan", "green", "red", "purple", "yellow", "white"]
"""What a kind of piece means at first sight, for letters; its symbol has colours of its own."""
_LETTERS: Mapping[str, bool] = {"letters": True}
"""Marks a field for whoever draws the board in letters: a page does not get it."""


@dataclass(frozen=True)
class StagePiece:
    """All pieces of one kind in a place.

    `kind` is the id of a group of 40 by 40 in the backdrop, which is drawn for it; `words` name one
    such piece for whoever cannot see it, `many` several where no "s" does it, `side` whose it is.
    `change`: so many have come, or gone,
    since the reader's last turn or by this one; a kind that has left altogether has the count 0.
    `text` stands beside the symbol in place of the count, and nothing beside one that `is_single`.
    On a place of `cards` the group is 40 by 56 (with `data-high`), the text stands on it and the
    `label` below it, or the `value` of a card that the label names; the one that `leads` there is
    framed, and each that `ties` is marked. In letters it has a `colour`, and where there is little
    room its `sign`; without one the first letters of its words. A counter has the answers that take
    one from it (`less`) and add one (`more`), as buttons below it.
    """

    kind: str
    count: int
    words: str
    side: str = ""
    change: int = 0
    text: str = ""
    is_single: bool = False
    label: str = ""
    value: str = ""
    leads: bool = False
    ties: bool = False
    many: str = ""
    less: str = ""
    more: str = ""
    colour: Colour = field(default="", metadata=_LETTERS)
    sign: str = field(default="", metadata=_LETTERS)

    @property
    def said(self) -> str:
        """So many of it, in words."""
        if " " in self.text:  # words of their own
            return self.text
        if self.text or self.is_single:
            return f"{self.text} {self.words}".strip()
        return counted(self.count, self.words, self.many)


@dataclass(frozen=True)
class StagePlace:
    """A place of the board. `name` is the one by which answers and the story name it
    (`Concerned.places`).

    A `pin`, a `zone`, an `other` (of less weight) and a panel of `cards` keep their size on the
    screen, about the spot `at` by their `align`. One that has an `anchor` stands beside that spot,
    which has a disc; then `at` is about where its panel comes to lie. `colour` says whose the place
    is. Those without a spot stand in rows, as many in each as the window has room for. A `spot`
    lies in the backdrop: `box` is its width and height about `at`, and where its pieces are drawn
    there too, `stack` has by kind the middle of the first one and the way to the next. A spot that
    other panels have the middle of is their cell: they are as wide as it, and stay in its column.
    `note` is a line below the pieces; `marked`: something has changed here; `spent`: what lies here
    is used up.
    A place whose pieces are all `in_strip` is left out where a window is small.
    One that lies before somebody at the table has the name of their side (`edge`, the first of one
    of `StageBoard.edges`). What a picture shows by where the place lies is said in letters: how far
    it is from some others (`distances`), and what else there is to say (`aside`); one that is
    `silent` is left out there, since the strip or the story says as much; one that is `unpictured`
    is left out of pictures, since it is only there to be clicked. In letters it is called
    `in_full`, where its label does not say whose it is.
    """

    name: str
    label: str
    at: Point | None = None
    look: Literal["pin", "zone", "other", "spot", "cards"] = "pin"
    align: Align = "middle"
    anchor: Point | None = None
    box: Point | None = None
    stack: Mapping[str, tuple[Point, Point]] | None = None
    pieces: Sequence[StagePiece] = ()
    note: str = ""
    colour: Colour = ""
    marked: bool = False
    spent: bool = False
    edge: str = ""
    in_strip: bool = False
    distances: Sequence[tuple[str, int]] = field(default=(), metadata=_LETTERS)
    aside: str = field(default="", metadata=_LETTERS)
    silent: bool = field(default=False, metadata=_LETTERS)
    unpictured: bool = field(default=False, metadata=_LETTERS)
    in_full: str = field(default="", metadata=_LETTERS)

    @property
    def in_letters(self) -> str:
        """What it is called in letters."""
        return self.in_full or self.label

    @property
    def is_a_count(self) -> bool:
        """Whether it is a pile that has nothing but a number."""
        is_told = self.aside or self.note or self.edge
        return self.look == "cards" and len(self.pieces) == 1 and not is_told


@dataclass(frozen=True)
class StageItem:
    """A value of the strip or of a tray: its label and what it is, or the pieces that lie there.

    `short` is the label where there is little room. `of` is what the value counts up to; `is_now`
    marks the one of several that the game has reached; `name` is a place's, where pieces of the
    story come from or go to there; one that is `minor` is left out of the strip where there is no
    room for it. What a `player` has is a plate, which is in view at every size: their name as the
    label, the colour of their `side` at its edge, and below it the pieces and the `facts`, values
    that somebody looks for before they decide (hand, points, pips). What is `unpictured` is left
    out of pictures, beside which words say it, or which have it on the board. In letters it may
    have an `aside`.
    """

    label: str
    value: str = ""
    short: str = ""
    of: int = 0
    change: int = 0
    is_now: bool = False
    name: str = ""
    pieces: Sequence[StagePiece] = ()
    minor: bool = False
    player: bool = False
    side: Colour = ""
    facts: Sequence[StageItem] = ()
    unpictured: bool = field(default=False, metadata=_LETTERS)
    aside: str = field(default="", metadata=_LETTERS)


@dataclass(frozen=True)
class StageTray:
    """Values that are not always in view: a title and what lies in the tray."""

    title: str
    items: Sequence[StageItem]


@dataclass(frozen=True)
class StageThrow:
    """Dice that one source has thrown, as they are shown: those that hit first, then from high to
    low; so many of the first ones are `hits`. `words` say who threw them, `pieces` are those that
    did, where pieces did; `says` is what the dice came to, and they are `spent` once that is done.
    Dice with names on their faces have them in `faces`."""

    words: str
    dice: Sequence[int]
    hits: int = 0
    says: str = ""
    side: Colour = ""
    pieces: Sequence[StagePiece] = ()
    sides: int = 6
    faces: Sequence[str] = ()
    spent: bool = False


@dataclass(frozen=True)
class StageLoss:
    """Pieces of which one may take the next hit: by this `answer`, for this `cost` in words. One
    that `is_hit` has taken a hit already. Where the answer is not open now they are only seen."""

    piece: StagePiece
    answer: str
    cost: str
    is_hit: bool = False


@dataclass(frozen=True)
class StageThrown:
    """What was thrown in the event that is open, or in the last one: a title, the dice by what
    threw them, and what they decide (`says`); `place` is the name of the place where it happened,
    if it has one.

    Of a fight in rounds these are the dice of the newest. `losses` are the pieces of whoever takes
    hits now, with `left` hits of `of` still to take. A picture may draw the dice beside the board
    or leave them out: the board itself stands as it does after them.
    """

    title: str
    throws: Sequence[StageThrow]
    says: str = ""
    losses: Sequence[StageLoss] = ()
    left: int = 0
    of: int = 0
    place: str = ""


def sorted_throw(dice: Sequence[int], hits: Collection[int]) -> tuple[Sequence[int], int]:
    """Dice in the order in which they are shown, and how many of them hit, by the faces that do."""
    return sorted(dice, key=lambda die: (die not in hits, -die)), sum(die in hits for die in dice)


@dataclass(frozen=True)
class StagePicture:
    """A picture that lies on the backdrop as the board, over all of `whole`: the address of its
    bytes, how many dots it is wide and high, and what it is in words."""

    address: str
    wide: int
    high: int
    words: str


@dataclass(frozen=True)
class StageWay:
    """A move from place to place, of so many pieces if their number is told. The arrow that is
    drawn for it keeps near the spots that it goes by (`via`)."""

    source: str
    target: str
    count: int = 0
    via: Sequence[Point] = ()


class CardSymbol(NamedTuple):
    """A drawing of a card: its kind, the lines of its title, the number or letters on it, its
    colour, and the words of what it is."""

    kind: str
    title: tuple[str, ...]
    number: str
    colour: str
    marks: str = ""


class TableGround(NamedTuple):
    """What lies under the places of a table of cards, as `templates/stage/table.svg.j2` draws it:
    cloth, and the symbols of cards, whose backs have this colour."""

    back: str
    symbols: tuple[CardSymbol, ...]


class Symbol(NamedTuple):
    """A drawing of a piece on a grid: its kind, shape, what fills it, what is drawn on it, and the
    number or letter that stands there."""

    kind: str
    shape: str
    fill: str
    ink: str
    on_it: str = ""


class GroundLine(NamedTuple):
    """A side of a grid in its colour, by its corners."""

    colour: str
    corners: tuple[Point, ...]


class GroundWords(NamedTuple):
    """A letter or a number beside a grid."""

    x: float
    y: float
    words: str


class GridGround(NamedTuple):
    """What lies under the places of a grid, as `templates/stage/grid.svg.j2` draws it: each spot
    with its middle, whether it is a dark field, and whether it has a star. The places of such a
    board are its fields, row by row from the top. On one that `has_men` of chess the words stand
    in the fields."""

    whole: tuple[float, float, float, float]
    fields: str
    spots: tuple[tuple[float, float, bool, bool], ...]
    columns: int
    radius: float
    unit: float
    edges: tuple[GroundLine, ...]
    words: tuple[GroundWords, ...]
    symbols: tuple[Symbol, ...]
    has_men: bool = False


@dataclass(frozen=True)
class StageBoard:
    """The whole board at one time.

    `whole` is the part of the backdrop that the whole board takes (left, top, width, height).
    `strip` stands above the board in its order, `trays` fold out of it. `ways` are the moves since
    the reader's last turn or of this one. `piece_size` is how large pieces are drawn that stand in
    the backdrop; a board that `turns` lies on its side in a window that is higher than wide, and
    one that `stretches` is a chart whose two axes may differ in scale: it fills what is free of the
    window. `faces` are the ids of symbols by the words that an answer ends with: its button shows
    them. `thrown` are the dice of the newest event, None where nothing was thrown in
    it, or where they lie on the board as pieces. `picture` is one that the table shows as the
    board; no game describes one.
    `edges` are the sides round a table whose places have no spot of their own, the near one first
    and the others clockwise: each the names of its values in the strip, which lie there instead.
    `verbs` are whole deeds by the first words of answers that have none in a game of reports: their
    button says them; `ends` are the answers that end a step, the main ones.
    `ground` is that of a grid (`pbem.games.grid`) or of a table of cards (`pbem.games.table`), of
    which the backdrop is drawn. The `fields` of a grid are squares, hexes or points: one that can
    be clicked has a dot, and pieces are dragged too. `moved` are pieces that went somewhere since
    the position before: their symbol, how many, from where and where to, for a film. The cards in
    the reader's hand are of the colour `hand`, where they have pictures for several.
    """

    whole: tuple[float, float, float, float]
    places: Sequence[StagePlace]
    strip: Sequence[StageItem] = ()
    trays: Sequence[StageTray] = ()
    ways: Sequence[StageWay] = ()
    piece_size: int = 40
    turns: bool = False
    stretches: bool = False
    faces: Mapping[str, str] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)
    ends: Sequence[str] = ()
    edges: Sequence[Sequence[str]] = ()
    thrown: StageThrown | None = None
    fields: str = ""
    picture: StagePicture | None = None
    ground: GridGround | TableGround | None = field(default=None, metadata=_LETTERS)
    hand: Colour = ""
    moved: Sequence[tuple[str, int, str, str]] = field(default=(), metadata=_LETTERS)


def as_json(value: Any) -> Any:
    """A board as the scripts read it: what is empty or as usual is left out, and a point is a
    list."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return round(value, 1)
    if isinstance(value, Mapping):
        return {name: as_json(held) for name, held in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(held) for held in value]
    return {
        name: as_json(held)
        for name, usual in _fields_of(value.__class__)
        if (held := getattr(value, name)) is not None and held != usual and held not in ([], {})
    }


@cache
def _fields_of(kind: type) -> list[tuple[str, Any]]:
    """The fields of a dataclass that a page gets, and what they usually hold."""
    return [(one.name, one.default) for one in fields(kind) if "letters" not in one.metadata]
