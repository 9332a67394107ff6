"""Decks, hands and what was played, as the stage and the board in words have them."""

from __future__ import annotations

from typing import Any

from pbem.games.any import stage_cards
from pbem.games.stage import Colour

CALLED = {"france": "Ann", "britain": "Ben"}
COLOURS: dict[str | None, Colour] = {"france": "blue"}


def deck(seat: str | None = "france", **lists: Any) -> dict[str, Any]:
    hands = {"france": ["7", None]} if seat else {"france": ["7", None], "britain": [None]}
    made = {"name": "war-plans", "seat": seat, "pile": 9, "hands": hands}
    return {**made, "top": [], "under": 0, "table": [], "discard": [], "out": [], **lists}


def test_a_deck_tells_what_is_where_and_what_has_changed() -> None:
    before = deck(table=["3"], discard=["siege"])
    now = deck(table=["3", "12", "12", "storm-1"], discard=["siege", None], out=["4"]) | {"pile": 7}
    place = stage_cards.place(now, before, CALLED, "blue")
    assert (place.name, place.label, place.marked) == (
        "war-plans of france",
        "Ann's war plans",
        True,
    )
    assert [(piece.said, piece.change) for piece in place.pieces] == [
        ("7 cards to draw", -2),
        ("2 cards in the hand", 0),
        ("2 cards in the discard", 1),
        ("1 card out of the game", 1),
    ]
    table = stage_cards.table([now], [before], COLOURS)
    assert (table.name, table.note, table.marked) == ("table", "", True)
    assert [(piece.said, piece.change) for piece in table.pieces] == [
        ("storm-1 on the table", 1),
        ("2 × 12 on the table", 2),
        ("3 on the table", 0),
    ]
    own = stage_cards.place(now, before, CALLED, "blue", "france")
    assert own.name == "war-plans", "as answers about it name it"


def test_of_a_deck_of_all_each_hand_is_told() -> None:
    place = stage_cards.place(deck(None), None, CALLED, "")
    assert (place.name, place.label, place.marked) == ("war-plans", "War plans", False)
    assert [piece.said for piece in place.pieces] == [
        "9 cards to draw",
        "2 cards in Ann's hand",
        "1 card in Ben's hand",
    ]


def test_a_tray_lists_what_was_put_away_but_nothing_that_lies_face_down() -> None:
    assert stage_cards.tray([deck()], CALLED) is None
    assert stage_cards.tray([deck(top=[None])], CALLED) is None, "others have not seen it"
    seen = stage_cards.tray([deck(top=["8", None])], CALLED)
    assert seen is not None and seen.items[0].value == "8, 1 card face down"
    many = [str(number) for number in range(20)]
    tray = stage_cards.tray([deck(table=many, discard=["siege", None, None])], CALLED)
    assert tray is not None
    assert [(item.label, item.value) for item in tray.items] == [
        ("Ann's war plans, on the table", ", ".join(many)),
        ("Ann's war plans, discard", "siege, 2 cards face down"),
    ]
    place = stage_cards.table([deck(table=many)], None, COLOURS)
    assert sum(piece.kind.startswith("any-face") for piece in place.pieces) == 12, "the newest"
