"""Who can read what while seats join: nobody a card before the last has shuffled, and no inviter a
hand before they have answered the join that offers it."""

from __future__ import annotations

from itertools import combinations

import pytest

from pbem.errors import RulesBroken
from pbem.fileformat.encoding import b64
from pbem.ledger import common_deck, gate
from pbem.turn.common_hand import read_cards
from tests.support.loot_forging import Change, draw_card, drop, play_card, put, refused
from tests.support.loot_match import Match
from tests.support.loot_readers import readable


def coalitions(seats: int) -> list[tuple[int, ...]]:
    return [some for size in range(seats + 1) for some in combinations(range(seats), size)]


def test_a_pile_is_read_by_all_who_have_joined_and_by_nobody_less() -> None:
    """After each join: the inviter alone reads the pile of entry 0, and from then on it takes
    everybody."""
    match = Match(3)
    for joined in (1, 2, 3):
        match.step()
        for seats in coalitions(3):
            everybody = set(seats) == set(range(joined))
            assert readable(match, seats) == (78 if everybody else 0), (joined, seats)


def test_nothing_is_drawn_before_the_last_seat_has_joined() -> None:
    match = Match(3, kept=True).until(2)
    assert match.checker.playing is None
    for entry in match.checker.entries:
        assert not {"shares", "box", "openings", "answers"} & set(entry.fields)
    drawn = match.until(3).checker.begun().referee.common.drawers
    assert len(drawn) == 18


@pytest.mark.parametrize("count", [2, 3])
def test_an_inviter_reads_no_hand_that_a_join_offers(count: int) -> None:
    """Two players join an open last seat on the same file. With both files and all secrets but
    those of the last seat nothing can be read of either deal: there is nothing to choose by. A seat
    kept for a key has one join to give, and its shares come with it."""
    match = Match(count).until(count - 1)
    rest = tuple(range(count - 1))
    for person in (1, 2):
        offered = match.fork()
        offered.nonces = [*match.nonces[:-1], bytes([person]) * 32]
        offered.step()
        assert offered.checker.to_act() != count - 1
        assert readable(offered, rest) == 0
        for seat in rest:
            common = offered.checker.begun().referee.common
            assert (
                common is not None
                and not read_cards(common, seat, offered.secrets(seat).root).faces
            )
        # One more entry, which answers this join and no other; still nothing. Then the last seat
        # gives its shares.
        offered.step(draw_card)
        assert readable(offered, rest) == 0
        while offered.checker.to_act() != count - 1:
            offered.step(draw_card)
        assert readable(offered, rest) == 0
        offered.step(draw_card)
        assert readable(offered, rest) == 6 * (count - 1)
    kept = Match(count, kept=True).until(count)
    assert readable(kept, rest) == 6 * (count - 1)


def last_joins(match: Match) -> tuple[str, Change]:
    """The shares that the last seat would give with its join, as a change of it."""
    after = match.fork()
    after.step()
    seat = len(match.names) - 1
    common = after.maker.begun().referee.common
    assert common is not None
    ctx = common.context(match.maker.before(), seat, b"shares")
    given = common_deck.own_shares(common, ctx, common.owed(seat), match.secrets(seat).root)
    return f"turn {seat}, {match.names[seat]}", put(
        "shares", b64(b"".join(given.points) + given.proof)
    )


def test_shares_with_a_join_where_they_belong_and_nowhere_else() -> None:
    """An open last seat that gives them is refused, as is one kept for a key that does not."""
    match = Match(2).until(1)
    who, with_shares = last_joins(match)
    refused(match, who, "shares that are not owed", with_shares)
    kept = Match(2, kept=True).until(1)
    refused(kept, who, "are left out, for c1, c3, c5", drop("shares"))


def test_an_open_last_seat_cannot_write_directly_after_its_join() -> None:
    """Nor can the first player move before the shares are there."""
    match = Match(2).until(2)
    after = match.fork()
    after.maker.to_act = lambda: 1  # type: ignore[method-assign]
    entry = after.sign(after.draft())
    with pytest.raises(RulesBroken, match="first's"):
        gate.admit(after.checker, entry)
    refused(match, "turn 2, first", "to nothing that was asked", put("answers", ["draw"]))
    refused(match, "turn 2, first", "are left out, for c2, c4", drop("shares"))


def test_pairs_are_shown_nothing_by_an_open_join_and_everything_afterwards() -> None:
    """The box waits for the shares; the partner reads the hand once both are there."""
    match = Match(4, partners=1).until(4)
    assert "box" not in match.checker.entries[3].fields
    match.until(8)
    assert "box" in match.checker.entries[7].fields
    for _ in range(3):
        match.step(play_card)
    common = match.checker.begun().referee.common
    assert common is not None
    shown = {
        common.drawers[handle] for handle in read_cards(common, 2, match.secrets(2).root).faces
    }
    assert shown == {2, 3}
    kept = Match(4, partners=1, kept=True).until(4)
    assert {"box", "shares"} <= set(kept.checker.entries[3].fields)
