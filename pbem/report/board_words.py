"""The board in words, from its description alone (`pbem.games.stage`): for mails, files, pipes and
whoever reads a screen aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.stage import StageBoard, StageItem, StagePiece, StagePlace
from pbem.report.board import board_at
from pbem.report.model import PlayerFacts, names_of

_NAME = 22
"""Columns of the names of places, in text."""


@dataclass(frozen=True)
class BoardWords:
    """What stands on a board. `standing` is one line: what is counted, and by what the game is won.
    `places` are names, each with what is there; `rest` is what lies beside the board in piles and
    hands, a line each."""

    standing: str
    places: Sequence[tuple[str, str]]
    rest: Sequence[str]

    @property
    def table(self) -> str:
        """What is counted, and the places in columns."""
        lines = (f"{f'{name}  ':<{_NAME}}{words}" for name, words in self.places)
        return "\n".join((self.standing, *lines))

    @property
    def status(self) -> str:
        """What stands below them."""
        return "\n".join(self.rest)


def board_words(
    view: Mapping[str, object], game: str, players: Iterable[PlayerFacts]
) -> BoardWords:
    """The board of a position in words."""
    return words_of(board_at(game, view, names=names_of(players)))


def words_of(board: StageBoard) -> BoardWords:
    """A board in words."""
    counts = [
        *(item for item in board.strip if not (item.name and not item.value) and not item.player),
        *(StageItem(one.in_letters, pieces=one.pieces) for one in board.places if one.is_a_count),
    ]
    won_by = [fact for item in board.strip for fact in item.facts if fact.of]
    # what several players count stands with each of them: here nothing says whose it is
    alone = [fact for fact in won_by if [one.label for one in won_by].count(fact.label) == 1]
    return BoardWords(
        " · ".join(map(_value, (*counts, *alone))),
        list(_lines(board)),
        [
            f"{tray.title}: {said}"
            for tray in board.trays
            if (said := "; ".join(map(_value, tray.items)))
        ],
    )


def _lines(board: StageBoard) -> Iterator[tuple[str, str]]:
    """Places, in the order in which the board has them, then years and players. Where all places
    are spots they are many, and told by what stands on them."""
    places = [one for one in board.places if one.pieces and not (one.silent or one.is_a_count)]
    if all(place.look == "spot" for place in board.places):
        yield from _by_kind(places, is_grid=board.ground is not None)
    else:
        for place in places:
            yield _name_of(place), _there(place)
    for item in board.strip:
        if item.pieces or item.player:
            facts = [f"{fact.label} {_held(fact)}" for fact in item.facts]
            is_now = ["to move"] if item.is_now and item.player else []
            yield item.label, ", ".join(filter(None, (_held(item), *facts, *is_now)))


def _by_kind(places: Sequence[StagePlace], *, is_grid: bool) -> Iterator[tuple[str, str]]:
    """The pieces of each kind with where they stand; what has a place without a label stands on
    its own. On a grid most fields have one piece, which is not counted."""
    found: dict[str, list[str]] = {}
    for place in places:
        for piece in place.pieces:
            if is_grid:
                many = f" {piece.count}" if piece.count > 1 else ""
                found.setdefault(piece.many, []).append(f"{place.name}{many}")
            elif place.label:
                found.setdefault(piece.many, []).append(f"{place.name}: {piece.count}")
            else:
                found.setdefault(piece.words, []).append("on the board")
    for title, there in found.items():
        yield title, "  ".join(there)


def _name_of(place: StagePlace) -> str:
    if place.look in ("zone", "spot"):
        return place.name
    return place.in_full or place.label.removeprefix("★ ")


def _there(place: StagePlace) -> str:
    """What is at a place, how far it lies from others, and what else is to be said of it."""
    far = ", ".join(f"{count} from {where}" for where, count in place.distances)
    note = " ".join(place.note.split())
    return "; ".join(filter(None, (_pieces(place.pieces), far, note, place.aside)))


def _pieces(pieces: Sequence[StagePiece]) -> str:
    return ", ".join(
        f"{piece.said}{', leading' if piece.leads else ''}" for piece in pieces if piece.count
    )


def _held(item: StageItem) -> str:
    """What an item has. A piece that says no more than the value, or a part of it, is left out."""
    added = [one for one in item.pieces if not (item.value and (one.is_single or one.text))]
    pieces = _pieces(added)
    if item.value and pieces:
        pieces, value = "", f"{_reached(item)} ({pieces})"
    else:
        value = _reached(item)
    return ", ".join(filter(None, (value, pieces, item.aside)))


def _value(item: StageItem) -> str:
    between = ": " if item.pieces or len(item.value) > 12 else " "
    return between.join(filter(None, (item.label, _held(item))))


def _reached(item: StageItem) -> str:
    return f"{item.value} of {item.of}" if item.of else item.value
