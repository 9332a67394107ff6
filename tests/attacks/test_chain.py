"""The file as a chain: entries dropped, reordered, taken from elsewhere, and every byte of a file
flipped."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.errors import Invalid
from pbem.fileformat import turnfile
from pbem.report import verification
from tests.support.players import Pair, accepted, refused


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(tmp_path_factory.mktemp("chain"), 31).play(10)


def blocks(data: bytes) -> list[bytes]:
    """The header, then each entry's bytes."""
    ends = [len(turnfile.HEADER) + 1, *(entry.end for entry in turnfile.read(data).entries)]
    return [data[: ends[0]], *(data[start:end] for start, end in pairwise(ends))]


def test_the_blocks_make_the_file(pair: Pair) -> None:
    assert b"".join(blocks(pair.data)) == pair.data
    accepted(pair.data)


def test_an_older_file_is_a_prefix(pair: Pair) -> None:
    parts = blocks(pair.data)
    for count in range(2, len(parts) + 1):
        accepted(b"".join(parts[:count]))


def test_an_entry_dropped(pair: Pair) -> None:
    parts = blocks(pair.data)
    for number in range(1, len(parts) - 1):
        refused(
            b"".join(parts[:number] + parts[number + 1 :]),
            "the signature|turn|version of its rules|first entry|key",
        )


def test_two_entries_exchanged(pair: Pair) -> None:
    parts = blocks(pair.data)
    for number in range(1, len(parts) - 1):
        swapped = [*parts[:number], parts[number + 1], parts[number], *parts[number + 2 :]]
        refused(b"".join(swapped), "the signature|not this seat's turn|key")


def test_an_entry_twice(pair: Pair) -> None:
    parts = blocks(pair.data)
    for number in range(1, len(parts)):
        twice = [*parts[: number + 1], parts[number], *parts[number + 1 :]]
        refused(b"".join(twice), "the signature|not this seat's turn|does not belong")


def test_entries_of_another_game(pair: Pair, tmp_path: Path) -> None:
    mine, other = blocks(pair.data), blocks(Pair(tmp_path, 32).play(10).data)
    for number in range(1, len(mine)):
        mixed = b"".join([*mine[:number], other[number], *mine[number + 1 :]])
        if number == len(mine) - 1 or number > 1:
            refused(mixed, rf"turn {number - 1}, .*(the signature|turn)")
        else:
            refused(mixed, "turn 1, .*the signature")


def test_a_torn_file(pair: Pair) -> None:
    ends = {entry.end for entry in turnfile.read(pair.data).entries}
    for size in range(0, len(pair.data), 3):
        if size not in ends:
            refused(pair.data[:size], "line|entry")


def test_anything_appended(pair: Pair) -> None:
    for more in (
        b"\n",
        b" ",
        b"#\n",
        b"\x00",
        b"\n[[entry]]\n",
        b'\nx = "y"\n',
        pair.data,
        b"\r\n",
        b"\xef\xbb\xbf",
    ):
        refused(pair.data + more, "line")
        if more != pair.data:
            refused(more + pair.data, "line")


FLIPS = (0x01, 0x80, 0xFF)


@pytest.mark.dear("tries every place of whole games")
@pytest.mark.parametrize("first", range(3))
def test_every_byte_flipped(first: int, pair: Pair) -> None:
    """Every byte in one of three ways, in the beginning of the game, which has every kind of
    field."""
    file = turnfile.read(pair.data)
    assert {"seals", "proof", "answers", "openings"} <= {
        name for entry in file.entries[:5] for name in entry.fields
    }
    data = file.prefix(5)
    flip(data, FLIPS[first], range(first, len(data), 3))


@pytest.mark.slow
@pytest.mark.parametrize("bits", FLIPS)
def test_every_byte_flipped_in_every_way(
    bits: int, pair: Pair, record_property: Callable[[str, object], None]
) -> None:
    flip(pair.data, bits, range(len(pair.data)))
    record_property(
        "figure", f"bytes of a file changed by {bits:#04x}: {len(pair.data)}, all refused"
    )


def flip(data: bytes, bits: int, places: range) -> None:
    """Never accepted, and never anything but an error that a player can read. The entries before
    the flipped one are not verified ten thousand times: it is enough that signatures and proofs are
    remembered."""
    assert turnfile.read(data).entries
    bent = bytearray(data)
    for place in places:
        bent[place] ^= bits
        facts, failure = verification.verify(bytes(bent))
        assert failure is not None and not facts.ok, f"byte {place}"
        assert isinstance(failure, Invalid), f"byte {place}: {failure}"
        assert "\n" not in str(failure)
        bent[place] ^= bits
    accepted(bytes(bent))
