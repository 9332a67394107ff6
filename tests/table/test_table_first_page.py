"""The first page for somebody who has never played: what can be played, a first game alone without
a name, an invitation, what they were sent, a game to watch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from examples.make_pages import newest
from pbem import files
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home.home import Home
from pbem.home.identity import UNNAMED
from pbem.mail.find_turns import Found
from pbem.report.lines import IN_A_LIST
from pbem.turn import game_list, joining
from pbem.turn.inbox import Inbox
from tests.support.homes import key_of, make_home
from tests.support.mail_kit import start
from tests.support.table_kit import Client, Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")
ROOT = Path(__file__).parents[2]
SIZES = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]


def games_in(folder: Path) -> set[str]:
    return {
        turnfile.read(path.read_bytes()).entries[0].text("game") for path in folder.glob("*.toml")
    }


@needs_browser
def test_a_newcomer_plays_at_once_and_says_who_they_are_to_a_friend(
    chromium: Any, tmp_path: Path
) -> None:
    home, files = Home(tmp_path / "ann"), tmp_path / "files"
    with served(home, files) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        titles = page.locator(".box h3").all_inner_texts()
        assert len(titles) == 5, titles
        assert "Tripoli" in titles[0] and any("Paradise" in one for one in titles)
        assert page.locator("#name").count() == 1, "in the invitation alone"
        page.locator('[data-action="alone"]').first.click()
        page.locator('main[data-turn="yours"]').wait_for()
        assert home.identity().name == UNNAMED
        page.goto(page.url.partition("/game")[0])
        assert page.locator("#games .yours").count() == 1
        assert "turn 0" not in page.locator("#games").inner_text(), "it has just begun"
        assert UNNAMED not in page.locator("main").inner_text()
        assert not page.locator(".shelf").is_visible(), "folded once there are games"
        page.locator(".begin > summary").click()
        page.locator('[data-invite="loot"]').click()
        assert page.locator('[name="game"][value="loot"]').is_checked()
        page.locator("#name").fill("Ann")
        page.locator("#mail").fill("no address")
        page.locator("#opponents").fill("nobody I know")
        page.locator('[data-action="invite"]').click()
        assert "no plain mail address" in page.locator(".refusal").inner_text()
        assert [page.locator(one).input_value() for one in ("#name", "#mail", "#opponents")] == [
            "Ann",
            "no address",
            "nobody I know",
        ]
        page.locator("#mail").fill("ann@example.org")
        page.locator('[data-action="invite"]').click()
        page.locator(".refusal", has_text="nobody you know").wait_for()
        assert home.identity().name == "Ann" and home.identity().mail == "ann@example.org"
        assert page.locator("#name").count() == 0, "asked once"
        page.locator("#opponents").fill("")
        page.locator('[data-action="invite"]').click()
        page.locator(".signed").wait_for()
        assert [problem for problem in visitor.problems if "favicon" not in problem] == []
        visitor.close()
    assert games_in(files) == {"tripoli-solitaire", "loot"}


@needs_browser
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_what_can_be_played_is_on_the_first_screen(
    chromium: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Nothing is asked, nothing lies beside the window, and a game can be begun without a move."""
    width, height = size
    with served(Home(tmp_path / "ann"), tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".box-board").first.wait_for()
        boxes = [one.bounding_box() for one in page.locator(".box").all()]
        play = page.locator('[data-action="alone"]').first.bounding_box()
        assert play is not None and play["y"] + play["height"] <= height
        assert all(box is not None and box["x"] >= 0 for box in boxes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        seen = [box for box in boxes if box is not None and box["y"] < height - 40]
        assert len(seen) >= (4 if width != 390 else 2)
        ways = page.locator(".doors a").all()
        assert len(ways) == 3
        for way in ways:
            page.evaluate("scrollTo(0, 0)")
            box = way.bounding_box()
            assert box is not None and box["y"] + box["height"] <= height
            way.click()
            heading = page.locator(str(way.get_attribute("href"))).bounding_box()
            assert heading is not None and 0 <= heading["y"] + heading["height"] <= height
        visitor.close()


@needs_browser
def test_a_newcomer_sees_what_they_were_sent_before_they_say_who_they_are(
    chromium: Any, tmp_path: Path
) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "mails") as server:
        client = Client(server)
        client.enter()
        assert client.post("/new", game="loot").status == 303
    (invitation,) = (tmp_path / "mails").glob("*.toml")
    home = Home(tmp_path / "ben")
    with served(home, tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator("#take-file").set_input_files(invitation)
        page.locator("h1", has_text="Ann invites you to Loot").wait_for()
        assert not home.has_identity()
        page.locator("#name").fill("B\u200ben")
        page.locator("button.main").click()
        page.locator(".refusal").wait_for()
        page.locator("#name").fill("Ben")
        page.locator("button.main").click()
        page.locator('[name="join"]').click()
        page.locator('[name="join"]').wait_for(state="detached")
        assert home.identity().name == "Ben" and visitor.problems == []
        visitor.close()


@needs_browser
def test_who_plays_alone_says_who_they_are_when_they_join(chromium: Any, tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "mails") as server:
        client = Client(server)
        client.enter()
        client.post("/new", game="loot")
    (invitation,) = (tmp_path / "mails").glob("*.toml")
    home = Home(tmp_path / "ben")
    with served(home, tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator('[data-action="alone"]').first.click()
        page.locator('main[data-turn="yours"]').wait_for()
        page.goto(page.url.partition("/game")[0])
        page.locator("#take-file").set_input_files(invitation)
        page.locator("#taken a").click()
        page.locator("#name").fill("Ben")
        page.locator("#mail").fill("ben@nowhere")
        page.locator('[name="join"]').click()
        page.locator(".refusal").wait_for()
        assert page.locator("#name").input_value() == "Ben"
        page.locator("#mail").fill("ben@example.org")
        page.locator('[name="join"]').click()
        page.locator('[name="join"]').wait_for(state="detached")
        visitor.close()
    joined = max((tmp_path / "files").glob("loot*.toml"))
    assert turnfile.read(joined.read_bytes()).entries[1].text("name") == "Ben"


@needs_browser
def test_a_game_that_came_with_the_program_is_watched(chromium: Any, tmp_path: Path) -> None:
    """In a page with an origin of its own, which verifies it."""
    with served(Home(tmp_path / "ann"), tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.goto(page.url.rstrip("/") + "/watch/tripoli")
        page.locator("#verdict", has_text="63 turns hold").wait_for()
        assert page.evaluate("self.origin") == "null" and visitor.problems == []
        assert page.goto(page.url.replace("tripoli", "nothing")).status == 404
        visitor.close()


def test_what_no_turn_is_in_is_said_to_a_newcomer(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.ask("POST", "/take?name=a", body=b"lunch at one?")
        assert answer.status == 400 and b"there is no turn in it" in answer.body
        assert client.ask("GET", "/came").status == 404
    assert not home.has_identity()


def test_a_seat_is_kept_for_a_key(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert client.post("/new", game="tripoli", opponents=b64(key_of("Ben"))).status == 303
    (path,) = (tmp_path / "files").glob("*.toml")
    assert turnfile.read(path.read_bytes()).entries[0].list("invites") == [
        f"tripolitan {b64(key_of('Ben'))}"
    ]


@pytest.mark.parametrize("name", ["", "   ", "A\u200bnn", "x" * 81])
def test_a_name_that_cannot_be_signed_makes_no_key(tmp_path: Path, name: str) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.post("/new", game="loot", name=name, mail="")
        assert answer.status == 200 and b"refusal" in answer.body
    assert not home.has_identity()


def test_an_address_without_a_dot_is_asked_for_once_more(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        asked = client.post("/new", game="loot", name="Ann", mail="ann@exampleorg")
        assert asked.status == 200 and b"has no dot behind the @" in asked.body
        assert not home.has_identity()
        assert b'name="mail_before" value="ann@exampleorg"' in asked.body
        other = client.post(
            "/new", game="loot", name="Ann", mail="ann@host", mail_before="ann@exampleorg"
        )
        assert other.status == 200 and not home.has_identity()
        assert (
            client.post(
                "/new", game="loot", name="Ann", mail="ann@host", mail_before="ann@host"
            ).status
            == 303
        )
    assert home.identity().mail == "ann@host"


@pytest.mark.parametrize("emoji", ["\u2620\ufe0f", "\U0001f469\u200d\U0001f680"])
def test_an_emoji_that_is_refused_in_a_name_is_shown(tmp_path: Path, emoji: str) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.post("/new", game="loot", name=f"Ann {emoji}", mail="").body.decode()
    assert f"the name holds {emoji}, an emoji" in answer and not home.has_identity()


@contextmanager
def at_the_list(chromium: Any, folder: Path) -> Iterator[Visitor]:
    """Ann before the list of her games, of which one waits for her."""
    game = start(folder / "game")
    (folder / "game.toml").write_bytes(game.newest)
    with served(game.homes["american"], folder / "files", folder / "game.toml") as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".home-link").click()
        yield visitor
        visitor.close()


@needs_browser
def test_the_list_shows_small_boards_which_lead_to_their_games(
    chromium: Any, tmp_path: Path
) -> None:
    with at_the_list(chromium, tmp_path) as visitor:
        page = visitor.page
        board = page.locator(".games .small-board img")
        assert board.evaluate("one => one.decode().then(() => one.naturalWidth)") > 100
        box = board.bounding_box()
        assert box["width"] > 90 and box["height"] > 80
        board.click()
        page.locator("#view[data-lies]").wait_for()
        assert visitor.problems == []


def test_a_name_is_asked_for_once(tmp_path: Path) -> None:
    home = make_home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert client.post("/new", game="loot", name="Mallory", mail="").status == 303
        assert client.post("/name", name="Mallory", mail="").status == 303
    assert home.identity().name == "Ann"


@needs_browser
def test_a_row_of_the_list_says_first_what_the_game_waits_for(
    chromium: Any, tmp_path: Path
) -> None:
    """Larger than all else in it, beside a board that one can recognise."""
    with at_the_list(chromium, tmp_path) as visitor:
        page = visitor.page
        row = page.locator("#games .game")
        lines = row.inner_text().split("\n")
        did, due, where, when = [line for line in lines if line.strip()]
        assert "Ben" in did and "card" in due and due[0].isupper()
        assert "Tripoli with Ben" in where and "Spring 1801" in when
        assert "tripoli-" in row.locator(".when").get_attribute("title")
        board = row.locator("img").bounding_box()
        assert board["width"] == 160 and board["height"] >= 100


def test_whoever_has_said_no_name_invites_nobody_by_a_command(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert client.post("/new", game="tripoli-solitaire").status == 303
    ann = Player("Ann", home.folder, tmp_path, in_process=True)
    for words in (("new", "loot"), ("new", "tripoli-solitaire", "--witness", b64(key_of("Ben")))):
        code, _, said = ann.types(*words)
        assert code == 1 and "pbem id --name" in said
    ann.does("id", "--name", "Ann")
    ann.does("new", "loot")


def test_the_game_to_watch_is_the_example() -> None:
    path = files.example("tripoli")
    assert path is not None and files.example("nothing") is None
    assert path.read_bytes() == newest(ROOT / "examples" / "tripoli").read_bytes()


@needs_browser
def test_one_look_tells_of_ten_games(chromium: Any, tmp_path: Path) -> None:
    """Each row says first what was done and what is asked, whole, in a laptop's window."""
    played = start(tmp_path / "homes")
    home = played.homes["american"]
    Inbox(home).take([Found("the mail", played.newest)])
    for _ in range(9):
        joining.invite(home, joining.NewGame("backgammon"))
    with served(home, tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.set_viewport_size({"width": 1366, "height": 768})
        rows = [one.bounding_box() for one in page.locator(".game").all()]
        assert len(rows) == 10
        assert all(row is not None and row["y"] + row["height"] <= 768 for row in rows)
        first = page.locator(".game.yours .due")
        (facts,) = [one for one in game_list.facts(Inbox(home)).games if one.game == "tripoli"]
        assert first.locator(".did").inner_text() == facts.happened != ""
        assert facts.due[1:] in first.inner_text()
        assert first.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "not cut"
        did = first.locator(".did")
        did.evaluate(f"one => one.textContent = 'two words '.repeat({IN_A_LIST // 10})")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            rows = did.evaluate(
                "one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)"
            )
            assert rows < {390: 4.1, 844: 3.1}.get(width, 2.1), (width, rows)
            assert not page.locator(".me b").is_visible(), "a fingerprint is for who looks for it"
            title, me = (
                page.locator(f".home > header > {one}").bounding_box() for one in ("h1", ".me")
            )
            assert title and me and me["y"] < title["y"] + title["height"], (
                "it has no line of its own"
            )
        page.locator(".me > summary").click()
        assert len(page.locator(".me b").inner_text().split()) == 6
        begin = page.locator(".begin > summary")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            begin.click()
            page.locator(".shelf").wait_for()
            page.wait_for_timeout(100)
            box = begin.bounding_box()
            assert box and -1 <= box["y"] < 40, "what one opens is what one sees"
            begin.press("Enter")
            page.locator(".shelf").wait_for(state="hidden")
        visitor.close()


def test_to_draw_a_small_board_writes_nothing_into_the_home(tmp_path: Path) -> None:
    """Of a game whose turn has come and was not opened yet."""
    game = start(tmp_path / "homes")
    home = game.homes["american"]
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        Inbox(home).take([Found("the mail", game.newest)])
        (page,) = re.findall(r'src="(/game/[^"]+/board\.svg)"', list_of(client))

        def kept() -> dict[Path, tuple[int, bytes]]:
            paths = [path for path in home.folder.rglob("*") if path.is_file()]
            return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}

        before = kept()
        drawn = client.ask("GET", page)
        assert drawn.status == 200 and drawn.body.startswith(b"<svg")
        assert kept() == before


def list_of(client: Client) -> str:
    return client.ask("GET", "/").body.decode()
