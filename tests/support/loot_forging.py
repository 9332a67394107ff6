"""What the tests of attacks share: a game at four points, and changes to the entry that comes
next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.common_deck_fields import read_rows, write_rows
from tests.support.bad_points import BAD
from tests.support.loot_match import Match

Change = Callable[[Fields], None]

KINDS = (
    "identity",
    "zeros",
    "off the curve",
    "small order, multiple 1",
    "small order, multiple 4",
    "right point plus small order 1",
    "y = 1 written as y + p",
    "the identity with a sign",
)
"""One of each kind of point that must be refused; the tests of the group have them all."""
assert set(KINDS) <= set(BAD)


def play_card(seat: str, options: Sequence[str]) -> str:
    """A card rather than the pile; a merchant ship if there is one."""
    cards = [option for option in options if option != "draw"]
    ships = [option for option in cards if option.startswith("merchant")]
    return (ships or cards or ["draw"])[0]


def draw_card(seat: str, options: Sequence[str]) -> str:
    return "draw" if "draw" in options else play_card(seat, options)


@pytest.fixture(scope="session")
def joining() -> Match:
    """Three players; entry 1 is the second player's: their key and their shuffle."""
    return Match(3).until(1)


@pytest.fixture(scope="session")
def sharing(joining: Match) -> Match:
    """Entry 5 is the third player's: shares for the cards of the others."""
    return joining.fork().until(5)


@pytest.fixture(scope="session")
def deciding(sharing: Match) -> Match:
    """Entry 6 is the first player's first move."""
    return sharing.fork().until(6)


def refused(match: Match, entry: str, reason: str, change: Change, **more: object) -> None:
    code, words = match.forge(change, **more)  # type: ignore[arg-type]
    assert (code, words.startswith(f"{entry}: "), reason in words) == (3, True, True), words


def put(name: str, value: str | list[str]) -> Change:
    return lambda fields: fields.__setitem__(name, value)


def drop(*names: str) -> Change:
    def change(fields: Fields) -> None:
        for name in names:
            del fields[name]

    return change


def with_point(name: str, index: int, point: bytes) -> Change:
    """Another 32 bytes in place of the one at `index` of a field."""

    def change(fields: Fields) -> None:
        value = fields[name]
        rows = isinstance(value, list)
        data = read_rows(value, "", name) if isinstance(value, list) else unb64(str(value))
        data = data[: 32 * index] + point + data[32 * (index + 1) :]
        fields[name] = write_rows(data) if rows else b64(data)

    return change
