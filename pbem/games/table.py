"""Tables of cards for the asking: hands, rows, piles and scores, and what the cards look like.

A game says what its cards are (`Table`), and what lies where: a list of `Row`, `Pile`, `Hand` and
`Score`. Its stage is `TABLE_STAGE`; from the position alone come the picture, the stage with its
film, the terminal board and the board in words (docs/write-a-game.md, "A table of cards").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.flow import Answer
from engine.rules import Game, Rules, words_of
from pbem.english import counted
from pbem.games.descriptor import Concerned, Stage
from pbem.games.faces import BANDS, Band, CardFace
from pbem.games.stage import (
    CardSymbol,
    Colour,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageThrown,
    StageTray,
    TableGround,
    View,
    player_name,
)
from pbem.games.table_things import (
    Hand,
    Pile,
    Row,
    Score,
    Thing,
    change,
    check_names,
    contents,
    key,
    moves,
)

__all__ = ["TABLE_STAGE", "Hand", "Pile", "Row", "Score", "Table", "TableCard", "Thing"]

TABLE_STAGE = Stage("stage/table.svg.j2")
"""The stage of a game whose board is a table of cards."""
BACK, PILE, NONE, COIN, SCORE = "card-back", "card-pile", "card-none", "card-coin", "card-score"
"""Symbols that every table has: a card face down, a pile of them with room for its number, an empty
place, and points: those of a player, and some that lie on the table."""
_WHOLE = (-450.0, -300.0, 900.0, 600.0)
_LONGEST_TITLE = 9
"""Letters of a title that can be read on a card; a longer one stands below it as well."""
_LONGEST_GIST = 60
"""Letters of a text that stands on a card of the hand."""
_NUMBER = 3
"""Letters of a number."""
_LINE = 9
"""Letters of a title that stand in one line."""


@dataclass(frozen=True)
class TableCard:
    """What a card looks like: its title (else its name), a number or a few letters, a colour, the
    words of what it is (`marks`), and what it does (`text`)."""

    title: str = ""
    number: str = ""
    colour: Band = "blue"
    marks: Sequence[str] = ()
    text: str = ""

    def __post_init__(self) -> None:
        if self.colour not in BANDS:
            raise ValueError(f'"{self.colour}" is no colour of a card: {", ".join(BANDS)}')
        if len(self.number) > _NUMBER:
            raise ValueError(f'"{self.number}" does not fit on a card: {_NUMBER} letters at most')


@dataclass(frozen=True)
class Table:
    """The cards of a game by their names, and the colour of their backs. `places` are the names of
    rows and piles that answers say. Raises `ValueError` where they cannot be drawn."""

    cards: Mapping[str, TableCard]
    back: Band = "red"
    places: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.back not in BANDS:
            raise ValueError(f'"{self.back}" is no colour of a card: {", ".join(BANDS)}')

    @cached_property
    def faces(self) -> Mapping[str, CardFace]:
        """The faces of the cards in a hand, by name: `faces` of a descriptor."""
        return {
            name: CardFace(
                one.colour,
                (f"{self._kinds[name]}-art",),
                marks=one.marks,
                gist="" if one.number or len(one.text) > _LONGEST_GIST else one.text,
            )
            for name, one in self.cards.items()
        }

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """What each card does, by name: `card_texts` of a descriptor."""
        return {name: one.text or one.title or name for name, one in self.cards.items()}

    def concerns(self, answer: Answer, rules: Rules, game: Game) -> Concerned:
        """The cards and places that an answer names: what is clicked, in this order. `concerns` of
        a descriptor."""
        words = words_of(rules, game, answer.option)
        return Concerned(_named(self.places, words), _named(list(self.cards), words))

    def board(
        self,
        view: View,
        there: Sequence[Thing],
        before: Sequence[Thing] | None = None,
        *,
        strip: Sequence[StageItem] = (),
        thrown: StageThrown | None = None,
    ) -> StageBoard:
        """The board with what lies there. `before` is the same at the reader's last turn: what
        differs is marked, and the film shows how it came. A view says under `viewer` who looks, and
        under `when` where in the game we are. `strip` has more values, `thrown` the newest dice.
        Raises `ValueError` for a card that the table does not have, and for two places of one
        name."""
        check_names(there)
        old = {key(one): one for one in (there if before is None else before)}
        owners = list(dict.fromkeys(one.owner for one in there if one.owner))
        near = owners.index(view["viewer"]) if view.get("viewer") in owners else 0
        when = [StageItem(str(view["when"]).capitalize())] if view.get("when") else []
        return StageBoard(
            _WHOLE,
            [place for one in there for place in self._places(one, old.get(key(one)), view)],
            [*when, *strip, *(self._plate(view, owner, there, old) for owner in owners)],
            list(self._trays(view, there)),
            edges=[[owner] for owner in owners[near:] + owners[:near]],
            thrown=thrown,
            ground=self._ground,
            moved=() if before is None else self._moved(there, old),
        )

    # ---- what lies there -------------------------------------------------------------------------

    def _places(self, one: Thing, old: Thing | None, view: View) -> Iterator[StagePlace]:
        """The place of a row, of a pile, or of points that lie on the table."""
        if isinstance(one, Row):
            pieces = [self._card(card) for card in one.cards] or [_empty()]
            yield _place(one, view, pieces, marked=bool(contents(one) - contents(old)))
        elif isinstance(one, Pile):
            yield _place(one, view, [self._pile(one, change(one, old))])
        elif isinstance(one, Score) and not one.owner:
            piece = StagePiece(SCORE, 1, one.said, change=change(one, old), text=str(one.value))
            yield StagePlace(one.label, one.label, look="cards", pieces=[piece])

    def _card(self, name: str | None) -> StagePiece:
        if name is None:
            return StagePiece(BACK, 1, "a card face down", is_single=True)
        one = self._known(name)
        title = one.title or name
        return StagePiece(
            self._kinds[name],
            1,
            title,
            is_single=True,
            label=title if len(title) > _LONGEST_TITLE else "",
            colour=_colour(one.colour),
        )

    def _pile(self, one: Pile, more: int) -> StagePiece:
        """A pile: its number on the back of a card, or the uppermost card."""
        if not one.count:
            return replace(_empty(), change=more)
        if isinstance(one.cards, int):
            words = "card face down" if one.count == 1 else "cards face down"
            return StagePiece(PILE, 1, words, text=str(one.count), change=more)
        top = self._card(one.cards[-1])
        many = counted(one.count, "card")
        return StagePiece(
            top.kind,
            1,
            top.words if one.count == 1 else f"{many}, {top.words} on top",
            is_single=True,
            change=more,
            colour=top.colour,
        )

    def _plate(
        self, view: View, owner: str, there: Sequence[Thing], old: Mapping[str, Thing]
    ) -> StageItem:
        """What a player has: points, and cards in hand."""
        pieces: list[StagePiece] = []
        facts: list[StageItem] = []
        for one in there:
            if one.owner != owner:
                continue
            more = change(one, old.get(key(one)))
            if isinstance(one, Hand):
                words = "card in hand" if one.count == 1 else "cards in hand"
                pieces.append(StagePiece(BACK, 1, words, change=more, text=str(one.count)))
            elif isinstance(one, Score):
                if facts or one.of or any(piece.kind == COIN for piece in pieces):
                    facts.append(StageItem(one.said, str(one.value), of=one.of, change=more))
                else:
                    pieces.append(StagePiece(COIN, 1, one.said, change=more, text=str(one.value)))
        waiting = view.get("waiting")
        return StageItem(
            player_name(view, owner),
            is_now=waiting is not None and waiting["seat"] == owner,
            name=owner,
            pieces=pieces,
            player=True,
            facts=facts,
        )

    def _trays(self, view: View, there: Sequence[Thing]) -> Iterator[StageTray]:
        """What lies below the uppermost cards, and hands that the viewer sees."""
        below = [
            StageItem(_label(one, view), ", ".join(one.cards), unpictured=True)
            for one in there
            if isinstance(one, Pile) and not isinstance(one.cards, int) and len(one.cards) > 1
        ]
        if below:
            yield StageTray("Cards in piles", below)
        hands = [
            StageItem(player_name(view, one.owner), ", ".join(one.cards))
            for one in there
            if isinstance(one, Hand) and one.cards and one.owner != view.get("viewer")
        ]
        if hands:
            yield StageTray("Open hands", hands)

    def _known(self, name: str) -> TableCard:
        if name not in self.cards:
            raise ValueError(f'the table has no card "{name}"')
        return self.cards[name]

    def _moved(
        self, there: Sequence[Thing], old: Mapping[str, Thing]
    ) -> Sequence[tuple[str, int, str, str]]:
        """Which cards went where, by their symbols."""
        return [
            (self._kinds.get(one.card, BACK), count, one.source, one.target)
            for one, count in moves(there, old).items()
        ]

    # ---- the ground ------------------------------------------------------------------------------

    @cached_property
    def _kinds(self) -> Mapping[str, str]:
        """The symbols of the cards, by name."""
        return {name: f"card-{nth}" for nth, name in enumerate(self.cards)}

    @cached_property
    def _ground(self) -> TableGround:
        return TableGround(
            self.back,
            tuple(
                CardSymbol(
                    self._kinds[name],
                    tuple(_lines(one.title or name)),
                    one.number,
                    one.colour,
                    " · ".join(one.marks),
                )
                for name, one in self.cards.items()
            ),
        )


# ---- things, one by one --------------------------------------------------------------------------


def _place(
    one: Row | Pile, view: View, pieces: Sequence[StagePiece], *, marked: bool = False
) -> StagePlace:
    is_counted = isinstance(one, Pile) and not isinstance(one.cards, int) and one.count > 1
    return StagePlace(
        one.name,
        f"{one.label} ({one.count})" if is_counted else one.label,  # type: ignore[union-attr]
        look="cards",
        pieces=pieces,
        note=one.note,
        marked=marked,
        edge=one.owner,
        silent=pieces[0].kind == NONE,
        in_full=_label(one, view),
    )


def _empty() -> StagePiece:
    return StagePiece(NONE, 1, "nothing", is_single=True)


def _label(one: Row | Pile, view: View) -> str:
    """What a place is called where nobody sees before whom it lies."""
    return f"{one.label} of {player_name(view, one.owner)}" if one.owner else one.label


def _colour(band: str) -> Colour:
    """The colour of a card in letters."""
    found: dict[str, Colour] = {
        "blue": "blue", "red": "red", "green": "green", "purple": "purple", "gold": "yellow",
    }  # fmt: skip
    return found.get(band, "")


def _lines(title: str) -> Iterator[str]:
    """A title as it stands on a card: in two lines where it has blanks and is long."""
    words = title.split()
    if len(title) <= _LINE or len(words) < 2:
        yield title
        return
    first = min(
        range(1, len(words)), key=lambda nth: abs(len(" ".join(words[:nth])) - len(title) / 2)
    )
    yield " ".join(words[:first])
    yield " ".join(words[first:])


def _named(names: Sequence[str], words: str) -> tuple[str, ...]:
    """Those of these names that stand in a sentence, in the order in which they do; of two that
    begin alike the longer one."""
    if not names:
        return ()
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return tuple(re.findall(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", words))
