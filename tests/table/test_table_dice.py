"""The dice of a fight beside the board: what the story says of them is what lies there, in view at
every size, and who takes hits clicks the ships there."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from pbem.report import history
from pbem.turn import open_game
from tests.support.loot_match import Match
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import AT_REST, MEASURED, SHIFTS, check_measures, in_windows, seen

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
WARLIKE = ("event Thomas", "event Assault", "event Tripoli Att", "event Naval", "play", "event")


class _IsThere(Exception):
    """The moment that a test is about."""


@cache
def fight(seed: int, verbs: tuple[str, ...]) -> Match:
    """A game of The Shores of Tripoli in which America is asked how to take the hits: all of it
    follows from the seed. `verbs` begin the answers."""
    match, chance = Match(2, seed, game="tripoli").until(2), random.Random(seed)

    def choose(seat: str, answers: Sequence[str]) -> str:
        if seat == "american" and sum(one.startswith(verbs) for one in answers) > 1:
            raise _IsThere
        wanted = [one for one in answers if one.startswith(WARLIKE)] or list(answers)
        return chance.choice(wanted if chance.random() < 0.85 else list(answers))

    with pytest.raises(_IsThere):
        match.play(choose)
    return match


NAVAL = (39, ("sink", "damage"))
"""The Assault: frigates, gunboats and the guns, five hits."""
BATTLE = (11, ("sink", "damage"))
"""A naval battle: who is hit comes back next year."""
LANDING = (5, ("lose",))


@pytest.fixture
def at(chromium: Any, tmp_path: Path) -> Callable[..., Any]:
    """Somebody who sits at that fight, as America."""

    def sit(seed: int, verbs: tuple[str, ...]) -> Any:
        match = fight(seed, verbs)
        person, home = match.people[0], Home(tmp_path / "home")
        home.create(person.name, person.mail, person.seed, "")
        open_game.open_file(match.data, home, nothing_newer=True)
        path = tmp_path / "game.toml"
        path.write_bytes(match.data)
        return served(home, tmp_path / "files", path)

    return sit


def newest_throws(match: Match) -> list[tuple[list[int], int]]:
    """The dice since the fight or its newest round began, in order, and how many hit."""
    story = history.told(match.maker)
    begun = max(at for at, line in enumerate(story) if line["kind"] in ("battle", "ground combat"))
    found: dict[str, tuple[list[int], int]] = {}
    for line in story[begun:]:
        if line["kind"] == "rolled":
            if line["why"] in found:
                found.clear()
            dice = line["dice"]
            assert isinstance(dice, list) and isinstance(line["hits"], int)
            found[str(line["why"])] = (sorted(dice, reverse=True), line["hits"])
    return list(found.values())


SHOWN = """() => [...document.querySelectorAll("#dice .throw")].map((row) => {
    const dice = [...row.querySelectorAll(".thrown-dice svg")], room = freePart(), box = document.getElementById("dice").getBoundingClientRect();
    const inView = ({ left, top, right, bottom }) => left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom + 1 && right <= innerWidth && bottom <= innerHeight;
    return [row.dataset.dice, dice.length, dice.filter((one) => one.matches(".hit")).length, dice.filter((one) => inView(one.getBoundingClientRect())).length];
})"""  # noqa: E501


COVERED = """() => {
    const box = document.getElementById("dice").getBoundingClientRect(), from = viewBox().top, most = GAP + 1;
    return placesTaken().filter((one) => one.left + most < box.right && one.right - most > box.left
        && one.top + most < box.bottom - from && one.bottom - most > box.top - from).length;
}"""  # noqa: E501
"""How many places lie under the dice."""
OUT_OF_VIEW = """() => {
    const bar = document.querySelector(".work").getBoundingClientRect(), end = Math.min(bar.bottom, innerHeight) + 1;
    return [...document.querySelectorAll(".taker.can-go, .losses .loss-words")].filter((one) => one.checkVisibility()).filter((one) => {
        const { bottom, right, left } = one.getBoundingClientRect();
        return bottom > end || left < bar.left || right > bar.right || document.elementFromPoint(right - 3, bottom - 3)?.closest(".loss") !== one.closest(".loss");
    }).map((one) => one.textContent || one.dataset.loss);
}"""  # noqa: E501
"""The pieces that can take a hit, and what it costs, that are not in view."""
WINDOWS = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]


@pytest.mark.parametrize("moment", [NAVAL, BATTLE, LANDING])
def test_dice_in_view_are_those_of_the_story_at_every_size(
    chromium: Any, at: Any, moment: tuple[int, tuple[str, ...]]
) -> None:
    throws = newest_throws(fight(*moment))
    with at(*moment) as server:
        visitor = Visitor(chromium, server, still=WINDOWS[0])
        for size in in_windows(visitor, WINDOWS):
            shown = visitor.page.evaluate(SHOWN)
            assert shown == [
                [" ".join(map(str, sorted(dice))), len(dice), hits, len(dice)]
                for dice, hits in throws
            ], size
            found = visitor.page.evaluate(MEASURED)
            assert found["board"] > (0.55 if size[1] < 480 else 0.28), size
            check_measures({**found, "board": 1}, size)  # dice may lie below the board
            assert visitor.page.evaluate(COVERED) == 0, size
            assert visitor.page.evaluate(OUT_OF_VIEW) == [], size
        assert visitor.problems == []
        visitor.close()


def test_hits_are_taken_by_clicks_on_the_ships(chromium: Any, at: Any) -> None:
    with at(*NAVAL) as server:
        visitor = Visitor(chromium, server)
        for size in ((1366, 768), (390, 844)):
            seen(visitor, size)
            page = visitor.page
            page.evaluate(SHIFTS)
            assert page.locator(".hits-left i.left").count() == 5
            framed = page.locator(".taker.can-go:visible").first
            framed.wait_for()
            assert not page.locator(".doing:is(.more-before, .more-after)").count(), "all choices"
            assert page.locator(".taker[data-loss='sink damaged frigate']").count() == 0
            visitor.click(".taker[data-loss='damage frigate']")
            assert visitor.line() == ["damage frigate"]
            assert page.locator(".hits-left i.left").count() == 4, "and how many are left is seen"
            visitor.click(".taker[data-loss='sink damaged frigate']")
            assert visitor.line()[-1] == "sink damaged frigate", "a second hit sinks it"
            plates = page.locator("#marks .plates").inner_text().split()
            assert plates[plates.index("sunk") + 1] == "3"
            assert page.evaluate("window.shifts") == []
            visitor.click('[data-action="back"]')
            visitor.click('[data-action="back"]')
            assert page.locator(".hits-left i.left").count() == 5
        assert visitor.problems == []
        visitor.close()


def test_what_a_hit_costs_stands_beside_the_ship(chromium: Any, at: Any) -> None:
    with at(*BATTLE) as server:
        visitor = Visitor(chromium, server, still=(1366, 768))
        seen(visitor, (1366, 768))
        assert "back in 1805" in visitor.page.locator(".losses").inner_text()
        visitor.click(".taker[data-loss='damage frigate']")
        assert "sunk 1 of 4" in visitor.page.locator(".losses").inner_text()
        assert visitor.problems == []
        visitor.close()


def test_in_a_film_each_throw_comes_to_the_others_and_leads_to_its_proof(
    chromium: Any, at: Any
) -> None:
    with at(*BATTLE) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        seen(visitor, (1366, 768))
        page.locator("#film-button").click()
        page.locator("#film").wait_for()
        page.keyboard.press("p")
        counts = page.evaluate("film.steps.map((one) => one.board?.thrown?.throws.length ?? 0)")
        assert max(counts) == len(newest_throws(fight(*BATTLE)))
        for step in (one for one, count in enumerate(counts) if count):
            page.evaluate(f"stepTo({step})")
            page.locator("#dice .throw").nth(counts[step] - 1).wait_for()
            assert page.locator("#dice .throw").count() == counts[step]
        page.evaluate("endFilm()")
        assert visitor.problems == []
        visitor.close()


IN_VIEW = """() => {
    const free = freePart(), from = viewBox().top;
    return [...pins.values()].filter(({ button }) => {
        const { left, top, right, bottom } = button.getBoundingClientRect();
        return left >= free.left && right <= free.right && top >= from + free.top && bottom <= from + free.bottom;
    }).map(({ place }) => place.name);
}"""  # noqa: E501
"""The places that are seen whole."""


@pytest.mark.parametrize(("moment", "place"), [(BATTLE, "Tripoli"), (LANDING, "Derne")])
def test_a_low_telephone_shows_where_the_dice_fell_and_what_is_around(
    chromium: Any, at: Any, moment: tuple[int, tuple[str, ...]], place: str
) -> None:
    with at(*moment) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        seen(visitor, (390, 700))
        page.evaluate(AT_REST)
        near, scale = page.evaluate(IN_VIEW), page.evaluate("camera.scale")
        assert {place, "Benghazi", "Tripoli Patrol Zone"} <= set(near)
        page.locator("#whole").click()
        page.evaluate(AT_REST)
        assert page.evaluate("camera.scale") < scale / 1.5, "the whole chart for who asks for it"
        page.locator("#whole").click()
        page.evaluate(AT_REST)
        assert page.evaluate(IN_VIEW) == near
        page.locator("#dice .dice-title").click()
        page.evaluate(AT_REST)
        assert len(page.evaluate(IN_VIEW)) > len(near), "folded dice leave the room to the chart"
        assert visitor.problems == []
        visitor.close()


def test_a_telephone_shows_the_whole_chart_and_the_dice(chromium: Any, at: Any) -> None:
    with at(*BATTLE) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        seen(visitor, (390, 844))
        page.evaluate(AT_REST)
        harbours = {"Gibraltar", "Tangier", "Algiers", "Tunis", "Tripoli", "Benghazi", "Derne"}
        assert harbours <= set(page.evaluate(IN_VIEW)), "while hits are taken"
        page.evaluate(
            "() => { const { throws, losses, ...rest } = board.thrown;"
            " drawBoard({ ...board, thrown: { ...rest, throws: throws.slice(0, 1) } });"
            " placeDice(); aim(false); }"
        )
        page.evaluate(AT_REST)
        assert harbours <= set(page.evaluate(IN_VIEW)), "and once none is"
        visitor.close()


def test_dice_fold_in_and_out(chromium: Any, at: Any) -> None:
    with at(*NAVAL) as server:
        visitor = Visitor(chromium, server, still=(390, 844))
        seen(visitor, (390, 844))
        title = visitor.page.locator("#dice .dice-title")
        high = visitor.page.locator("#dice").bounding_box()["height"]
        title.click()
        assert title.get_attribute("aria-expanded") == "false"
        assert visitor.page.locator("#dice").bounding_box()["height"] < high / 3
        title.click()
        assert visitor.page.locator("#dice").bounding_box()["height"] == high
        visitor.close()
