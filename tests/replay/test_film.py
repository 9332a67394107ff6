"""The film of a game: each step is what everybody could know then, and the steps together are the
game."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from pbem.fileformat.turnfile import read
from pbem.replay.film import Move
from pbem.replay.page import page
from pbem.replay.scenes import Replayed, ShownStep
from tests.support.packed_pages import unpacked

ROOT = Path(__file__).parents[2]
GAMES = ("tripoli", "loot", "solitaire", "paradise", "backgammon")


@cache
def data_of(game: str) -> bytes:
    """The whole example game."""
    return max(
        (ROOT / "examples" / game).glob("*-[0-9][0-9][0-9][0-9].toml"),
        key=lambda path: path.stat().st_size,
    ).read_bytes()


def film_of(data: bytes) -> tuple[list[list[ShownStep]], list[str]]:
    """The steps entry by entry, and the text of the board after each step."""
    film, drawn = Replayed(data).film()
    boards, pictures, now = drawn.boards, [], list[int]()
    for change in boards.changes:
        for start, removed, added in change or ():
            now[start : start + removed] = added
        pictures.append("".join(boards.elements[number] for number in now))
    return film, pictures


whole = cache(film_of)


@pytest.mark.dear("films whole games")
@pytest.mark.parametrize("game", GAMES)
def test_what_came_later_is_in_no_step_before_it(game: str) -> None:
    """The film of a file that ends earlier is the beginning of the whole film, to the last dot of
    its pictures: no later draw, die, opening or root has left anything in it."""
    film, pictures = whole(data_of(game))
    ends = [entry.end for entry in read(data_of(game)).entries]
    for last in (2, len(ends) // 3, len(ends) // 2, len(ends) - 2):
        then, seen = film_of(data_of(game)[: ends[last]])
        assert then == film[: last + 1]
        assert seen == pictures[: sum(map(len, then))]


@pytest.mark.dear("films whole games")
@pytest.mark.parametrize("game", ["tripoli", "loot"])
def test_no_card_is_named_before_it_was_opened(game: str) -> None:
    """Neither in the story nor in a picture; also of a whole game, whose roots tell every card."""
    replayed = Replayed(data_of(game))
    film, pictures = whole(data_of(game))
    names, scenes = set(replayed.whole_game().faces.values()), replayed.whole_game().scenes
    place, found = 0, 0
    for number, steps in enumerate(film):
        opened = set(scenes[number].opened.values())
        assert all(set(step.opened) <= set(scenes[number].opened) for step in steps)
        for step in steps:
            text = " ".join([*step.lines, *re.findall(r'"([^"]*)"', pictures[place])])
            named = {name for name in names if re.search(rf"\b{re.escape(name)}\b", text)}
            assert named <= opened, (number, named - opened)
            found, place = found + len(named), place + 1
    assert found > 20, "cards are named, once they are open"


@pytest.mark.dear("films whole games")
@pytest.mark.parametrize("game", GAMES)
def test_the_steps_of_an_entry_have_all_of_its_rolls(game: str) -> None:
    replayed = Replayed(data_of(game))
    for steps, traced in zip(replayed.film()[0], replayed.trace["entries"], strict=True):
        assert sum(step.rolls for step in steps) == sum(
            "rolled" in step for step in traced.get("steps", [])
        )
        assert steps and all(step.lines for step in steps)


def test_pieces_go_from_place_to_place_of_the_picture_with_its_symbols() -> None:
    film, pictures = whole(data_of("tripoli"))
    ground = Replayed(data_of("tripoli")).film()[1].ground
    moves = [
        (place, move)
        for place, step in enumerate(step for steps in film for step in steps)
        for move in step.moves
    ]
    at_sea = [
        (place, move)
        for place, move in moves
        if not move.source.isdigit() and not move.target.isdigit()
    ]
    assert len(at_sea) > 5
    for place, move in at_sea:
        assert isinstance(move, Move) and move.count > 0
        for name in (move.source, move.target):
            assert f'"name":"{name}"' in pictures[place], (
                "the templates name the place of each piece"
            )
        assert f'id="{move.piece}"' in ground


def test_men_go_from_point_to_point_of_the_picture_before_they_went() -> None:
    """The numbers are those of the player who moves, before whom the board lies then."""
    film, pictures = whole((ROOT / "tests" / "archive" / "backgammon-2.toml").read_bytes())
    moves = [
        (place, move)
        for place, step in enumerate(step for steps in film for step in steps)
        for move in step.moves
    ]
    assert len(moves) > 100 and {"bar", "off"} <= {
        name for _, move in moves for name in (move.source, move.target)
    }
    for place, move in moves:
        assert (
            f'"name":"{move.source}"' in pictures[place - 1]
            and f'"name":"{move.target}"' in pictures[place - 1]
        )


def test_pieces_of_samoa_go_where_the_steps_say() -> None:
    film, pictures = whole(data_of("paradise"))
    moves = [
        (place, step.lines, move)
        for place, step in enumerate(step for steps in film for step in steps)
        for move in step.moves
    ]
    assert moves
    for place, lines, move in moves:
        assert move.count > 0
        assert any(f"from {move.source} to {move.target}" in line for line in lines)
        assert f'"name":"{move.source}"' in pictures[place - 1]


def test_a_page_has_names_of_players_from_the_file_alone() -> None:
    """What it tells calls them by their number, in words and in pictures."""
    data = data_of("loot")
    found = re.search(r'id="data">([^<]*)<', page(data, Replayed(data)))
    assert found is not None
    told = json.loads(unpacked(found[1]))["told"]
    text = json.dumps([told["film"], told["boards"], told["ending"]])
    assert not re.search(r"\b(Ann|Ben|Cleo)\b", text) and "{0}" in text and "{1}" in text
