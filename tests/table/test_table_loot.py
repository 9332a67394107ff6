"""Loot at the table: everybody sits at an edge of the sea, with their ships before them, and all is
as large as the window lets it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pbem.home.home import Home
from pbem.turn import open_game
from tests.support.loot_match import Match
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_stage import FINGER, SHIFTS, SIZES, check, ends_at, in_windows, seen

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]
GAMES = [
    (2, False, 2, 1),
    (3, False, 3, 0),
    (4, False, 4, 0),
    (5, False, 5, 0),
    (4, True, 4, 4),
    (6, True, 5, 4),
    (8, True, 6, 0),
]
"""How many play, whether in pairs, how many ships are in play, and what all of it follows from."""
FILLED, CROWDED = 0.6, 0.5
"""How much of the sea the ships take at least; on a telephone's side, or with the plates of six and
more players."""
CARDS = {2: 0.2, 3: 0.19, 4: 0.11, 5: 0.17, 6: 0.15, 8: 0.13}
"""How much of it their cards take, by the number of players."""

SEATED = """() => {
    const box = (one) => one.getBoundingClientRect(), free = freePart(), view = viewBox();
    const area = ({ width, height }) => width * height;
    const ships = [...pins.values()].filter(({ place }) => place.name.startsWith("ship"));
    const inside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
        && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
    const sea = { left: view.left + free.left, right: view.left + free.right,
        top: view.top + free.top, bottom: view.top + free.bottom };
    const shoreOf = (name) => box(shores.get(name).element), near = shoreOf(board.edges[0][0]);
    return {
        filled: ships.reduce((sum, { button }) => sum + area(box(button)), 0) / (free.width * free.height),
        cards: ships.flatMap(({ button }) => [...button.querySelectorAll(".piece svg")]).reduce((sum, one) => sum + area(box(one)), 0) / (free.width * free.height),
        plates: board.edges.flat().map((name) => inside(box(pins.get(name).button), sea)),
        strip: [...document.querySelectorAll("#marks .player")].length,
        strays: ships.filter(({ place, button }) => !inside(box(button), shoreOf(place.edge))).length,
        aside: board.edges.slice(1).filter(([name]) => shoreOf(name).top > near.top + 1).length,
        below: sea.bottom - near.bottom,
        leaders: ships.map(({ place, button }) => [
            place.pieces.filter((one) => one.leads).length,
            button.querySelectorAll(".leads .ribbon").length,
        ]),
    };
}"""  # noqa: E501

PLACED = """() => Object.fromEntries([...shores].map(([name, { element }]) =>
    [name, element.getBoundingClientRect().toJSON()]))"""
"""Where each side sits."""


class _IsFull(Exception):
    """So many ships are in play, and the player who is asked can attack one."""


@cache
def loot_match(count: int, pairs: bool, ships: int, seed: int) -> Match:
    """A game of Loot with so many ships in play: all of it follows from these numbers."""
    chance = random.Random(seed)
    match = Match(count, **({"partners": 1} if pairs else {})).until(count)

    def choose(_seat: str, answers: Sequence[str]) -> str:
        attacks = [one for one in answers if " at ship " in one]
        sends_out = [one for one in answers if one.startswith("merchant")]
        in_play = match.maker.begun().referee.game.view(None, {})["ships"]
        if attacks and len(in_play) >= ships:
            raise _IsFull
        return chance.choice(attacks or sends_out or list(answers))

    with pytest.raises(_IsFull):
        match.play(choose)
    return match


def loot_at_sea(folder: Path, count: int, pairs: bool, ships: int, seed: int) -> tuple[Home, Path]:
    """That game, and the home of the player who is asked."""
    match = loot_match(count, pairs, ships, seed)
    seat = match.checker.to_act()
    assert seat is not None
    person, home = match.people[seat], Home(folder / "home")
    home.create(person.name, person.mail, person.seed, "")
    open_game.open_file(match.data, home, nothing_newer=True)
    path = folder / "loot.toml"
    path.write_bytes(match.data)
    return home, path


def check_seats(visitor: Visitor, size: tuple[int, int], count: int) -> None:
    """Everybody's ships lie at their edge, all players are in view, and the ships fill the sea."""
    found = visitor.page.evaluate(SEATED)
    is_roomy = min(size) > FINGER / 2 and count < 6
    assert found["filled"] > (FILLED if is_roomy else CROWDED), (size, found)
    assert found["cards"] > CARDS[count], (size, found)
    assert found["plates"] == [True] * count and not found["strip"], (size, found)
    assert (found["strays"], found["aside"]) == (0, 0), (size, found)
    assert 0 <= found["below"] < 20, "the near edge is the lower one"
    assert all(leads == shown for leads, shown in found["leaders"])


@pytest.mark.parametrize(("count", "pairs", "ships", "seed"), GAMES)
def test_ships_of_loot_are_seen_and_hit_at_every_size(
    chromium: Any, tmp_path: Path, count: int, pairs: bool, ships: int, seed: int
) -> None:
    home, path = loot_at_sea(tmp_path, count, pairs, ships, seed)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=SIZES[0])
        for size in in_windows(visitor):
            visitor.page.evaluate(SHIFTS)
            check(visitor, size)
            check_seats(visitor, size, count)
            end = ends_at(visitor)
            assert "pile" in visitor.places() and "draw" in visitor.offered()
            card = next(one for one in visitor.answers() if " at ship " in one).split(" at ")[0]
            visitor.card(card)
            assert visitor.places(), "it goes to ships"
            check(visitor, size)
            visitor.click(f'.pin[data-place="{visitor.places()[0]}"]')
            check(visitor, size)
            assert ends_at(visitor) == end
            visitor.click('[data-action="back"]')
            assert visitor.page.evaluate("window.shifts") == []
        assert visitor.problems == []
        visitor.close()


@pytest.mark.parametrize("match", [GAMES[3], GAMES[6]])
def test_who_attacks_finds_everybody_where_they_sat(
    chromium: Any, tmp_path: Path, match: tuple[int, bool, int, int]
) -> None:
    def is_within(one: dict[str, float], other: dict[str, float]) -> bool:
        across, down = one["x"] + one["width"] / 2, one["y"] + one["height"] / 2
        is_beside = other["left"] <= across <= other["right"]
        return is_beside and other["top"] <= down <= other["bottom"]

    home, path = loot_at_sea(tmp_path, *match)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=(390, 844))
        seen(visitor, (390, 844))
        for attack in [one for one in visitor.answers() if " at ship " in one][:2]:
            before = visitor.page.evaluate(PLACED)
            visitor.give(attack)
            after = visitor.page.evaluate(PLACED)
            assert before.keys() == after.keys()
            for name in before:
                assert is_within(after[name], before[name]), (attack, name)
            visitor.click('[data-action="back"]')
            visitor.page.locator('[data-action="back"]').wait_for(state="detached")
        assert visitor.problems == []
        visitor.close()


def test_each_card_of_a_hand_has_a_face(chromium: Any, tmp_path: Path) -> None:
    home, path = loot_at_sea(tmp_path, 5, False, 5, 0)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        cards = page.locator(".held .card")
        shown = page.locator("#hand-title").inner_text()
        assert shown == f"Your hand ({cards.count()})", "each copy is a card of its own"
        assert page.locator(".held .art .scene").count() == cards.count()
        for size in in_windows(visitor):
            for card in cards.all():
                box = card.bounding_box()
                assert box["y"] + box["height"] <= size[1] + 1, "none is cut off"
        assert visitor.problems == []
        visitor.close()


def test_cards_of_the_board_are_drawn_in_their_colours(chromium: Any, tmp_path: Path) -> None:
    """They are symbols, which a style sheet of the page reaches by their own classes alone: a face
    without one is black."""
    home, path = loot_at_sea(tmp_path, 3, False, 3, 0)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        cards = visitor.page.locator("[data-place^='ship '] svg")
        cards.first.wait_for()
        for card in cards.all():
            drawn = Image.open(BytesIO(card.screenshot())).convert("L")
            light = sum(drawn.histogram()[200:]) / (drawn.width * drawn.height)
            assert light > 0.15
        visitor.close()


def test_a_card_shows_in_hand_what_it_shows_on_the_board(chromium: Any, tmp_path: Path) -> None:
    """The same drawing, and its number in the disc that this leaves."""
    home, path = loot_at_sea(tmp_path, 5, False, 5, 0)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        drawn = "all => all.map(one => one.getAttribute('href').replace('#art-', '#'))"
        on_board = visitor.page.locator("[data-place^='ship '] svg use").evaluate_all(drawn)
        in_hand = visitor.page.locator(".held .scene use:not([href='#art-sea'])").evaluate_all(
            drawn
        )
        assert in_hand and set(in_hand) <= set(on_board), "purple cards, of which one is at a ship"
        for size in in_windows(visitor):
            for scene in visitor.page.locator(".held .scene").all():
                disc, number = (scene.locator(one).last.bounding_box() for one in ("use", "text"))
                assert abs(disc["x"] + disc["width"] / 2 - number["x"] - number["width"] / 2) < 6
                assert number["height"] >= 12, size
        assert visitor.problems == []
        visitor.close()


def test_who_leads_is_marked_while_an_attack_is_tried(chromium: Any, tmp_path: Path) -> None:
    home, path = loot_at_sea(tmp_path, 2, False, 2, 1)
    with served(home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, still=(1440, 900))
        seen(visitor, (1440, 900))
        answer = next(one for one in visitor.answers() if " at ship " in one)
        card, ship = answer.split(" at ")
        cards = visitor.page.locator(f'.pin[data-place="{ship}"] .piece')
        before = cards.count()
        visitor.card(card)
        visitor.click(f'.pin[data-place="{ship}"]')
        assert cards.count() >= before
        leads = cards.and_(visitor.page.locator(".leads"))
        ties = cards.filter(has_text="tie")
        assert leads.count() == 1 or ties.count() > 1
        assert visitor.problems == []
        visitor.close()
