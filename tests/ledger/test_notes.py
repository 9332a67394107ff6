"""Notes: sealed until a root is revealed, bound to their entry, and of no use for anything else."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.crypto import notes, randomness
from pbem.crypto.notes import COMMITMENT_SIZE, SIZES, NotePlace
from pbem.errors import Forged, Refused
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, unb64
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.report import render
from pbem.report.facts import report
from pbem.turn.draft_lines import Intent
from tests.support.golden_words import Golden
from tests.support.players import Pair, accepted, prefix, refused, retouch
from tests.support.solitaire_kit import careless, home_of, write
from tests.support.solitaire_kit import invite as solitaire_invite
from tests.support.solitaire_kit import join as solitaire_join

ROOT = bytes(range(32))
PLACE = NotePlace(b"g" * 32, "american", b"b" * 32, b"n" * 32)
TEXT = "They will not see Tunis coming.\nNor Derne. 🙂"


@example("0\0")
@given(st.text(min_size=1, max_size=1500))
def test_what_was_sealed_comes_out_again(text: str) -> None:
    try:
        padded = notes.pad(text)
    except (ValueError, UnicodeEncodeError):
        return
    sealed = notes.seal(ROOT, PLACE, padded)
    assert len(padded) in SIZES and len(sealed) == len(padded) + COMMITMENT_SIZE
    assert notes.unseal(ROOT, PLACE, sealed) == padded
    assert notes.text_of(padded) in (text, "")


@pytest.mark.parametrize("change", ["root", "game_id", "seat", "before", "nonce", "text", "bound"])
def test_a_note_is_bound_to_all_that_it_stands_in(change: str) -> None:
    sealed = bytearray(notes.seal(ROOT, PLACE, notes.pad(TEXT)))
    place, root = PLACE, ROOT
    if change == "root":
        root = bytes(32)
    elif change in ("text", "bound"):
        sealed[0 if change == "text" else -1] ^= 1
    else:
        place = place._replace(**{change: "tripolitan" if change == "seat" else bytes(32)})
    assert notes.unseal(root, place, bytes(sealed)) is None


def test_no_two_entries_share_a_keystream() -> None:
    """Of the same text under every pair of places nothing is equal, and the difference is not that
    of the texts."""
    places = [PLACE, PLACE._replace(nonce=bytes(32)), PLACE._replace(before=bytes(32))]
    streams = [notes.seal(ROOT, place, bytes(256))[:256] for place in places]
    blocks = [stream[i : i + 32] for stream in streams for i in range(0, 256, 32)]
    assert len(set(blocks)) == len(blocks)


def test_two_versions_of_an_entry_share_no_keystream(tmp_path: Path) -> None:
    """The same note in two entries of one number, on the same file: what an author of two turns
    would give away."""
    pair = Pair(tmp_path, 4).play(4)
    seat = pair.turn()
    assert seat is not None
    answers = pair.choose(seat)
    sealed = []
    for _ in range(2):
        data = pair.next(answers, note="one thought")
        pair.nonces = type(pair.nonces)("another try")
        sealed.append(unb64(turnfile.read(data).entries[-1].text("note")))
    assert not any(
        a == b
        for a, b in itertools.product(
            *([one[i : i + 32] for i in range(0, 288, 32)] for one in sealed)
        )
    )


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1024, 1025, 4096])
def test_a_note_shows_one_of_three_lengths(size: int) -> None:
    assert len(notes.pad("x" * size)) == next(known for known in SIZES if known >= size)
    assert notes.text_of(notes.pad("x" * size)) == "x" * size


@pytest.mark.parametrize("text", ["", "x" * 4097, "é" * 2049])
def test_no_note_is_longer_than_the_limit_or_empty(text: str) -> None:
    with pytest.raises(ValueError, match="4096"):
        notes.pad(text)


NO_TEXT = [
    bytes(256),
    b"x\0y".ljust(256, b"\0"),
    b"x".ljust(1024, b"\0"),
    b"x" * 256 + bytes(3840),
    b"\xff".ljust(256, b"\0"),
    b"\xc3".ljust(256, b"\0"),
    b"\xed\xa0\x80".ljust(256, b"\0"),
    "a\u202eb".encode().ljust(256, b"\0"),
    "a\u200db".encode().ljust(256, b"\0"),
    b"a\x1b[31mb".ljust(256, b"\0"),
    b"a\rb".ljust(256, b"\0"),
    b"a\tb".ljust(256, b"\0"),
    b"\0a".ljust(256, b"\0"),
]


@pytest.mark.parametrize("padded", NO_TEXT, ids=range(len(NO_TEXT)))
def test_what_does_not_pass_the_rules_for_messages_is_no_text(padded: bytes) -> None:
    assert notes.text_of(padded) == ""


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game of four entries."""
    return Pair(tmp_path, 7).play(4)


def root_of(pair: Pair, seat: int, game: Ledger) -> bytes:
    nonce = game.player_of(seat).nonce
    return randomness.derive(pair.identities[seat].seed, game.game_id, game.seats[seat], nonce).root


def place_of(data: bytes) -> NotePlace:
    """The place of the newest entry's note."""
    entry = turnfile.read(data).entries[-1]
    game = replay(turnfile.read(data))
    return NotePlace(game.game_id, entry.seat, entry.before, entry.blob("nonce", 32))


def with_note(pair: Pair, padded: bytes, *, spoil: bool = False) -> tuple[int, bytes]:
    """The seat that wrote the newest entry, and the file with a note in it that its author made
    up."""
    seat = replay(turnfile.read(pair.data)).seat_of(turnfile.read(pair.data).entries[-1])
    note = bytearray(notes.seal(root_of(pair, seat, pair.ledger()), place_of(pair.data), padded))
    note[-1] ^= spoil
    return seat, pair.cheat(note=b64(bytes(note)))


def to_the_end(pair: Pair, data: bytes) -> None:
    """The game is given up at once, and both roots are revealed."""
    for home in pair.homes:  # they remember another version, which a cheat has taken the place of
        for path in (home.folder / "games").rglob("*.toml"):
            path.unlink()
    pair.data = data
    with pair.fixed():
        from pbem.turn import open_game, take_turn

        while (seat := replay(turnfile.read(pair.data)).to_act()) is not None:
            opened = open_game.open_file(pair.data, pair.homes[seat], nothing_newer=True)
            is_over = opened.ledger.is_over()
            pair.data = take_turn.next_entry(opened, Intent(resign=not is_over))


def test_a_note_is_read_by_its_author_and_after_the_end_by_everybody(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    pair.step(note=TEXT)
    game = pair.ledger()
    assert game.notes.texts == {} and game.notes.read_own(seat, root_of(pair, seat, game)) == {
        4: TEXT
    }
    assert game.notes.read_own(1 - seat, root_of(pair, 1 - seat, game)) == {}
    assert TEXT.encode()[:20] not in pair.data
    to_the_end(pair, pair.data)
    proven = replay(turnfile.read(pair.data))
    assert proven.is_proven() and proven.notes.texts == {4: TEXT}
    told = report(proven, None, proven.begun().referee.faces(), 4)
    assert [entry.note for entry in told.position.entries if entry.note] == [TEXT]
    for template in ("report.md.j2", "report.txt.j2"):
        assert "Tunis coming" in render.render(template, told)


def test_a_root_that_does_not_give_a_note_is_refused(pair: Pair) -> None:
    seat, data = with_note(pair, notes.pad(TEXT), spoil=True)
    accepted(data)
    with pytest.raises(Forged, match="note of entry 3"):
        to_the_end(pair, data)
    assert seat in (0, 1)


@pytest.mark.parametrize("padded", NO_TEXT[:9], ids=range(9))
def test_what_is_no_text_is_shown_as_such_and_stops_nothing(pair: Pair, padded: bytes) -> None:
    to_the_end(pair, with_note(pair, padded)[1])
    game = replay(turnfile.read(pair.data))
    assert game.is_proven() and game.notes.texts == {3: ""}
    told = report(game, None, game.begun().referee.faces(), 3)
    assert told.position.entries[0].note is None and told.position.entries[0].no_text
    assert "(no text)" in render.render("report.txt.j2", told)


@pytest.mark.parametrize("size", [0, 1, 32, 255, 256, 287, 289, 290, 291, 1024, 1057, 4096, 4127])
def test_a_note_of_another_length_is_malformed(pair: Pair, size: int) -> None:
    if size:
        refused(pair.cheat(note=b64(bytes(size))), "a note has 288|bytes where")
    refused(pair.cheat(note=b64(bytes(288))[:-4] + "===="), "note: not ")


def test_a_note_stands_in_no_first_entry(pair: Pair) -> None:
    for entries in (1, 2):
        refused(
            pair.cheat(prefix(pair, entries), note=b64(bytes(288))),
            "a note stands in a later entry",
        )
    accepted(pair.cheat(note=b64(bytes(288))))


def test_a_note_is_no_way_to_another_position(pair: Pair) -> None:
    """Whatever stands in it: whose turn it is, E and the position are those of the entry without
    it."""
    honest = replay(turnfile.read(pair.data))
    for note in (bytes(288), b"\xff" * 1056, bytes(4128)):
        game = replay(turnfile.read(pair.cheat(note=b64(note))))
        assert (
            game.position_digest() == honest.position_digest() and game.to_act() == honest.to_act()
        )
        assert game.begun().referee.randomness.newest == honest.begun().referee.randomness.newest


def test_who_reveals_no_root_writes_no_note(tmp_path: Path, golden: Golden) -> None:
    """A mere witness of solitaire: what they sealed would stay sealed for ever."""
    ann, ben = (home_of(tmp_path, name) for name in ("Ann", "Ben"))
    data = solitaire_join(ben, solitaire_invite(ann, ben))
    while replay(turnfile.read(data)).to_act() != 2:
        data = write(ann, data, careless(random.Random(1)))
    with pytest.raises(Refused) as told:
        write(ben, data, note="a thought")
    golden(told.value.what)
    proof = write(ben, data)
    refused(retouch(proof, ben.identity(), note=b64(bytes(288))), "a note stands in a later entry")


def test_what_no_file_may_hold_is_refused_before_it_is_signed(pair: Pair) -> None:
    for text in ("x" * 4097, "a\u202eb", "\ud800", "a\x00b", "a\tb"):
        with pytest.raises(Refused):
            pair.step(note=text)


def test_who_resigns_is_told_first_that_their_notes_are_revealed(
    pair: Pair, golden: Golden
) -> None:
    from pbem.turn import leaving

    for _ in range(2):
        pair.step(note=TEXT)
    seat = pair.turn()
    assert seat is not None
    golden(leaving.consequences(pair.open(seat)))


def test_a_report_says_that_a_note_is_there_and_not_what_it_says(
    pair: Pair, golden: Golden
) -> None:
    pair.step(note=TEXT)
    game = pair.ledger()
    facts = report(game, None, game.begun().referee.faces(), 4)
    told = render.render("report.md.j2", facts)
    golden(*(line for line in told.splitlines() if "note" in line))
    assert TEXT not in told
