"""Promise 2 as an attacker sees it. Right after a move nothing is there to compute, and nothing to
repeat."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.flow import Draw, Pick, Roll
from pbem.crypto import group, randomness, vrf
from pbem.crypto.randomness import Stream
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.turn import open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import OpenFile
from tests.support.players import (
    AMERICAN,
    Pair,
    accepted,
    before_last,
    forge,
    last_fields,
    refused,
    retouch,
)


def secrets_of(pair: Pair, seat: int) -> randomness.SeatSecrets:
    return open_game.secrets_of(pair.identities[seat], pair.ledger(), seat)


def until_pending(pair: Pair, kind: type) -> tuple[int, int]:
    """Play until chance of this kind waits; the seat that moved and the witness."""
    pair.until(
        lambda game: (
            game.playing is not None and isinstance(game.playing.referee.turn.request, kind)
        )
    )
    referee = pair.ledger().begun().referee
    mover = referee.randomness.author()
    assert referee.randomness.missing() == [1 - mover] == [pair.turn()]
    return mover, 1 - mover


PENDING = [(Roll, 41), pytest.param((Roll, 42), marks=pytest.mark.slow), (Draw, 43), (Roll, 44)]
"""A roll of each seat's, and a draw."""
TRIES = 40
"""Versions of one move that the mover makes."""


@pytest.fixture(scope="module", params=PENDING, ids=lambda p: p[0].__name__)
def pending(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Pair, int, int]:
    """A game at the moment after a move, a roll or a draw pending: the pair, the mover, the
    witness."""
    kind, seed = request.param
    pair = Pair(tmp_path_factory.mktemp("pending"), seed).play(3 if kind is Roll else 1)
    return (pair, *until_pending(pair, kind))


def nothing_known(opened: OpenFile) -> None:
    referee = opened.ledger.begun().referee
    chanced = referee.chance_uses[-1]
    assert chanced.result is None and chanced.entry == len(opened.file.entries) - 1
    assert referee.randomness.outputs == {} and referee.randomness.missing()
    assert all(entry != chanced.entry for entry, _ in referee.randomness.proofs)


def test_the_mover_finds_nothing_in_the_program(pending: tuple[Pair, int, int]) -> None:
    pair, mover, _ = pending
    opened = pair.open(mover)
    nothing_known(opened)
    assert opened.draft() is None
    nothing_known(opened)
    with pytest.raises(Refused, match="not your turn"):
        questions.moves(opened, [])
    with pytest.raises(Refused, match="not your turn"):
        take_turn.next_entry(opened, Intent())


def test_the_mover_cannot_write_the_witness_proof(pending: tuple[Pair, int, int]) -> None:
    """By hand: nothing that the mover's secrets make passes for the witness' proof."""
    pair, mover, witness = pending
    file = turnfile.read(pair.data)
    key, alpha = pair.ledger().player_of(witness).vrf, file.entries[-1].digest
    mine = secrets_of(pair, mover)
    seeds = [mine.vrf_seed, mine.root, pair.identities[mover].seed, bytes(32), key, alpha]
    old = [entry.blob("proof", 80) for entry in file.entries if "proof" in entry.fields]
    for proof in old + [vrf.prove(seed, alpha) for seed in seeds]:
        with pytest.raises(group.ProofError):
            vrf.verify(key, alpha, proof)


def test_no_nonce_tells_the_mover_more_than_another(pending: tuple[Pair, int, int]) -> None:
    """However many versions of their move the mover makes, not one has a known outcome."""
    pair, mover, witness = pending
    fields, before = last_fields(pair.data), before_last(pair.data)
    seen, streams = set(), set()
    own = secrets_of(pair, mover).vrf_seed
    game_id = pair.ledger().game_id
    for number in range(TRIES):
        nonce = hashlib.sha256(b"try %d" % number).digest()
        data = forge(before, pair.identities[mover], {**fields, "nonce": b64(nonce)})
        opened = OpenFile(turnfile.read(data), open_game.open_file(data, None).ledger)
        nothing_known(opened)
        alpha = opened.file.entries[-1].digest
        assert alpha not in seen
        seen.add(alpha)
        theirs = vrf.output(vrf.prove(secrets_of(pair, witness).vrf_seed, alpha))
        ours = vrf.output(vrf.prove(own, alpha))
        real = _bytes(theirs, game_id)
        guesses = [ours, alpha, alpha + alpha, hashlib.sha512(alpha).digest(), bytes(64), b""]
        assert all(_bytes(guess, game_id) != real for guess in guesses)
        streams.add(real)
    assert len(streams) == TRIES


def _bytes(key: bytes, game_id: bytes) -> bytes:
    stream = Stream(key, game_id)
    return bytes(stream.byte() for _ in range(16))


def test_the_witness_has_one_output_whatever_he_writes(pending: tuple[Pair, int, int]) -> None:
    """The witness cannot have the roll again: other nonces, dates, messages, a resignation change
    nothing."""
    pair, _, witness = pending
    number = len(pair.ledger().begun().referee.chance_uses)
    honest = pair.next()
    wanted = _result(honest, number)
    proof = last_fields(honest)["proof"]
    versions = [
        retouch(
            honest, pair.identities[witness], nonce=b64(bytes([n] * 32)), message=f"attempt {n}"
        )
        for n in range(20)
    ]
    versions += [
        pair.next([], resign=True),
        retouch(honest, pair.identities[witness], date="1999-01-01T00:00:00Z"),
    ]
    for data in versions:
        accepted(data)
        assert last_fields(data)["proof"] == proof
        assert _result(data, number) == wanted


def _result(data: bytes, number: int) -> tuple[int, ...]:
    referee = open_game.open_file(data, None).ledger.begun().referee
    result = referee.chance_uses[number - 1].result
    assert result
    return result


def test_the_witness_could_not_foresee_the_message(pending: tuple[Pair, int, int]) -> None:
    """What the witness proves is the digest of an entry with a fresh nonce: it did not exist when
    they signed last."""
    pair, mover, _ = pending
    entry = turnfile.read(pair.data).entries[-1]
    nonces = [e.text("nonce") for e in turnfile.read(pair.data).entries]
    assert len(set(nonces)) == len(nonces)
    assert (
        entry.digest
        != turnfile.read(retouch(pair.data, pair.identities[mover], nonce=b64(b"n" * 32)))
        .entries[-1]
        .digest
    )


# A whole game: who could know what, and when


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game that goes on beyond the reshuffle of 1805."""
    for seed in range(210, 230):  # 210 does; others are for the day when the rules change
        pair = Pair(tmp_path_factory.mktemp("long"), seed).play(400)
        referee = pair.ledger().begun().referee
        late = [c for c in referee.chance_uses if isinstance(c.request, Draw) and "1805" in c.when]
        if (
            {pile.generation for pile in referee.own_decks.piles} == {1, 2}
            and len(late) == 2
            and all(c.result for c in late)
        ):
            return pair
    raise AssertionError("no game reaches 1805")


def proved(ledger: Ledger, entry: int, witness: int) -> int:
    """The number of the entry that brought the witness' proof over `entry`."""
    proof = b64(ledger.begun().referee.randomness.proofs[entry, witness][0])
    return next(e.number for e in ledger.entries if e.text("proof") == proof)


@pytest.mark.dear("tries every place of whole games")
def test_every_roll_comes_after_every_decision(long_game: Pair) -> None:
    """E holds the newest decision, the witnesses are all others, and their proofs are younger than
    E."""
    ledger = long_game.ledger()
    referee = ledger.begun().referee
    assert len(referee.chance_uses) > 20
    for chanced in referee.chance_uses:
        author = ledger.seat_of(ledger.entries[chanced.entry])
        assert chanced.witnesses == (1 - author,)
        if chanced.result is not None:
            assert proved(ledger, chanced.entry, 1 - author) > chanced.entry


@pytest.mark.dear("tries every place of whole games")
def test_every_proof_serves_one_message(long_game: Pair) -> None:
    ledger = long_game.ledger()
    proofs = [e.text("proof") for e in ledger.entries if "proof" in e.fields]
    assert len(proofs) == len(set(proofs)) == len(ledger.begun().referee.randomness.proofs)


def test_nobody_sealed_a_deck_knowing_what_would_be_drawn(long_game: Pair) -> None:
    """Also the piles of 1805: every draw's E is at or after the entry that sealed the pile, and
    every output over that E was made in a later entry."""
    ledger = long_game.ledger()
    referee = ledger.begun().referee
    draws = [
        c
        for c in referee.chance_uses
        if isinstance(c.request, Draw | Pick) and c.result is not None
    ]
    generations = set()
    for chanced in draws:
        handles = (
            chanced.request.pile if isinstance(chanced.request, Draw) else chanced.request.handles
        )
        piles = [pile for pile in referee.own_decks.piles if set(pile.handles) & set(handles)]
        assert {h for pile in piles for h in pile.handles} >= set(handles)
        for pile in piles:
            generations.add((pile.deck.letter, pile.generation))
            assert pile.entry <= chanced.entry
            for witness in chanced.witnesses:
                assert proved(ledger, chanced.entry, witness) > pile.entry
            sealer = ledger.seat_of(ledger.entries[pile.entry])
            assert sealer == pile.deck.owner
            if pile.entry == chanced.entry:
                assert sealer not in chanced.witnesses, (
                    "a sealer who knows their output over their own E"
                )
    assert {("a", 2), ("t", 2)} <= generations


def test_a_seal_moves_the_message_on(long_game: Pair) -> None:
    """After an entry with seals that entry is E itself: no output that its author knew applies to
    what follows."""
    game = Ledger()
    reshuffles = 0
    for entry in turnfile.read(long_game.data).entries:
        gate.admit(game, entry)
        if "seals" in entry.fields and game.playing is not None:
            reshuffles += entry.number > 1
            assert (
                game.begun().referee.randomness.newest == entry.number
                and game.begun().referee.randomness.outputs == {}
            )
    assert reshuffles >= 2


def reshuffling_entries(pair: Pair) -> list[bytes]:
    file = turnfile.read(pair.data)
    return [file.prefix(e.number + 1) for e in file.entries[2:] if "seals" in e.fields]


def test_the_sealer_of_1805_cannot_bring_the_witness_part_too(long_game: Pair) -> None:
    """Seals together with a proof of one's own over that entry, over the one before, over any:
    nothing is drawn yet."""
    for data in reshuffling_entries(long_game):
        file = turnfile.read(data)
        author = ("american", "tripolitan").index(file.entries[-1].seat)
        game = open_game.open_file(data, None).ledger
        for chanced in game.begun().referee.chance_uses:
            if isinstance(chanced.request, Draw) and "1805" in chanced.when:
                assert chanced.result is None
        seed = secrets_of(long_game, author).vrf_seed
        for entry in file.entries[-4:-1]:
            proof = b64(vrf.prove(seed, entry.digest))
            if proof != file.entries[-1].text("proof"):
                refused(retouch(data, long_game.identities[author], proof=proof), "proof")


def test_seals_are_made_when_they_are_asked_for(long_game: Pair) -> None:
    """Nor can seals be slipped into an entry while a roll waits, or changed in a later one."""
    for data in reshuffling_entries(long_game):
        file = turnfile.read(data)
        author = ("american", "tripolitan").index(file.entries[-1].seat)
        seals = file.entries[-1].list("seals")
        identity = long_game.identities[author]
        refused(
            retouch(data, identity, seals=seals[1:]),
            "sealed where|seals for a pile|owes|not legal|not this",
        )
        refused(
            retouch(data, identity, seals=[*seals, seals[-1]]),
            "seals that nothing asks for|sealed where",
        )
        refused(retouch(data, identity, seals=[*seals[1:], seals[0]]), "is sealed where")
        later = [
            e
            for e in turnfile.read(long_game.data).entries[file.entries[-1].number + 1 :]
            if e.seat == file.entries[-1].seat
        ]
        again = turnfile.read(long_game.data).prefix(later[0].number + 1)
        if "seals" not in later[0].fields:
            refused(
                retouch(again, identity, seals=seals), "seals that nothing asks for|is sealed where"
            )


def test_the_first_draw_is_by_the_inviter_alone_and_after_both_decks(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 45).play(2)
    referee = pair.ledger().begun().referee
    assert {pile.entry for pile in referee.own_decks.piles} == {0, 1}
    chanced = referee.chance_uses[0]
    assert isinstance(chanced.request, Draw)
    assert (chanced.entry, chanced.witnesses, chanced.result) == (1, (AMERICAN,), None)
