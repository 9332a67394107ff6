"""`pbem replay` in a terminal and as a page, and `pbem export`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pbem.replay import keys
from pbem.replay.boards import Boards, spliced
from pbem.replay.step_through import place_after
from tests.cli.test_cli_help import told
from tests.support.begun_game import BegunGame
from tests.support.terminal import at_a_terminal


def test_keys_go_through_the_entries() -> None:
    sent = keys.KeyInput(iter(["\x1b[C\x1b[C", "\x1b[D", "\x1b[F", "x", "\x1b[1~", "q"]).__next__)
    number, seen = 0, []
    while (meant := keys.meaning(sent.next())) != keys.QUIT:
        number = place_after(meant, number, 5)
        seen.append(number)
    assert seen == [1, 2, 1, 4, 4, 0]
    assert keys.KeyInput(lambda: "").next() == "" and keys.meaning("") == keys.QUIT


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal is needed")
def test_a_terminal_shows_an_entry_with_its_board(begun: BegunGame) -> None:
    shown = at_a_terminal(
        begun.ann.home, begun.folder, ["replay", begun.last, "--from", "2"], ["n", "q"]
    )
    assert "2 of 3, Ann" in shown and "3 of 3, Ben" in shown
    assert "Thomas Jefferson" in shown and "Gibraltar" in shown


def test_without_a_terminal_it_says_what_to_do(begun: BegunGame) -> None:
    code, _, wrong = begun.ann.types("replay", begun.last)
    assert code == 2 and "--html OUT" in wrong


def test_a_page_is_written_once_and_never_over_another_file(begun: BegunGame) -> None:
    facts = begun.ann.does("replay", begun.last, "--html", "game.html")
    page = begun.folder / "game.html"
    assert (
        facts["bytes"] == page.stat().st_size and facts["entries"] == 4 and facts["problem"] is None
    )
    assert begun.ann.types("replay", begun.last, "--html", "game.html")[0] == 0
    (begun.folder / "other.html").write_text("mine")
    assert begun.ann.types("replay", begun.last, "--html", "other.html")[0] == 4
    assert (begun.folder / "other.html").read_text() == "mine"


def test_a_page_of_a_file_that_does_not_hold_says_so(begun: BegunGame, tmp_path: Path) -> None:
    data = (begun.folder / begun.last).read_bytes()
    bad = tmp_path / "bad.toml"
    bad.write_bytes(data.replace(b"event Murad", b"event murad"))
    facts = begun.ann.does("replay", str(bad), "--html", "bad.html")
    assert facts["entries"] == 3 and "turn 3" in facts["problem"]
    assert begun.ann.types("export", str(bad))[0] == 3


def test_an_export_tells_what_everybody_may_know(begun: BegunGame, tmp_path: Path) -> None:
    facts = json.loads(told(begun, "export", begun.last))
    assert [scene["number"] for scene in facts["scenes"]] == [0, 1, 2, 3]
    hand = begun.ann.does("show", begun.last)["hand"]
    backs = facts["scenes"][-1]["hands"]["american"]
    assert len(backs) == len(hand) and not set(backs) & set(facts["faces"])
    assert told(begun, "export", begun.last, "--format", "md").startswith("# ")
    assert told(begun, "export", begun.last, "--format", "html").startswith("<!DOCTYPE html>")
    assert begun.ann.types("export", begun.last, "--format", "pdf")[0] == 2
    told(begun, "export", begun.last, "--out", str(tmp_path / "game.json"))
    assert json.loads((tmp_path / "game.json").read_text(encoding="utf-8")) == facts


def test_boards_are_kept_as_changes_and_come_out_again() -> None:
    shown = [["a", "b", "c"], ["a", "d", "e", "c"], ["a"]]
    boards = Boards()
    for parts in [None, *shown, shown[-1]]:
        boards.add(parts)
    now: list[int] = []
    found = []
    for change in boards.changes:
        for start, removed, added in change or ():
            now[start : start + removed] = added
        found.append([boards.elements[number] for number in now])
    assert found == [[], *shown, shown[-1]]
    assert boards.changes[0] is None and boards.changes[-1] is None
    assert len(boards.elements) == len(set(boards.elements))
    assert spliced([1, 2, 3, 4], [1, 9, 3, 4, 5]) == [(4, 0, (5,)), (1, 1, (9,))]


def test_the_last_mail_offers_the_page(finished: BegunGame) -> None:
    from pbem.fileformat.turnfile import read
    from pbem.mail import compose

    made = compose.turn_mail(read((finished.folder / finished.last).read_bytes()), "turn.toml")
    assert made is not None and b"--html game.html" in made
    first = compose.turn_mail(read((finished.folder / finished.files[3]).read_bytes()), "turn.toml")
    assert first is not None and b"pbem replay" not in first
