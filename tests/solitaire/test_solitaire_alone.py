"""A game that one player plays alone: a question only where there is a choice, a signature only
where one was made."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.report.lines import Line, kind_of
from pbem.table import turn_steps
from pbem.table.game_page import page
from pbem.table.open_games import OpenGames
from pbem.turn import open_game, take_turn
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import Intent
from tests.support import solitaire_kit
from tests.support.homes import complete_answers
from tests.support.screen import at_a_screen
from tests.support.solitaire_kit import home_of, invite


@pytest.fixture
def ann(tmp_path: Path) -> Home:
    return home_of(tmp_path, "Ann")


def warlike(chance: random.Random) -> Callable[[Sequence[str]], str]:
    """Mostly sails to Tripoli and plays events, so that there are battles."""

    def choose(options: Sequence[str]) -> str:
        for wish in (" > tripoli zone", "event ", "move with"):
            fitting = [option for option in options if wish in option]
            if fitting and chance.random() < 0.9:
                return chance.choice(fitting)
        return chance.choice(options)

    return choose


def before_the_end(ann: Home) -> bytes:
    """A game that waits for an entry in which its player decides nothing."""
    choose, data = warlike(random.Random(1)), invite(ann)
    while not take_turn.asks_nothing(opened := open_game.open_file(data, ann)):
        data = take_turn.next_entry(opened, Intent(tuple(complete_answers(opened, choose))))
    return data


def test_a_whole_game_asks_and_signs_only_where_there_is_a_choice(
    ann: Home, tmp_path: Path
) -> None:
    """At the table: each question has several answers, and each turn one button to sign it."""
    choose, data, signed = random.Random(1).choice, invite(ann), 0
    (tmp_path / "turn.toml").write_bytes(data)
    games = OpenGames(ann, tmp_path)
    game = games.open_data((tmp_path / "turn.toml").read_bytes())
    while game.draft is not None:
        assert game.draft.point().question
        while game.draft.point().question:
            options = [*game.draft.point().choices]
            assert len(options) > 1
            game.draft.answer(choose(options))
        game, told = turn_steps.do(games, game, {"mark": game.mark(), "sign": "yes"})
        assert told.signed and game.written is not None
        signed += 1
    file, memory = turnfile.read(game.data), game.opened.memory
    numbers = range(1, len(file.entries))
    assert replay(file).is_over() and memory is not None and 2 < signed < len(numbers)
    assert sorted(int(path.stem[-4:]) for path in tmp_path.glob("tripoli*.toml")) == [*numbers], (
        "each is written"
    )
    assert all(
        memory.signed(number) == file.data[: file.entries[number].end] for number in numbers
    ), "and kept"


WHOLE = ("event thomas jefferson", "3 gibraltar > tripoli zone", "done")
"""A first turn after which the bot does what needs no die."""


def without_battle_cards(ann: Home) -> Draft:
    """A turn that ends in a raid, in the hands of somebody who holds no card for one."""
    while True:
        turn = Draft(open_game.open_file(invite(ann), ann))
        turn.answer(*WHOLE)
        turn.answer("event swedish frigates arrive")
        if turn.point().entry.only:
            return turn


def test_the_one_answer_comes_by_itself_and_goes_back_with_the_one_before(ann: Home) -> None:
    turn = without_battle_cards(ann)
    assert turn.line.answers[-2:] == ("event Swedish Frigates Arrive", "decline")
    assert turn.point().entry.only == {4} and turn.point().may_sign and not turn.point().question
    assert turn.back() == ("event Swedish Frigates Arrive", "decline")
    assert "event Swedish Frigates Arrive" in turn.point().choices
    entered = turn.what_if("event swedish frigates arrive", "decline")
    assert entered.line.answers[-1] == "decline" and not entered.entry.only, (
        "it may be said all the same"
    )


def test_the_led_turn_says_that_there_was_no_choice(ann: Home, tmp_path: Path) -> None:
    turn = without_battle_cards(ann)
    turn.drop_line(0)
    data = turn.opened.file.data
    (tmp_path / "turn.toml").write_bytes(data)
    with at_a_screen(ann.folder, tmp_path, "play", "turn.toml", rows=24) as seat:
        seat.types("; ".join(WHOLE)).types("event swedish")
        assert "> decline (the only answer)" in seat.text()
        shown = " ".join(seat.text().partition("Your turn 1 says")[2].split())
        assert "interception at Tripoli" in shown.partition("What comes of it")[2]
        seat.types("yes")
        shown = seat.text().partition("Signed: tripoli-solitaire-")[2]
        story = " ".join(shown.split())
        assert "Five Corsair Check" in story and " raid " in story, "all that it brought"
        assert "You are asked:" in shown and "Sign it?" not in shown
        assert len(shown.partition("You are asked:")[2].splitlines()) in range(5, 10), (
            "and the question has its room"
        )
        seat.types("story")
        assert "Sweden Pays Tribute" in " ".join(seat.text().split())
        seat.types("quit")
        assert seat.ends() == 0


def test_the_table_tells_all_that_a_turn_brought(ann: Home, tmp_path: Path) -> None:
    """The bot's play, with the dice that come with the next entry; what it waits for only where
    that has changed."""
    turn = without_battle_cards(ann)
    turn.drop_line(0)
    (tmp_path / "turn.toml").write_bytes(turn.opened.file.data)
    games = OpenGames(ann, tmp_path)
    game = games.open_data((tmp_path / "turn.toml").read_bytes())
    assert game.draft is not None
    game.draft.answer(*WHOLE)
    game.draft.answer("event swedish frigates arrive")
    waits: list[Line] = []
    for again in (False, True):
        game, told = turn_steps.do(games, game, {"mark": game.mark(), "sign": "yes"})
        story = page(
            game,
            told,
            ann,
            can_send=False,
            unsent=False,
            last_sent=0.0,
            with_picture=False,
            film_starts=False,
        ).news
        (entry,) = story.entries
        kinds = [kind_of(line) for line in entry.lines]
        assert kinds[0] == "answer" and kinds.index("fired") < kinds.index("raid") < kinds.index(
            "rolled"
        )
        told_now = [line for line in entry.lines if kind_of(line) == "passed over"]
        assert again or told_now, "at first all that the bot waits for is news"
        assert not any(line in waits for line in told_now) and bool(story.as_before) is again
        waits += told_now
        assert game.draft is not None
        choose = warlike(random.Random(1))
        while game.draft.point().question:
            game.draft.answer(choose([*game.draft.point().choices]))


def test_what_a_stopped_program_left_is_signed_without_a_question(
    ann: Home, tmp_path: Path
) -> None:
    data = before_the_end(ann)
    (tmp_path / "turn.toml").write_bytes(data)
    with at_a_screen(ann.folder, tmp_path, "play", "turn.toml", rows=24) as seat:
        assert seat.ends() == 0
        assert "Sign it?" not in seat.text() and "unwitnessed" in seat.text()
    assert list(tmp_path.glob(f"*-{len(turnfile.read(data).entries):04}.toml"))


def test_a_witness_sees_the_questions_as_they_are(ann: Home, tmp_path: Path) -> None:
    """With somebody to see it, whether one answer was legal would say what the hand holds: nothing
    comes by itself."""
    ben = home_of(tmp_path, "Ben")
    data = solitaire_kit.join(ben, invite(ann, ben))
    turn = Draft(open_game.open_file(data, ann))
    turn.answer(*WHOLE)
    turn.answer("event swedish frigates arrive")
    assert (
        turn.point().question
        and not turn.point().entry.only
        and not take_turn.asks_nothing(turn.opened)
    )
