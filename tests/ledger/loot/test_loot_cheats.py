"""Entries that cheat with shares and openings: each is refused with exit 3, the entry, and the
reason."""

from __future__ import annotations

import pytest

from pbem.crypto import decryption_shares, elgamal
from pbem.crypto.group import add, base, mul, sub
from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.common_deck import secrets_of
from tests.support.bad_points import BAD
from tests.support.loot_forging import (
    KINDS,
    Change,
    draw_card,
    drop,
    play_card,
    put,
    refused,
    with_point,
)
from tests.support.loot_match import Match

# Shares


def test_shares_left_out_or_too_many(sharing: Match) -> None:
    refused(sharing, "turn 5, third", "are left out, for c1, c2, c4", drop("shares"))

    def fewer(fields: Fields) -> None:
        data = unb64(str(fields["shares"]))
        fields["shares"] = b64(data[32:])

    refused(sharing, "turn 5, third", "11 shares where 12 are owed", fewer)


def test_the_top_of_the_pile_cannot_be_peeked_at(sharing: Match) -> None:
    """A share for a card nobody drew, proven like the others."""
    deck = sharing.maker.begun().referee.common
    assert deck is not None
    secret = secrets_of(sharing.secrets(2).root)
    positions = [*(handle - 1 for handle in deck.owed(2)), 18]
    ctx = deck.context(sharing.maker.before(), 2, b"shares")
    points, proof = decryption_shares.make_shares(
        ctx, secret.x, deck.pile, positions, secret.randomness
    )
    everything = b64(b"".join(points) + proof)
    refused(sharing, "turn 5, third", "13 shares where 12 are owed", put("shares", everything))
    instead = b64(b"".join(points[1:]) + proof)
    refused(sharing, "turn 5, third", "the proof of shares does not hold", put("shares", instead))


def test_wrong_and_replayed_shares(sharing: Match) -> None:
    deck = sharing.maker.begun().referee.common
    assert deck is not None
    wrong = "the proof of shares does not hold"
    refused(sharing, "turn 5, third", wrong, with_point("shares", 3, base(99)))
    replayed = deck.shares[1][1]
    refused(sharing, "turn 5, third", wrong, with_point("shares", 0, replayed))
    secret = secrets_of(sharing.secrets(2).root)
    positions = [handle - 1 for handle in deck.owed(2)]
    for ctx in (
        deck.context(bytes(32), 2, b"shares"),
        deck.context(sharing.maker.before(), 1, b"shares"),
        deck.context(sharing.maker.before(), 2, b"box"),
        elgamal.context(b"pbem/1", bytes(32), sharing.maker.before(), b"third", b"shares"),
    ):
        points, proof = decryption_shares.make_shares(
            ctx, secret.x, deck.pile, positions, secret.randomness
        )
        refused(sharing, "turn 5, third", wrong, put("shares", b64(b"".join(points) + proof)))
    points, proof = decryption_shares.make_shares(
        deck.context(sharing.maker.before(), 2, b"shares"),
        5,
        deck.pile,
        positions,
        secret.randomness,
    )
    refused(sharing, "turn 5, third", wrong, put("shares", b64(b"".join(points) + proof)))


@pytest.mark.parametrize("kind", KINDS)
def test_bad_points_as_shares(sharing: Match, kind: str) -> None:
    refused(sharing, "turn 5, third", "no point of the group", with_point("shares", 2, BAD[kind]))


def test_a_share_that_is_not_owed(deciding: Match) -> None:
    later = deciding.fork()
    later.step(play_card)
    seat = later.maker.to_act()
    assert seat == 1 and not later.maker.begun().referee.common.owed(1)
    given = b64(later.maker.begun().referee.common.shares[1][1] + bytes(64))
    refused(
        later, "turn 7, second", "shares that are not owed", put("shares", given), choose=draw_card
    )


# Openings


def test_an_opening_that_is_not_the_card(deciding: Match) -> None:
    deck = deciding.maker.begun().referee.common
    assert deck is not None
    x = secrets_of(deciding.secrets(0).root).x

    def opening(
        back: str | None = None, share: bytes | None = None, card: str | None = None
    ) -> Change:
        def change(fields: Fields) -> None:
            first, second, name = fields["openings"][0].split(" ", 2)  # type: ignore[index]
            words = (back or first, second if share is None else b64(share), card or name)
            fields["openings"] = [" ".join(words)]

        return change

    def and_answer(card: str, share: bytes | None) -> Change:
        change = opening(share=share, card=card)

        def both(fields: Fields) -> None:
            change(fields)
            _, back = fields["answers"][0].rsplit(" ", 1)  # type: ignore[index]
            fields["answers"] = [f"{card} {back}"]

        return both

    honest = deciding.fork().step(play_card).list("openings")[0].split(" ", 2)
    number = int(honest[0][1:])
    other = next(
        handle for handle, drawer in deck.drawers.items() if drawer == 0 and handle != number
    )
    name = "merchant 8" if honest[2] != "merchant 8" else "merchant 7"
    who = "turn 6, first"
    refused(deciding, who, f"{honest[0]} is not {name}", and_answer(name, None), choose=play_card)
    of_other = mul(x, deck.pair(other).a)
    refused(
        deciding, who, f"{honest[0]} is not {honest[2]}", opening(share=of_other), choose=play_card
    )
    refused(deciding, who, "is not legal there", opening(back=f"c{other}"), choose=play_card)
    refused(deciding, who, "are left out", drop("shares"), choose=play_card)
    # A share made so that the sum gives the wished card: only the proof tells.
    pair, others = deck.pair(number), list(deck.shares[number].values())
    made = sub(sub(pair.b, elgamal.card_point(name)), add(*others))
    refused(
        deciding, who, "the proof of shares does not hold", and_answer(name, made), choose=play_card
    )
    for point in BAD.values():
        refused(deciding, who, "no point of the group", opening(share=point), choose=play_card)


def test_a_card_of_another_hand(deciding: Match) -> None:
    def change(fields: Fields) -> None:
        fields["answers"] = ["merchant 8 c2"]

    refused(deciding, "turn 6, first", "is not legal there", change, choose=play_card)
