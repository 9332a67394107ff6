"""How a throw may be played, against another way to find it out: every order of dice and men, tried
one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backgammon.notation import write
from engine.backgammon.plays import (
    Board,
    Play,
    PlayNode,
    Step,
    as_play,
    board_after,
    board_after_step,
    is_race,
    pips,
    play_options,
    step_graph,
)
from engine.backgammon.tables import BAR, HOME, MEN, OFF, START, Men
from engine.flow import Option
from pbem.games.backgammon.clicks import nodes_by_die


def men(**points: int) -> Men:
    """Men by point: `men(p24=2, bar=1, off=12)`."""
    named = {"bar": BAR, "off": OFF}
    places = {
        named.get(name) if name in named else int(name[1:]): count for name, count in points.items()
    }
    return tuple(places.get(point, 0) for point in range(26))


AWAY = men(off=15)


def tried(board: Board, dice: tuple[int, ...]) -> Iterator[tuple[int, int, Board]]:
    """Everything that can be done with the dice in this order, as far as it goes: how many were
    played, the first of them, and where it leads. Written from the rules of tournaments, without a
    look at the program."""
    moved = False
    if dice:
        die, rest = dice[0], dice[1:]
        for source in range(1, 26):
            own, other = list(board.own), list(board.other)
            if not own[source] or (own[25] and source != 25):
                continue
            target = source - die
            if target > 0:
                if other[25 - target] >= 2:
                    continue
                if other[25 - target] == 1:
                    other[25 - target], other[25] = 0, other[25] + 1
            else:
                if any(own[7:]) or (target < 0 and any(own[source + 1 :])):
                    continue
                target = 0
            own[source] -= 1
            own[target] += 1
            moved = True
            for count, _, after in tried(Board(tuple(own), tuple(other)), rest):
                yield count + 1, die, after
    if not moved:
        yield 0, 0, board


def expected(board: Board, first: int, second: int) -> set[Board]:
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    found = [one for order in orders for one in tried(board, order)]
    most = max(count for count, _, _ in found)
    best = [(die, after) for count, die, after in found if count == most]
    if most == 1 and first != second:
        highest = max(die for die, _ in best)
        best = [(die, after) for die, after in best if die == highest]
    return {after for _, after in best}


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Both players' men anywhere, no point held by both, with a liking for the bar and for men at
    home."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    own, other = [0] * 26, [0] * 26
    highest = rng.choice((25, 24, HOME, 12))
    for _ in range(MEN):
        own[
            rng.choice(
                (rng.randint(0, highest), rng.randint(0, highest), 25 if rng.random() < 0.05 else 3)
            )
        ] += 1
    free = [point for point in range(1, 25) if not own[25 - point]] + [0, 25]
    for _ in range(MEN):
        other[rng.choice(free)] += 1
    return Board(tuple(own), tuple(other))


def plays(board: Board, first: int, second: int) -> list[Play]:
    return [as_play(option) for option in play_options(board, first, second)]


@given(boards(), st.integers(1, 6), st.integers(1, 6))
def test_each_position_is_found_once_and_no_other(board: Board, first: int, second: int) -> None:
    found = plays(board, first, second)
    positions = [board_after(board, play) for play in found]
    assert set(positions) == expected(board, first, second) and len(set(positions)) == len(found)
    assert len({write(play) for play in found}) == len(found), "no two plays are written alike"
    options = list(play_options(board, first, second))
    assert options == sorted(options, reverse=True)
    for option, play, after in zip(options, found, positions, strict=True):
        assert option == ("move", *(number for step in play for number in step))
        assert sum(after.own) == sum(board.own) and sum(after.other) == sum(board.other)


@pytest.mark.parametrize(
    ("own", "other", "dice", "written"),
    [
        (men(bar=2, p6=13), START, (6, 5), ["bar/20"]),
        (men(bar=1, p6=14), men(p6=2, p5=2, p4=2, p3=2, p2=2, p1=2, off=3), (6, 6), [""]),
        (men(p6=2, p5=1, off=12), AWAY, (6, 6), ["6/off(2) 5/off"]),
        (men(p4=2, off=13), AWAY, (6, 1), ["4/3 4/off"]),
        (men(p7=1, p2=1, off=13), AWAY, (6, 1), ["7/off", "7/6 2/off", "7/1 2/1"]),
        (men(p24=1, off=14), men(p7=1, off=14), (6, 1), ["24/18* 18/17", "24/17"]),
        (men(p13=2, off=13), men(p18=1, off=14), (3, 3), ["13/7*(2)", "13/4* 13/10", "13/1*"]),
    ],
)
def test_plays_as_they_are_written(
    own: Men, other: Men, dice: tuple[int, int], written: list[str]
) -> None:
    found = [write(play) for play in plays(Board(own, other), *dice)]
    if "" in written or len(written) == 1:
        assert found == written
    else:
        assert set(written) & set(found), found


def test_where_only_one_die_can_be_played_it_is_the_higher_one_if_either_could() -> None:
    """The last man stands on 13 and may go 6 or 5, but not 11; then the higher die is blocked as
    well."""
    last, blocked = men(p13=1, off=14), men(p23=2, off=13)
    assert [write(play) for play in plays(Board(last, blocked), 6, 5)] == ["13/7"]
    more = men(p23=2, p18=2, off=11)
    assert [write(play) for play in plays(Board(last, more), 6, 5)] == ["13/8"]


def test_openings_have_as_many_positions_as_players_know() -> None:
    counts = {
        dice: len(plays(Board(START, START), *dice))
        for dice in ((3, 1), (2, 1), (6, 5), (4, 2), (6, 4))
    }
    assert counts == {dice: len(expected(Board(START, START), *dice)) for dice in counts}
    assert counts[3, 1] == 16


def test_pips_and_races() -> None:
    assert pips(START) == 167
    assert not is_race(Board(START, START))
    assert is_race(Board(men(p12=1, off=14), men(p12=1, off=14)))
    assert not is_race(Board(men(p13=1, off=14), men(p12=1, off=14)))


def complete(nodes: list[PlayNode], start: Board, at: Board, number: int = 0) -> Iterator[Option]:
    """Every legal play that is reached man by man, the position followed on the way."""
    node = nodes[number]
    if node.option is not None:
        assert board_after(start, as_play(node.option)) == at
        yield node.option
    for source, targets in node.steps.items():
        for target, after in targets.items():
            assert at.own[source], "nobody moves a man who is not there"
            yield from complete(nodes, start, went(at, source, target), after)


def went(at: Board, source: int, target: int) -> Board:
    """A man goes from point to point, and hits whoever stands there alone."""
    return board_after_step(at, Step(source, target, target != OFF and at.other[BAR - target] == 1))


@given(boards(), st.integers(1, 6), st.integers(1, 6))
def test_men_that_are_moved_one_by_one_come_to_every_legal_play_and_to_no_other(
    board: Board, first: int, second: int
) -> None:
    options = play_options(board, first, second)
    nodes = step_graph(board, (first, second), options)
    assert {node.option for node in nodes if node.option is not None} == set(options)
    if first != second:
        assert set(complete(nodes, board, board)) == set(options)
    assert all(node.steps or node.option for node in nodes), (
        "nobody is led to where nothing is complete"
    )


@given(boards(), st.integers(1, 6), st.integers(1, 6))
def test_clicks_on_men_and_dice_come_to_every_legal_play(
    board: Board, first: int, second: int
) -> None:
    options = play_options(board, first, second)
    nodes = nodes_by_die(board, (first, second), options)
    reached, left = {0}, [0]
    while left:
        for targets in nodes[left.pop()].steps.values():
            assert 1 <= len(targets) <= (1 if first == second else 2)
            fresh = set(targets.values()) - reached
            reached |= fresh
            left += fresh
    assert {nodes[at].option for at in reached} - {None} == set(options)


def test_a_click_bears_off_by_the_larger_die_where_that_is_legal() -> None:
    own = men(p6=1, p4=1, p2=1, off=12)
    options = play_options(Board(own, AWAY), 6, 3)
    (first, *_) = nodes_by_die(Board(own, AWAY), (6, 3), options)
    assert {source: list(targets) for source, targets in first.steps.items()} == {
        "6": ["off", "3"],
        "4": ["1"],
    }


def test_one_man_goes_on_with_both_dice_and_hits_nobody_on_the_way() -> None:
    own, other = men(p24=1, off=14), men(p7=1, off=14)
    nodes = step_graph(
        Board(own, other),
        (6, 1),
        play_options(Board(own, other), 6, 1),
    )
    assert sorted(nodes[0].steps[24]) == [17, 18, 23]
    straight, over = (
        nodes[nodes[0].steps[24][17]],
        nodes[nodes[nodes[0].steps[24][18]].steps[18][17]],
    )
    assert straight.option == ("move", 24, 17, 0), (
        "over 23: whoever wants to hit on 18 goes there first"
    )
    assert over.option == ("move", 24, 18, 1, 18, 17, 0)
    free = Board(own, AWAY)
    nodes = step_graph(free, (6, 1), play_options(free, 6, 1))
    assert sorted(nodes[0].steps[24]) == [17, 18, 23]
