"""Backgammon at the table: men are moved one by one, in whichever order, with the mouse, a finger
or keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.turn import joining, open_game, take_turn
from pbem.turn.intent import Intent
from tests.support.fixed import FixedRandom, fixed
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = needs_browser
TWO_MEN = re.compile(r"(\d+)/(\d+) (\d+)/(\d+)\Z")
ONE_MAN = re.compile(r"(\d+)/(\d+)\Z")


def questions(folder: Path, seed: str) -> Iterator[tuple[Home, bytes, list[str]]]:
    """A game in which each plays the first of the plays that are legal: who is to play, the file,
    the plays."""
    homes = [make_home(folder / name, name) for name in ("Ann", "Ben")]
    with fixed(FixedRandom(seed)):
        invited = joining.invite(homes[0], "backgammon", None, {"match": 3}, [])
        data = joining.join(open_game.open_file(invited, homes[1]), homes[1])
        while True:
            seat = replay(turnfile.read(data)).to_act()
            assert seat is not None
            answers = list[str]()
            while (
                told := open_game.moves(open_game.open_file(data, homes[seat]), answers)
            ).options:
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
    """That is the answer now; then it is taken back."""
    visitor.page.locator(".line li > span").first.wait_for()
    assert visitor.line() == [sentence]
    visitor.page.locator('[data-action="back"]').click()
    visitor.page.locator(".line").wait_for(state="detached")
    assert moved(visitor) == []


def test_men_go_one_by_one_in_whichever_order_and_one_goes_on_with_both_dice(
    chromium: Any, tmp_path: Path
) -> None:
    home, data, options = next(questions(tmp_path, "order"))
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    two = next(
        found for option in options if (found := TWO_MEN.match(option)) and found[1] != found[3]
    )
    one = next(found for option in options if (found := ONE_MAN.match(option)))
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator(".pin.can-go").first.wait_for()
        own = next(iter(men(visitor, two[3])))
        before = men(visitor, two[3])[own]
        assert {two[1], two[3], one[1]} <= set(visitor.places())
        visitor.place(two[3])
        assert two[4] in visitor.places() and visitor.chosen() == [f"place:{two[3]}"]
        visitor.place(two[4])
        assert moved(visitor) == [[two[3], two[4]]] and visitor.line() == []
        assert men(visitor, two[3]).get(own, 0) == before - 1, "the man stands where they went"
        assert own in men(visitor, two[4])
        visitor.page.keyboard.press("Escape")
        assert moved(visitor) == [] and men(visitor, two[3])[own] == before, "and goes back"
        for source, target in ((two[3], two[4]), (two[1], two[2])):
            visitor.place(source)
            visitor.place(target)
        answered(visitor, two[0])

        visitor.place(one[1])
        visitor.place(one[1])
        assert visitor.chosen() == [], "a man is let go"
        visitor.place(one[1])
        visitor.place(one[2])
        answered(visitor, one[0])
        visitor.place(one[1])
        between = next(
            place for place in visitor.places() if int(one[2]) < int(place) < int(one[1])
        )
        visitor.place(between)
        assert between in visitor.places()
        visitor.place(between)
        visitor.place(one[2])
        answered(visitor, one[0])
        visitor.place(one[1])
        visitor.place(between)
        visitor.page.locator("#choices .let-go", has_text=f"{one[1]}/{between}").click()
        assert moved(visitor) == []
        assert visitor.problems == []
        visitor.close()


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
                if "*" in option and "(" in option and "bar" not in option
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
                for place in (source, target):
                    visitor.page.locator(f'.pin[data-place="{place}"].can-go').focus()
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
