"""Tables of cards (`pbem.games.table`): what lies there, how it is told, drawn and filmed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.games.faces import BANDS
from pbem.games.stage import StageBoard, as_json
from pbem.games.table import (
    BACK,
    COIN,
    NONE,
    PILE,
    SCORE,
    TABLE_STAGE,
    Hand,
    Pile,
    Row,
    Score,
    Table,
    TableCard,
    Thing,
)
from pbem.report import board_words, picture, terminal_board
from pbem.report.picture_board import board_picture
from pbem.report.render import render

TABLE = Table(
    {
        "ace": TableCard(number="1", text="It counts as eleven as well."),
        "old ace": TableCard("The ace of the old harbour", "A", "gold", ("once",)),
        "storm": TableCard("<Storm> & rain", colour="purple", marks=("event", "once"), text="No."),
    },
    places=("row 1", "row 10", "pile"),
)
VIEW = {
    "when": "round 2",
    "viewer": "second",
    "called": {"first": "Ann", "second": "Ben"},
    "waiting": {"seat": "first", "what": "answer"},
}
BEFORE: Sequence[Thing] = (
    Score(4, label="Prize", words="gold", many="gold"),
    Pile("pile", "Pile", 9),
    Hand("first", 3),
    Score(1, owner="first"),
    Row("row 1", "Bids", [None], "first"),
    Pile("laid 1", "Laid", ["ace"], "first"),
    Hand("second", 3),
    Score(7, owner="second", of=10),
    Row("row 10", "Bids", [], "second"),
)
THERE: Sequence[Thing] = (
    Score(0, label="Prize", words="gold", many="gold"),
    Pile("pile", "Pile", 7),
    Hand("first", 4, ["storm"]),
    Score(5, owner="first"),
    Row("row 1", "Bids", [], "first"),
    Pile("laid 1", "Laid", ["ace", "old ace"], "first"),
    Hand("second", 3),
    Score(7, owner="second", of=10),
    Row("row 10", "Bids", ["storm"], "second"),
)


def board(before: Sequence[Thing] | None = BEFORE) -> StageBoard:
    return TABLE.board(VIEW, THERE, before)


def drawn(made: StageBoard) -> str:
    """The backdrop of a table."""
    return render(TABLE_STAGE.backdrop, vars(made))


def test_whoever_looks_sits_near_and_what_they_have_is_on_their_plate() -> None:
    made = board()
    assert made.edges == [["second"], ["first"]]
    first, second = (item for item in made.strip if item.player)
    assert (first.label, first.is_now, second.is_now) == ("Ann", True, False)
    assert [(piece.kind, piece.text, piece.change) for piece in first.pieces] == [
        (BACK, "4", 1),
        (COIN, "5", 4),
    ]
    assert [(fact.label, fact.value, fact.of) for fact in second.facts] == [("points", "7", 10)]
    assert [(place.name, place.edge, place.marked) for place in made.places] == [
        ("Prize", "", False),
        ("pile", "", False),
        ("row 1", "first", False),
        ("laid 1", "first", False),
        ("row 10", "second", True),
    ]
    assert [place.label for place in made.places][1:4] == ["Pile", "Bids", "Laid (2)"]
    kinds = [piece.kind for place in made.places for piece in place.pieces]
    assert kinds == [SCORE, PILE, NONE, "card-1", "card-2"]


def test_what_went_where_is_read_out_of_two_positions() -> None:
    """A card that lay face down before somebody is the one that lies open on their pile; one from
    the common pile is in the hand that has grown."""
    assert sorted(board().moved) == [
        ("card-1", 1, "row 1", "laid 1"),
        ("card-2", 1, "pile", "row 10"),
        (BACK, 1, "pile", "first"),
    ]
    assert board(None).moved == () and board(THERE).moved == []
    turned = TABLE.board(VIEW, [Row("r", "R", ["ace"])], [Row("r", "R", [None])])
    assert turned.moved == [] and turned.places[0].marked, "turned over where it lies"


def test_points_that_several_need_stand_with_each_of_them_and_in_no_headline() -> None:
    """There they would be "points 7 of 12" and "points 1 of 12", nobody's."""
    scores = [Score(points, owner=seat, of=12) for seat, points in (("first", 7), ("second", 1))]
    words = board_words.words_of(TABLE.board(VIEW, scores))
    assert words.standing == "Round 2"
    assert dict(words.places) == {"Ann": "points 7 of 12, to move", "Ben": "points 1 of 12"}


def test_it_is_told_in_words_and_letters() -> None:
    words = board_words.words_of(board())
    assert words.standing == "Round 2 · Prize: 0 gold · Pile: 7 cards face down · points 7 of 10"
    assert dict(words.places) == {
        "Laid of Ann": "2 cards, The ace of the old harbour on top",
        "Bids of Ben": "<Storm> & rain",
        "Ann": "4 cards in hand, 5 points, to move",
        "Ben": "3 cards in hand, points 7 of 10",
    }
    assert words.rest == [
        "Cards in piles: Laid of Ann ace, old ace",
        "Open hands: Ann storm",
    ]
    for form in terminal_board.forms(board(), 80):
        text = form.text.plain
        assert max(map(len, text.split("\n"))) <= 80
        assert "Laid of Ann" in text and "Bids of Ben" in text and "(-2)" in text


def test_every_card_is_a_symbol_of_the_backdrop_and_titles_are_no_markup() -> None:
    made = board()
    text = drawn(made)
    for kind in (BACK, PILE, NONE, COIN, SCORE, *(f"card-{nth}" for nth in range(3))):
        assert f'<g id="{kind}"' in text, kind
    for face in TABLE.faces.values():
        assert f'<g id="{face.pictures[0]}" data-high="44">' in text
    assert "<Storm>" not in text and "&lt;Storm&gt;" in text and "style=" not in text
    shown = render("picture.svg.j2", vars(board_picture(made, text, "A game", "Ann to play")))
    assert picture.png(shown)[:8] == b"\x89PNG\r\n\x1a\n"
    assert "ground" not in as_json(made) and "moved" not in as_json(made)


def test_cards_have_faces_and_texts_in_a_hand() -> None:
    assert set(TABLE.faces) == set(TABLE.texts) == {"ace", "old ace", "storm"}
    assert all(face.band in BANDS for face in TABLE.faces.values())
    assert [face.gist for face in TABLE.faces.values()] == ["", "", "No."]
    assert TABLE.texts["old ace"] == "The ace of the old harbour"


def test_a_table_that_cannot_be_is_refused() -> None:
    for wrong in (
        lambda: TableCard(colour="pink"),  # type: ignore[arg-type]
        lambda: TableCard(number="1000"),
        lambda: Table({}, back="url(#x)"),  # type: ignore[arg-type]
        lambda: TABLE.board({}, [Row("r", "R", ["king"])]),
        lambda: TABLE.board({}, [Pile("p", "P", ["king"])]),
        lambda: TABLE.board({}, [Row("r", "R", []), Pile("r", "P", 1)]),
    ):
        with pytest.raises(ValueError, match=r"colour|fit|no card|two things"):
            wrong()
