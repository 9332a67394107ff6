"""A watcher over sealed choices: it opens what its player has sealed, which decides nothing, and
answers nothing."""

from __future__ import annotations

from pathlib import Path

from pbem.fileformat import turnfile
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support import read_game
from tests.support.homes import complete_answers
from tests.support.watch_kit import Correspondent, Stage, of_two


def turn(stage: Stage, data: bytes, cube: str) -> bytes:
    """The next entry by hand: the first plays that are legal, and this for the cube."""
    who = stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other
    opened = open_game.open_file(data, who.home)
    answers = complete_answers(opened, lambda options: cube if cube in options else options[0])
    return take_turn.next_entry(opened, Intent(tuple(answers)))


def sealed(folder: Path, cube: str) -> tuple[Stage, bytes, Correspondent]:
    """A game in which one has sealed this for their next turn, the other has played, and it is the
    first one's turn."""
    stage, data = of_two(folder, "backgammon", {"match": 5, "sealed": 1})
    while sum("choice" in entry.fields for entry in turnfile.read(data).entries) < 2:
        data = turn(stage, data, "roll")
    for choice in (cube, "roll"):
        data = turn(stage, data, choice)
    return stage, data, stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other


def test_a_sealed_double_is_opened_by_itself_and_the_take_is_left_to_its_player(
    tmp_path: Path,
) -> None:
    stage, data, who = sealed(tmp_path, "double")
    other = stage.other if who is stage.one else stage.one
    stage.send(other, data)
    (done,) = who.look().sent
    newest = turnfile.read(who.newest()).entries[-1]
    assert newest.number == done.entry and set(newest.fields) == {
        "seat",
        "date",
        "nonce",
        "chosen",
        "position",
    }
    assert newest.list("chosen")[0].endswith(" double")
    answered = other.look()
    assert answered.sent == [], "take or drop is a question"
    assert read_game.replay_bytes(other.newest()).entries[-1].number == newest.number, (
        "which has come to them"
    )


def test_a_sealed_roll_is_left_to_the_turn_that_it_belongs_to(tmp_path: Path) -> None:
    """The throw that follows is played in the same mail: that is a decision."""
    stage, data, who = sealed(tmp_path, "roll")
    other = stage.other if who is stage.one else stage.one
    stage.send(other, data)
    done = who.look()
    assert done.sent == [] and [held.rule for held in done.held] == [3]
