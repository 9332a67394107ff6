"""A file is read the same whichever files were read before it; entries that it shares with them are
read once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import NewestFiles
from pbem.ledger import gate

ARCHIVED = (Path(__file__).parents[1] / "archive/tripoli-1.toml").read_bytes()


def outcome(data: bytes) -> object:
    """What is read, or how it is refused."""
    try:
        return turnfile.read(data)
    except Malformed as error:
        return str(error), error.where, error.hint, error.layer, error.entry


def anew(data: bytes, patch: pytest.MonkeyPatch) -> object:
    """What a program reads that has read nothing before."""
    with patch.context() as inner:
        inner.setattr(turnfile, "_newest", NewestFiles())
        return outcome(data)


def damaged(rng: random.Random) -> bytes:
    """A beginning of the file with a byte changed, doubled, left out or put in, or cut off
    anywhere."""
    data = turnfile.read(ARCHIVED).prefix(rng.randrange(2, 9))
    place = rng.randrange(len(data))
    byte = rng.choice([b"", b"\n", b"\r\n", b"\xff", b"a", b'"', b"\n\n[[entry]]\n", "é".encode()])
    return rng.choice([data[:place], data[:place] + byte + data[place + rng.randrange(2) :]])


def test_what_was_read_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, refused = random.Random(1), 0
    for _ in range(200):
        data = damaged(rng)
        turnfile.read(turnfile.read(ARCHIVED).prefix(rng.randrange(1, 12)))
        found = outcome(data)
        assert found == anew(data, monkeypatch)
        refused += isinstance(found, tuple) and isinstance(found[0], str)
    assert refused > 150


@pytest.mark.parametrize(
    "what", [b'ed25519 = "AAAA"\n', b"\n", b"\n\n", b"x", b"[[entry]]\n", b"\xff", b"\n[[entry]"]
)
def test_what_follows_an_entry_at_once_belongs_to_it(
    what: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = turnfile.read(ARCHIVED)
    for data in (
        whole.prefix(3) + what,
        whole.prefix(3) + what + whole.data[len(whole.prefix(3)) :],
    ):
        turnfile.read(ARCHIVED)
        assert outcome(data) == anew(data, monkeypatch)


def test_only_what_is_new_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, read = turnfile.read(ARCHIVED), []
    original = turnfile.read_entry

    def counted(lines, data, number, *more):  # type: ignore[no-untyped-def]
        read.append(number)
        return original(lines, data, number, *more)

    monkeypatch.setattr(turnfile, "_newest", NewestFiles())
    monkeypatch.setattr(turnfile, "read_entry", counted)
    for entries in (3, 5, 5, 4, 6):
        assert turnfile.read(whole.prefix(entries)).entries == whole.entries[:entries]
    assert read == [0, 1, 2, 3, 4, 5]
    with pytest.raises(Malformed):
        turnfile.read(
            whole.prefix(1).replace(b"seat", b"data", 1) + whole.data[len(whole.prefix(1)) :]
        )
    assert read == [0, 1, 2, 3, 4, 5, 0]


def test_few_files_are_remembered() -> None:
    newest, whole = NewestFiles(2), turnfile.read(ARCHIVED)
    for entries in (1, 2, 2, 3):
        newest.keep(turnfile.read(whole.prefix(entries)))
    assert [len(file.entries) for file in newest._files] == [3, 2]
    assert (
        len(newest.entries_in_common(whole.data)) == 3 and newest.entries_in_common(b"format") == []
    )


def test_what_each_seat_saw_last_is_the_position_after_its_newest_entry() -> None:
    file = turnfile.read(ARCHIVED)
    game, seen = gate.follow(file)
    newest = {entry.seat: entry.number for entry in file.entries}
    assert {game.seats[seat]: number for seat, (number, _) in seen.items()} == newest
    for number, view in seen.values():
        then = gate.replay(turnfile.read(file.prefix(number + 1)))
        assert view == gate.public_view(then.begun())
