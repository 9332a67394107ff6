"""First entries that a player's program makes up: an invitation, keys, seals; refused with the
right words."""

from __future__ import annotations

import pytest

from pbem.crypto import group, primitives
from pbem.fileformat.encoding import b64
from pbem.home.identity import Identity
from tests.support.players import (
    AMERICAN,
    TRIPOLITAN,
    Pair,
    accepted,
    before_last,
    forge,
    last_fields,
    prefix,
    refused,
    retouch,
    seed_of,
    sign,
)


def test_two_joins(pair: Pair) -> None:
    joined = prefix(pair, 2)
    join = last_fields(joined)
    eve = Identity("Eve", "", seed_of("Eve"))
    key = {"key": b64(eve.public), "vrf": b64(primitives.public_key(bytes(32)))}
    refused(forge(joined, eve, {**join, **key}), "not this seat's turn")
    american = {k: v for k, v in {**join, **key, "seat": "american"}.items() if k != "seals"}
    refused(forge(joined, eve, american), "the signature is not american's")
    refused(forge(joined, pair.identities[AMERICAN], american), '"name" does not belong')
    refused(prefix(pair, 1) + 2 * joined[len(prefix(pair, 1)) :], "not this seat's turn")


def test_a_key_in_two_seats(pair: Pair) -> None:
    invitation, join = prefix(pair, 1), last_fields(prefix(pair, 2))
    inviter = last_fields(invitation)
    host, guest = pair.identities
    refused(forge(invitation, host, {**join, "key": inviter["key"]}), "a key sits in one seat only")
    refused(
        forge(invitation, guest, {**join, "vrf": inviter["vrf"]}), "a key sits in one seat only"
    )
    refused(
        forge(invitation, guest, {**join, "vrf": inviter["key"]}), "a key sits in one seat only"
    )
    refused(forge(invitation, guest, {**join, "vrf": join["key"]}), "a key sits in one seat only")


P = 2**255 - 19
BAD_POINTS = {
    "zero": bytes(32),
    "the neutral point": group.IDENTITY,
    "order 2": (P - 1).to_bytes(32, "little"),
    "order 4": bytes(31) + b"\x80",
    "order 8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    "order 8, the other": bytes.fromhex(
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
    ),
    "the neutral point, not canonical": (P + 1).to_bytes(32, "little"),
    "the neutral point with a sign": b"\x01" + bytes(30) + b"\x80",
    "above the field": 32 * b"\xff",
    "not on the curve": b"\x02" + bytes(31),
}


@pytest.mark.parametrize("name", [*BAD_POINTS, "mixed order"])
def test_weak_keys(name: str, pair: Pair) -> None:
    mixed = group.add(pair.identities[TRIPOLITAN].public, BAD_POINTS["order 8"])
    bad = b64(mixed if name == "mixed order" else BAD_POINTS[name])
    host, guest = pair.identities
    for data, author in ((prefix(pair, 1), host), (prefix(pair, 2), guest)):
        refused(retouch(data, author, vrf=bad), "the key for chance is no point of prime order")
        refused(retouch(data, author, key=bad), "the identity key is no point of prime order")


def test_a_key_spelled_in_other_ways(pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    key = str(last_fields(data)["key"])
    for text in (
        key[:-1],
        key + "=",
        key[:-2] + "==",
        key.replace("=", ""),
        key[:-2] + chr(ord(key[-2]) + 1) + "=",
    ):
        refused(retouch(data, guest, key=text), 'key: |"key" is longer')


@pytest.mark.parametrize(
    "name", ["seat", "date", "nonce", "name", "key", "vrf", "seals", "position"]
)
def test_a_first_entry_lacks_nothing(name: str, pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    fields = last_fields(data)
    del fields[name]
    refused(sign(before_last(data), guest, fields), r"turn 1|line \d+")


def test_first_seals_are_complete_and_in_order(pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    seals = last_fields(data)["seals"]
    assert isinstance(seals, list)
    refused(retouch(data, guest, seals=seals[:-1]), "seals each of its own cards")
    refused(
        retouch(data, guest, seals=[*seals, seals[-1].replace("t24", "t25")]),
        "seals that nothing asks for",
    )
    refused(
        retouch(data, guest, seals=[seals[1], seals[0], *seals[2:]]),
        '"t2" is sealed where t1 belongs',
    )
    refused(
        retouch(data, guest, seals=[seal.replace("t", "a", 1) for seal in seals]),
        '"a1" is sealed where t1',
    )


def test_what_a_first_entry_may_not_hold(pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    refused(retouch(data, guest, game="tripoli"), '"game" does not belong')
    refused(retouch(data, guest, options=["hidden-discard"]), '"options" does not belong')
    refused(retouch(data, guest, draw="offer"), "no game yet to end")
    refused(retouch(data, guest, resign="yes"), "no game yet to end")
    refused(retouch(data, guest, root=b64(bytes(32))), "no game yet to end")
    refused(retouch(data, guest, proof=b64(bytes(80))), "a proof that is not owed")
    refused(retouch(data, guest, answers=["pass"]), 'the answer "pass" to nothing')
    refused(
        retouch(data, guest, openings=[f"t1 {b64(bytes(32))} Storms"]),
        "an opening of t1 that is not owed",
    )
    refused(retouch(data, guest, name="two\nlines"), "a name of one line")
    refused(retouch(data, guest, name="  "), "a name of one line")
    for blank in ("\u2800", "Ben\u2800", "\u3000", "Ben\u00a0"):
        refused(retouch(data, guest, name=blank), "a name of one line that can be seen")


def test_invitations(pair: Pair) -> None:
    data, host = prefix(pair, 1), pair.identities[AMERICAN]
    refused(retouch(data, host, seats=["tripolitan", "american"]), "the seats of this game are")
    refused(retouch(data, host, seat="algerine"), "there is no seat")
    refused(retouch(data, host, options=["solitaire"]), 'unknown option "solitaire"')
    refused(retouch(data, host, options=["quick-hand-limit", "hidden-discard"]), "not in order")
    refused(retouch(data, host, options=["hidden-discard 1"]), "unknown option")
    refused(retouch(data, host, options=["hidden-discard 5"]), "hidden-discard is 0 or 1")
    refused(retouch(data, host, rules=None), "names the version of its rules")
    refused(retouch(data, host, invites=["american " + b64(bytes(32))]), "invites nobody")
    refused(retouch(data, host, invites=["tripolitan x"]), "the key invited as tripolitan")
    refused(retouch(data, host, invites=["tripolitan"]), "the key invited as tripolitan")
    eve = retouch(data, host, invites=["tripolitan " + b64(primitives.public_key(bytes(32)))])
    accepted(eve)
    refused(
        forge(eve, pair.identities[TRIPOLITAN], last_fields(prefix(pair, 2))),
        "somebody else is invited",
    )


@pytest.mark.parametrize("name", [*BAD_POINTS, "order 2L"])
def test_an_invited_key_is_a_point_of_prime_order(name: str, pair: Pair) -> None:
    """A seat kept for a key that nobody can have could never be taken."""
    bad = primitives.OUTSIDE[1] if name == "order 2L" else BAD_POINTS[name]
    invited = retouch(
        prefix(pair, 1), pair.identities[AMERICAN], invites=[f"tripolitan {b64(bad)}"]
    )
    refused(invited, "the key invited as tripolitan is no point of prime order")
