"""Somebody leaves while the last seat, which was open to anybody, has not written again since it
joined: its shares are still due, it still never writes directly after its join, and nobody reads
more (docs/format.md, sections 8 and 13)."""

from __future__ import annotations

import pytest

from pbem.turn.common_hand import read_cards
from tests.support.loot_forging import drop, refused
from tests.support.loot_left import draws, given_up, table
from tests.support.loot_match import Match
from tests.support.loot_readers import readable

TABLES = [(3, 0), (6, 1)]


def joined(count: int, partners: int, start: int = 1) -> Match:
    """The last seat has just joined, without shares."""
    match = Match(count, partners=partners, start=start).until(count)
    assert "shares" not in match.checker.entries[-1].fields
    return match


def common(match: Match):  # type: ignore[no-untyped-def]
    assert match.checker.begun().referee.common is not None
    return match.checker.begun().referee.common


@pytest.mark.parametrize(("count", "partners"), TABLES)
def test_whoever_writes_first_after_the_join_may_leave(count: int, partners: int) -> None:
    """Their entry gives the shares it owes and their key; the open seat then owes what it owed
    before."""
    match = joined(count, partners)
    leaver, last = match.maker.to_act(), count - 1
    assert leaver is not None and leaver != last
    owed = common(match).owed(last)
    entry = match.step(resign=True)
    assert {"shares", "decryption"} <= set(entry.fields) and table(match.checker).left == [leaver]
    assert common(match).owed(last) == owed, "nobody else gives the shares of the open seat"
    order = []
    while (
        "shares" not in match.checker.entries[-1].fields
        or match.checker.entries[-1].seat != match.names[last]
    ):
        order.append(match.maker.to_act())
        match.step(draws)
    assert order[-1] == last and len(order) == len(set(order)), (
        "each helps once, the open seat last"
    )
    game = given_up(match)
    assert game.is_proven() and game.outcome is not None and leaver not in game.outcome.winners


@pytest.mark.parametrize(("count", "partners"), TABLES)
def test_the_open_seat_leaves_with_its_next_entry(count: int, partners: int) -> None:
    """It gives the shares that its join left out, and its key; a box that was due is written no
    more."""
    match, last = joined(count, partners), count - 1
    while match.maker.to_act() != last:
        match.step(draws)
    due = common(match).owed(last)
    assert due and common(match).share_count
    who = f"turn {len(match.maker.entries)}, {match.names[last]}"
    refused(match, who, "are left out", drop("shares"), resign=True)
    entry = match.step(resign=True)
    assert {"shares", "decryption"} <= set(entry.fields) and "root" not in entry.fields
    assert common(match).owed(last) == [] and table(match.checker).left == [last]
    game = given_up(match)
    assert game.is_proven() and game.outcome is not None and last not in game.outcome.winners
    assert match.names[last] not in [one.seat for one in game.entries[entry.number + 1 :]]


@pytest.mark.parametrize(
    ("count", "partners"), [(3, 0), pytest.param(4, 0, marks=pytest.mark.slow)]
)
def test_the_inviter_leaves_before_the_open_seat_has_written(count: int, partners: int) -> None:
    """The second begins, and the inviter only helps."""
    match, last = joined(count, partners, start=2), count - 1
    while (turn := match.maker.to_act()) != 0:
        assert turn != last
        match.step(draws)
    match.step(resign=True)
    assert table(match.checker).left == [0]
    assert given_up(match).is_proven()


@pytest.mark.parametrize("count", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_leaving_reads_no_hand_that_a_join_offers(count: int) -> None:
    """Those who invite publish a key on each of two joins: with all their secrets nothing of either
    deal can be read before the open seat gives its shares, so that there is still nothing to choose
    by."""
    match = Match(count).until(count - 1)
    rest = tuple(range(count - 1))
    for person in (1, 2):
        offered = match.fork()
        offered.nonces = [*match.nonces[:-1], bytes([person]) * 32]
        offered.step()
        offered.step(resign=True)
        assert len(table(offered.checker).left) == 1
        assert readable(offered, rest) == 0
        for seat in rest:
            assert not read_cards(common(offered), seat, offered.secrets(seat).root).faces
