"""What somebody might try who leaves a game, or who plays on with those who did."""

from __future__ import annotations

import random

import pytest

from pbem.crypto.group import ORDER, scalar_bytes
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger import common_deck
from tests.support.golden_words import Golden
from tests.support.loot_left import begun, draws, finished, steady, table, turn_of
from tests.support.loot_match import Match, anything


def leave_with(match: Match, key: bytes | None, **more: str) -> tuple[int, str]:
    """The next seat leaves, with this in place of its own key."""

    def change(fields: Fields) -> None:
        fields.pop("decryption", None)
        if key is not None:
            fields["decryption"] = b64(key)
        fields.update(more)

    return match.forge(change, resign=True)


OUT_OF_TURN = "not this seat's turn"


@pytest.mark.parametrize(
    "key",
    [scalar_bytes(5), bytes(32), ORDER.to_bytes(32, "little"), b"\xff" * 32, b"short", None],
    ids=("of nobody", "zero", "too large", "far too large", "short", "left out"),
)
def test_another_key_than_the_own_one(key: bytes | None, golden: Golden) -> None:
    code, said = leave_with(begun(3), key)
    assert code == 3
    golden(said)


def test_the_key_of_another_seat_or_the_negative_of_the_own_one(golden: Golden) -> None:
    match = begun(3)
    seat = match.maker.to_act()
    assert seat is not None
    own = common_deck.secrets_of(match.secrets(seat).root).x
    for x in (common_deck.secrets_of(match.secrets((seat + 1) % 3).root).x, ORDER - own):
        code, said = leave_with(match, scalar_bytes(x))
        assert code == 3
        golden(said)
    assert leave_with(match, scalar_bytes(own)) == (0, "")


def test_a_key_that_nobody_asked_for(golden: Golden) -> None:
    """Published without leaving, or by one who ends the game with it."""
    for seats, choose, resign in ((3, draws, False), (2, None, True)):
        code, said = begun(seats).forge(
            lambda fields: fields.update(decryption=b64(scalar_bytes(5))), choose, resign=resign
        )
        assert code == 3
        golden(said)


def test_leaving_does_not_dodge_shares() -> None:
    match = begun(3)
    code, said = match.forge(lambda fields: fields.pop("shares") and None, resign=True)
    assert code == 3 and "shares" in said


def test_a_root_beside_the_key_is_refused(golden: Golden) -> None:
    """It would open the partner's boxes; the gate takes none from one who leaves."""
    match = begun(6, 1)
    seat = match.maker.to_act()
    assert seat is not None
    root = match.secrets(seat).root
    code, said = match.forge(lambda fields: fields.update(root=b64(root)), resign=True)
    assert code == 3
    golden(said)


def test_one_who_left_can_write_no_late_entry() -> None:
    """Not in their own turn, nor in another's, nor once more to leave; nor a root at the end."""
    match = begun(4)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    name = match.names[gone]
    for _ in range(5):
        code, said = match.forge(lambda fields: fields.update(seat=name), draws)
        assert code == 3 and OUT_OF_TURN in said
        code, said = match.forge(lambda fields: fields.update(seat=name, resign="yes"), draws)
        assert code == 3
        match.step(draws)
    while not match.maker.is_over():
        match.step(draws)
    root = b64(match.secrets(gone).root)
    code, said = match.forge(lambda fields: fields.update(seat=name, root=root))
    assert code == 3 and OUT_OF_TURN in said


def test_leaving_in_somebody_elses_turn_to_write() -> None:
    match = begun(3)
    seat = match.maker.to_act()
    assert seat is not None
    other = match.names[(seat + 1) % 3]
    code, said = match.forge(lambda fields: fields.update(seat=other), resign=True)
    assert code == 3 and OUT_OF_TURN in said


@pytest.mark.parametrize("word", ["no", "leave", "YES"])
def test_a_resignation_has_one_spelling(word: str, golden: Golden) -> None:
    match = begun(3)
    code, said = match.forge(lambda fields: fields.update(resign=word), resign=True)
    assert code == 3
    golden(said)


def test_leaving_and_speaking_of_a_draw_at_once() -> None:
    code, _ = begun(3).forge(lambda fields: fields.update(draw="offer"), resign=True)
    assert code == 3


def test_two_in_league_win_nothing_by_leaving() -> None:
    """The reason for all this: whoever leaves has lost, whoever stays is not thrown together with
    the rest."""
    match = begun(3)
    turn_of(match, 1).step(resign=True)
    game = finished(match, anything(random.Random(3)))
    assert game.outcome is not None and 1 not in game.outcome.winners
    assert len(game.outcome.winners) == 1 or game.outcome.how == "a shared win"
    points = [game.outcome.points[seat] for seat in (0, 2)]
    assert all(
        (points[0] >= points[1], points[1] >= points[0])[place]
        for place in (0, 1)
        if 2 * place in game.outcome.winners
    )


def test_the_key_of_one_who_left_opens_no_other_hand() -> None:
    """With the secrets of all who left, the hand of one who plays stays closed."""
    match = begun(4)
    for _ in range(2):
        match.step(resign=True)
    match.step(draws)
    match.step(draws)
    game = match.checker
    assert game.begun().referee.common is not None
    playing = [seat for seat in range(4) if seat not in table(game).left]
    for seat in playing:
        for handle in table(game).hand(seat):
            assert game.begun().referee.common.readable(handle) is None
            assert handle not in game.begun().referee.faces()
    for position in range(len(table(game).pile)):
        assert table(game).pile[position] not in game.begun().referee.common.shares


def test_a_card_of_one_who_left_cannot_be_opened_by_another() -> None:
    match = begun(3)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    for _ in range(3):
        match.step(draws)
    game = match.checker
    assert game.begun().referee.common is not None
    handle = table(game).hand(gone)[0]
    name = game.rules.cards[game.begun().referee.faces()[handle]]
    share = game.begun().referee.common.shares[handle][gone]
    opening = f"c{handle % 1000} {b64(share)} {name}"
    code, said = match.forge(lambda fields: fields.update(openings=[opening]), draws)
    assert code == 3 and "not owed" in said


def test_the_root_of_a_player_who_stays_is_checked_after_others_have_left(golden: Golden) -> None:
    match = begun(3)
    match.step(resign=True)
    while not match.maker.is_over():
        match.step(steady(match))
    for change in (
        lambda fields: fields.update(root=b64(bytes(32))),
        lambda fields: fields.pop("root") and None,
    ):
        code, said = match.forge(change)
        assert code == 3
        golden(said)
    assert finished(match).is_proven()
