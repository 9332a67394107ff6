"""Backgammon at the table: men are moved one by one, in whichever order, with the mouse, a finger
or keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.table.open_games import OpenGames
from pbem.table.request import PageRequest
from pbem.table.routes import Table
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.questions import moves as legal_moves
from tests.support.fixed import FixedRandom, fixed
from tests.support.homes import make_home, seed_of
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
TWO_MEN = re.compile(r"(\d+)/(\d+) (\d+)/(\d+)\Z")
SOON = 12
"""Entries in which a game of these tests comes to what it is played for: to look on would take
longer than the rest of the test."""
ONE_MAN = re.compile(r"(\d+)/(\d+)\Z")


def questions(folder: Path, seed: str) -> Iterator[tuple[Home, bytes, list[str]]]:
    """A game in which each plays the first of the plays that are legal: who is to play, the file,
    the plays, of the first questions. With the same seed it is the same game for whichever test:
    one in which what is looked for comes soon."""
    homes = [make_home(folder / name, name, seed=seed_of(name)) for name in ("Ann", "Ben")]
    with fixed(FixedRandom(seed)):
        invited = joining.invite(homes[0], joining.NewGame("backgammon", options={"match": 3}))
        data = joining.join(open_game.open_file(invited, homes[1]), homes[1])
        for _ in range(SOON):
            seat = replay(turnfile.read(data)).to_act()
            assert seat is not None
            answers = list[str]()
            while (told := legal_moves(open_game.open_file(data, homes[seat]), answers)).options:
                if not answers and "/" in told.options[0]:
                    yield homes[seat], data, list(told.options)
                answers.append(told.options[0])
            data = take_turn.next_entry(
                open_game.open_file(data, homes[seat]), Intent(tuple(answers))
            )


def men(visitor: Visitor, place: str) -> dict[str, int]:
    """The men that are drawn on a point."""
    drawn = visitor.page.locator(f'#view [data-at="{place}"]')
    kinds: list[str] = drawn.evaluate_all("all => all.map(one => one.dataset.piece)")
    return {kind: kinds.count(kind) for kind in kinds}


def moved(visitor: Visitor) -> list[list[str]]:
    steps: list[list[str]] = visitor.page.evaluate("stepped")
    return steps


def answered(visitor: Visitor, sentence: str) -> None:
    """That is the answer now; then it is taken back, one man after the other."""
    visitor.page.locator(".line li > span").first.wait_for()
    assert visitor.line() == [sentence]
    visitor.page.locator('[data-action="back"]').click()
    visitor.page.locator(".line").wait_for(state="detached")
    for left in reversed(range(len(moved(visitor)))):
        visitor.page.keyboard.press("Escape")
        assert len(moved(visitor)) == left


def go(visitor: Visitor, source: str, target: str) -> None:
    """A click on a man, and before it one on the dice where he would go by the other one."""
    first = visitor.page.evaluate("(name) => targetsOf(name).at(isOtherFirst ? -1 : 0)[0]", source)
    if first != target:
        visitor.place("die 1")
    visitor.place(source)
    steps = moved(visitor)
    assert not steps or steps[-1] == [source, target], "none when the play is whole by then"


def goes_both_ways(one: re.Match[str], options: list[str]) -> bool:
    """Whether a man may go by either die first: it is half of a play of two men each time."""
    halves = {part for option in options for part in option.split() if TWO_MEN.match(option)}
    between = {part.partition("/")[2] for part in halves if part.startswith(f"{one[1]}/")}
    return len(between - {one[2]}) == 2


def dice(visitor: Visitor) -> list[str]:
    """The dice as they lie, from the left."""
    return [next(iter(men(visitor, name))).rpartition("-")[2] for name in ("die 1", "die 2")]


def test_a_click_plays_the_larger_die_and_a_click_on_the_dice_turns_them_round(
    chromium: Any, tmp_path: Path
) -> None:
    home, data, two, one = next(
        (home, data, two, one)
        for home, data, options in questions(tmp_path, "order")
        for two in filter(None, map(TWO_MEN.match, options))
        for one in filter(None, map(ONE_MAN.match, options))
        if two[1] != two[3] and goes_both_ways(one, options)
    )
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".pin.can-go").first.wait_for()
        larger, smaller = dice(visitor)
        assert int(larger) > int(smaller) and "die 1" in visitor.places()
        source = one[1]
        own = next(iter(men(visitor, source)))
        before = men(visitor, source)[own]
        visitor.place(source)
        by_larger = str(int(source) - int(larger))
        assert moved(visitor) == [[source, by_larger]] and visitor.line() == []
        assert men(visitor, source).get(own, 0) == before - 1, "the man stands where he went"
        assert own in men(visitor, by_larger) and "die 1" not in visitor.places()
        visitor.page.keyboard.press("Escape")
        assert moved(visitor) == [] and men(visitor, source)[own] == before, "and goes back"
        visitor.place("die 2")
        assert dice(visitor) == [smaller, larger]
        visitor.place(source)
        assert moved(visitor) == [[source, str(int(source) - int(smaller))]]
        visitor.place(moved(visitor)[0][1])
        answered(visitor, one[0])
        assert dice(visitor) == [larger, smaller]

        for start, target in ((two[3], two[4]), (two[1], two[2])):
            go(visitor, start, target)
        answered(visitor, two[0])
        visitor.place(one[1])
        between = moved(visitor)[0][1]
        visitor.page.locator("#choices .let-go", has_text=f"{one[1]}/{between}").click()
        assert moved(visitor) == []
        assert visitor.problems == []
        visitor.close()


def test_a_forced_play_is_one_click(chromium: Any, tmp_path: Path) -> None:
    """Here of a question that is made to have one answer."""
    home, data, options = next(questions(tmp_path, "order"))
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".pin.can-go").first.wait_for()
        visitor.page.evaluate("known = known.slice(0, 1); paint()")
        assert visitor.offered() == [options[0]], "it is a button, too"
        visitor.place(next(place for place in visitor.places() if "die" not in place))
        answered(visitor, options[0])
        visitor.close()


def hits_at_once(sentence: str, options: list[str]) -> bool:
    """Whether a man is hit by each step that is said to hit, and not on the way there."""
    parts = [re.findall(r"(\d+)/(\d+)(\*?)", option) for option in (sentence, *options)]
    die = min(int(source) - int(target) for found in parts for source, target, _ in found)
    return any(hit for *_, hit in parts[0]) and all(
        int(source) - int(target) == die for source, target, hit in parts[0] if hit
    )


def test_a_double_is_played_with_keys_and_a_man_who_is_hit_stands_on_the_bar(
    chromium: Any, tmp_path: Path
) -> None:
    """On a screen of a phone's size."""
    home, data, hits = next(
        (home, data, hits)
        for home, data, options in questions(tmp_path, "double")
        if (
            hits := [
                option
                for option in options
                if "(" in option and "bar" not in option and hits_at_once(option, options)
            ]
        )
    )
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    sentence = max(hits, key=len)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.set_viewport_size({"width": 390, "height": 844})
        visitor.page.locator(".pin.can-go").first.wait_for()
        played = 0
        for source, target, hit, count in re.findall(
            r"(\d+)/(\d+|off)(\*?)(?:\((\d)\))?", sentence
        ):
            for _ in range(int(count or 1)):
                visitor.page.locator(f'.pin[data-place="{source}"].can-go').focus()
                visitor.page.keyboard.press("Enter")
                played += 1
                if hit and not visitor.line() and moved(visitor):
                    assert len(men(visitor, "bar")) == 1 and len(men(visitor, target)) == 1
        visitor.page.locator(".line li > span").first.wait_for()
        assert played > 1 and visitor.line() == [sentence] and visitor.problems == []
        assert visitor.page.locator("#view [data-arrow]").count() == played, (
            "each man's way is an arrow"
        )
        visitor.close()


def test_a_turn_begins_with_what_the_other_one_rolled(tmp_path: Path) -> None:
    found, path = list[str](), tmp_path / "game.toml"
    homes = [make_home(tmp_path / name, name) for name in ("Ann", "Ben")]
    with fixed(FixedRandom("line")):
        invited = joining.invite(homes[0], joining.NewGame("backgammon", options={"match": 1}))
        data = joining.join(open_game.open_file(invited, homes[1]), homes[1])
        for _ in range(6):
            home = homes[replay(turnfile.read(data)).to_act() or 0]
            path.write_bytes(data)
            games = OpenGames(home, tmp_path / "files")
            name = games.open_data(data).name
            page = Table(games).answer(PageRequest("GET", f"/game/{name}"))
            found += re.findall(r'class="since">([^<]*)<', page.body.decode())
            answers = list[str]()
            while (told := legal_moves(open_game.open_file(data, home), answers)).options:
                answers.append(told.options[0])
            data = take_turn.next_entry(open_game.open_file(data, home), Intent(tuple(answers)))
    assert len(found) > 2
    assert all(re.match(r"(Ann|Ben) plays .* with \d and \d", line) for line in found), found


def test_the_next_throw_is_chosen_beside_a_play(chromium: Any, tmp_path: Path) -> None:
    """One click, remembered in the next turn's line; it lies over the board's edge, not over the
    prompt, and whole in every window."""
    homes = [make_home(tmp_path / name, name) for name in ("Ann", "Ben")]
    with fixed(FixedRandom("next throw")):
        options = {"match": 7, "at-once": 1}
        invited = joining.invite(homes[0], joining.NewGame("backgammon", options=options))
        data = joining.join(open_game.open_file(invited, homes[1]), homes[1])
        seat = replay(turnfile.read(data)).to_act()
        assert seat is not None
    (tmp_path / "game.toml").write_bytes(data)
    with served(homes[seat], tmp_path / "files", tmp_path / "game.toml") as server:
        visitor = Visitor(chromium, server)
        page, ways = visitor.page, visitor.page.locator(".ahead button")
        while not page.locator('[data-action="sign"]').count():
            visitor.give(next(one for one in visitor.answers() if not one.startswith("resign")))
        assert [one.get_attribute("aria-pressed") for one in ways.all()] == ["true", "false"]
        for width, height in ((1440, 900), (1024, 768), (844, 390), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            bar = page.locator(".work").bounding_box()
            for box in [one.bounding_box() for one in ways.all()]:
                assert bar and box and box["x"] >= 0 and box["x"] + box["width"] <= width
                assert bar["y"] <= box["y"] and box["y"] + box["height"] <= height, "over no point"
                assert box["height"] >= 24
            assert page.evaluate(OVER_NUMBERS) == [], (width, height)
        ways.nth(1).click()
        page.locator('.ahead button[aria-pressed="true"]', has_text="ask about the cube").wait_for()
        assert "cube: ask" in page.locator("#drawer").text_content()
        visitor.close()


OVER_NUMBERS = """() => {
    const view = viewBox();
    return [...document.querySelectorAll(".bg-number")].flatMap((number) => {
        const { left, top, width, height } = number.getBoundingClientRect();
        const spots = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]];
        const above = spots.flatMap(([x, y]) => document.elementsFromPoint(left + width * x, top + height * y))
            .filter((one) => one.closest(".pin, .tool, .told, .ahead, .letter, #marks, .work, .trails"));
        const isOut = left < view.left || top < view.top || left + width > view.right || top + height > view.bottom;
        return above.length || isOut ? [[number.textContent, ...above.map((one) => one.outerHTML.slice(0, 80))]] : [];
    });
}"""  # noqa: E501
"""The points whose numbers something lies over, or that are out of the window."""
WINDOWS = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]


def asked(folder: Path, seed: str, wanted: str, **options: int) -> tuple[Home, Path]:
    """A game at the first question that has this answer, and the home of whoever is asked."""
    homes = [make_home(folder / name, name, seed=seed_of(name)) for name in ("Ann", "Ben")]
    path = folder / "game.toml"
    with fixed(FixedRandom(seed)):
        invited = joining.invite(homes[0], joining.NewGame("backgammon", options=options))
        data = joining.join(open_game.open_file(invited, homes[1]), homes[1])
        for _ in range(3 * SOON):
            seat = replay(turnfile.read(data)).to_act()
            assert seat is not None
            answers = list[str]()
            while (told := legal_moves(open_game.open_file(data, homes[seat]), answers)).options:
                if not answers and wanted in told.options:
                    path.write_bytes(data)
                    return homes[seat], path
                answers.append(("double" in told.options and "double") or told.options[0])
            data = take_turn.next_entry(
                open_game.open_file(data, homes[seat]), Intent(tuple(answers))
            )
    raise AssertionError(f"nobody is asked {wanted}")


def where(visitor: Visitor, name: str) -> list[float]:
    """The middle of a place, as shares of the board's width and height."""
    found: list[float] = visitor.page.evaluate(
        "(name) => { const [x, y, w, h] = board.whole, { at } = pins.get(name).place;"
        " return [(at[0] - x) / w, (at[1] - y) / h]; }",
        name,
    )
    return found


def test_the_cube_and_the_dice_are_touched_to_double_and_to_throw(
    chromium: Any, tmp_path: Path
) -> None:
    """And resigning is in the drawer."""
    home, path = asked(tmp_path, "cube", "double", match=5)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".pin.can-go").first.wait_for()
        assert sorted(visitor.places()) == ["cube", "dice"]
        assert sorted(visitor.offered()) == ["double", "roll"], "they are buttons too"
        x, y = where(visitor, "cube")
        assert 0.4 < x < 0.6 and y == pytest.approx(0.5, abs=0.02), "in the middle of the bar"
        for width, height in WINDOWS:
            visitor.page.set_viewport_size({"width": width, "height": height})
            number = visitor.page.locator('.standing [data-at="cube"] text')
            size = number.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
            assert size * visitor.page.evaluate("camera.scale") >= 12
            assert number.text_content() == "1"
        visitor.page.set_viewport_size({"width": 1366, "height": 768})
        visitor.click('.pin[data-place="cube"]')
        assert visitor.line() == ["double"]
        assert where(visitor, "cube")[0] > 0.6, "it is offered in mid-board"
        assert visitor.page.locator('.standing [data-at="cube"] text').text_content() == "2"
        visitor.click('[data-action="back"]')
        visitor.click('.pin[data-place="dice"]')
        assert visitor.line() == ["roll"]
        visitor.click('[data-action="back"]')
        assert not visitor.page.locator(".work").get_by_text("resign").count()
        visitor.click('#drawer [data-gives-up][value="resign single"]')
        assert visitor.line() == ["resign single"]
        assert visitor.problems == []
        visitor.close()


def test_an_offered_cube_is_taken_by_a_click_and_lies_at_its_owner(
    chromium: Any, tmp_path: Path
) -> None:
    home, path = asked(tmp_path, "cube", "take", match=5)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".pin.can-go").first.wait_for()
        assert visitor.places() == ["cube"] and sorted(visitor.offered()) == ["drop", "take"]
        assert where(visitor, "cube")[0] < 0.4, "in the half of whoever doubles"
        visitor.click('.pin[data-place="cube"]')
        assert visitor.line() == ["take"]
        x, y = where(visitor, "cube")
        assert 0.4 < x < 0.6 and y > 0.8, "beside the one whose it is now"
        visitor.close()


def spent(visitor: Visitor) -> list[str]:
    """The dice that men have gone by, as they are drawn."""
    found: list[str] = visitor.page.locator(".standing .spent").evaluate_all(
        "all => all.map(one => one.dataset.at)"
    )
    return found


def test_of_a_double_four_dice_lie_there_and_each_man_is_taken_back_alone(
    chromium: Any, tmp_path: Path
) -> None:
    home, data, _ = next(
        (home, data, options)
        for home, data, options in questions(tmp_path, "double")
        if any("(4)" in one for one in options)
    )
    (tmp_path / "game.toml").write_bytes(data)
    with served(home, tmp_path / "files", tmp_path / "game.toml") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator(".pin.can-go").first.wait_for()
        assert [
            visitor.page.evaluate("(name) => pins.has(name)", f"die {nth}") for nth in range(1, 6)
        ] == [
            True,
            True,
            True,
            True,
            False,
        ]
        assert len(spent(visitor)) == 0
        count = 0
        while not visitor.line():
            names = page.evaluate("Object.keys(node()[0])")
            visitor.place(names[0])
            if page.evaluate("source !== null"):
                visitor.place(page.evaluate("targetsOf(source)[0][0]"))
            count += 1
            if len(moved(visitor)) == count < 4:
                assert len(spent(visitor)) == count
            page.wait_for_timeout(100)
        page.locator(".line li > span").first.wait_for()
        assert len(spent(visitor)) == 4, "they stay when all have gone"
        visitor.click('[data-action="back"]')
        page.locator(".line").wait_for(state="detached")
        for left in (3, 2, 1):
            assert len(moved(visitor)) == left == len(spent(visitor)), "one man, again the next"
            page.locator("#choices .let-go").click()
        assert moved(visitor) == [] == spent(visitor)
        assert visitor.problems == []
        visitor.close()


def test_in_a_film_the_dice_of_the_board_lead_to_their_proof(chromium: Any, tmp_path: Path) -> None:
    """They are thrown there, and nowhere else, so nothing lies over men."""
    home, data, _ = next(iter(questions(tmp_path, "film")))
    (tmp_path / "game.toml").write_bytes(data)
    with served(home, tmp_path / "files", tmp_path / "game.toml") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator("#film-button").click()
        page.locator("#film").wait_for()
        page.keyboard.press("p")
        throws = page.evaluate(
            "film.steps.flatMap((one, at) => one.dice?.length"
            " && one.board.places.some(({ name }) => name === 'die 1')"
            " ? [[at, one.dice[0][2]]] : [])"
        )
        assert throws
        for step, thrown in throws:
            page.evaluate(f"stepTo({step})")
            link = page.locator("#view .pins .proves")
            link.wait_for()
            assert sorted(map(int, dice(visitor))) == sorted(thrown)
            assert page.locator("#thrown").inner_html() == ""
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                visitor.until(LIES_OVER, "die 1")  # it goes with the board
            link.focus()
            page.keyboard.press("Enter")
            page.locator("#besides").wait_for()
            page.keyboard.press("Escape")
        page.evaluate("endFilm()")
        assert not page.locator("#view .pins .proves").count()
        assert visitor.problems == []
        visitor.close()


LIES_OVER = """(name) => {
    const link = document.querySelector(".pins .proves").getBoundingClientRect();
    const die = document.querySelector(`.standing [data-at="${name}"]`).getBoundingClientRect();
    return link.left <= die.left + 1 && link.top <= die.top + 1
        && link.right >= die.right - 1 && link.bottom >= die.bottom - 1;
}"""


def test_nothing_lies_over_the_number_of_a_point(chromium: Any, tmp_path: Path) -> None:
    """Neither before the throw, nor with a choice for the next one beside a play."""
    for name, options in (("asked", {"match": 5}), ("at once", {"match": 5, "at-once": 1})):
        (folder := tmp_path / name).mkdir()
        wanted = "double" if name == "asked" else "resign single"
        home, path = asked(folder, f"numbers {name}", wanted, **options)
        with served(home, folder / "files", path) as server:
            visitor = Visitor(chromium, server)
            for width, height in WINDOWS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                visitor.page.emulate_media(reduced_motion="reduce")
                visitor.page.reload()
                visitor.page.locator("#view[data-lies]").wait_for()
                assert visitor.page.locator(".bg-number").count() == 24
                assert visitor.page.evaluate(OVER_NUMBERS) == [], (name, width, height)
                while name == "at once" and not visitor.line():
                    visitor.give(next(one for one in visitor.answers() if "resign" not in one))
                    assert visitor.page.evaluate(OVER_NUMBERS) == [], (name, width, height)
            visitor.close()
