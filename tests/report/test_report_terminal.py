"""The board in a terminal, drawn from its description alone: every game, every form, every size."""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import OpenTable
from pbem.games import registry
from pbem.games.stage import StageBoard, StageItem, StagePiece, StagePlace, StageThrow, StageThrown
from pbem.report import terminal, terminal_board
from pbem.report.board import board_at

GAMES = ("backgammon", "loot", "paradise", "tripoli", "tripoli-solitaire")
NAMES = {"first": "Ann", "second": "Ben", "third": "Cleo"}
ROOM = 16
"""Rows that a report of 24 rows has for its board at least, beside its title and its question."""

MOST = 28
"""Places that are held in games that people play; at random Samoa's realm grows without end."""


def views(game: str, positions: int, settings: Mapping[str, int] | None = None) -> list[Any]:
    """Public views of a random game, with some turns between them."""
    rules, rng = registry.newest(game), random.Random(53)
    found: list[Any] = []

    class Enough(Exception):
        pass

    def choose(at: Game, _ask: Ask, answers: Sequence[Answer]) -> Answer:
        found.append(at.view(None, {}))
        if len(found) == 6 * positions:
            raise Enough
        return rng.choice(list(answers))

    with contextlib.suppress(Enough):
        OpenTable(rules, {**rules.defaults, **(settings or {})}, rng).play(choose)
    return found[::6]


def pairs(game: str, **settings: int) -> Iterator[tuple[Any, Any]]:
    all_views = views(game, 20, settings)
    return zip([None, *all_views], all_views, strict=False)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("game", GAMES)
def test_every_form_fits_and_has_fewer_rows(game: str, width: int) -> None:
    for before, view in pairs(game):
        forms = terminal.boards(game, view, before, width, NAMES)
        rows = [form.rows for form in forms]
        assert rows == sorted(rows, reverse=True) and len(rows) == len(set(rows))
        board = board_at(game, view, before)
        if board is not None and sum(bool(place.pieces) for place in board.places) <= MOST:
            assert rows[-1] <= ROOM or width < 80
        for form in forms:
            assert max(map(cell_len, form.text.plain.split("\n"))) <= width, form.text.plain


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_stands_in_every_form(game: str) -> None:
    """Counted by the kind of piece: in words, by first letters, or one below the other."""
    for before, view in pairs(game):
        board = board_at(game, view, before, names=NAMES)
        assert board is not None
        for form in terminal_board.forms(board, 80):
            text = " ".join(form.text.plain.split())
            for place in (one for one in board.places if not one.silent):
                for piece in place.pieces:
                    assert is_told(piece, text), (piece, form.text.plain)
                    if piece.change:
                        assert f"({piece.change:+d})" in text


def is_told(piece: StagePiece, text: str) -> bool:
    sign = piece.sign or "".join(word[0] for word in piece.words.split()).upper()
    number = piece.text or str(piece.count)
    words = [piece.words, piece.many or f"{piece.words}s"] if not piece.text else [piece.words]
    told = [f"{number} {word}" for word in words] + [f"{number}{sign}"]
    if piece.is_single or piece.sign:
        told += [piece.words, sign]
    return any(one in text for one in told)


def test_a_map_has_its_places_where_they_lie() -> None:
    view = registry.newest("tripoli").begin({}).view(None, {})
    rows = terminal.boards("tripoli", view, None)[0].text.plain.split("\n")
    at = {
        name: (row, line.index(name))
        for name in ("Algiers zone", "Malta", "Tangier ", "Tripoli zone", "Derne", "Alexandria")
        for row, line in enumerate(rows)
        if name in line
    }
    south = ["Algiers zone", "Malta", "Tripoli zone", "Derne", "Alexandria"]
    assert south == sorted(south, key=lambda name: at[name][0])
    assert at["Tangier "][1] < at["Algiers zone"][1] < at["Malta"][1] < at["Alexandria"][1]


def test_what_came_and_went_is_marked() -> None:
    before = registry.newest("tripoli").begin({}).view(None, {})
    view = {
        **before,
        "board": {**before["board"], "Tripoli Patrol Zone": {"us_frigates": 2}},
        "gold": 3,
    }
    view["board"]["Gibraltar"] = {"us_frigates": 1, "tr_corsairs": 2}
    text = " ".join(terminal.boards("tripoli", view, before)[0].text.plain.split())
    for words in (
        *("2 American frigates (+2)", "1 American frigate (-2)", "4 Tripolitan corsairs"),
        *(
            "gold 3 of 12 (+3) ●●●○",
            "1802: 1 American frigate",
            "Alexandria",
            "Spring 1801",
        ),
    ):
        assert words in text, words


def test_who_leads_a_fight_and_when_a_ship_is_taken() -> None:
    seen = set()
    for before, view in pairs("loot", players=4):
        text = " ".join(terminal.boards("loot", view, before, 120)[0].text.plain.split())
        for ship in view["ships"]:
            for side in ship["attackers"]:
                skulls = f"{side['strength']} skull{'s' * (side['strength'] > 1)}"
                mark = "▸ " if side["side"] == ship["leader"] else ""
                assert f"{mark}{skulls} in {side['colour']}" in text
            leads = f"taken when {ship['taken_by']} is next" if ship["leader"] else "nobody takes"
            seen.add(leads[:6])
            assert leads in text
        for side in view["captured"]:
            assert f"{side['side']}: {side['gold']} gold" in text
    assert seen == {"taken ", "nobody"}


def test_stacks_stand_in_columns_from_both_edges() -> None:
    view = registry.newest("backgammon").begin({}).view(None, {})
    grid = terminal.boards("backgammon", view, None)[-1:0:-1]
    rows = next(form for form in grid if form.kind == "plain").text.plain.split("\n")
    top = next(number for number, row in enumerate(rows) if row.startswith(" 13"))
    column = rows[top].index("13")
    assert rows[top + 1][column] in "OX" and rows[-2][rows[-1].index("12")] in "OX"
    assert rows[top + 1][column] != rows[-2][column]


def test_a_board_of_a_game_unknown_here() -> None:
    """Nothing but values; and places of cards, of which one has nothing but a number."""
    board = StageBoard(
        (0, 0, 1, 1), [], [StageItem("Round 1", is_now=True), StageItem("Prize", "7")]
    )
    assert [form.text.plain for form in terminal_board.forms(board, 80)][-1] == "Round 1   Prize 7"
    hand = StagePiece("hand", 2, "card in hand", many="cards in hand")
    places = [
        StagePlace("deck", "Deck", look="cards", pieces=[StagePiece("deck", 9, "card")]),
        StagePlace(
            "ann", "Ann", look="cards", pieces=[hand, replace(hand, words="point", many="")]
        ),
    ]
    text = terminal_board.forms(replace(board, places=places), 80)[0].text.plain
    assert "Prize 7   Deck 9 cards" in text and "Ann  2 cards in hand\n  2 points" in text


def test_letters_are_read_out() -> None:
    view = registry.newest("tripoli").begin({}).view(None, {})
    last = terminal.boards("tripoli", view, None)[-1].text.plain
    told = dict(re.findall(r"\b([A-Z]{2}) ([A-Z]\w+ \w+)", " ".join(last.split())))
    assert told == {
        "AF": "American frigate",
        "TC": "Tripolitan corsair",
        "TI": "Tripolitan infantry",
    }


HEAD = "A game\n  first Ann\n\nWhat happened\n" + "\n".join(f"    deed {n}" for n in range(9))
TEXTS = terminal.ReportTexts(HEAD, "the status", "hand\nasked\nmoves", "hand\nasked", "--all")


def printed(rows: int, texts: terminal.ReportTexts = TEXTS) -> str:
    board = StageBoard(
        (0, 0, 9, 9),
        [
            StagePlace(str(at), str(at), (at, at), pieces=[StagePiece("x", 1, "man", many="men")])
            for at in range(4)
        ],
    )
    console = terminal.Console(width=40, height=rows, file=io.StringIO(), record=True)
    terminal.print_report(texts, terminal_board.forms(board, 40), console)
    return console.export_text()


def test_the_board_is_the_last_thing_to_go() -> None:
    assert "moves" in printed(40) and "deed 0" in printed(40)
    for rows in range(7, 26):
        text = printed(rows)
        assert "1 man" in text or "1M" in text, rows
        assert text.startswith("A game\n") and "hand\nasked" in text
        assert ("--all" in text) is ("moves" not in text)
        assert text.count("\n") < rows
    middle = printed(20)
    assert "the status" in middle and "1 man" in middle and "moves" not in middle
    assert "deed 8" in middle and "deed 0" not in middle
    everything = printed(9, replace(TEXTS, rest=""))
    assert "deed 0" in everything and "moves" in everything and "─" in everything


def test_dice_stand_in_columns_by_who_threw_them_where_there_is_room() -> None:
    throws = [
        StageThrow("Guns of Tripoli", (6, 6, 3), 2),
        StageThrow("Frigates", (5,), 0, says="no luck"),
    ]
    board = StageBoard(
        (0, 0, 9, 9),
        [
            StagePlace(
                "deck", "Deck", look="cards", pieces=[StagePiece("deck", 9, "card")], note="x"
            )
        ],
        thrown=StageThrown("Naval battle", throws, says="sunk"),
    )
    first, *_, last = terminal_board.forms(board, 80)
    rows = first.text.plain.split("\n")
    guns, frigates = (next(row for row in rows if one.words in row) for one in throws)
    assert guns.index("6 6 3") == frigates.index("5") and guns.index("2 hits") == frigates.index(
        "no"
    )
    assert rows.index(guns) == rows.index("Naval battle") + 1 and "  sunk" in rows
    assert "Guns" not in last.text.plain
