"""Pairs: what a partner is shown, what happens when they are shown something else, and what roots
prove."""

from __future__ import annotations

import pytest

from pbem.crypto import sealed_box
from pbem.errors import Forged
from pbem.fileformat.encoding import b64
from pbem.ledger import common_deck, gate
from pbem.ledger.common_deck import check_root, secrets_of
from pbem.turn import common_hand
from pbem.turn.common_hand import read_cards
from tests.support.golden_words import Golden
from tests.support.loot_forging import Change, draw_card, drop, play_card, put, refused
from tests.support.loot_match import Match


@pytest.fixture(scope="module")
def pairs() -> Match:
    """Four players in pairs, after the deal: entry 5 is the second player's, first's partner."""
    match = Match(4, partners=1).until(5)
    assert match.maker.to_act() == 1
    return match


def read(match: Match, seat: int) -> common_hand.ReadableCards:
    common = match.checker.begun().referee.common
    assert common is not None
    return read_cards(common, seat, match.secrets(seat).root)


def test_partners_read_each_other(pairs: Match) -> None:
    """As soon as the drawer can read their cards, their partner can; and nobody else ever."""
    match = pairs.fork().until(8)
    match.step(draw_card)
    while match.checker.begun().referee.common.missing([25]):
        match.step(draw_card)
    drawers = match.checker.begun().referee.common.drawers
    assert drawers[25] == 0
    for seat in range(4):
        known = read(match, seat)
        assert known.warnings == []
        sides = {drawers[handle] // 2 for handle in known.faces}
        assert sides == {seat // 2}
    assert read(match, 0).faces[25] == read(match, 1).faces[25]
    assert 25 not in read(match, 2).faces


def boxed_for(match: Match, partner_key: int, shares_of: int | None = None) -> Change:
    """The second player's box, sealed for another seat's key or with another's shares."""
    common = match.maker.begun().referee.common
    assert common is not None
    seat = 1
    handles = [handle for handle, drawer in common.drawers.items() if drawer == seat]
    ctx = common.context(match.maker.before(), seat, b"box")
    root = match.secrets(seat if shares_of is None else shares_of).root
    own = common_deck.own_shares(common, ctx, handles, root)
    shown = [(handle - 1, None) for handle in handles]
    derived = secrets_of(match.secrets(seat).root).randomness
    return put(
        "box", b64(sealed_box.seal_box(ctx, common.keys[partner_key].box, shown, own, derived))
    )


@pytest.mark.parametrize(
    ("key", "shares_of"), [(2, None), (0, 3)], ids=("for another", "of another")
)
def test_a_wrong_box_is_noticed_by_the_partner(
    pairs: Match, key: int, shares_of: int | None, golden: Golden
) -> None:
    """Nobody else can tell, so the file holds; the partner is warned, and the root shows it to
    all."""
    match = pairs.fork()
    change = boxed_for(match, key, shares_of)
    assert match.forge(change) == (0, "")
    gate.admit(match.checker, match.sign(match.draft(), change))
    (warning,) = read(match, 0).warnings
    golden(warning)
    assert read(match, 2).warnings == []
    common = match.checker.begun().referee.common
    assert common is not None
    with pytest.raises(Forged, match="entry 5"):
        check_root(common, 1, match.secrets(1).root)


def test_boxes_that_everybody_can_see_are_wrong(pairs: Match) -> None:
    refused(pairs, "turn 5, second", "is left out", drop("box"))
    refused(pairs, "turn 5, second", "40 bytes where 6 cards", put("box", b64(bytes(40))))
    three = Match(3).until(5)
    refused(three, "turn 5, third", "a box that is not owed", put("box", b64(bytes(40))))
    late = Match(4, partners=1).until(1)
    for key in (bytes(32), b"\x01" + bytes(31), b"\xff" * 32):
        refused(late, "turn 1, second", "the key for boxes is", put("boxkey", b64(key)))


def test_roots_prove_keys_shuffles_and_boxes(pairs: Match) -> None:
    common = pairs.fork().until(8).checker.begun().referee.common
    assert common is not None
    for seat in range(4):
        check_root(common, seat, pairs.secrets(seat).root)
        with pytest.raises(Forged, match="common deck"):
            check_root(common, seat, pairs.secrets((seat + 1) % 4).root)
    first, second, *others = common.shuffles
    common.shuffles = (first._replace(after=second.after), second, *others)
    with pytest.raises(Forged, match="shuffle"):
        check_root(common, first.seat, pairs.secrets(first.seat).root)


def test_a_wrong_root_ends_no_game() -> None:
    match = Match(2).until(4)

    def resign(fields: dict) -> None:  # type: ignore[type-arg]
        fields.update(resign="yes", root=b64(match.secrets(1).root))

    refused(match, "turn 4, first", "the root does not give the key", resign, choose=play_card)
