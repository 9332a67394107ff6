"""First entries that cheat with keys and shuffles: each is refused with exit 3, the entry, and the
reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.crypto import elgamal, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import IDENTITY, ProofError, add, base, mul, sub
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.shuffle_proof import ShuffleStep
from pbem.errors import Forged
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger import gate, invitation
from pbem.ledger.common_deck import Layers, secrets_of
from pbem.ledger.common_deck_fields import read_rows, write_rows
from tests.support.bad_points import BAD
from tests.support.loot_forging import KINDS, Change, drop, put, refused, with_point
from tests.support.loot_match import Match

WHO = "turn 1, second"
DOES_NOT_HOLD = "the proof of shuffle does not hold"


def layers(match: Match) -> Layers:
    found = match.maker.layers
    assert found is not None
    return found


def step_of(match: Match) -> ShuffleStep:
    """What the second player starts from."""
    found = layers(match)
    ctx = found.context(match.maker.before(), 1, b"shuffle")
    return ShuffleStep(ctx, secrets_of(match.secrets(1).root).public.key, found.joint, found.pile)


def joins_with(key: bytes, pile: list[Pair], proof: bytes) -> Change:
    def change(fields: Fields) -> None:
        fields.update(
            elgamal=b64(key), pile=write_rows(elgamal.write_pile(pile)), shuffle=write_rows(proof)
        )

    return change


# Keys


def test_a_rogue_key(joining: Match) -> None:
    """A key chosen so that the joint key is known to one alone: the difference of an own one and
    the others'. Or one copied from another seat, alone or with all that stands beside it."""
    first = layers(joining).keys[0]
    rogue = sub(base(12345), first.key)
    refused(joining, WHO, DOES_NOT_HOLD, put("elgamal", b64(rogue)))
    step = step_of(joining)._replace(key=rogue)
    for x in (12345, secrets_of(joining.secrets(1).root).x):
        refused(
            joining,
            WHO,
            DOES_NOT_HOLD,
            joins_with(rogue, *shuffle_proof.shuffle(step, x, DerivedRandom(bytes(32)))),
        )
    entry = joining.checker.entries[0]
    refused(joining, WHO, DOES_NOT_HOLD, put("elgamal", entry.text("elgamal")))
    copied = {name: entry.fields[name] for name in ("elgamal", "pile", "shuffle")}
    refused(joining, WHO, DOES_NOT_HOLD, lambda fields: fields.update(copied))


def test_a_key_that_cancels_the_others(joining: Match) -> None:
    cancels = sub(IDENTITY, layers(joining).keys[0].key)
    refused(joining, WHO, "the keys of the seats add up to nothing", put("elgamal", b64(cancels)))


@pytest.mark.parametrize("kind", KINDS)
def test_bad_points_as_keys(joining: Match, kind: str) -> None:
    refused(joining, WHO, "the key is no point of the group", put("elgamal", b64(BAD[kind])))


def test_fields_left_out_or_too_many(joining: Match, sharing: Match) -> None:
    for name in ("elgamal", "pile", "shuffle"):
        refused(joining, WHO, "holds for the common deck: elgamal, pile, shuffle", drop(name))
    refused(joining, WHO, "holds for the common deck", put("boxkey", b64(base(5))))
    entry = joining.checker.entries[0]
    for name in ("elgamal", "pile", "shuffle"):
        what = f'"{name}" does not belong in this entry'
        refused(sharing, "turn 5, third", what, put(name, entry.fields[name]))  # type: ignore[arg-type]


# Shuffles


def cheat(
    match: Match,
    make: Callable[[list[Pair]], None],
    x: int | None = None,
    joint: bytes | None = None,
) -> Change:
    """The second player's layer and shuffle, spoiled by `make`, with the proof that our prover
    makes of it. The layer may be that of another secret, or encrypted under another joint key."""
    secret, step = secrets_of(match.secrets(1).root), step_of(match)
    order, rhos = shuffle_proof.arrange(step, secret.randomness)
    added = secret.x if x is None else x
    pile = elgamal.add_layer(added, step.joint if joint is None else joint, step.pile, order, rhos)
    make(pile)
    proof = shuffle_proof.prove(step, secret.x, pile, order, rhos, secret.randomness)
    return joins_with(step.key, pile, proof)


def as_it_is(pile: list[Pair]) -> None:
    """No further change."""


def test_a_card_duplicated_replaced_swapped_or_shifted(joining: Match) -> None:
    joint = step_of(joining).joint
    by = sub(elgamal.card_point("admiral"), elgamal.card_point("merchant 2"))

    def again(pile: list[Pair]) -> None:
        pile[1] = Pair(add(pile[0].a, base(7)), add(pile[0].b, mul(7, joint)))

    def replaced(pile: list[Pair]) -> None:
        pile[0] = Pair(base(7), add(elgamal.card_point("merchant 8"), mul(7, joint)))

    def swapped(pile: list[Pair]) -> None:
        pile[0], pile[1] = pile[1], pile[0]

    def shifted(pile: list[Pair]) -> None:
        pile[:] = [Pair(pair.a, add(pair.b, by)) for pair in pile]

    def balanced(pile: list[Pair]) -> None:
        pile[:2] = [Pair(pile[0].a, add(pile[0].b, by)), Pair(pile[1].a, sub(pile[1].b, by))]

    for make in (again, replaced, swapped, shifted, balanced):
        refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, make))


def test_a_layer_left_out_or_wrong(joining: Match) -> None:
    """For all cards, and for one card only: whoever draws it could not read it, or only one seat's
    share would do."""
    step, x = step_of(joining), secrets_of(joining.secrets(1).root).x
    refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, as_it_is, 0))
    refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, as_it_is, 0, step.before))
    refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, as_it_is, 2 * x))
    refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, as_it_is, joint=step.before))
    order, _ = shuffle_proof.arrange(step, secrets_of(joining.secrets(1).root).randomness)

    def one_card(pile: list[Pair]) -> None:
        pile[5] = Pair(pile[5].a, sub(pile[5].b, mul(x, step.pile[order[5]].a)))

    refused(joining, WHO, DOES_NOT_HOLD, cheat(joining, one_card))


@pytest.mark.dear("checks shuffles by the hundred")
def test_a_proof_for_another_pile_seat_game_or_entry(joining: Match) -> None:
    step, secret = step_of(joining), secrets_of(joining.secrets(1).root)
    before, found = joining.maker.before(), layers(joining)
    start = found.shuffles[0].step.pile
    for wrong in (
        step._replace(pile=start),
        step._replace(pile=start, before=IDENTITY),
        step._replace(before=IDENTITY),
        step._replace(ctx=found.context(before, 0, b"shuffle")),
        step._replace(ctx=elgamal.context(b"pbem/1", bytes(32), before, b"second", b"shuffle")),
        step._replace(ctx=found.context(bytes(32), 1, b"shuffle")),
        step._replace(ctx=found.context(before, 1, b"shares")),
    ):
        made = shuffle_proof.shuffle(wrong, secret.x, secret.randomness)
        refused(joining, WHO, DOES_NOT_HOLD, joins_with(step.key, *made))


def test_a_pile_in_an_entry_0_serves_one_game() -> None:
    """The same player's pile and key of another invitation: bound to that game's id, and so to its
    nonce."""
    one, two = Match(2).until(1), Match(2)
    two.nonces[0] = bytes(32)
    game_id = invitation.game_id_of(two.people[0].public, two.nonces[0])
    two.maker.open(replace(two.maker.invitation, game_id=game_id))
    fields = one.checker.entries[0].fields
    moved = {name: fields[name] for name in ("elgamal", "pile", "shuffle")}
    entry = two.sign(two.draft(), lambda into: into.update(moved))
    with pytest.raises(Forged, match=DOES_NOT_HOLD):
        gate.admit(two.checker, entry)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_points_in_a_shuffle(joining: Match, kind: str) -> None:
    refused(joining, WHO, "no point of the group", with_point("pile", 5, BAD[kind]))
    refused(joining, WHO, "no point of the group", with_point("shuffle", 100, BAD[kind]))


def test_each_response_of_a_proof_counts(joining: Match) -> None:
    """c, s_1 … s_5, and of ŝ and s' the first and the last."""
    points = 2 * 78
    for place in (*range(points, points + 7), points + 6 + 77, points + 6 + 78, points + 6 + 155):
        refused(
            joining,
            WHO,
            DOES_NOT_HOLD,
            with_point("shuffle", place, (12345).to_bytes(32, "little")),
        )


def test_a_shuffle_in_pieces(joining: Match) -> None:
    refused(
        joining,
        WHO,
        "the shuffle: a proof of shuffle for 78 cards has",
        put("shuffle", write_rows(bytes(720))),
    )
    refused(joining, WHO, "a pile of 78 cards has", put("pile", write_rows(bytes(720))))

    def rows(fields: Fields) -> None:
        data = read_rows(fields["pile"], "", "pile")  # type: ignore[arg-type]
        fields["pile"] = [b64(data[:360]), b64(data[360:1080]), *write_rows(data[1080:])]

    refused(joining, WHO, "not in lines", rows)
    refused(joining, WHO, "shares that are not owed", put("shares", b64(bytes(96))))


def test_the_pile_never_lies_open(joining: Match) -> None:
    """`Layers` itself refuses what a caller might not have checked."""
    found = layers(joining.fork())
    keys = found.keys[0]._replace(key=IDENTITY)
    with pytest.raises(Forged, match="no point"):
        found.join(1, keys, None)  # type: ignore[arg-type]
    with pytest.raises(ProofError, match="add up"):
        ShuffleStep(b"", sub(IDENTITY, found.joint), found.joint, found.pile).joint  # noqa: B018
