"""A player whose program signs whatever he likes: every such entry is refused, with the right words."""

from __future__ import annotations

from pathlib import Path

import pytest
from players import (
    AMERICAN,
    TRIPOLITAN,
    Pair,
    accepted,
    before_last,
    forge,
    last_fields,
    private_key,
    refused,
    retouch,
    sign,
)

from pbem import group, secrets, session, turnfile, vrf
from pbem.encoding import b64, unb64
from pbem.errors import Malformed
from pbem.identity import Identity


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game of ten entries; tests look at it and at what could follow, and never go on with it."""
    return Pair(tmp_path_factory.mktemp("forged"), 21).play(10)


def prefix(pair: Pair, entries: int) -> bytes:
    return turnfile.read(pair.data).prefix(entries)


def entry_with(pair: Pair, key: str, first: int = 2) -> bytes:
    """The file up to an entry that holds this field."""
    file = turnfile.read(pair.data)
    return next(file.prefix(e.number + 1) for e in file.entries[first:] if key in e.fields)


def test_an_entry_signed_anew_with_nothing_changed_is_accepted(pair: Pair) -> None:
    for entries in range(1, 11):
        accepted(pair.cheat(prefix(pair, entries)))


def test_a_position_digest_is_checked(pair: Pair) -> None:
    for entries in range(1, 11):
        refused(pair.cheat(prefix(pair, entries), position=b64(bytes(32))), "saw another position")


def test_an_answer_changed_after_signing(pair: Pair) -> None:
    file = turnfile.read(pair.data)
    for entry in file.entries[2:]:
        if entry.list("answers"):
            answer = entry.list("answers")[0]
            start = file.entries[entry.number - 1].end
            place = pair.data.index(answer.encode(), start)
            changed = pair.data[:place] + answer.encode().swapcase() + pair.data[place + len(answer) :]
            refused(changed, rf"entry {entry.number}, .*the signature is not")


def test_any_field_changed_after_signing(pair: Pair) -> None:
    data = prefix(pair, 1)
    for old, new in ((b"Ann", b"Eve"), (b"2026-11-21", b"2026-11-22"), (b"rules = 1", b"rules = 2")):
        assert old in data
        refused(data.replace(old, new), "the signature is not")


def test_the_opponents_entry_signed_by_oneself(pair: Pair) -> None:
    for entries in range(3, 11):
        data = prefix(pair, entries)
        author = ("american", "tripolitan").index(turnfile.read(data).entries[-1].seat)
        refused(retouch(data, pair.identities[1 - author]), "the signature is not (american|tripolitan)'s")


def test_a_signature_over_something_else(pair: Pair) -> None:
    data = prefix(pair, 4)
    before, fields = before_last(data), last_fields(data)
    author = pair.identities[("american", "tripolitan").index(str(fields["seat"]))]
    body = turnfile.write_body(turnfile.in_order(fields))
    digest = turnfile.digest_of(before, body)
    for message in (digest, b"pbem/1 entry\n" + body, b"pbem/2 entry\n" + digest, b""):
        refused(before + body + turnfile.write_signature(author.sign(message)), "the signature is not")


def test_a_signature_has_one_scalar(pair: Pair) -> None:
    """S + L, the other spelling of a signature's scalar, is refused."""
    signature = turnfile.read(pair.data).entries[-1].signature
    scalar = int.from_bytes(signature[32:], "little") + group.ORDER
    other = signature[:32] + scalar.to_bytes(32, "little")
    refused(pair.data.replace(b64(signature).encode(), b64(other).encode()), "the signature is not")


def test_an_entry_out_of_turn(pair: Pair) -> None:
    fields = last_fields(pair.data)
    wrong = 1 - (pair.turn() or 0)
    seat = ("american", "tripolitan")[wrong]
    out_of_turn = forge(pair.data, pair.identities[wrong], {**fields, "seat": seat})
    refused(out_of_turn, "it is not this seat's turn to write, but")
    refused(forge(pair.data, pair.identities[wrong], {**fields, "seat": "loot"}), 'there is no seat "loot"')


def test_nothing_is_written_after_the_end(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 22).play(6)
    pair.step([], resign=True)
    pair.step([])
    for seat, identity in enumerate(pair.identities):
        fields = {**last_fields(pair.data), "seat": ("american", "tripolitan")[seat]}
        refused(forge(pair.data, identity, fields), "nobody's: the game is over")


# First entries


def test_two_joins(pair: Pair) -> None:
    joined = prefix(pair, 2)
    join = last_fields(joined)
    eve = Identity("Eve", "", private_key("Eve"))
    key = {"key": b64(eve.public), "vrf": b64(vrf.public_key(bytes(32)))}
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
    refused(forge(invitation, guest, {**join, "vrf": inviter["vrf"]}), "a key sits in one seat only")
    refused(forge(invitation, guest, {**join, "vrf": inviter["key"]}), "a key sits in one seat only")
    refused(forge(invitation, guest, {**join, "vrf": join["key"]}), "a key sits in one seat only")


P = 2**255 - 19
BAD_POINTS = {
    "zero": bytes(32),
    "the neutral point": group.IDENTITY,
    "order 2": (P - 1).to_bytes(32, "little"),
    "order 4": bytes(31) + b"\x80",
    "order 8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    "order 8, the other": bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
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
    for text in (key[:-1], key + "=", key[:-2] + "==", key.replace("=", ""), key[:-2] + chr(ord(key[-2]) + 1) + "="):
        refused(retouch(data, guest, key=text), 'key: |"key" is longer')


@pytest.mark.parametrize("name", ["seat", "date", "nonce", "name", "key", "vrf", "seals", "position"])
def test_a_first_entry_lacks_nothing(name: str, pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    fields = last_fields(data)
    del fields[name]
    refused(sign(before_last(data), guest, fields), r"entry 1|line \d+")


def test_first_seals_are_complete_and_in_order(pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    seals = last_fields(data)["seals"]
    assert isinstance(seals, list)
    refused(retouch(data, guest, seals=seals[:-1]), "seals each of its own cards")
    refused(retouch(data, guest, seals=[*seals, seals[-1].replace("t24", "t25")]), "seals that nothing asks for")
    refused(retouch(data, guest, seals=[seals[1], seals[0], *seals[2:]]), '"t2" is sealed where t1 belongs')
    refused(retouch(data, guest, seals=[seal.replace("t", "a", 1) for seal in seals]), '"a1" is sealed where t1')


def test_what_a_first_entry_may_not_hold(pair: Pair) -> None:
    data, guest = prefix(pair, 2), pair.identities[TRIPOLITAN]
    refused(retouch(data, guest, game="tripoli"), '"game" does not belong')
    refused(retouch(data, guest, options=["hidden-discard"]), '"options" does not belong')
    refused(retouch(data, guest, draw="offer"), "no game yet to end")
    refused(retouch(data, guest, resign="yes"), "no game yet to end")
    refused(retouch(data, guest, root=b64(bytes(32))), "no game yet to end")
    refused(retouch(data, guest, proof=b64(bytes(80))), "a proof that is not owed")
    refused(retouch(data, guest, answers=["pass"]), 'the answer "pass" to nothing')
    refused(retouch(data, guest, openings=[f"t1 {b64(bytes(32))} Storms"]), "an opening of t1 that is not owed")
    refused(retouch(data, guest, name="two\nlines"), "a name of one line")
    refused(retouch(data, guest, name="  "), "a name of one line")


def test_invitations(pair: Pair) -> None:
    data, host = prefix(pair, 1), pair.identities[AMERICAN]
    refused(retouch(data, host, seats=["tripolitan", "american"]), "the seats of this game are")
    refused(retouch(data, host, seat="algerine"), "there is no seat")
    refused(retouch(data, host, options=["solitaire"]), 'unknown option "solitaire"')
    refused(retouch(data, host, options=["quick-hand-limit", "hidden-discard"]), "not in order")
    refused(retouch(data, host, options=["hidden-discard 1"]), "unknown option")
    refused(retouch(data, host, rules=None), "names the version of its rules")
    refused(retouch(data, host, invites=["american " + b64(bytes(32))]), "invites nobody")
    refused(retouch(data, host, invites=["tripolitan x"]), "the key invited as tripolitan")
    eve = retouch(data, host, invites=["tripolitan " + b64(vrf.public_key(bytes(32)))])
    accepted(eve)
    refused(forge(eve, pair.identities[TRIPOLITAN], last_fields(prefix(pair, 2))), "somebody else is invited")


# Later entries


def test_fields_that_do_not_belong(pair: Pair) -> None:
    data = prefix(pair, 3)
    refused(pair.cheat(data, name="Ann"), '"name" does not belong')
    refused(pair.cheat(data, vrf=b64(vrf.public_key(bytes(32)))), '"vrf" does not belong')
    refused(pair.cheat(data, seats=["american", "tripolitan"]), '"seats" does not belong')
    refused(pair.cheat(data, rules=1), '"rules" does not belong')


def test_unknown_keys_are_of_a_newer_version(pair: Pair) -> None:
    data = prefix(pair, 3)
    bent = data.replace(b"\nproof = ", b"\nprove = ")
    with pytest.raises(Malformed, match="newer pbem"):
        turnfile.read(bent)
    refused(bent, 'unknown key "prove"')


def secrets_of(pair: Pair, seat: int) -> secrets.SeatSecrets:
    return session.secrets_of(pair.identities[seat], pair.ledger(), seat)


def test_proofs_for_other_entries_and_by_other_keys(pair: Pair) -> None:
    data = entry_with(pair, "proof")
    file = turnfile.read(data)
    author = ("american", "tripolitan").index(file.entries[-1].seat)
    own, other = secrets_of(pair, author).vrf_seed, secrets_of(pair, 1 - author).vrf_seed
    owed = next(e.number for e in file.entries if b64(vrf.prove(own, e.digest)) == file.entries[-1].text("proof"))
    for entry in file.entries[:-1]:
        if entry.number != owed:
            refused(pair.cheat(data, proof=b64(vrf.prove(own, entry.digest))), f"the proof for entry {owed} is wrong")
        refused(pair.cheat(data, proof=b64(vrf.prove(other, entry.digest))), f"the proof for entry {owed} is wrong")
    refused(pair.cheat(data, proof=b64(vrf.prove(own, b""))), "is wrong")
    refused(pair.cheat(data, proof=b64(bytes(80))), "is wrong: the proof's point is no point")


def test_every_bit_of_a_proof_counts(pair: Pair) -> None:
    data = entry_with(pair, "proof")
    proof = unb64(str(last_fields(data)["proof"]))
    for place in range(0, 640, 7):
        bent = bytearray(proof)
        bent[place // 8] ^= 1 << place % 8
        refused(pair.cheat(data, proof=b64(bytes(bent))), "the proof for entry .* is wrong")


def test_a_proof_that_is_owed_is_brought(pair: Pair) -> None:
    data = entry_with(pair, "proof")
    refused(pair.cheat(data, proof=None), "does not bring what its seat owes")
    refused(pair.cheat(data, proof=None, answers=None, openings=None), "does not bring what its seat owes")
    refused(pair.cheat(data, proof=None, answers=None, openings=None, draw="offer"), "does not bring what its seat")
    root = b64(secrets_of(pair, ("american", "tripolitan").index(str(last_fields(data)["seat"]))).root)
    resigning = {"proof": None, "answers": None, "openings": None, "seals": None, "resign": "yes", "root": root}
    refused(pair.cheat(data, **resigning), "does not bring what its seat owes")


def test_a_proof_that_is_not_owed(pair: Pair) -> None:
    file = turnfile.read(pair.data)
    data = next(file.prefix(e.number + 1) for e in file.entries[2:] if "proof" not in e.fields)
    last = turnfile.read(data).entries[-1]
    author = ("american", "tripolitan").index(last.seat)
    for entry in file.entries[: last.number]:
        proof = vrf.prove(secrets_of(pair, author).vrf_seed, entry.digest)
        refused(pair.cheat(data, proof=b64(proof)), "a proof that is not owed")


def test_an_entry_is_finished(pair: Pair) -> None:
    data = entry_with(pair, "answers")
    answers = last_fields(data)["answers"]
    assert isinstance(answers, list)
    refused(pair.cheat(data, answers=None, openings=None), "stops before its seat has done all|owes")
    refused(pair.cheat(data, answers=["pass"]), '"pass" \\(answer 1\\) is not legal there')
    refused(pair.cheat(data, answers=[answers[0].upper(), *answers[1:]]), "is not legal there")
    refused(pair.cheat(data, answers=[*answers, answers[0]]), "not legal there|to nothing that was asked")


def test_consent_has_its_time(pair: Pair) -> None:
    data = entry_with(pair, "answers")
    refused(pair.cheat(data, draw="accept"), "no draw is offered")
    refused(pair.cheat(data, draw="decline"), "no draw is offered")
    refused(pair.cheat(data, draw="maybe"), '"maybe": no draw is offered')
    for resign in ("no", "Yes", "yes "):
        refused(pair.cheat(data, resign=resign), "a resignation is written yes")


def test_a_draw_is_not_accepted_by_who_offers_it(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3)
    pair.until(lambda game: game.referee is not None and not game.referee.pending() and len(game.entries) > 4)
    seat = pair.turn() or 0
    pair.step([], draw="offer")
    root = b64(session.secrets_of(pair.identities[seat], pair.ledger(), seat).root)
    own = {**last_fields(pair.data), "draw": "accept", "root": root}
    refused(forge(pair.data, pair.identities[seat], own), "not this seat's turn")
    theirs = {**own, "seat": ("american", "tripolitan")[1 - seat]}
    refused(forge(pair.data, pair.identities[1 - seat], theirs), "the root does not give the seals")
    no_root = {k: v for k, v in theirs.items() if k != "root"}
    refused(forge(pair.data, pair.identities[1 - seat], no_root), "a root is revealed when the game is over")
    silent = {k: v for k, v in no_root.items() if k != "draw"}
    refused(forge(pair.data, pair.identities[1 - seat], silent), "accepted or declined first")
    again = {**no_root, "draw": "offer"}
    refused(forge(pair.data, pair.identities[1 - seat], again), "offered already")


def test_roots(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 4).play(7)
    seat = ("american", "tripolitan").index(turnfile.read(pair.data).entries[-1].seat)
    early = session.secrets_of(pair.identities[seat], pair.ledger(), seat).root
    refused(pair.cheat(root=b64(early)), "a root is revealed when the game is over")
    loser = pair.turn() or 0
    pair.step([], resign=True)
    refused(pair.cheat(root=None), "a root is revealed when the game is over, and then always")
    refused(pair.cheat(root=b64(bytes(32))), "the root does not give the seals of deck")
    other = session.secrets_of(pair.identities[1 - loser], pair.ledger(), 1 - loser).root
    refused(pair.cheat(root=b64(other)), "the root does not give the seals of deck")
    refused(pair.cheat(draw="offer"), "no draw is to be spoken of")
    pair.step([])
    refused(pair.cheat(root=b64(bytes(32))), "the root does not give the seals of deck")
    refused(pair.cheat(root=None), "a root is revealed")
    refused(pair.cheat(resign="yes"), "the game is over")
    refused(pair.cheat(draw="accept"), "the game is over")
    refused(pair.cheat(answers=["pass"]), "to nothing that was asked")


def test_nobody_resigns_or_speaks_of_a_draw_with_the_entry_that_ends_the_game(tmp_path: Path) -> None:
    """What the rules have ended is over: the winner is not changed by a word that follows in the same entry."""
    pair = Pair(tmp_path, 300)
    before = pair.data
    while not pair.ledger().is_over():
        before = pair.data
        pair.step()
    ending = last_fields(pair.data)
    assert "root" in ending
    signer = pair.identities[("american", "tripolitan").index(str(ending["seat"]))]
    for words in ({"resign": "yes"}, {"draw": "offer"}):
        refused(forge(before, signer, {**ending, **words}), "the game is over")
