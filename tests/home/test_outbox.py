"""The outbox of a game: nothing that went out is forgotten or sent twice, wherever a program was
killed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pbem.errors import Damaged
from pbem.home import outbox
from pbem.home.outbox import SentMail

BEN, CLEO = "ben@example.org", "cleo@example.org"


def test_an_entry_begun_again_after_it_went_out_is_not_due_again(tmp_path: Path) -> None:
    """As where a home was put back from a copy, and the same bytes were signed once more."""
    outbox.begin(tmp_path, 3, b"turn", 1.0)
    mail = SentMail("<a@b>", [BEN], 2.0, automatic=True)
    outbox.note(tmp_path, 3, b"turn", lambda turn: turn.went_to([BEN], {}).with_mail(mail))
    outbox.begin(tmp_path, 3, b"turn", 5.0)
    (turn,) = outbox.read(tmp_path)
    assert (turn.to, turn.written, turn.is_due) == ([BEN], 5.0, False)


def test_an_entry_begun_and_not_signed_gives_way_to_the_next(tmp_path: Path) -> None:
    outbox.begin(tmp_path, 3, b"first", 1.0)
    outbox.begin(tmp_path, 3, b"second", 2.0)
    (turn,) = outbox.read(tmp_path)
    assert turn.file == hashlib.sha256(b"second").hexdigest() and turn.is_due
    outbox.drop(tmp_path, turn)
    assert outbox.read(tmp_path) == []


def test_what_went_out_of_a_dropped_turn_is_kept(tmp_path: Path) -> None:
    outbox.begin(tmp_path, 3, b"turn", 1.0)
    outbox.note(tmp_path, 3, b"turn", lambda turn: turn.went_to([BEN], {CLEO: "nobody here"}))
    (turn,) = outbox.read(tmp_path)
    assert turn.is_due and turn.missing(turn.lacking) == [CLEO]
    outbox.drop(tmp_path, turn)
    (turn,) = outbox.read(tmp_path)
    assert turn.to == [BEN] and turn.lacking == {CLEO: "nobody here"} and not turn.is_due


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"turns": [{}]}', b"[1]", b"\xff", b"[" * 9000])
def test_a_damaged_outbox_is_named_and_nothing_is_written_over_it(
    tmp_path: Path, damage: bytes
) -> None:
    path = tmp_path / "outbox.json"
    path.write_bytes(damage)
    with pytest.raises(Damaged) as caught:
        outbox.read(tmp_path)
    assert caught.value.where == str(path) and "pbem inbox" in str(caught.value)
    with pytest.raises(Damaged):
        outbox.begin(tmp_path, 3, b"turn", 1.0)
    with pytest.raises(Damaged):
        outbox.note_by_hand(tmp_path, 3, b"turn", 1.0)
    assert path.read_bytes() == damage
