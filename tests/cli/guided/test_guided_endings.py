"""A draw and a resignation at a terminal: what they cost is told, and one question asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.turn import joining, leaving, own_report, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import open_file
from tests.support.golden_words import Golden
from tests.support.homes import complete_answers, make_home
from tests.support.loot_homes import Table
from tests.support.loot_match import Match, anything
from tests.support.players import AMERICAN, TRIPOLITAN, Pair, last_fields
from tests.support.screen import at_a_screen


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    pair = Pair(tmp_path, 3).play(2)
    (tmp_path / "mails").mkdir()
    return pair


def asks(pair: Pair, seat: int, *entered: str, answer: str) -> tuple[int, str]:
    """A command of a player on the newest file, and the answer to its question."""
    home = pair.homes[seat].folder
    (home.parent / "mails" / "turn.toml").write_bytes(pair.data)
    with at_a_screen(
        home, home.parent / "mails", entered[0], "turn.toml", *entered[1:], "--no-mail", columns=200
    ) as screen:
        screen.types(answer)
        return screen.ends(), screen.text()


def newest(pair: Pair) -> bytes:
    return max(pair.homes[0].folder.parent.glob("mails/tripoli*.toml")).read_bytes()


def test_a_draw_is_offered_declined_and_accepted(pair: Pair, golden: Golden) -> None:
    def said(seat: int, *options: str, answer: str) -> int:
        code, shown = asks(pair, seat, "draw", *options, answer=answer)
        golden(shown.partition("Sign it?")[0])
        return code

    assert said(AMERICAN, answer="n") == 1
    assert not list(pair.homes[0].folder.parent.glob("mails/tripoli*"))
    assert said(AMERICAN, answer="y") == 0
    pair.data = newest(pair)
    assert said(TRIPOLITAN, "--decline", answer="n") == 1
    assert said(TRIPOLITAN, answer="y") == 0
    assert last_fields(newest(pair))["draw"] == "accept"


def test_yes_asks_nothing(pair: Pair) -> None:
    code, shown = asks(pair, AMERICAN, "draw", "--yes", answer="")
    assert code == 0 and "Sign it?" not in shown
    pair.data = newest(pair)
    opened = open_file(pair.data, pair.homes[TRIPOLITAN])
    costs = leaving.consequences(opened)
    code, shown = asks(pair, TRIPOLITAN, "resign", "--yes", answer="")
    assert code == 0 and "Sign it?" not in shown and costs in " ".join(shown.split())
    assert replay(turnfile.read(newest(pair))).is_over()


def test_a_resignation_tells_of_the_cards_that_its_own_entry_deals(pair: Pair) -> None:
    """The hand is dealt when the file is opened, so it is shown although the file itself holds no
    drawn card."""
    code, shown = asks(pair, AMERICAN, "resign", answer="n")
    hand = own_report.facts_for(pair.open(AMERICAN), public=False)[0].position.hand
    assert code == 1 and hand and f"({', '.join(hand)})" in " ".join(shown.split())
    assert "interrupted" not in shown
    assert not list(pair.homes[0].folder.parent.glob("mails/tripoli*"))


def test_an_offer_is_answered_in_a_led_turn(pair: Pair) -> None:
    assert asks(pair, AMERICAN, "draw", "--yes", answer="")[0] == 0
    pair.data = newest(pair)
    home = pair.homes[TRIPOLITAN].folder
    (home.parent / "mails" / "turn.toml").write_bytes(pair.data)
    with at_a_screen(home, home.parent / "mails", "play", "turn.toml", "--no-mail") as screen:
        screen.types("event murad")
        assert "Not taken: " in screen.last(6)
        screen.types("decline draw")
        assert screen.types("yes").ends() == 0
    fields = last_fields(newest(pair))
    assert fields["draw"] == "decline" and "answers" not in fields


def test_an_offer_goes_with_the_turn_or_alone(pair: Pair) -> None:
    home = pair.homes[AMERICAN].folder
    (home.parent / "mails" / "turn.toml").write_bytes(pair.data)
    with at_a_screen(
        home, home.parent / "mails", "play", "turn.toml", "--no-mail", columns=150
    ) as screen:
        screen.types("accept draw")
        assert "Not taken: " in screen.last(6)
        screen.types("offer draw")
        assert "Not taken" not in screen.last(6)
        screen.types("sign")
        assert "Sign it?" in screen.last()
        screen.types("event jefferson; 3 gib > tripoli zone; done; done")
        assert "Not taken:" in screen.last(6) and screen.last() == ">", (
            "what was not taken signs nothing by a yes"
        )
        screen.types("event jefferson; 3 gib > tripoli zone; done")
        assert "3 gibraltar > tripoli zone" in screen.last(20) and "Sign it?" in screen.last()
        assert screen.types("yes").ends() == 0
    fields = last_fields(newest(pair))
    assert fields["draw"] == "offer" and len(fields["answers"]) == 3


def test_the_end_is_signed_after_one_question(tmp_path: Path) -> None:
    """Ann gave up, so that Ben owes nothing and has signed nothing since."""
    homes = [make_home(tmp_path / name, name) for name in ("Ann", "Ben")]
    data = joining.invite(homes[0], joining.NewGame("backgammon", options={"match": 1}))
    data = joining.join(open_file(data, homes[1]), homes[1])
    while (seat := replay(turnfile.read(data)).to_act()) != 0 or len(
        turnfile.read(data).entries
    ) < 5:
        assert seat is not None
        opened = open_file(data, homes[seat])
        data = take_turn.next_entry(opened, Intent(complete_answers(opened, min)))
    data = take_turn.next_entry(open_file(data, homes[0]), Intent(resign=True))
    (tmp_path / "over.toml").write_bytes(data)
    for answer, code in (("n", 1), ("y", 0)):
        with at_a_screen(
            homes[1].folder, tmp_path, "play", "over.toml", "--no-mail", columns=200
        ) as screen:
            screen.types(answer)
            assert (screen.ends(), "Sign it?" in screen.text()) == (code, True)
        assert len([*tmp_path.glob("backgammon*.toml")]) == 1 - code
    (signed,) = tmp_path.glob("backgammon*.toml")
    assert last_fields(signed.read_bytes())["end"] == "seen"


def test_nobody_offers_a_draw_to_the_rules(tmp_path: Path) -> None:
    home = make_home(tmp_path / "Ann")
    (tmp_path / "turn.toml").write_bytes(joining.invite(home, joining.NewGame("tripoli-solitaire")))
    with at_a_screen(
        home.folder, tmp_path, "play", "turn.toml", "--no-mail", columns=150
    ) as screen:
        screen.types("offer draw")
        assert "Not taken: " in screen.last(6)
        screen.types("event jefferson")
        assert "8 moves left" in screen.last(50), "and the turn goes on"


def test_what_it_costs_among_more_than_two(tmp_path: Path) -> None:
    match = Match(3).until(8, anything(random.Random(1)))
    table = Table.of(match, tmp_path)
    seat = table.game().to_act()
    assert seat is not None
    opened = open_file(table.data, table.homes[seat])
    others = " and ".join(name for number, name in enumerate(opened.ledger.seats) if number != seat)
    assert f" {others} " in leaving.consequences_of_draw(opened, "offer")
    assert leaving.consequences_of_draw(opened, "accept") == ""
    assert (
        leaving.consequences_of_draw(open_file(table.data, table.homes[(seat + 1) % 3]), "offer")
        == ""
    )
