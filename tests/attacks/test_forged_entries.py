"""A player whose program signs whatever they like: every such entry is refused, with the right
words."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.crypto import group, primitives, randomness, vrf
from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, unb64
from pbem.turn import open_game
from tests.support.players import (
    Pair,
    accepted,
    before_last,
    forge,
    last_fields,
    prefix,
    refused,
    retouch,
)


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


@pytest.mark.parametrize("entries", [1, 2, 3, 6, 10])
def test_a_nonce_has_32_bytes_in_one_spelling(entries: int, pair: Pair) -> None:
    data = prefix(pair, entries)
    nonce = str(last_fields(data)["nonce"])
    other = nonce[:-2] + chr(ord(nonce[-2]) + 1) + "="  # the unused bits of the last character
    for text in (
        "x",
        nonce[:-4],
        b64(bytes(31)),
        b64(bytes(33)),
        other,
        nonce[:-1],
        " " + nonce[1:],
        nonce[:-2] + "==",
    ):
        refused(pair.cheat(data, nonce=text), rf"turn {entries - 1}.*: nonce: ")


def test_an_answer_changed_after_signing(pair: Pair) -> None:
    file = turnfile.read(pair.data)
    for entry in file.entries[2:]:
        if entry.list("answers"):
            answer = entry.list("answers")[0]
            start = file.entries[entry.number - 1].end
            place = pair.data.index(answer.encode(), start)
            changed = (
                pair.data[:place] + answer.encode().swapcase() + pair.data[place + len(answer) :]
            )
            refused(changed, rf"turn {entry.number}, .*the signature is not")


def test_any_field_changed_after_signing(pair: Pair) -> None:
    data = prefix(pair, 1)
    for old, new in (
        (b"Ann", b"Eve"),
        (b"2026-11-21", b"2026-11-22"),
        (b"rules = 1", b"rules = 2"),
    ):
        assert old in data
        refused(data.replace(old, new), "the signature is not")


def test_the_opponents_entry_signed_by_oneself(pair: Pair) -> None:
    for entries in range(3, 11):
        data = prefix(pair, entries)
        author = ("american", "tripolitan").index(turnfile.read(data).entries[-1].seat)
        refused(
            retouch(data, pair.identities[1 - author]),
            "the signature is not (american|tripolitan)'s",
        )


def test_a_signature_over_something_else(pair: Pair) -> None:
    data = prefix(pair, 4)
    before, fields = before_last(data), last_fields(data)
    author = pair.identities[("american", "tripolitan").index(str(fields["seat"]))]
    body = turnfile.write_body(turnfile.in_order(fields))
    digest = turnfile.digest_of(before, body)
    for message in (digest, b"pbem/1 entry\n" + body, b"pbem/2 entry\n" + digest, b""):
        refused(
            before + body + turnfile.write_signature(author.sign(message)), "the signature is not"
        )


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
    refused(
        forge(pair.data, pair.identities[wrong], {**fields, "seat": "loot"}),
        'there is no seat "loot"',
    )


def test_nothing_is_written_after_the_end(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 22).play(6)
    pair.step([], resign=True)
    pair.step([])
    for seat, identity in enumerate(pair.identities):
        fields = {**last_fields(pair.data), "seat": ("american", "tripolitan")[seat]}
        refused(forge(pair.data, identity, fields), "nobody's: the game is over")


# Later entries


def test_fields_that_do_not_belong(pair: Pair) -> None:
    data = prefix(pair, 3)
    refused(pair.cheat(data, name="Ann"), '"name" does not belong')
    refused(pair.cheat(data, vrf=b64(primitives.public_key(bytes(32)))), '"vrf" does not belong')
    refused(pair.cheat(data, seats=["american", "tripolitan"]), '"seats" does not belong')
    refused(pair.cheat(data, rules=1), '"rules" does not belong')


def test_unknown_keys_are_of_a_newer_version(pair: Pair) -> None:
    data = prefix(pair, 3)
    bent = data.replace(b"\nproof = ", b"\nprove = ")
    with pytest.raises(Malformed, match="newer pbem"):
        turnfile.read(bent)
    refused(bent, 'unknown key "prove"')


def secrets_of(pair: Pair, seat: int) -> randomness.SeatSecrets:
    return open_game.secrets_of(pair.identities[seat], pair.ledger(), seat)


def test_proofs_for_other_entries_and_by_other_keys(pair: Pair) -> None:
    data = entry_with(pair, "proof")
    file = turnfile.read(data)
    author = ("american", "tripolitan").index(file.entries[-1].seat)
    own, other = secrets_of(pair, author).vrf_seed, secrets_of(pair, 1 - author).vrf_seed
    owed = next(
        e.number
        for e in file.entries
        if b64(vrf.prove(own, e.digest)) == file.entries[-1].text("proof")
    )
    for entry in file.entries[:-1]:
        if entry.number != owed:
            refused(
                pair.cheat(data, proof=b64(vrf.prove(own, entry.digest))),
                f"the proof for entry {owed} is wrong",
            )
        refused(
            pair.cheat(data, proof=b64(vrf.prove(other, entry.digest))),
            f"the proof for entry {owed} is wrong",
        )
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
    refused(pair.cheat(data, proof=None), "leaves out what its seat owes")
    refused(
        pair.cheat(data, proof=None, answers=None, openings=None), "leaves out what its seat owes"
    )
    refused(
        pair.cheat(data, proof=None, answers=None, openings=None, draw="offer"),
        "leaves out what its seat",
    )
    root = b64(
        secrets_of(pair, ("american", "tripolitan").index(str(last_fields(data)["seat"]))).root
    )
    resigning = {
        "proof": None,
        "answers": None,
        "openings": None,
        "seals": None,
        "resign": "yes",
        "root": root,
    }
    refused(pair.cheat(data, **resigning), "leaves out what its seat owes")


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
    refused(
        pair.cheat(data, answers=None, openings=None), "stops before its seat has done all|owes"
    )
    refused(pair.cheat(data, answers=["pass"]), '"pass" \\(answer 1\\) is not legal there')
    refused(pair.cheat(data, answers=[answers[0].upper(), *answers[1:]]), "is not legal there")
    refused(
        pair.cheat(data, answers=[*answers, answers[0]]),
        "not legal there|to nothing that was asked",
    )


def test_consent_has_its_time(pair: Pair) -> None:
    data = entry_with(pair, "answers")
    refused(pair.cheat(data, draw="accept"), "no draw is offered")
    refused(pair.cheat(data, draw="decline"), "no draw is offered")
    refused(pair.cheat(data, draw="maybe"), '"maybe": no draw is offered')
    for resign in ("no", "Yes", "yes "):
        refused(pair.cheat(data, resign=resign), "a resignation is written yes")


def test_a_draw_is_not_accepted_by_who_offers_it(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3)
    pair.until(
        lambda game: (
            game.playing is not None
            and not game.playing.referee.turn.pending()
            and len(game.entries) > 4
        )
    )
    seat = pair.turn() or 0
    pair.step([], draw="offer")
    root = b64(open_game.secrets_of(pair.identities[seat], pair.ledger(), seat).root)
    own = {**last_fields(pair.data), "draw": "accept", "root": root}
    refused(forge(pair.data, pair.identities[seat], own), "not this seat's turn")
    theirs = {**own, "seat": ("american", "tripolitan")[1 - seat]}
    refused(forge(pair.data, pair.identities[1 - seat], theirs), "the root does not give the seals")
    no_root = {k: v for k, v in theirs.items() if k != "root"}
    refused(
        forge(pair.data, pair.identities[1 - seat], no_root),
        "a root is revealed when the game is over",
    )
    silent = {k: v for k, v in no_root.items() if k != "draw"}
    refused(forge(pair.data, pair.identities[1 - seat], silent), "accepted or declined first")
    again = {**no_root, "draw": "offer"}
    refused(forge(pair.data, pair.identities[1 - seat], again), "offered already")


def test_roots(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 4).play(7)
    seat = ("american", "tripolitan").index(turnfile.read(pair.data).entries[-1].seat)
    early = open_game.secrets_of(pair.identities[seat], pair.ledger(), seat).root
    refused(pair.cheat(root=b64(early)), "a root is revealed when the game is over")
    loser = pair.turn() or 0
    pair.step([], resign=True)
    refused(pair.cheat(root=None), "a root is revealed when the game is over, and then always")
    refused(pair.cheat(root=b64(bytes(32))), "the root does not give the seals of deck")
    other = open_game.secrets_of(pair.identities[1 - loser], pair.ledger(), 1 - loser).root
    refused(pair.cheat(root=b64(other)), "the root does not give the seals of deck")
    refused(pair.cheat(draw="offer"), "no draw is offered or answered")
    pair.step([])
    refused(pair.cheat(root=b64(bytes(32))), "the root does not give the seals of deck")
    refused(pair.cheat(root=None), "a root is revealed")
    refused(pair.cheat(resign="yes"), "the game is over")
    refused(pair.cheat(draw="accept"), "the game is over")
    refused(pair.cheat(answers=["pass"]), "to nothing that was asked")


def test_nobody_resigns_or_speaks_of_a_draw_with_the_entry_that_ends_the_game(
    tmp_path: Path,
) -> None:
    """What the rules have ended is over: the winner is not changed by a word that follows in the
    same entry."""
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
