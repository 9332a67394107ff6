"""Entries that cheat with keys and shuffles: each is refused with exit 3, the entry, and the reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.crypto import elgamal, shuffle_proof
from pbem.crypto.derived_random import Coins
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import add, base, mul, sub
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.common_deck.fields import read_rows, write_rows
from pbem.player.common_hand import secrets_of
from tests.support.bad_points import BAD
from tests.support.loot_forging import KINDS, Change, drop, put, refused, with_point
from tests.support.loot_match import Match

# Keys


def test_a_rogue_key(joining: Match) -> None:
    """A key chosen so that the joint key is known to one alone: the difference of an own one and the others'."""
    known = base(12345)
    first = joining.checker.seated(0).deck
    assert first is not None
    holds_not = "the proof of possession does not hold"
    refused(joining, "entry 1, second", holds_not, put("elgamal", b64(sub(known, first.key))))
    entry = joining.checker.entries[0]

    def copied(fields: Fields) -> None:
        fields.update(elgamal=entry.text("elgamal"), possession=entry.text("possession"))

    refused(joining, "entry 1, second", holds_not, copied)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_points_as_keys(joining: Match, kind: str) -> None:
    refused(joining, "entry 1, second", "no point of the group", put("elgamal", b64(BAD[kind])))
    refused(joining, "entry 1, second", "no point of the group", with_point("possession", 0, BAD[kind]))


def test_keys_left_out_or_too_many(joining: Match) -> None:
    refused(joining, "entry 1, second", "brings for the common deck", drop("elgamal"))
    refused(joining, "entry 1, second", "brings for the common deck", put("boxkey", b64(base(5))))
    refused(joining, "entry 1, second", "a shuffle that is not owed", put("pile", write_rows(bytes(100))))


# Shuffles


def cheat(match: Match, make: Callable[[list[Pair]], None]) -> Change:
    """The seat's shuffle, spoiled by `make`, with the proof that our prover makes of it."""
    deck = match.maker.referee.common  # type: ignore[union-attr]
    assert deck is not None
    coins = secrets_of(match.secrets(0).root).coins
    ctx = deck.context(match.maker.before(), 0, b"shuffle")
    order, rhos = shuffle_proof.arrange(ctx, deck.joint, deck.pile, coins)
    pile = elgamal.reencrypt(deck.joint, deck.pile, order, rhos)
    make(pile)
    proof = shuffle_proof.prove(ctx, deck.joint, deck.pile, pile, order, rhos, coins)

    def change(fields: Fields) -> None:
        fields.update(pile=write_rows(elgamal.write_pile(pile)), shuffle=write_rows(proof))

    return change


DOES_NOT_HOLD = "the proof of shuffle does not hold"


def test_a_card_duplicated_dropped_or_swapped(shuffling: Match) -> None:
    deck = shuffling.maker.referee.common  # type: ignore[union-attr]
    assert deck is not None

    def again(pile: list[Pair]) -> None:
        pile[1] = Pair(add(pile[0].a, base(7)), add(pile[0].b, mul(7, deck.joint)))

    def replaced(pile: list[Pair]) -> None:
        pile[0] = Pair(base(7), add(elgamal.card_point("merchant 8"), mul(7, deck.joint)))

    def swapped(pile: list[Pair]) -> None:
        pile[0], pile[1] = pile[1], pile[0]

    for make in (again, replaced, swapped):
        refused(shuffling, "entry 3, first", DOES_NOT_HOLD, cheat(shuffling, make))


def test_a_proof_for_another_deck_seat_game_or_entry(shuffling: Match) -> None:
    deck = shuffling.maker.referee.common  # type: ignore[union-attr]
    assert deck is not None
    before, coins = shuffling.maker.before(), Coins(bytes(32))
    ctx = deck.context(before, 0, b"shuffle")
    other_game = elgamal.context(b"pbem/1", bytes(32), before, b"first", b"shuffle")
    for wrong, pile in (
        (ctx, deck.shuffles[0].before),
        (deck.context(before, 1, b"shuffle"), deck.pile),
        (other_game, deck.pile),
        (deck.context(bytes(32), 0, b"shuffle"), deck.pile),
        (deck.context(before, 0, b"shares"), deck.pile),
    ):
        made, proof = shuffle_proof.shuffle(wrong, deck.joint, pile, coins)
        fields = {"pile": write_rows(elgamal.write_pile(made)), "shuffle": write_rows(proof)}
        refused(shuffling, "entry 3, first", DOES_NOT_HOLD, lambda into, fields=fields: into.update(fields))


@pytest.mark.parametrize("kind", KINDS)
def test_bad_points_in_a_shuffle(shuffling: Match, kind: str) -> None:
    refused(shuffling, "entry 3, first", "no point of the group", with_point("pile", 5, BAD[kind]))
    refused(shuffling, "entry 3, first", "no point of the group", with_point("shuffle", 100, BAD[kind]))


def test_a_shuffle_in_pieces(shuffling: Match) -> None:
    refused(shuffling, "entry 3, first", "the entry does not bring what its seat owes", drop("pile", "shuffle"))
    refused(shuffling, "entry 3, first", "the shuffle: a proof of shuffle for 78 cards has", drop("shuffle"))
    refused(shuffling, "entry 3, first", "a pile of 78 cards has", drop("pile"))

    def rows(fields: Fields) -> None:
        data = read_rows(fields["pile"], "", "pile")  # type: ignore[arg-type]
        fields["pile"] = [b64(data[:360]), b64(data[360:1080]), *write_rows(data[1080:])]

    refused(shuffling, "entry 3, first", "not in lines", rows)
    refused(shuffling, "entry 3, first", "shares that are not owed", put("shares", b64(bytes(96))))
