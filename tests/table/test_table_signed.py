"""After a signature: the line over the board, the next game, what others wrote, a rematch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.rematch import rematch
from tests.support.homes import make_home
from tests.support.mail_kit import Played, go_on, start
from tests.support.table_kit import Visitor, needs_browser, served


def begun(folder: Path, name: str, played: Played) -> Path:
    """A game of Ann's, as a file."""
    path = folder / f"{name}.toml"
    path.write_bytes(played.newest)
    return path


def resigned(played: Played) -> Played:
    """The same game, which whoever is to play has given up; both have shown their cards."""
    home = played.homes[played.to_act()]
    opened = open_game.open_file(played.newest, home)
    played.files.append(take_turn.next_entry(opened, Intent((), resign=True)))
    return go_on(played, 2)


def another(played: Played) -> bytes:
    """A second game between the same two, in which Ann is to play."""
    ann, ben = played.homes.values()
    invited = joining.invite(ann, joining.NewGame("tripoli"))
    return joining.join(open_game.open_file(invited, ben), ben)


def play_one(visitor: Visitor) -> None:
    """A legal turn, up to the signature."""
    while visitor.page.locator('[data-action="sign"]').count() == 0:
        answers = visitor.answers()
        visitor.give("done" if "done" in answers else answers[0])


@pytest.mark.dear("drives a browser")
@needs_browser
def test_the_line_says_who_is_next_until_it_is_sent_and_one_key_leads_on(
    chromium: Any, tmp_path: Path
) -> None:
    game = start(tmp_path / "game")
    ann, path = game.homes["american"], begun(tmp_path, "first", game)
    second = another(game)
    open_game.open_file(second, ann)
    with served(ann, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        assert page.locator(".signed").count() == 0
        play_one(visitor)
        file, line = visitor.sign(), page.locator(".signed")
        assert "not sent" in line.inner_text() and " Ben" in line.inner_text()
        assert page.locator('.signed [data-action="mail"]').get_attribute("href").endswith(".eml")
        assert not line.locator(".files").is_visible(), "files are there, and not first"
        line.locator("summary", has_text="Other ways").click()
        assert line.locator(".files li").count() == 3
        assert visitor.problems == []
        leave(visitor)
    open_again = served(ann, tmp_path / "files", tmp_path / "files" / str(file))
    with open_again as server:
        visitor = Visitor(chromium, server)
        page, line = visitor.page, visitor.page.locator(".signed")
        page.locator("#view[data-lies]").wait_for()
        assert "not sent" in line.inner_text() and line.locator(".close").count() == 0
        line.locator("summary", has_text="Other ways").click()
        with page.expect_download() as saved:
            line.locator(".files a", has_text=".toml").click()
        assert Path(saved.value.path()).read_bytes().startswith(path.read_bytes())
        visitor.click("[name=sent]")
        assert "Noted as sent" in line.inner_text() and "not sent" not in line.inner_text()
        page.keyboard.press("n")
        page.wait_for_url(lambda url: second_name(second) in url)
        page.locator("#view[data-lies]").wait_for()
        assert visitor.turn() == "yours" and page.locator(".signed").count() == 0
        assert visitor.problems == []
        leave(visitor)


def leave(visitor: Visitor) -> None:
    """Close the page while its table is still there: the next one is asked by it for nothing."""
    visitor.page.goto("about:blank")
    visitor.close()


def second_name(data: bytes) -> str:
    return replay(turnfile.read(data)).game_id.hex()[:32]


@pytest.mark.dear("drives a browser")
@needs_browser
def test_a_message_is_written_where_one_signs_and_stands_with_the_move(
    chromium: Any, tmp_path: Path
) -> None:
    game = start(tmp_path / "game")
    ann, ben = game.homes.values()
    with served(ann, tmp_path / "ann", begun(tmp_path, "game", game)) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        play_one(visitor)
        assert not page.locator("#message").is_visible()
        page.locator(".writing summary").click()
        page.locator("#message:focus").wait_for()
        page.keyboard.type("Good <b>luck</b>, Ben")
        assert page.locator(".writing #message").input_value() == "Good <b>luck</b>, Ben"
        sent = tmp_path / "ann" / visitor.sign()
        assert visitor.problems == []
        leave(visitor)
    with served(ben, tmp_path / "ben", sent) as server:
        visitor = Visitor(chromium, server)
        letter = visitor.page.locator(".above .letter")
        assert letter.inner_text().replace("\n", " ").startswith("Ann: Good <b>luck</b>, Ben")
        assert letter.bounding_box()["y"] < 60, "over the board"
        letter.locator(".close").click()
        letter.wait_for(state="hidden")
        play_one(visitor)
        visitor.click('[data-action="back"]')
        assert not letter.is_visible(), "what was put away stays away"
        assert visitor.problems == []
        leave(visitor)


@pytest.mark.dear("drives a browser")
@needs_browser
def test_a_rematch_is_written_at_the_table_and_taken_up(chromium: Any, tmp_path: Path) -> None:
    game = resigned(start(tmp_path / "game"))
    ann, ben = game.homes.values()
    with served(ann, tmp_path / "ann", begun(tmp_path, "over", game)) as server:
        visitor = Visitor(chromium, server)
        again = visitor.page.locator('[data-action="rematch"]')
        again.click()
        visitor.page.locator(".signed[data-new]").wait_for()
        invited = tmp_path / "ann" / str(visitor.page.locator("main").get_attribute("data-file"))
        assert visitor.problems == []
        leave(visitor)
    with served(ben, tmp_path / "ben", invited) as server:
        visitor = Visitor(chromium, server)
        visitor.click("button[name=join]")
        joined = tmp_path / "ben" / str(visitor.page.locator("main").get_attribute("data-file"))
        assert visitor.problems == []
        leave(visitor)
    played = replay(turnfile.read(joined.read_bytes()))
    assert [player.name for player in played.players if player] == ["Ben", "Ann"]


def test_a_rematch_has_the_same_options_and_is_for_that_key_alone(tmp_path: Path) -> None:
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    time = {"clock": "30+3", "leave-days": 9}
    chosen = {"hidden-discard": 1}
    invited = joining.invite(
        ann,
        joining.NewGame("tripoli", seat="tripolitan", options=chosen, clock=time, title="League"),
    )
    data = joining.join(open_game.open_file(invited, ben), ben)
    with pytest.raises(Refused, match="not over"):
        rematch(ann, open_game.open_file(data, ann))
    played = Played({"american": ben, "tripolitan": ann}, [data])
    over = resigned(played).newest
    for home, own, other in ((ann, "american", "tripolitan"), (ben, "tripolitan", "american")):
        entry = turnfile.read(rematch(home, open_game.open_file(over, home))).entries[0]
        assert entry.seat == own and entry.list("options") == ["hidden-discard"]
        assert (entry.text("clock"), entry.fields["leave-days"]) == ("30+3", 9)
        (kept,) = entry.list("invites")
        assert kept.startswith(f"{other} ") and "called" not in entry.fields
    cleo = make_home(tmp_path / "cleo", "Cleo")
    with pytest.raises(Refused, match="play"):
        rematch(cleo, open_game.open_file(over, cleo))
    again = rematch(ann, open_game.open_file(over, ann))
    with pytest.raises(Refused):
        joining.join(open_game.open_file(again, cleo), cleo)
    assert replay(turnfile.read(joining.join(open_game.open_file(again, ben), ben))).begun()


def test_three_players_move_on_by_one_seat(tmp_path: Path) -> None:
    homes = [make_home(tmp_path / name, name) for name in ("Ann", "Ben", "Cleo")]
    data = joining.invite(homes[0], joining.NewGame("loot", options={"players": 3}))
    for home in homes[1:]:
        data = joining.join(open_game.open_file(data, home), home)
    while not (game := replay(turnfile.read(data))).is_over():
        seat = game.to_act()
        assert seat is not None
        data = take_turn.next_entry(open_game.open_file(data, homes[seat]), Intent((), resign=True))
    data = rematch(homes[1], open_game.open_file(data, homes[1]))
    for home in (homes[2], homes[0]):
        data = joining.join(open_game.open_file(data, home), home)
    again = replay(turnfile.read(data))
    assert [player.name for player in again.players if player] == ["Cleo", "Ann", "Ben"]
