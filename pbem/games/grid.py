"""Boards of fields for the asking: squares, hexes, or points where lines cross.

A game says how large its grid is and what its pieces look like (`Grid`), and what stands where
(`Grid.board`). Its stage is `GRID_STAGE`; from the position alone come the picture, the stage, the
terminal board and the board in words (docs/write-a-game.md, "A board of fields").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from types import MappingProxyType
from typing import Literal, TypeAlias

from engine.flow import Answer
from engine.rules import Game, Rules, words_of
from pbem.games.descriptor import Concerned, Stage
from pbem.games.stage import (
    Colour,
    GridGround,
    GroundLine,
    GroundWords,
    Point,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageThrown,
    StageWay,
    Symbol,
    View,
    player_name,
)

Fields: TypeAlias = Literal["squares", "hexes", "points"]
Side: TypeAlias = Literal["top", "bottom", "left", "right"]
Shape: TypeAlias = Literal[
    "disc", "stone", "man", "king", "die", "letter",
    "chess-pawn", "chess-knight", "chess-bishop", "chess-rook", "chess-queen", "chess-king",
]  # fmt: skip

GRID_STAGE = Stage("stage/grid.svg.j2")
"""The stage of a game whose board is a grid."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = len(LETTERS)
"""Columns, and rows, that a grid may have."""
COLOURS: Mapping[str, tuple[str, str]] = {
    "white": ("#fffdf6", "#1c1a17"),
    "black": ("#2b2622", "#fffdf6"),
    "red": ("#c43d2b", "#fffdf6"),
    "blue": ("#2f6fb3", "#fffdf6"),
    "green": ("#3f8a4f", "#fffdf6"),
    "yellow": ("#e9b93a", "#1c1a17"),
    "purple": ("#7d4a9b", "#fffdf6"),
    "cyan": ("#3aa0a8", "#1c1a17"),
}
"""Colours by name: what a piece is filled with, and what is drawn on it."""
CHAIN, CHECK, DEAD = "mark-chain", "mark-check", "mark-dead"
"""Marks on a field: it is part of what won, or what stands there is in danger, or dead."""
AREA_BLACK, AREA_WHITE = "mark-black", "mark-white"
"""Marks on a field that counts for black or for white."""
_MARKS: Mapping[str, tuple[str, str]] = {
    CHAIN: ("in the chain", "+"),
    CHECK: ("in check", "!"),
    DEAD: ("dead", "x"),
    AREA_BLACK: ("black's", "b"),
    AREA_WHITE: ("white's", "w"),
}
_UNIT = 60.0
"""Units of the ground from the middle of a field to that of the next one in its row."""
_RADIUS = _UNIT / sqrt(3)
"""From the middle of a hex to its corners."""
_MARGIN, _BARE, _RIM = 46.0, 14.0, 72.0
"""Units of the board beside its fields, where letters and numbers stand and where none do; and from
the middles of its outer hexes to its edge."""
_MANY = 10
"""Rows whose numbers have two digits."""
_STACKED = -7.0
"""Units from a piece of a stack to the next one, upwards."""
_NAME = re.compile(r"(?<![^\W_])[a-z]\d{1,2}(?![^\W_])")


@dataclass(frozen=True)
class GridPiece:
    """A kind of piece: its drawing, its colour (a name of `COLOURS`), and what one is called
    (`many`: several, where no "s" does it). `on_it` is what a die or a letter shows, `sign` a
    letter for terminals."""

    shape: Shape
    colour: str
    words: str
    many: str = ""
    on_it: str = ""
    sign: str = ""

    def __post_init__(self) -> None:
        if self.colour not in COLOURS:
            raise ValueError(f'"{self.colour}" is no colour of a piece: {", ".join(COLOURS)}')
        if len(self.on_it) > 2:
            raise ValueError(f'"{self.on_it}" does not fit on a piece: two characters at most')


@dataclass(frozen=True)
class Grid:
    """A board of so many columns and rows, and the kinds of pieces that may stand on it, by name.

    Columns have letters from the left and rows numbers, from the top or (`counts_up`) from the
    bottom: so fields are called a1, b1 … (`name`, `at`). Hexes lie in a rhombus, each row half a
    field further right. `edges` colours sides, `skips` leaves out letters ("i" in Go), `stars` are
    points with a dot, `turned` shows the board from the other side of the table. Raises
    `ValueError` where no such board can be drawn.
    """

    fields: Fields
    columns: int
    rows: int
    pieces: Mapping[str, GridPiece]
    edges: Mapping[Side, str] = field(default_factory=lambda: MappingProxyType({}))
    counts_up: bool = False
    skips: str = ""
    stars: Collection[str] = ()
    turned: bool = False

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= len(self._letters) and 1 <= self.rows <= MOST):
            raise ValueError(
                f"a grid has 1 to {MOST} columns and rows, not {self.columns} by {self.rows}"
            )
        if unknown := [colour for colour in self.edges.values() if colour not in COLOURS]:
            raise ValueError(f'"{unknown[0]}" is no colour of an edge: {", ".join(COLOURS)}')

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of all fields, row by row from the top."""
        return [
            self.name(column, row) for row in range(self.rows) for column in range(self.columns)
        ]

    def name(self, column: int, row: int) -> str:
        """What a field is called, by its column from the left and its row from the top, from 0."""
        return f"{self._letters[column]}{self._number(row)}"

    def at(self, name: str) -> tuple[int, int]:
        """The column and the row of a field, from 0. Raises `ValueError` where there is none."""
        try:
            nth = self._nth[name]
        except KeyError:
            raise ValueError(f'the board has no field "{name}"') from None
        return nth % self.columns, nth // self.columns

    def board(
        self,
        there: Mapping[str, str | tuple[str, int]],
        before: Mapping[str, str | tuple[str, int]] | None = None,
        *,
        marks: Mapping[str, str] = MappingProxyType({}),
        strip: Sequence[StageItem] = (),
        ways: Sequence[StageWay] = (),
        thrown: StageThrown | None = None,
        last: Collection[str] = (),
        faces: Mapping[str, str] = MappingProxyType({}),
    ) -> StageBoard:
        """The board with what stands there: by field the kind of a piece, or a kind and how many
        of it. `before` is the same at the reader's last turn: fields that differ are framed, or
        those of the `last` move in their place. `marks` are those above by field, `ways` the
        moves that an arrow shows, `thrown` the newest dice; `faces` are kinds of pieces by how an
        answer ends, whose button shows one. Raises `ValueError` for a field, kind or mark that the
        grid does not have."""
        named = (*there, *marks, *last)
        if strange := next((name for name in named if name not in self._nth), None):
            raise ValueError(f'the board has no field "{strange}"')
        places = [
            StagePlace(
                name,
                name,
                spot,
                look="spot",
                box=self._box,
                stack={one.kind: (spot, (0.0, _STACKED)) for one in pieces},
                pieces=pieces,
                marked=name in last
                if last
                else before is not None and before.get(name) != there.get(name),
            )
            for name, spot in self._spots.items()
            for pieces in [list(self._standing(there.get(name), marks.get(name)))]
        ]
        ground = self._ground
        return StageBoard(
            ground.whole,
            places,
            strip,
            ways=ways,
            piece_size=self._piece_size,
            turns=self.fields == "hexes",  # a rhombus is much wider than high
            thrown=thrown,
            fields=self.fields,
            faces=faces,
            ground=ground,
        )

    def players(
        self,
        view: View,
        kinds: Mapping[str, str],
        turn: str,
        asides: Mapping[str, str] = MappingProxyType({}),
        facts: Mapping[str, Sequence[StageItem]] = MappingProxyType({}),
    ) -> list[StageItem]:
        """A plate for each seat with its piece, the one whose turn it is marked; `asides` say for
        what each plays, in letters, and `facts` are what each has. They have the players' names
        where a board knows them."""
        return [
            StageItem(
                player_name(view, seat),
                is_now=seat == turn,
                pieces=[self._piece(kind, 1, is_single=True)],
                player=True,
                side=_letters_colour(self.pieces[kind].colour),
                facts=facts.get(seat, ()),
                aside=asides.get(seat, ""),
            )
            for seat, kind in kinds.items()
        ]

    def counted(self, kind: str, count: int) -> StagePiece:
        """So many pieces of a kind that stand on no field, as those that were taken."""
        return self._piece(kind, count)

    # ---- fields ----------------------------------------------------------------------------------

    @cached_property
    def _letters(self) -> str:
        return "".join(letter for letter in LETTERS if letter not in self.skips)

    def _number(self, row: int) -> int:
        return self.rows - row if self.counts_up else row + 1

    @cached_property
    def _nth(self) -> Mapping[str, int]:
        return {name: nth for nth, name in enumerate(self.names)}

    @cached_property
    def _spots(self) -> Mapping[str, Point]:
        return {name: self._spot(*self.at(name)) for name in self.names}

    def _spot(self, column: int, row: int) -> Point:
        """The middle of a field, in units of the ground."""
        if self.turned:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        if self.fields == "hexes":
            return column * _UNIT + row * _UNIT / 2, row * _RADIUS * 1.5
        return column * _UNIT, row * _UNIT

    @cached_property
    def _has_men(self) -> bool:
        """Whether the men of chess stand on it, which leave the corners of their fields free."""
        return all(one.shape.startswith("chess-") for one in self.pieces.values())

    @property
    def _piece_size(self) -> int:
        """Units of a drawing of a piece, 40 dots wide: stones touch on lines and fill most of a
        hex or a square, men are as high as their field."""
        if self.fields == "squares":
            return 64 if self._has_men else 56
        return 60 if self.fields == "points" else 48

    @property
    def _box(self) -> Point:
        return (44.0, 44.0) if self.fields == "hexes" else (_UNIT - 2, _UNIT - 2)

    # ---- pieces ----------------------------------------------------------------------------------

    def _standing(
        self, held: str | tuple[str, int] | None, mark: str | None
    ) -> Iterator[StagePiece]:
        if held is not None:
            kind, count = (held, 1) if isinstance(held, str) else held
            yield self._piece(kind, count)
        if mark is not None:
            if mark not in _MARKS:
                raise ValueError(f'"{mark}" is no mark: {", ".join(_MARKS)}')
            words, sign = _MARKS[mark]
            yield StagePiece(mark, 1, words, many=words, sign=sign)

    def _piece(self, kind: str, count: int, *, is_single: bool = False) -> StagePiece:
        if kind not in self.pieces:
            raise ValueError(f'the grid has no piece "{kind}"')
        one = self.pieces[kind]
        sign = one.sign or one.on_it or one.words[0].upper()
        many = one.many or f"{one.words}s"
        colour = _letters_colour(one.colour)
        return StagePiece(
            kind, count, one.words, many=many, is_single=is_single, colour=colour, sign=sign
        )

    # ---- the ground ------------------------------------------------------------------------------

    @cached_property
    def _ground(self) -> GridGround:
        spots = list(self._spots.values())
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        half = _UNIT / 2
        margin = _BARE if self._has_men else _MARGIN
        if self.fields == "points" and self.rows >= _MANY:
            margin += 12
        away = (half + margin, half + _BARE) if self.fields != "hexes" else (_RIM, _RIM)
        left, top = round(min(xs) - away[0], 1), round(min(ys) - away[1], 1)
        right, bottom = max(xs) + away[1], max(ys) + away[0]
        whole = (left, top, round(right - left, 1), round(bottom - top, 1))
        return GridGround(
            whole=whole,
            fields=self.fields,
            spots=tuple(
                (round(x, 1), round(y, 1), sum(self.at(name)) % 2 == 1, name in self.stars)
                for name, (x, y) in self._spots.items()
            ),
            columns=self.columns,
            radius=round(_RADIUS, 2),
            unit=_UNIT,
            edges=tuple(
                GroundLine(COLOURS[colour][0], tuple(self._edge(side)))
                for side, colour in self.edges.items()
            ),
            words=tuple(self._words()),
            has_men=self._has_men,
            symbols=tuple(
                Symbol(kind, one.shape, *COLOURS[one.colour], one.on_it)
                for kind, one in self.pieces.items()
            ),
        )

    def _words(self) -> Iterator[GroundWords]:
        """The letters of the columns and the numbers of the rows, beside the near edge and the
        left one, or in the corners of the fields there; of hexes above, where a rhombus has
        room."""
        last = self.rows - 1
        far = 0 if self.fields == "hexes" else last
        if self.turned:
            far = last - far
        if self._has_men:
            yield from self._words_inside(far)
            return
        away = _RADIUS + 14 if self.fields == "hexes" else _UNIT / 2 + 22
        for column in range(self.columns):
            x, y = self._spot(column, far)
            yield GroundWords(
                round(x, 1),
                round(y - away if self.fields == "hexes" else y + away + 5, 1),
                self._letters[column],
            )
        for row in range(self.rows):
            x, y = self._spot(self.columns - 1 if self.turned else 0, row)
            yield GroundWords(round(x - _UNIT / 2 - 26, 1), round(y + 7, 1), str(self._number(row)))

    def _words_inside(self, near: int) -> Iterator[GroundWords]:
        """The letters in the fields of the near row, the numbers in those of the left column."""
        for column in range(self.columns):
            x, y = self._spot(column, near)
            yield GroundWords(x + _UNIT / 2 - 6, y + _UNIT / 2 - 3, self._letters[column])
        for row in range(self.rows):
            x, y = self._spot(self.columns - 1 if self.turned else 0, row)
            yield GroundWords(x - _UNIT / 2 + 6, y - _UNIT / 2 + 12, str(self._number(row)))

    def _edge(self, side: Side) -> Iterator[Point]:
        """The corners along a side of the board, as the unturned one has it."""
        columns, rows = range(self.columns), range(self.rows)
        line = {
            "top": [(column, 0) for column in columns],
            "bottom": [(column, self.rows - 1) for column in columns],
            "left": [(0, row) for row in rows],
            "right": [(self.columns - 1, row) for row in rows],
        }[side]
        way = -1 if self.turned else 1
        half = _UNIT / 2
        if self.fields == "hexes":
            low, high = _RADIUS / 2, _RADIUS
            corners = {
                "top": [(-half, -low), (0.0, -high), (half, -low)],
                "bottom": [(-half, low), (0.0, high), (half, low)],
                "left": [(-half, -low), (-half, low), (0.0, high)],
                "right": [(0.0, -high), (half, -low), (half, low)],
            }[side]
        else:
            across, down = {
                "top": (0, -half),
                "bottom": (0, half),
                "left": (-half, 0),
                "right": (half, 0),
            }[side]
            corners = [(across or -half, down or -half), (across or half, down or half)]
        for column, row in line:
            x, y = self._spot(column, row)
            yield from ((round(x + way * u, 1), round(y + way * v, 1)) for u, v in corners)


def _letters_colour(colour: str) -> Colour:
    """The colour of a piece in letters; black has none of its own there."""
    named: dict[str, Colour] = {
        "white": "white", "red": "red", "blue": "blue", "green": "green",
        "yellow": "yellow", "purple": "purple", "cyan": "cyan",
    }  # fmt: skip
    return named.get(colour, "")


def concerns(answer: Answer, rules: Rules, game: Game) -> Concerned:
    """The fields that an answer names, in the order in which it names them: what is clicked."""
    return Concerned(tuple(_NAME.findall(words_of(rules, game, answer.option))))
